"""The list of moves as texts: a list like any other, whose texts are written when somebody looks at them."""

from __future__ import annotations

import copy
import json
import operator
import pickle
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import qchess
from qchess.games.catalogue import names
from qchess.playing.legalmoves import MoveTexts

DOZEN = 12


def games(plies: int) -> list[qchess.Game[Any, Any]]:
    """A game of each kind after some random plies."""
    found = []
    for name in names():
        game, rng = qchess.new(name, seed=5), random.Random(5)
        for _ in range(plies):
            if not game.is_over:
                game.play(rng.choice(game.moves()))
        found.append(game)
    return found


def written(game: qchess.Game[Any, Any]) -> list[str]:
    return [game.rules.write(game.position, move) for move in game.legal_moves]


@pytest.fixture(scope="module")
def several() -> list[qchess.Game[Any, Any]]:
    return [game for plies in (0, 5, 14) for game in games(plies) if not game.is_over]


def test_a_listed_text_is_read_as_the_move_that_it_was_written_for(several: list[qchess.Game[Any, Any]]) -> None:
    for game in several:
        rules, position = game.rules, game.position
        assert rules.texts(position, game.legal_moves) == written(game)
        for move, text in zip(game.legal_moves, game.moves(), strict=True):
            read, made = rules.read_turn(position, text), rules.turn(position, move)
            assert (read.move, read.program, read.told) == (made.move, made.program, None), (rules.name, text)


#: what is done with a list, as everybody sees it
USES: list[Callable[[Any], Any]] = [
    list, tuple, set, sorted, len, bool, repr, json.dumps, "\n".join, max, enumerate,
    copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)), lambda x: x.copy(),
    lambda x: (x[0], x[-1], x[1]), lambda x: x[:3], lambda x: x[::-2], lambda x: [*x], lambda x: [*reversed(x)],
    lambda x: x[2] in x, lambda x: "nonsense" in x, lambda x: x.index(x[2]), lambda x: x.count(x[2]),
    lambda x: ["a", *x], lambda x: operator.add(["a"], x), lambda x: operator.add(x, ["a"]), lambda x: 2 * x,
    lambda x: x * 2, lambda x: x < ["z"], lambda x: x >= ["z"],
    lambda x: random.Random(1).choice(x), lambda x: random.Random(1).sample(x, 3),
]  # fmt: skip


def shuffled(texts: list[str]) -> None:
    random.Random(1).shuffle(texts)


#: what changes a list
CHANGES: list[Callable[[list[str]], Any]] = [
    lambda x: x.sort(), lambda x: x.reverse(), lambda x: x.clear(), shuffled, lambda x: x.append("a"),
    lambda x: x.remove(x[3]), lambda x: x.pop(2), lambda x: x.insert(0, "a"), lambda x: x.extend(["a"]),
    lambda x: x.__iadd__(["a"]), lambda x: x.__setitem__(1, "a"), lambda x: x.__delitem__(0), lambda x: x.__imul__(2),
]  # fmt: skip


def test_it_is_a_list_for_whoever_reads_or_changes_it() -> None:
    game = qchess.new("quantum-chess", seed=1)
    plain = written(game)
    for use in USES:
        fresh = game.moves()
        assert isinstance(fresh, MoveTexts)
        found, wanted = use(fresh), use(plain)
        assert found == wanted if not isinstance(found, enumerate) else [*found] == [*wanted]
        assert fresh == plain == fresh
        assert fresh == game.moves()
    for change in CHANGES:
        fresh, other = game.moves(), plain.copy()
        fresh[5]  # one text is written before
        assert change(fresh) == change(other)
        assert [*fresh] == other
        assert game.turn_of(plain[7]).move == game.legal_moves[7]


def test_only_the_text_that_is_looked_at_is_written_and_it_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(name: str, method: Callable[..., Any], *given: Any) -> Any:
        calls.append(name)
        return method(*given)

    for game in games(2):
        for name in ("write", "read", "read_turn", "check"):
            monkeypatch.setattr(game.rules, name, partial(counted, name, getattr(game.rules, name)))
        calls.clear()
        moves = game.moves()
        assert len(moves) > 1
        assert calls == [], game.rules.name
        text = moves[len(moves) // 2]
        assert calls == ["write"]
        game.play(text)
        assert set(calls) == {"write"}, game.rules.name
