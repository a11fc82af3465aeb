"""A ply by the core is the ply of the rules, to the last bit: positions, answers, records, lists, results, refusals.

The slow test plays 500 games, or as many as ``QCHESS_GAMES`` says.
"""

from __future__ import annotations

import copy
import gc
import json
import os
import pickle
import random
import weakref
from dataclasses import fields, replace
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.circuits.errors import StateTooLargeError
from qchess.circuits.register import Register
from qchess.circuits.sources import Forced, Seeded
from qchess.games.quantum_chess import Move, Position, QuantumChess
from qchess.games.quantum_chess.late.plies import LatePosition
from tests.games.test_quantum_chess_core import STARTS

GAMES = int(os.environ.get("QCHESS_GAMES", "500"))
BOOKS: tuple[dict[str, Any], ...] = (
    {},
    {"profile": "sdk-0.2.2"},
    {"quantum": False},
    {"halfmove_clock": "fide"},
    {"castling": False, "en_passant": False, "promotion": False},
    {"sandbox": True},
    {"max_ply": 60},
)


@pytest.fixture(scope="module", autouse=True)
def _core() -> None:
    if QuantumChess().core() is None:
        pytest.skip("needs llvmlite, and numba or built kernels")


def parts(position: Position) -> dict[str, Any]:
    """Everything that a position holds, bit for bit."""
    found: dict[str, Any] = {
        row.name: repr(getattr(position, row.name)) for row in fields(position) if row.name != "of"
    }
    registers, numbers = position.registers, {id(r): k for k, r in enumerate(position.registers.each)}
    found["home"] = {q: numbers[id(at)] if isinstance(at, Register) else at for q, at in registers.home.items()}
    found["order"] = list(registers.home)
    found["states"] = [(r.qubits, repr(sorted(r.amplitudes().items()))) for r in registers.each]
    found["phase"], found["environment"] = repr(registers.phase), registers.environment
    found["past"] = repr(registers.past and registers.past.__reduce__()[1])
    return {**found, "of": dict(position.of)}


def ways(rules: QuantumChess, position: Position, move: Any) -> list[Any]:
    """Every way a move can end; a turn is played by the rules."""
    found = list(rules.outcomes(position, move))
    assert all(way.position.registers is way.run.registers for way in found)
    return [(way.answers, way.probability, way.run.answers, parts(way.position)) for way in found]


def played_both_ways(seed: int, most: int, **options: Any) -> int:
    """Plays a game by the core and by the rules at once; gives how many plies the core played."""
    starts = [start for start in STARTS.values() if options.get("quantum", True) or not start[1]]
    fen, setup = random.Random(seed).choice([STARTS["start"], *starts])
    fast, slow = (QuantumChess(fen=fen, setup=setup, **options) for _ in range(2))
    late, early = (rules.start(backends.engine("sparse")) for rules in (fast, slow))
    dice, same_dice, rng = Seeded(seed), Seeded(seed), random.Random(seed)
    looks, by_core, kept = rng.choice((0.0, 0.02, 0.4)), 0, []
    for ply in range(most):
        assert fast.result(late) == slow.result(early), (seed, ply)
        if fast.result(late) or max(early.registers.branches(), default=1) > 5000:
            break
        moves = fast.moves(late)
        assert list(moves) == list(slow.moves(early)), (seed, ply)
        if not moves:  # a sandbox has no results
            break
        move = moves[int(rng.random() * len(moves))]
        assert fast.write(late, move) == slow.write(early, move), (seed, ply)
        if not fast.book.quantum:
            assert fast.evaluate(late) == slow.evaluate(early), (seed, ply)
        assert (late.men, late.clock, late.rights) == (early.men, early.clock, early.rights), (seed, ply)
        if rng.random() < looks / 4:
            assert ways(fast, late, move) == ways(slow, early, slow.turn(early, move)), (seed, ply)
        late, answers = fast.step(late, move, dice)
        early, same = slow.step_by_rules(early, move, same_dice)
        by_core += isinstance(late, LatePosition)
        assert [(a.name, a.value, a.source) for a in answers] == [(a.name, a.value, a.source) for a in same], (
            seed,
            ply,
        )
        kept.append((late, answers, early, same))
        if rng.random() < looks:
            assert parts(late) == parts(early), (seed, ply)
    assert dice.rng.getstate() == same_dice.rng.getstate()
    rng.shuffle(kept)
    for late, answers, early, same in kept:
        assert answers == same
        assert parts(late) == parts(early)
    return by_core


@pytest.mark.parametrize("options", BOOKS, ids=str)
def test_a_ply_of_the_core_is_the_ply_of_the_rules(options: dict[str, Any]) -> None:
    assert sum(played_both_ways(seed, 30, **options) for seed in range(4)) > 25


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_many_games_of_the_core_are_those_of_the_rules(part: int) -> None:
    """Every twentieth game may be long."""
    seeds = range(part, GAMES, 4)
    plies = [played_both_ways(seed, 26 if seed % 20 else 200, **BOOKS[seed % len(BOOKS)]) for seed in seeds]
    assert sum(plies) > 15 * len(seeds)


def play_at_random(game: qchess.Game, rng: random.Random) -> None:
    """Plays a game as users do, to its end."""
    while not game.is_over:
        moves = game.moves()
        game.play(moves[int(rng.random() * len(moves))])


@pytest.mark.slow
def test_a_game_that_grows_too_large_is_refused_at_the_same_ply_with_the_same_words() -> None:
    games = [qchess.new("quantum-chess", seed=11, profile="sdk-0.2.2") for _ in range(2)]
    games[1].rules.at_once = lambda *_: None  # type: ignore[method-assign]
    refusals = []
    for game in games:
        with pytest.raises(StateTooLargeError) as refused:
            play_at_random(game, random.Random(11))
        refusals.append((len(game.history), str(refused.value), game.fen, game.record().to_json()))
    assert refusals[0] == refusals[1]


def test_a_game_by_the_core_has_the_record_of_one_by_the_rules() -> None:
    games = [qchess.new("quantum-chess", seed=5) for _ in range(2)]
    games[1].rules.at_once = lambda *_: None  # type: ignore[method-assign]
    rng = random.Random(1)
    for ply in range(60):
        number = int(rng.random() * len(games[0].moves()))
        for game in games:
            game.play(game.moves()[number] if ply % 3 else game.legal_moves[number])
            if ply % 10 == 9:
                game.undo()
                game.undo()
            if ply % 20 == 19:
                game.redo()
    fast, slow = games
    assert sum(len(played.answers) for played in fast.history) > 2
    assert any(isinstance(position, LatePosition) for position in fast.positions)
    assert json.loads(fast.record().to_json()) == json.loads(slow.record().to_json())
    assert (fast.history, fast._lines, fast._points) == (slow.history, slow._lines, slow._points)
    assert [*map(str, fast.history)] == [*map(str, slow.history)]
    assert fast._standing.given == slow._standing.given
    assert parts(fast.position) == parts(slow.position)


def test_a_game_by_the_core_goes_as_soon_as_nobody_needs_it() -> None:
    game, rng = qchess.new("quantum-chess", seed=1), random.Random(1)
    gc.disable()
    try:
        while not game.is_over and len(game.history) < 60:
            game.play(rng.choice(game.moves()))
        assert any(played.answers for played in game.history)
        held = [weakref.ref(position) for position in game.positions[1:]]
        del game
        assert all(position() is None for position in held)
    finally:
        gc.enable()


# -- what is not for the core ----------------------------------------------------------------------------


def late_one(seed: int = 3, plies: int = 12) -> tuple[QuantumChess, Position]:
    """A position after some plies of the core, at which nobody has looked."""
    rules = QuantumChess()
    position, dice, rng = rules.start(backends.engine("sparse")), Seeded(seed), random.Random(seed)
    for _ in range(plies):
        position, _ = rules.step(position, rng.choice(rules.moves(position)), dice)
    assert isinstance(position, LatePosition)
    return rules, position


def test_only_listed_moves_are_played_by_the_core() -> None:
    rules, position = late_one()
    listed, rng = set(rules.moves(position)), random.Random(2)
    for _ in range(4000):
        a, b, c = rng.randrange(64), rng.randrange(64), rng.randrange(64)
        move = rng.choice([Move((a,), (b,)), Move((a,), (b, c)), Move((a, b), (c,)), Move((a,), (b,), "q")])
        assert move in listed or rules.at_once(position, move, Seeded(1).throw) is None, move
    assert all(rules.at_once(position, move, lambda _: Seeded(1).throw()) for move in listed)


def test_other_engines_sources_and_limits_ask_the_rules() -> None:
    rules, position = late_one()
    move = next(move for move in rules.moves(position) if rules.compile(position, move).answers)
    assert not isinstance(rules.step(position, move, Forced({"hit": 1}))[0], LatePosition)
    start = rules.start(backends.engine("sparse", branch_limit=2))
    after, _ = rules.step(start, Move((1,), (16, 18)))
    assert not isinstance(after, LatePosition)
    after, _ = rules.step(after, Move((52,), (44,)))
    with pytest.raises(StateTooLargeError):
        rules.step(after, Move((16,), (1, 26)))


@pytest.mark.parametrize("look", [lambda p: p.registers, lambda p: p.pieces, pickle.dumps, copy.copy, replace, hash])
def test_whatever_looks_at_a_late_position_finds_the_same(look: Any) -> None:
    _, position = late_one()
    _, twin = late_one()
    look(position)
    assert position == twin
    assert parts(position) == parts(twin)
    again = pickle.loads(pickle.dumps(position))
    assert type(again) is Position
    assert "snapshot" not in vars(again)
    assert parts(again) == parts(twin)
