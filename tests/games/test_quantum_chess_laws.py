"""The laws of the rule book, section 12: they hold in every position that random play comes to."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qchess import backends
from qchess.boards.geometry import ALL_AROUND, DIAGONAL, ORTHOGONAL, geometry, mask
from qchess.circuits import patterns
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Branch, Program, Question
from qchess.circuits.registers import Registers
from qchess.circuits.sources import FixedAnswers, Seeded
from qchess.games.quantum_chess import Move, MoveType, Position, QuantumChess
from qchess.games.quantum_chess import patterns as chess
from qchess.games.quantum_chess.fen import START
from qchess.games.quantum_chess.reach import reach
from qchess.testing import check_game

ENGINE = backends.get().engine
#: few men and open lines: splits, blocked slides, castling, promotion and en passant all come up
OPEN = "r3k2r/1p1p4/8/2P2n2/2N2p2/8/4P1P1/R3K2R w KQkq - 0 1"
SMALL = "2nk/p2p/4/P3/KN1R w - - 0 1"


def random_walk(rules: QuantumChess, seed: int, plies: int) -> Iterator[tuple[Position, Move]]:
    """The positions of a random game, each with the move that is played next; small states only."""
    rng = random.Random(seed)
    source = Seeded(rng)
    position = rules.start(ENGINE)
    while position.ply < plies and rules.result(position) is None:
        moves = rules.moves(position)
        quantum = [move for move in moves if len(move.squares) == 3]
        small = max(position.registers.branches(), default=1) <= 64
        move = rng.choice(quantum if quantum and small and rng.random() < 0.4 else moves)
        yield position, move
        position, _ = rules.step(position, move, source)
        if max(position.registers.branches(), default=1) > 2048:
            return


def positions(seeds: range) -> Iterator[tuple[QuantumChess, Position, Move]]:
    return chain.from_iterable(map(walks, seeds))


@cache
def walks(seed: int) -> tuple[tuple[QuantumChess, Position, Move], ...]:
    """The positions of a game from each start, played once for all laws."""
    starts = (QuantumChess(), QuantumChess(fen=OPEN), QuantumChess(fen=SMALL))
    return tuple((rules, *turn) for rules in starts for turn in random_walk(rules, seed, 24))


def joint(registers: Registers, squares: tuple[str, ...]) -> dict[int, float]:
    return registers.distribution(*squares)


def close(a: dict[int, float], b: dict[int, float]) -> bool:
    return all(abs(a.get(key, 0) - b.get(key, 0)) < 1e-9 for key in a.keys() | b.keys())


# -- law 1 ------------------------------------------------------------------------------------------------


def test_the_norm_is_1_and_every_occupied_square_has_a_symbol() -> None:
    seen = 0
    for _, position, _ in positions(range(4)):
        registers = position.registers
        for register in registers.each:
            norm = sum(abs(a) ** 2 for a in register.amplitudes().values())
            assert norm == pytest.approx(1, abs=1e-9)
            seen += 1
        for name, symbol in zip(position.geometry.names, position.board, strict=True):
            assert (registers.known(name) == 0) == (symbol == "."), name
            assert position.odds.get(name, 0) == pytest.approx(registers.probability(name), abs=1e-12)
    assert seen > 100


def test_the_masks_of_the_men_are_what_board_and_registers_say() -> None:
    for seed, fen in enumerate((START, OPEN, SMALL)):
        for position, _ in random_walk(QuantumChess(fen=fen, sandbox=True), seed, 60):
            names, men = position.geometry.names, position.men
            assert position.of == {
                symbol: mask(k for k, there in enumerate(position.board) if there == symbol)
                for symbol in set(position.board) - {"."}
            }
            occupied = {k for k, name in enumerate(names) if position.registers.known(name) != 0}
            assert {k for k, symbol in enumerate(position.board) if symbol != "."} == occupied
            assert men.full == mask(k for k in occupied if position.registers.known(names[k]) == 1)
            assert men.own | men.enemy == mask(occupied)
            assert not men.own & men.enemy
            assert men.squares == tuple(k for k in sorted(occupied) if men.own >> k & 1)


@settings(max_examples=100)
@given(st.integers(1, 10), st.integers(1, 10), st.integers(0, 2**100 - 1), st.data())
def test_a_slider_goes_along_each_ray_until_something_stops_it(
    width: int, height: int, full: int, data: st.DataObject
) -> None:
    board = geometry(width, height)
    square = data.draw(st.integers(0, board.size - 1))
    for symbol, steps in (("B", DIAGONAL), ("r", ORTHOGONAL), ("Q", ALL_AROUND)):
        reached = 0
        for step in steps:
            there = board.step(square, step)
            while there is not None:
                reached |= 1 << there
                there = None if full >> there & 1 else board.step(there, step)
        assert reach(board).of(symbol, square, full) == reached


def test_both_outcomes_together_are_what_was_there_before() -> None:
    """The question only looks: its two answers, weighted, give back the joint odds of all squares."""
    asked = 0
    for rules, position, move in positions(range(4)):
        first = rules.compile(position, move).steps[0]
        names = position.geometry.names
        if not isinstance(first, Question):
            assert rules.pass_probability(position, move) == 1
            continue
        p = rules.pass_probability(position, move)
        assert sum(rules.chances(position, move).values()) == pytest.approx(1, abs=1e-12)
        if not 1e-9 < p < 1 - 1e-9:
            continue
        asked += 1
        mixed: dict[int, float] = {}
        for answer, weight in ((1, p), (0, 1 - p)):
            for key, share in joint(position.registers.project(first.predicate, answer), names).items():
                mixed[key] = mixed.get(key, 0) + weight * share
        assert close(mixed, joint(position.registers, names))
        failed, _ = rules.step(position, move, FixedAnswers([0]))
        assert close(joint(failed.registers, names), joint(position.registers.project(first.predicate, 0), names))
        assert (failed.ply, failed.en_passant, failed.rights) == (position.ply + 1, None, position.rights)
    assert asked >= 10


# -- law 2 ------------------------------------------------------------------------------------------------


def test_a_merge_undoes_the_split_of_the_same_squares_in_every_position() -> None:
    tried = 0
    for rules, position, move in positions(range(4)):
        if not move.is_split:
            continue
        (s,), (a, b) = move.sources, move.targets
        split = rules.compile(position, move)
        merge = rules.compile(position, Move((a, b), (s,)))
        after = position.registers.run(split).registers.run(merge).registers
        assert after.same_as(position.registers)
        before = position.registers.run(merge).registers.run(split).registers
        assert before.same_as(position.registers)
        tried += 1
    assert tried > 20


def test_four_jumps_are_the_identity_and_two_turn_the_sign_of_what_moved() -> None:
    start = Registers(ENGINE, ["b1"]).run(patterns.split("b1", "a3", "c3")).registers
    there_and_back = patterns.jump("c3", "d5") + patterns.jump("d5", "c3")
    once, twice = start.run(there_and_back).registers, start.run(there_and_back + there_and_back).registers
    assert twice.same_as(start)
    before, after = (r.amplitudes(("a3", "c3")) for r in (start, once))
    assert after[2] / after[1] == pytest.approx(-before[2] / before[1], abs=1e-12)


# -- law 3 and 4 --------------------------------------------------------------------------------------------


def test_a_basic_slide_out_and_back_restores_all_joint_odds() -> None:
    tried = 0
    for rules, position, move in positions(range(4)):
        kind = rules.kind(position, move)
        if kind.type not in (MoveType.SLIDE, MoveType.JUMP) or kind.measures:
            continue
        tried += 1
        names = position.geometry.names
        (s,), (t,) = move.sources, move.targets
        back = patterns.slide(names[t], names[s], position.geometry.path(t, s))
        again = position.registers.run(rules.compile(position, move)).registers.run(back).registers
        assert close(joint(again, names), joint(position.registers, names))
    assert tried > 20


def test_a_capture_that_is_sure_to_pass_changes_nothing_elsewhere() -> None:
    tried = 0
    for rules, position, move in positions(range(12)):
        kind = rules.kind(position, move)
        if kind.type not in (MoveType.JUMP, MoveType.SLIDE) or kind.variant.name != "CAPTURE":
            continue
        names = position.geometry.names
        path = position.geometry.path(move.sources[0], move.targets[0])
        s = names[move.sources[0]]
        if position.registers.known(s) != 1 or any(position.registers.known(q) != 0 for q in path):
            continue
        tried += 1
        others = tuple(name for k, name in enumerate(names) if k not in move.squares)
        assert rules.chances(position, move) == {(("hit", 1),): 1.0}
        after, _ = rules.step(position, move)
        assert close(joint(after.registers, others), joint(position.registers, others))
    assert tried >= 5


# -- law 5 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_swapping_the_colours_and_mirroring_the_ranks_maps_games_to_games(seed: int) -> None:
    fen = (OPEN, SMALL)[seed % 2]
    rules, mirror_rules = QuantumChess(fen=fen), QuantumChess(fen=mirrored_fen(fen))
    mirror = mirror_rules.start(ENGINE)
    walk = list(random_walk(rules, seed, 24))
    for (position, move), (after, _) in pairwise(walk):
        names, other = position.geometry.names, position.geometry.mirrored
        assert {image(m, other) for m in rules.moves(position)} == {
            image(m, int) for m in mirror_rules.moves(mirror)
        }, "the same moves, seen from the other side"
        played = Move(tuple(map(other, move.sources)), tuple(map(other, move.targets)), move.promotion)
        p = rules.pass_probability(position, move)
        assert mirror_rules.pass_probability(mirror, played) == pytest.approx(p, abs=1e-9)
        mirror, answers = mirror_rules.step(mirror, played, FixedAnswers(outcome(rules, position, move, after)))
        assert len(answers) == len(rules.compile(position, move).answers)
        assert tuple(after.board[other(k)].swapcase() for k in range(len(names))) == mirror.board
        assert close(joint(mirror.registers, tuple(names[other(k)] for k in range(len(names)))),
                     joint(after.registers, names))  # fmt: skip
        assert mirror.clock == after.clock
        assert mirror.mass == pytest.approx(after.mass)
    assert len(walk) > 10


def image(move: Move, square: Callable[[int], int]) -> Move:
    """A move on other squares; the pairs of splits and merges ascending, as lists have them."""
    sources, targets = (tuple(sorted(map(square, squares))) for squares in move[:2])
    return Move(sources, targets, move.promotion)


def outcome(rules: QuantumChess, before: Position, move: Move, after: Position) -> list[int]:
    """The answers that lead from one position to the next."""
    for way in rules.outcomes(before, move):
        if way.position == after:
            return list(way.answers.values())
    raise AssertionError("no outcome of the move leads there")


def mirrored_fen(fen: str) -> str:
    board, side, rights, square, *rest = fen.split()
    swapped = "/".join(reversed(board.split("/"))).swapcase()
    return " ".join([swapped, "b" if side == "w" else "w", rights.swapcase(), square, *rest])


# -- law 6 and 7 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("profile", "fen"), [("standard", OPEN), ("sdk-0.2.2", OPEN), ("standard", SMALL)])
def test_replay_undo_and_every_engine_give_the_same_state(profile: str, fen: str) -> None:
    report = check_game(QuantumChess(profile, fen=fen), games=2, plies=14, engines=("sparse", "cirq"), frequency=50)
    assert report.plies > 14
    assert report.compared > 14


# -- the amplitude maps of section 3 --------------------------------------------------------------------------


def passed(program: Program) -> Program:
    """What follows a yes to the one question of a program."""
    branch = program.steps[1]
    assert isinstance(branch, Branch), program
    return branch.follow(1)


R = math.sqrt(1 / 2)
SPLIT = {
    "100": {"010": 1j * R, "001": 1j * R},
    "010": {"010": R, "001": -R},
    "001": {"100": 1j},
    "110": {"011": 1j},
    "101": {"101": R, "110": -R},
    "011": {"101": 1j * R, "110": 1j * R},
    "000": {"000": 1},
    "111": {"111": 1},
}
MERGE = {
    "001": {"010": -1j},
    "100": {"100": R, "001": -1j * R},
    "010": {"100": -R, "001": -1j * R},
    "110": {"101": -1j},
    "101": {"011": -R, "110": -1j * R},
    "011": {"011": R, "110": -1j * R},
    "000": {"000": 1},
    "111": {"111": 1},
}
CASES = [
    (patterns.jump("a", "b"), "ab", {"10": {"01": 1j}, "01": {"10": 1j}, "11": {"11": 1}, "00": {"00": 1}}),
    (patterns.split("a", "b", "c"), "abc", SPLIT),
    (patterns.merge("a", "b", "c"), "abc", MERGE),
    (chess.en_passant("a", "b", "c", "x"), "abcx", {"1010": {"0101": 1}, "1110": {"1110": 1}, "0010": {"0010": 1}}),
    (passed(patterns.capture("a", "b", "x")), "abx", {"110": {"011": 1j}, "100": {"010": 1j}}),
    (passed(chess.pawn_capture("a", "b")), "ab", {"10": {"10": 1}, "11": {"01": 1}}),
    (
        passed(chess.en_passant_capture("a", "b", "c", ("x", "y"))),
        "abcxy",
        {"11000": {"01010": -1}, "11100": {"01110": -1}, "10100": {"01001": -1}, "10000": {"10000": 1}},
    ),
]


@pytest.mark.parametrize(("program", "qubits", "table"), CASES, ids=lambda v: v if isinstance(v, str) else "")
def test_each_pattern_maps_basis_states_as_the_rule_book_says(
    program: Program, qubits: str, table: dict[str, dict[str, complex]]
) -> None:
    kept: tuple[Qubit, ...] = tuple(qubits)
    for bits, expected in table.items():
        start = Registers(ENGINE, [q for q, bit in zip(kept, bits, strict=True) if bit == "1"])
        operations = program.without_discards().operations
        found = start.apply(*operations).amplitudes(kept)
        wanted = {sum(1 << k for k, bit in enumerate(key) if bit == "1"): a for key, a in expected.items()}
        assert found.keys() == wanted.keys(), bits
        assert all(abs(found[key] - wanted[key]) < 1e-12 for key in wanted), (bits, found, wanted)
