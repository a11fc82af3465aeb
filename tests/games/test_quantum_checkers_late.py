"""A ply of the core is the ply of the rules, to the last bit: positions, answers, records."""

from __future__ import annotations

import copy
import pickle
import random
from dataclasses import replace
from typing import Any

import pytest

import qchess
from qchess import backends
from qchess.circuits.register import Register
from qchess.circuits.sources import Seeded, Throw
from qchess.games.quantum_checkers import QuantumCheckers
from qchess.games.quantum_checkers.core import kernels, late
from qchess.games.quantum_checkers.core.late import Late
from qchess.games.quantum_checkers.position import Position

BOOKS: tuple[dict[str, Any], ...] = (
    {},
    {"size": 5},
    {"level": 0},
    {"level": 1},
    {"level": 2},
    {"continue_with": "any_piece_continues"},
    {"profile": "cheqqers_2025_03", "size": 6},
    {"profile": "cheqqers_2025_08"},
    {"keep_ghosts": True},
    {"draw_plies": 3, "size": 10, "rows": 4},
)


@pytest.fixture(scope="module", autouse=True)
def _core() -> None:
    if not kernels.play_move.compiled:
        pytest.skip("needs llvmlite, and numba or built kernels")


def parts(position: Position) -> dict[str, Any]:
    """Everything that a position holds, bit for bit."""
    registers, numbers = position.registers, {id(r): k for k, r in enumerate(position.registers.each)}
    return {
        "key": (position.key(), [*position.pieces.items()], [*position.owner.items()]),
        "home": [(q, numbers[id(at)] if isinstance(at, Register) else at) for q, at in registers.home.items()],
        "states": [(r.qubits, repr(sorted(r.amplitudes().items()))) for r in registers.each],
        "phase": (repr(registers.phase), registers.environment),
        "past": repr(registers.past and registers.past.__reduce__()[1]),
    }


def played_both_ways(seed: int, plies: int, **options: Any) -> int:
    """Plays a game by the core and by the rules at once; gives how many plies the core played."""
    fast, slow = QuantumCheckers(**options), QuantumCheckers(**options)
    vars(slow)["_plies"] = None
    first, early = (rules.start(backends.engine("sparse")) for rules in (fast, slow))
    rng, dice, same_dice, by_core, kept = random.Random(seed), Seeded(seed), Seeded(seed), 0, []
    looks = rng.choice((0.0, 0.05, 0.4))
    for _ in range(plies):
        assert fast.result(first) == slow.result(early)
        if fast.result(first):
            break
        moves = slow.moves(early)
        assert (fast.moves(first), fast.any_move(first)) == (moves, slow.any_move(early))
        assert [*map(str, fast.moves(first))] == [*map(str, moves)]
        move = rng.choice(moves)
        assert (first.player, first.ply, first.quiet, first.chain) == (
            early.player, early.ply, early.quiet, early.chain
        )  # fmt: skip
        turn = slow.turn(early, move)
        told = slow.tell(early, turn, {})
        made = fast.at_once(first, move, dice.throw)
        first, answers = made if made is not None else fast.step_by_rules(first, move, dice)
        before, (early, known) = early, slow.step(early, move, same_dice)
        by_core += isinstance(first, Late)
        assert [(a.name, a.value, a.source) for a in answers] == [(a.name, a.value, a.source) for a in known]
        given = {answer.name: answer.value for answer in known}
        if isinstance(first, Late):
            assert fast.recorded(first, told, given) == slow.tell(before, turn, given)
        kept.append((first, answers, early, known))
        if rng.random() < looks:
            assert parts(first) == parts(early)
    assert dice.rng.getstate() == same_dice.rng.getstate()
    rng.shuffle(kept)
    for first, answers, early, known in kept:
        assert (answers, parts(first)) == (known, parts(early))
    return by_core


@pytest.mark.parametrize("options", BOOKS, ids=str)
def test_a_ply_of_the_core_is_the_ply_of_the_rules(options: dict[str, Any]) -> None:
    assert sum(played_both_ways(seed, 40, **options) for seed in range(2)) > 3


@pytest.mark.slow
@pytest.mark.parametrize("options", BOOKS, ids=str)
def test_many_games_of_the_core_are_those_of_the_rules(options: dict[str, Any]) -> None:
    assert sum(played_both_ways(seed, 300, **options) for seed in range(2, 12)) > 40


def test_a_game_by_the_core_has_the_record_of_one_by_the_rules() -> None:
    games, rng = [qchess.new("quantum-checkers", seed=5) for _ in range(2)], random.Random(1)
    games[1].rules.at_once = lambda *_: None  # type: ignore[method-assign]
    for ply in range(90):
        if games[0].result:
            break
        number = rng.randrange(len(games[0].moves()))
        for game in games:
            game.play(game.moves()[number] if ply % 3 else game.legal_moves[number])
            if ply % 10 == 9:
                game.undo()
                game.undo()
                game.redo()
    first, second = games
    assert any(isinstance(position, Late) for position in first.positions)
    assert sum(len(played.answers) for played in first.history) > 3
    assert first.record().to_json() == second.record().to_json()
    assert (first.history, first._lines, first._points) == (second.history, second._lines, second._points)
    assert [*map(str, first.history)] == [*map(str, second.history)]
    assert first._standing.given == second._standing.given
    assert parts(first.position) == parts(second.position)


def test_a_number_close_to_the_odds_is_judged_by_the_registers() -> None:
    game, close = qchess.new("quantum-checkers", seed=1, level=1), 0
    rng, rules = random.Random(4), game.rules
    while not game.result:
        for move in game.legal_moves:
            asks = rules.compile(game.position, move).answers
            made = rules.at_once(game.position, move, lambda *_: Throw(0.5 + late.TOO_CLOSE / 2, "exact"))
            assert made is not None
            if asks and made[1][0].probability == pytest.approx(0.5):
                answers = {answer.name: answer.value for answer in made[1]}
                turn = rules.turn(game.position, move)
                assert type(made[0]) is Position
                assert rules.recorded(made[0], "", answers) == rules.tell(game.position, turn, answers)[5:]
                close += 1
        game.play(rng.choice(game.moves()))
    assert close


def test_no_more_than_so_many_plies_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "WAITING", 3)
    game, rng = qchess.new("quantum-checkers", seed=2), random.Random(2)
    for _ in range(7):
        game.play(rng.choice(game.moves()))
    assert [type(position) for position in game.positions] == [Position] * 7 + [Late]


@pytest.mark.parametrize("look", [lambda p: p.registers, lambda p: p.kings, pickle.dumps, copy.copy, replace, hash])
def test_whatever_looks_at_a_late_position_finds_the_same(look: Any) -> None:
    def one() -> Position:
        game, rng = qchess.new("quantum-checkers", seed=1), random.Random(1)
        for _ in range(12):
            game.play(rng.choice(game.moves()))
        assert isinstance(game.position, Late)
        return game.position

    position, twin = one(), one()
    look(position)
    assert position == twin
    again = pickle.loads(pickle.dumps(position))
    assert type(again) is Position
    assert not {"known", "told"} & vars(again).keys()
    assert parts(again) == parts(position) == parts(twin)
