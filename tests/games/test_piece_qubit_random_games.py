"""Random games of piece-qubit chess to their end: truths, engines, and an independent stabilizer simulator.

All gates from the usual start are Clifford and all measurements in the Z basis, so a tableau follows any
game exactly: every probability is 0, 1/2 or 1. The slow tests play 30 games, and as many as ``QCHESS_GAMES`` says.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from qchess import backends
from qchess.circuits import Answer, Branch, Discard, Operation, Program, ReadOut
from qchess.games.piece_qubit_chess import Move, PieceQubitChess, Position
from qchess.games.piece_qubit_chess.generators import generators
from qchess.games.piece_qubit_chess.states import amplitudes_of
from qchess.testing import check_game

GAMES = int(os.environ.get("QCHESS_GAMES", "30"))

Ply = tuple[Position, Move, Position, tuple[Answer, ...]]


def plies(rules: PieceQubitChess, seed: int, engine: str = "sparse") -> Iterator[Ply]:
    """A random game to its end, ply by ply."""
    rng = random.Random(seed)
    source = backends.Seeded(rng)
    position = rules.start(backends.engine(engine))
    while not rules.result(position):
        move = rng.choice(rules.moves(position))
        after, answers = rules.step(position, move, source)
        yield position, move, after, answers
        position = after


# -- truths -----------------------------------------------------------------------------------------


def check_truths(position: Position) -> int:
    """Holds a position to the invariants; gives the number of probabilities looked at."""
    registers = position.registers
    squares, mixed = position.squares, 0
    for piece in position.board.values():
        for p in position.odds(piece).values():
            assert min(abs(p - q) for q in (0.0, 0.5, 1.0)) < 1e-12
            mixed += 1
    members = [member for system in position.systems for member in system]
    assert len(members) == len(set(members))
    assert all(2 <= len(system) <= 7 for system in position.systems)
    assert all(registers.known(member) is None for member in members)
    for qubits in registers.registers:
        on_board = {q for q in qubits if q in squares}
        assert on_board == set(qubits), "what left the board is in no register"
        system = next((s for s in position.systems if qubits[0] in s), qubits[:1])
        assert on_board <= set(system)
    return mixed


def play_truly(profile: str, games: int) -> tuple[Counter[str], int]:
    """Plays games to their end under every truth; gives the ends and the number of plies."""
    ends: Counter[str] = Counter()
    count = 0
    rules = PieceQubitChess(profile, max_plies=400)
    for seed in range(games):
        position = rules.start(backends.engine("sparse"))
        for _, move, position, answers in plies(rules, seed):
            check_truths(position)
            assert all(0 < answer.probability <= 1 for answer in answers), move
            count += 1
        ends[str(rules.result(position))] += 1
    return ends, count


@pytest.mark.parametrize("profile", ["text", "code", "text+entangler=none"])
def test_random_games_keep_every_truth(profile: str) -> None:
    ends, _ = play_truly(profile, 25)
    assert set(ends) <= {
        "White wins: a black king was left in check",
        "Black wins: a white king was left in check",
        "Draw: 400 half-moves were played",
    }


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "games"), [("text", 3 * GAMES), ("code", GAMES)])
def test_many_random_games_keep_every_truth(profile: str, games: int) -> None:
    ends, count = play_truly(profile, games)
    assert sum(ends.values()) == games
    assert count > 10 * games


def test_the_common_laws_hold_on_two_engines() -> None:
    report = check_game(PieceQubitChess(max_plies=60), games=2, plies=30, engines=("sparse", "cirq"), frequency=100)
    assert report.compared > report.plies


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["text", "code", "text+entangler=none"])
def test_the_common_laws_hold_in_more_games_on_three_engines(profile: str) -> None:
    games, engines = 1 + GAMES // 30, ("sparse", "cirq", "aer")
    check_game(PieceQubitChess(profile, max_plies=200), games=games, plies=200, seed=5, engines=engines)


# -- a game goes on: positions in which no king can be lost by check --------------------------------

OFFICERS = "rnbq1bnr/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQ1BNR w = - - 0 text"


def long_games(games: int, profile: str) -> int:
    """Plays without kings, up to 150 plies a game, so that systems grow, collapse and pawns promote."""
    rules = PieceQubitChess(profile, OFFICERS, max_plies=150)
    largest = 0
    for seed in range(games):
        for _, _, after, _ in plies(rules, seed):
            check_truths(after)
            largest = max([largest, *map(len, after.systems)])
    return largest


@pytest.mark.parametrize(("profile", "largest"), [("text", 7), ("code", 4)])
def test_long_games_without_kings_grow_large_systems_but_none_above_seven(profile: str, largest: int) -> None:
    assert long_games(4, profile) >= largest


# -- an independent stabilizer simulator ------------------------------------------------------------


class Tableau:
    """Stim's tableau simulator under the names of the pieces."""

    def __init__(self) -> None:
        stim = pytest.importorskip("stim", reason="the independent simulator is not installed")
        self.stim, self.world = stim, stim.TableauSimulator()
        self.index: dict[str, int] = {}
        gates = self.world
        self.gates: dict[tuple[str, float, int], Any] = {
            ("H", 1.0, 0): gates.h, ("X", 1.0, 0): gates.x, ("X", 0.5, 0): gates.sqrt_x, ("Z", 1.0, 0): gates.z,
            ("Z", 1.0, 1): gates.cz, ("SWAP", 1.0, 0): gates.swap,
        }  # fmt: skip

    def at(self, qubit: str) -> int:
        return self.index.setdefault(qubit, len(self.index))

    def follow(self, program: Program, answers: dict[str, int]) -> float:
        """Runs a program with given answers; gives their joint probability."""
        p = 1.0
        for step in program:
            if isinstance(step, Operation):
                gate = self.gates[step.gate.name, step.gate.parameter, len(step.controls)]
                gate(*(self.at(q) for q in (*dict(step.controls), *step.targets)))
            elif isinstance(step, ReadOut):
                p *= self.found(step, answers[step.name])
            elif isinstance(step, Branch):
                p *= self.follow(step.follow(answers[step.name]), answers)
            else:
                assert isinstance(step, Discard)
        return p

    def found(self, step: ReadOut, answer: int) -> float:
        p = 1.0
        for k, qubit in enumerate(step.qubits):
            p *= 1.0 if self.world.peek_z(self.at(qubit)) else 0.5
            self.world.postselect_z(self.at(qubit), desired_value=bool(answer >> k & 1))
        return p

    def check_same(self, position: Position) -> None:
        """Compares every piece's Z expectation, and the generators of every system."""
        registers = position.registers
        for piece in position.board.values():
            if piece.kind != "K":
                expected = {0: 1, 1: -1, None: 0}[registers.known(piece.id)]
                assert self.world.peek_z(self.at(piece.id)) == expected, piece
        grouped = {member for system in position.systems for member in system}
        alone = [(p.id,) for p in position.board.values() if p.kind != "K" and p.id not in grouped]
        for system in (*position.systems, *alone):
            words = generators(amplitudes_of(registers, system), len(system))
            assert words is not None, system
            assert all(self.expects(word, system) == 1 for word in words), (system, words)

    def expects(self, word: str, system: tuple[str, ...]) -> int:
        places = [self.at(member) for member in system]
        letters = ["_"] * (1 + max(places))
        for place, letter in zip(places, word[1:], strict=True):
            letters[place] = letter.replace("I", "_")
        return int(self.world.peek_observable_expectation(self.stim.PauliString(word[0] + "".join(letters))))


def replay_in_a_tableau(rules: PieceQubitChess, games: int) -> int:
    """Replays random games ply by ply in the tableau; gives the number of plies."""
    count = 0
    for seed in range(games):
        tableau = Tableau()
        start = rules.start(backends.engine("sparse"))
        tableau.follow(start.registers.circuit(), {})
        for qubit in start.registers.full:
            tableau.world.x(tableau.at(qubit))
        tableau.check_same(start)
        for before, move, after, answers in plies(rules, seed):
            values = {answer.name: answer.value for answer in answers}
            p = tableau.follow(rules.compile(before, move), values)
            assert [answer.probability for answer in answers] == ([pytest.approx(p)] if answers else [])
            for answer in answers:  # all outcomes that are possible are equally likely, and there are 1/p of them
                odds = rules.chances(before, move)
                assert len(odds) == round(1 / answer.probability)
                assert all(q == pytest.approx(p) for q in odds.values())
            tableau.check_same(after)
            count += 1
    return count


@pytest.mark.parametrize("profile", ["text", "code"])
def test_games_agree_ply_by_ply_with_a_stabilizer_simulator(profile: str) -> None:
    assert replay_in_a_tableau(PieceQubitChess(profile, max_plies=400), 8) > 100


def test_long_games_agree_with_a_stabilizer_simulator() -> None:
    assert replay_in_a_tableau(PieceQubitChess(position=OFFICERS, max_plies=120), 1) > 100


@pytest.mark.slow
def test_many_games_agree_ply_by_ply_with_a_stabilizer_simulator() -> None:
    assert replay_in_a_tableau(PieceQubitChess(max_plies=400), GAMES) > 10 * GAMES


@pytest.mark.slow
def test_long_games_without_kings_agree_with_a_stabilizer_simulator() -> None:
    games = 1 + GAMES // 10
    assert replay_in_a_tableau(PieceQubitChess(position=OFFICERS, max_plies=200), games) > 100 * games
