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
import re
import weakref
from dataclasses import fields, replace
from functools import partial
from itertools import product
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.circuits.errors import StateTooLargeError
from qchess.circuits.register import Register
from qchess.circuits.sources import Forced, Seeded, Throw
from qchess.games.quantum_checkers import Move, QuantumCheckers
from qchess.games.quantum_checkers.late.kernels import play_ply
from qchess.games.quantum_checkers.late.plies import LatePosition
from qchess.games.quantum_checkers.position import Position
from qchess.games.quantum_checkers.turn import CAPTURER, TARGET
from qchess.late import Thrown
from tests.games.test_quantum_checkers_core import BOARDS, PROFILES

GAMES = int(os.environ.get("QCHESS_GAMES", "500"))
BOOKS = tuple(
    {"level": level, "size": size, "rows": rows, "profile": profile}
    for profile, (size, rows), level in product(PROFILES, (*BOARDS, (10, 2), (26, 1)), (3, 2, 1, 0))
)


@pytest.fixture(scope="module", autouse=True)
def _core() -> None:
    if not play_ply.compiled:
        pytest.skip("needs llvmlite, and numba or built kernels")


def parts(position: Position) -> dict[str, Any]:
    """Everything that a position holds, bit for bit."""
    found: dict[str, Any] = {row.name: getattr(position, row.name) for row in fields(position)}
    registers = found.pop("registers")
    numbers = {id(register): k for k, register in enumerate(registers.each)}
    found["home"] = {q: numbers[id(at)] if isinstance(at, Register) else at for q, at in registers.home.items()}
    found["states"] = [(r.qubits, repr(sorted(r.amplitudes().items()))) for r in registers.each]
    found["phase"], found["environment"] = repr(registers.phase), registers.environment
    found["past"] = repr(registers.past and registers.past.__reduce__()[1])
    return {**found, "order": [[*registers.home], [*found["pieces"]], [*found["owner"]]]}


def ways(rules: QuantumCheckers, position: Position, move: Any) -> list[Any]:
    """Every way a move can end; a turn is played by the rules."""
    found = list(rules.outcomes(position, move))
    assert all(way.position.registers is way.run.registers for way in found)
    return [(way.answers, way.probability, way.run.answers, parts(way.position)) for way in found]


def chosen(rules: QuantumCheckers, position: Position, move: Any, by_core: bool) -> list[Any]:
    """The answers that numbers select, all pairs of some."""
    found = []
    for pair in product((0.05, 0.3, 0.45, 0.8), repeat=2):
        numbers = dict(zip((CAPTURER, TARGET), pair, strict=True))
        throw = partial(lambda numbers, name, _: Throw(numbers[name], "given"), numbers)
        made = rules.at_once(position, move, throw) if by_core else None
        answers = made[1] if made else rules.step_by_rules(position, move, Thrown((), throw))[1]
        found.append([(answer.name, answer.value) for answer in answers])
    return found


def played_both_ways(seed: int, **options: Any) -> tuple[int, str]:
    """Plays a game by the core and by the rules at once; gives how many plies the core played, and what was found."""
    fast, slow = (QuantumCheckers(**options) for _ in range(2))
    slow.at_once = lambda *_: None  # type: ignore[method-assign]
    late, early = (rules.start(backends.engine("sparse")) for rules in (fast, slow))
    dice, same_dice, rng = Seeded(seed), Seeded(seed), random.Random(seed)
    looks, by_core, found, kept = rng.choice((0.0, 0.02, 0.4)), 0, "", []
    for ply in range(400):
        assert fast.result(late) == slow.result(early), (seed, ply)
        assert fast.moves(late) == slow.moves(early), (seed, ply)
        if fast.result(late):
            break
        move = rng.choice(fast.moves(late))
        assert (late.player, late.ply, late.quiet, late.chain) == (early.player, early.ply, early.quiet, early.chain)
        if rng.random() < looks / 4:
            assert ways(fast, late, move) == ways(slow, early, slow.turn(early, move)), (seed, ply)
        before, (late, answers) = late, fast.step(late, move, dice)
        if len(answers) == 2:
            assert chosen(fast, before, move, True) == chosen(slow, early, move, False), (seed, ply)
        turn = slow.turn(early, move)
        after, same = slow.step(early, turn, same_dice)
        given = {answer.name: answer.value for answer in same}
        assert [(a.name, a.value, a.source) for a in answers] == [(a.name, a.value, a.source) for a in same], (
            seed,
            ply,
        )
        text = fast.tell_at_once(before, move, fast.write(before, move), answers, late)
        assert text == slow.tell(early, turn, given), (seed, ply)
        early = after
        by_core += isinstance(late, LatePosition)
        found += text.partition(".")[2] + " "
        kept.append((late, answers, early, same))
        if rng.random() < looks:
            assert parts(late) == parts(early), (seed, ply)
    assert dice.rng.getstate() == same_dice.rng.getstate()
    rng.shuffle(kept)
    for late, answers, early, same in kept:
        assert answers == same
        assert parts(late) == parts(early)
    return by_core, found


def test_a_ply_of_the_core_is_the_ply_of_the_rules() -> None:
    full = [BOOKS.index({"level": 3, "size": 8, "rows": 3, "profile": profile}) for profile in PROFILES]
    seeds = [*range(0, len(BOOKS), 3), *(seed + len(BOOKS) * k for seed in full for k in range(4))]
    plies, found = zip(*(played_both_ways(seed, **BOOKS[seed % len(BOOKS)]) for seed in seeds), strict=True)
    assert sum(plies) > 25 * len(seeds)
    for told in (r"m0x", r"/", r"m1\.m1", r"m1\.m0"):  # captured before, a partner's place, and two questions
        assert re.search(told, " ".join(found)), told


@pytest.mark.slow
def test_many_games_of_the_core_are_those_of_the_rules() -> None:
    plies = [played_both_ways(seed, **BOOKS[seed % len(BOOKS)])[0] for seed in range(GAMES)]
    assert sum(plies) > 20 * GAMES


@pytest.mark.parametrize("profile", PROFILES[:2])
def test_a_game_by_the_core_has_the_record_of_one_by_the_rules(profile: str) -> None:
    games = [qchess.new("quantum-checkers", seed=5, profile=profile) for _ in range(2)]
    games[1].rules.at_once = lambda *_: None  # type: ignore[method-assign]
    rng = random.Random(2)
    for ply in range(100):
        if games[0].is_over:
            break
        number = int(rng.random() * len(games[0].moves()))
        for game in games:
            game.play(game.moves()[number] if ply % 3 else game.legal_moves[number])
            if ply % 10 == 9:
                game.undo()
                game.undo()
            if ply % 20 == 19:
                game.redo()
    fast, slow = games
    assert sum(len(played.answers) for played in fast.history) > 4
    assert any(isinstance(position, LatePosition) for position in fast.positions)
    assert json.loads(fast.record().to_json()) == json.loads(slow.record().to_json())
    assert (fast.history, fast._lines, fast._points) == (slow.history, slow._lines, slow._points)
    assert [*map(str, fast.history)] == [*map(str, slow.history)]
    assert fast._standing.given == slow._standing.given
    assert parts(fast.position) == parts(slow.position)


def test_answers_that_stand_are_given_again() -> None:
    game = qchess.new("quantum-checkers", seed=3, size=6, rows=2)
    rng = random.Random(3)
    again = 0
    while not game.is_over:
        move = rng.choice(game.legal_moves)
        first = game.play(move)
        if first.answers:
            game.undo()
            assert game.play(move) == first
            again += 1
    assert again > 2


def test_a_game_by_the_core_goes_as_soon_as_nobody_needs_it() -> None:
    game, rng = qchess.new("quantum-checkers", seed=1), random.Random(1)
    gc.disable()
    try:
        while not game.is_over:
            game.play(rng.choice(game.moves()))
        assert any(played.answers for played in game.history)
        held = [weakref.ref(position) for position in game.positions[1:]]
        del game
        assert all(position() is None for position in held)
    finally:
        gc.enable()


# -- what is not for the core ----------------------------------------------------------------------------


def late_one(seed: int = 3, plies: int = 12) -> tuple[QuantumCheckers, Position]:
    """A position after some plies of the core, at which nobody has looked."""
    rules = QuantumCheckers()
    position, dice, rng = rules.start(backends.engine("sparse")), Seeded(seed), random.Random(seed)
    for _ in range(plies):
        position, _ = rules.step(position, rng.choice(rules.moves(position)), dice)
    assert isinstance(position, LatePosition)
    return rules, position


def test_only_listed_moves_are_played_by_the_core() -> None:
    rules, position = late_one(plies=5)
    listed, rng = set(rules.moves(position)), random.Random(2)
    for _ in range(2000):
        a, b, c = rng.randrange(64), rng.randrange(64), rng.randrange(64)
        move = rng.choice([Move((a,), (b,)), Move((a,), (b, c)), Move((a, b), (c,)), Move((a,), ()), Move((), (a, b))])
        assert move in listed or rules.at_once(position, move, Seeded(1).throw) is None, move
    assert all(rules.at_once(position, move, Seeded(1).throw) for move in listed)


def test_other_engines_sources_and_limits_ask_the_rules() -> None:
    rules, position = late_one()
    assert not isinstance(rules.step(position, rules.moves(position)[0], Forced())[0], LatePosition)
    start = rules.start(backends.engine("sparse", branch_limit=2))
    after, _ = rules.step(start, next(move for move in rules.moves(start) if move.is_split))
    assert not isinstance(after, LatePosition)
    after, _ = rules.step(after, rules.moves(after)[0])
    with pytest.raises(StateTooLargeError):
        rules.step(
            after, next(m for m in rules.moves(after) if m.is_split and after.pieces[after.owner[m.sources[0]]].split)
        )


def test_rules_that_have_played_by_the_core_pickle() -> None:
    rules, position = late_one()
    again = pickle.loads(pickle.dumps(rules))
    assert again.moves(pickle.loads(pickle.dumps(position))) == rules.moves(position)


def test_odds_close_to_the_number_thrown_are_left_to_the_rules() -> None:
    rules = QuantumCheckers(1, position="W:Wc3,a1:Bh8,f6")
    position = rules.start(backends.engine("sparse"))
    for text in ("c3^b4d4", "f6-e5"):
        position, _ = rules.step(position, rules.read(position, text)[0])
    (move,) = rules.moves(position)
    for number, by_core in ((0.5 - 1e-9, False), (0.5 + 1e-9, False), (0.4, True), (0.6, True)):
        made = rules.at_once(position, move, lambda *_, u=number: Throw(u, "given"))
        assert made is not None
        assert isinstance(made[0], LatePosition) == by_core
        assert made[1][0].value == (1 if number < 0.5 else 2)


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
