"""The circuits of Niel's Chess: what each rule compiles to, what it costs, and the amplitudes of the rule book."""

from __future__ import annotations

import math
import random
from functools import cache
from typing import Any, NamedTuple

import pytest

import qchess
from qchess import backends
from qchess.games.niels_chess import NielsChess
from qchess.games.niels_chess.amplitudes import described
from qchess.playing import agents
from tests.games.niels import FAMILIES, made
from tests.long import one_in


class Case(NamedTuple):
    """A position, a move, its switches, and its two-qubit gates at the levels naive, exact and aware."""

    nfen: str
    move: str
    switches: dict[str, Any]
    cost: tuple[int, int, int]


LONE = "7k/8/8/8/8/8/8/KN6 w - - 0 1"
ROOKS = "7k/8/1R6/8/8/8/1R6/K7 w - - 0 1 b2ob6"
PAIRS = "7k/1n6/8/5n2/1R6/8/8/1R5K w - - 0 1 b1ob4p,b7of5o"
CASES = {
    "equal split": Case(LONE, "b1^a3c3", {}, (8, 4, 3)),
    "unequal split": Case(LONE, "b1^a3oc3p", {}, (8, 4, 3)),
    "split with stay": Case(LONE, "b1^b1oc3p", {}, (4, 2, 2)),
    "phase pair": Case(LONE, "b1^a3oc3p", {"hadamard": True}, (8, 4, 3)),
    "half move": Case("7k/8/8/8/8/N1N5/8/K7 w - - 0 1 a3oc3o", "a3b5", {}, (3, 3, 0)),
    "entanglement": Case("7k/8/2r5/6r1/1N6/8/8/K7 w - - 0 1 c6og5o", "b4^b4d3&c6", {}, (8, 8, 8)),
    "inversion": Case(f"{ROOKS}p", "X:b2b6", {}, (3, 3, 0)),
    "Z move": Case(f"{ROOKS}o", "Z:b2b6", {"hadamard": True}, (0, 0, 0)),
    "Hadamard move": Case(f"{ROOKS}o", "H:b2b6", {"hadamard": True}, (4, 2, 2)),
    "group Hadamard": Case(
        "7k/7r/8/8/1R6/8/1R5r/K7 w - - 0 1 b2ob4o@+,h2oh7o@+", "H:b2b4", {"hadamard_plus": True}, (18, 16, 16)
    ),
    "attempt, one coin": Case("7k/8/3b4/8/8/b7/8/3Q3K w - - 0 1 d6oa3p", "d1d6", {}, (6, 6, 4)),
    "attempt, two coins": Case(PAIRS, "b4b7", {}, (6, 6, 4)),
    "no box": Case(PAIRS, "b4b7", {"no_box": True}, (6, 6, 4)),
    "remote collapse": Case(PAIRS, "M:b1b4", {"remote_collapse": True}, (0, 0, 0)),
    "tunnelling": Case("7k/8/8/8/3p4/8/8/K2R4 w - - 0 1", "d1d5.t", {"tunnelling": True}, (4, 2, 2)),
    "capture without dice": Case(
        "7k/8/2n5/4n3/8/8/8/K3R3 w - - 0 1 e5oc6o", "e1e5", {"deterministic": True}, (7, 5, 2)
    ),
}  # fmt: skip


def game_of(name: str) -> Any:
    case = CASES[name]
    return qchess.new("niels-chess", nfen=case.nfen, seed=1, **case.switches)


@pytest.mark.parametrize("name", CASES)
def test_the_cost_of_each_rule_at_each_level(name: str) -> None:
    program = game_of(name).circuit(CASES[name].move)
    costs = tuple(program.compile(level).two_qubit_count() for level in ("naive", "exact", "aware"))
    assert costs == CASES[name].cost


@pytest.mark.parametrize("name", CASES)
def test_each_rule_leaves_the_amplitudes_that_the_marks_describe(name: str) -> None:
    """Section 11, in the real gauge: sqrt p on the major square, sqrt (1-p) on the minor one, one common sign."""
    game = game_of(name)
    rules = game.rules
    move, _ = rules.read(game.position, CASES[name].move)
    for way in rules.outcomes(game.position, move):
        rules.marks_describe_registers(way.position)


@pytest.mark.parametrize("name", ["unequal split", "entanglement", "tunnelling", "group Hadamard"])
def test_a_circuit_is_drawn(name: str) -> None:
    drawn = str(game_of(name).circuit(CASES[name].move))
    expected = {
        "unequal split": "iSWAP^0.391827", "entanglement": "●", "tunnelling": "iSWAP^0.26772", "group Hadamard": "S†"
    }  # fmt: skip
    assert expected[name] in drawn


def test_an_unequal_pair_has_two_thirds_on_its_better_half() -> None:
    game = qchess.new("niels-chess", nfen=LONE)
    game.play("b1^a3pc3o")
    register = game.position.registers.register("a3")
    assert register is not None
    magnitudes = {key: abs(a) for key, a in register.amplitudes(("a3", "c3")).items()}
    assert magnitudes == pytest.approx({1: math.sqrt(1 / 3), 2: math.sqrt(2 / 3)}, abs=1e-12)


def test_a_hadamard_move_returns_a_split_piece_to_its_red_square_with_certainty() -> None:
    """Also when a half has moved on in between: each half move keeps the amplitudes real."""
    game = qchess.new("niels-chess", nfen=f"{ROOKS}o", hadamard=True)
    program = game.circuit("H:b2b6")
    after = game.position.registers.run(program).registers
    assert abs(after.probability("b2") - 1) < 1e-12
    moved = qchess.new("niels-chess", nfen=f"{ROOKS}o", hadamard=True)
    for text in ("b6b5", "h8g8", "b2b3", "g8h8"):
        moved.play(text)
    again = moved.position.registers.run(moved.circuit("H:b3b5")).registers
    assert abs(again.probability("b3") - 1) < 1e-12


FIVE = "k6r/8/3n4/4q3/5B2/8/1q6/4R1K1 w - - 0 1 e5ob2p"
JOINS = ("f4^f4oh6p&e5", "h8^h8oh7p&h6", "e1^e1oe2p&e5", "d6^d6of5p&h6")


@pytest.mark.parametrize("engine", ["sparse", "cirq", "aer"])
def test_a_group_of_five_pairs_is_the_same_on_every_engine(engine: str) -> None:
    game = qchess.new("niels-chess", nfen=FIVE, backend=engine)
    for text in JOINS:
        assert game.play(text).answers == ()
    rules, position = game.rules, game.position
    assert isinstance(rules, NielsChess)
    assert len(position.registers.register("e5").qubits) == 10
    told = described(rules.book, position.state, backends.engine("sparse"))
    qubits = position.registers.register("e5").qubits
    assert told.distribution(*qubits) == pytest.approx(position.registers.distribution(*qubits), abs=1e-9)
    rules.marks_describe_registers(position)


@cache
def noisy_chip() -> backends.Backend:
    """One process of its own for all games; a game's answers follow from its seed."""
    return backends.get("aer-noisy")


@pytest.mark.slow
@pytest.mark.parametrize(
    "family", one_in(2, [family for family in FAMILIES if family != "deterministic"])
)  # it asks nothing
def test_a_whole_game_is_answered_by_a_noisy_chip(family: str) -> None:
    """From the start to a result; every open answer is one shot of a noisy chip's circuit, as a simulator imitates it.

    For thirty plies whatever asks is played; otherwise both sides play to win.
    """
    seed = 3 if family == "4x5-micro" else 2  # with 2 it is over in five plies, and nothing was asked
    rules, rng, greedy = made(family), random.Random(seed), agents.get("greedy")
    game: Any = qchess.Game(rules, noisy_chip(), seed=seed)
    while game.result is None:
        assert len(game.history) < 400
        if len(game.history) < 30 and (asking := _asking(game, rng)):
            game.play(rng.choice(asking))
        else:
            game.play(greedy.choose(agents.Task(rules, game.position, rng)).move)
        rules.marks_describe_registers(game.position)
    answers = [answer for played in game.history for answer in played.answers]
    assert family == "4x4" or answers  # there, who plays to win asks nothing
    assert all(answer.source.startswith("device aer-noisy") for answer in answers)


def _asking(game: Any, rng: random.Random) -> list[Any]:
    """Some of the moves whose answer is open."""
    moves = list(game.legal_moves)
    return [
        move for move in rng.sample(moves, min(40, len(moves))) if len(game.rules.turn(game.position, move).ends) > 1
    ]
