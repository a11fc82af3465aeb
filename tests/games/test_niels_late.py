"""A ply decided by the marks is the ply of the circuits, to the last bit: positions, answers, records.

The slow test plays 300 games, or as many as ``QCHESS_GAMES`` says.
"""

from __future__ import annotations

import copy
import os
import pickle
import random
from dataclasses import replace
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.circuits.register import Register
from qchess.circuits.sources import Forced, Seeded, Throw
from qchess.games.niels_chess import NielsChess, Position
from qchess.games.niels_chess.fast import late
from qchess.games.niels_chess.fast.late import LatePosition
from tests.games.niels import FAMILIES, made

GAMES = int(os.environ.get("QCHESS_GAMES", "300"))
#: a queen takes a bishop in superposition
ROLL = "7k/8/3b4/8/8/b7/8/3Q3K w - - 0 1 d6oa3p"


def parts(position: Position) -> dict[str, Any]:
    """Everything that a position holds, bit for bit."""
    registers, numbers = position.registers, {id(r): k for k, r in enumerate(position.registers.each)}
    return {
        "marks": (position.state, position.players, position.rolled),
        "home": [(q, numbers[id(at)] if isinstance(at, Register) else at) for q, at in registers.home.items()],
        "states": [(r.qubits, repr(sorted(r.amplitudes().items()))) for r in registers.each],
        "phase": (repr(registers.phase), registers.environment),
        "past": repr(registers.past and registers.past.__reduce__()[1]),
    }


def played_both_ways(family: str, seed: int, plies: int) -> int:
    """Plays a game by the marks and by the circuits at once; gives how many plies the marks played."""
    rules, rng = made(family), random.Random(seed)
    first = early = rules.start(backends.engine("sparse"))
    dice, same_dice, looks, by_marks, kept = Seeded(seed), Seeded(seed), rng.choice((0.0, 0.05, 0.4)), 0, []
    for _ in range(plies):
        if rules.result(first):
            break
        kinds: dict[str, list[Any]] = {}
        for move in rules.moves(first):
            kinds.setdefault(f"{move.kind} {rules.takes(first, rules.turn(first, move))}", []).append(move)
        move = rng.choice(kinds[rng.choice(sorted(kinds))])
        if len(certain := [*rules.outcomes(first, move)]) == 1 and rng.random() < looks:
            (same,) = rules.outcomes(early, rules.turn(early, move))
            assert (certain[0].answers, certain[0].probability) == (same.answers, same.probability)
            assert parts(certain[0].position) == parts(same.position)
        first, answers = rules.step(first, move, dice)
        early, known = rules.step_by_rules(early, move, same_dice)
        by_marks += isinstance(first, LatePosition)
        assert [(a.name, a.value, a.source) for a in answers] == [(a.name, a.value, a.source) for a in known], move
        kept.append((first, answers, early, known))
        if rng.random() < looks:
            assert parts(first) == parts(early), move
    assert dice.rng.getstate() == same_dice.rng.getstate()
    rng.shuffle(kept)
    for first, answers, early, known in kept:
        assert (answers, parts(first)) == (known, parts(early))
    return by_marks


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


@pytest.mark.parametrize(("name", "rolls"), [("niels-chess", 2), ("niels-xiangqi", 1)])
def test_a_game_by_the_marks_has_the_record_of_one_by_the_circuits(name: str, rolls: int) -> None:
    games, rng = [qchess.new(name, seed=5) for _ in range(2)], random.Random(2)
    games[1].rules.at_once = lambda *_: None  # type: ignore[method-assign]
    for ply in range(70):
        if games[0].result:
            break
        rules, at = games[1].rules, games[1].position
        rolling = [k for k, move in enumerate(rules.moves(at)) if rules.compile(at, move).answers]
        number = rng.choice(rolling or range(len(rules.moves(at))))
        for game in games:
            game.play(game.moves()[number] if ply % 3 else game.legal_moves[number])
            if ply % 10 == 9:
                game.undo()
                game.undo()
                game.redo()
    first, second = games
    assert any(isinstance(position, LatePosition) for position in first.positions)
    assert max(len(played.answers) for played in first.history) == rolls
    assert first.record().to_json() == second.record().to_json()
    assert (first.history, first._lines, first._points) == (second.history, second._lines, second._points)
    assert [*map(str, first.history)] == [*map(str, second.history)]
    assert first._standing.given == second._standing.given
    assert parts(first.position) == parts(second.position)


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
    assert type(rules.step(start, rules.read(start, "d1d6")[0], Forced({"roll1": 1}))[0]) is Position


@pytest.mark.parametrize("look", [lambda p: p.registers, pickle.dumps, copy.copy, replace, repr])
def test_whatever_looks_at_a_late_position_finds_the_same(look: Any) -> None:
    def one() -> Position:
        game, rng = qchess.new("niels-chess", seed=1), random.Random(1)
        for _ in range(12):
            game.play(rng.choice(game.moves()))
        assert isinstance(game.position, LatePosition)
        return game.position

    position, twin = one(), one()
    look(position)
    assert position == twin
    again = pickle.loads(pickle.dumps(position))
    assert type(again) is Position
    assert parts(again) == parts(position) == parts(twin)
