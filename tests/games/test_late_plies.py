"""Laws of every game whose plies a core plays: the records, what a look finds, and what is kept alive."""

from __future__ import annotations

import copy
import pickle
import random
from dataclasses import fields, replace
from typing import Any

import pytest

import qchess
from qchess.late import CERTAIN, Late
from tests.games.late import by_rules, late_one, parts, require_gone_with_its_game, require_same_game

GAMES = ("quantum-chess", "quantum-checkers", "niels-chess", "niels-xiangqi")


def from_behind(position: Any) -> list[Any]:
    """Every part of a position, the last one first."""
    return [getattr(position, row.name) for row in reversed(fields(position))]


LOOKS = [
    lambda p: p.registers,
    lambda p: [getattr(p, row.name) for row in reversed(fields(p))],
    pickle.dumps,
    copy.copy,
    copy.deepcopy,
    replace,
    repr,
    hash,
]


@pytest.fixture(autouse=True)
def _core(name: str) -> None:
    if qchess.new(name).rules.core() is None:
        pytest.skip("needs llvmlite, and numba or built kernels")


@pytest.mark.parametrize(
    ("name", "options", "seed", "answers"),
    [
        ("quantum-chess", {}, 1, 3),
        ("quantum-checkers", {}, 2, 5),
        ("quantum-checkers", {"profile": "cheqqers_2025_03"}, 2, 5),
        ("niels-chess", {}, 2, 5),
        ("niels-xiangqi", {}, 2, 5),
    ],
)
def test_a_game_by_the_core_has_the_record_of_one_by_the_rules(
    name: str, options: dict[str, Any], seed: int, answers: int
) -> None:
    fast, slow = (qchess.new(name, seed=5, **options) for _ in range(2))
    by_rules(slow.rules)
    rng = random.Random(seed)
    for ply in range(100):
        if fast.is_over:
            break
        rolling = [k for k, move in enumerate(slow.rules.moves(slow.position)) if asks(slow, move)] if ply % 2 else []
        number = rng.choice(rolling or range(len(fast.moves())))
        for game in (fast, slow):
            game.play(game.moves()[number] if ply % 3 else game.legal_moves[number])
            if ply % 10 == 9:
                game.undo()
                game.undo()
            if ply % 20 == 19:
                game.redo()
    require_same_game(fast, slow, answers)


def asks(game: qchess.Game, move: Any) -> bool:
    """Whether a move has an answer."""
    return bool(game.rules.compile(game.position, move).answers)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_by_the_core_goes_as_soon_as_nobody_needs_it(name: str) -> None:
    require_gone_with_its_game(name, 40)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", GAMES)
def test_whatever_looks_at_a_late_position_finds_the_same(name: str, look: Any) -> None:
    _, position = late_one(name)
    _, twin = late_one(name)
    look(position)
    assert position == twin
    assert parts(position) == parts(twin)
    again = pickle.loads(pickle.dumps(position))
    assert not isinstance(again, Late)
    assert "snapshot" not in vars(again)
    assert parts(again) == parts(twin)


@pytest.mark.parametrize("name", GAMES)
def test_a_look_at_one_answer_makes_its_position(name: str) -> None:
    fast, slow = (qchess.new(name, seed=5) for _ in range(2))
    by_rules(slow.rules)
    rng = random.Random(4)
    while not (isinstance(fast.position, Late) and any(a.source != CERTAIN for a in fast.history[-1].answers)):
        number = rng.randrange(len(fast.moves()))
        for game in (fast, slow):
            game.play(game.moves()[number])
    answers, same = (game.history[-1].answers for game in (fast, slow))
    assert [answer.probability for answer in reversed(answers)] == [answer.probability for answer in reversed(same)]
    assert not isinstance(fast.position, Late)
    assert parts(fast.position) == parts(slow.position)
