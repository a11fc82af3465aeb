"""The switches of quantum checkers and piece-qubit chess: one way to write and read them."""

from __future__ import annotations

import pickle
from itertools import product
from typing import Any

import pytest

from qchess.errors import InvalidMoveError
from qchess.games import rules
from qchess.games.piece_qubit_chess.profile import Profile
from qchess.games.quantum_checkers.book import Options
from qchess.games.switches import Switches

KINDS = (Options, Profile)


def every(kind: type[Switches]) -> list[Switches]:
    """All sets of switches, with some limits of plies."""
    start = kind()
    values = [kind.VALUES.get(switch, (None, 1, 40, 10**12)) for switch in start.switches()]
    return [kind(*chosen) for chosen in product(*values)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_set_of_switches_is_read_as_it_is_written(kind: type[Switches]) -> None:
    found = every(kind)
    assert len({str(one) for one in found}) == len(found)
    for one in found:
        assert kind.parse(str(one)) == one
        assert pickle.loads(pickle.dumps(one)) == one
    for name, profile in kind.PROFILES.items():
        assert str(profile) == name
        assert profile.changed() is profile
        assert all(profile.changed(**one.switches()) == one for one in found[:64])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", [0, -1, 1.0, True, "", "40", "other", [40]])
def test_a_value_that_a_switch_does_not_take_is_refused_with_those_it_takes(kind: type[Switches], wrong: Any) -> None:
    for switch in kind().switches():
        values = kind.VALUES.get(switch, (1,))
        if any(type(wrong) is type(one) and wrong == one for one in values):
            continue
        with pytest.raises(InvalidMoveError, match=f"the switch {switch} takes .*, got "):
            kind().changed(**{switch: wrong})


@pytest.mark.parametrize(("game", "kind"), [("quantum-checkers", Options), ("piece-qubit-chess", Profile)])
def test_an_unknown_switch_or_profile_is_told_with_those_there_are(game: str, kind: type[Switches]) -> None:
    known = ", ".join((*kind.BESIDE, *kind().switches()))
    with pytest.raises(InvalidMoveError, match=f"no switch is called 'speed'; known are {known}"):
        rules(game, speed=3)
    first = next(iter(kind.PROFILES))
    for profile in ("other", f"{first} ", "+", ""):
        with pytest.raises(InvalidMoveError, match=rf"a profile is one of {first}, .*\+switch=value"):
            rules(game, profile=profile)
    for wrong in (f"{first}+speed=3", f"{first}+", 5, "x" * 10**4):
        with pytest.raises(InvalidMoveError):
            rules(game, profile=wrong)
