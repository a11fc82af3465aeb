"""A ply decided by the marks is the ply of the circuits, to the last bit: positions, answers, records.

The slow test plays 60 games, or as many as ``QCHESS_GAMES`` says.
"""

from __future__ import annotations

import os
import random
from functools import partial
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.circuits.sources import FixedAnswers, Seeded, Throw
from qchess.games.niels_chess import NielsChess, Position
from qchess.games.niels_chess.fast import late
from qchess.games.niels_chess.fast.late import LatePosition
from tests.games.late import Twins
from tests.games.niels import FAMILIES, made

GAMES = int(os.environ.get("QCHESS_GAMES", "60"))
#: a queen takes a bishop in superposition
ROLL = "7k/8/3b4/8/8/b7/8/3Q3K w - - 0 1 d6oa3p"


def played_both_ways(family: str, seed: int, plies: int) -> int:
    """Plays a game by the marks and by the circuits at once; gives how many plies the marks played."""
    both = Twins(partial(made, family), seed)
    for _ in range(plies):
        rules, position = both.fast, both.late
        if rules.result(position):
            break
        kinds: dict[str, list[Any]] = {}
        for move in rules.moves(position):
            kinds.setdefault(f"{move.kind} {rules.takes(position, rules.turn(position, move))}", []).append(move)
        both.play(both.rng.choice(kinds[both.rng.choice(sorted(kinds))]))
    return both.finish()


@pytest.mark.parametrize("family", FAMILIES)
def test_a_ply_by_the_marks_is_the_ply_of_the_circuits(family: str) -> None:
    assert played_both_ways(family, 1, 16) > 3


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_many_games_by_the_marks_are_those_of_the_circuits(family: str) -> None:
    """Every twentieth game may be long."""
    games = GAMES // len(FAMILIES) + 1
    plies = [played_both_ways(family, seed, 12 if seed % 20 else 120) for seed in range(2, 2 + games)]
    assert sum(plies) > 6 * games


def test_a_number_close_to_the_odds_is_judged_by_the_registers() -> None:
    rules = NielsChess(ROLL)
    position = rules.start(backends.engine("sparse"))
    move = rules.read(position, "d1d6")[0]
    thrown = []

    def throw(name: str, so_far: Any = ()) -> Throw:
        thrown.append(name)
        return Throw(2 / 3 + late.TOO_CLOSE / 2, "exact")

    at_once = rules.at_once(position, move, throw)
    assert at_once is not None
    after, answers = at_once
    assert (type(after), thrown) == (Position, ["roll1"])
    assert [(answer.value, answer.source) for answer in answers] == [(0, "exact")]


def test_no_more_than_so_many_plies_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "MOST", 3)
    game, rng = qchess.new("niels-chess", seed=2), random.Random(2)
    for _ in range(7):
        game.play(rng.choice(game.moves()))
    assert [type(position) for position in game.positions] == [Position] * 7 + [LatePosition]


def test_other_engines_and_sources_ask_the_circuits() -> None:
    rules = NielsChess(ROLL)
    start = rules.start(backends.engine("sparse", branch_limit=8))
    assert type(rules.step(start, rules.moves(start)[0], Seeded(1))[0]) is Position
    start = rules.start(backends.engine("sparse"))
    assert type(rules.step(start, rules.read(start, "d1d6")[0], FixedAnswers({"roll1": 1}))[0]) is Position
