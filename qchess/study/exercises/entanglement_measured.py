"""Notebook 5: how much squares are entangled, and with which others."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations
from typing import Any

from qchess import backends
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.playing.game import Game
from qchess.study.entropies import entropy, mutual_information
from qchess.study.exercises.checking import Exercise, game_of, near, program, whole
from qchess.study.pairs import concurrence

#: the squares of the piece of 5.1
SPREAD = 8
#: the most qubits for 5.3, so that checking stays fast
MOST = 10


@cache
def _spread() -> tuple[tuple[str, ...], Registers]:
    """Return a piece spread evenly over several squares."""
    squares = tuple(f"q{k}" for k in range(SPREAD))
    even = {1 << k: 1 / math.sqrt(SPREAD) for k in range(SPREAD)}
    return squares, Registers.prepared(backends.engine("sparse"), [(squares, even)])


def one_bit(several: int) -> str | None:
    """5.1: how many of the squares share one bit with the others."""
    squares, piece = _spread()
    if several > SPREAD:
        return f"The piece is on {SPREAD} squares."
    bits = entropy(piece, *squares[:several])
    if near(bits, 1):
        return None
    return f"A group of {several} has an entropy of {bits:.3f} bits. How likely is the piece in it?"


def a_quarter_of_concurrence(game: Game[Any, Any]) -> str | None:
    """5.2: two squares whose concurrence is a quarter."""
    registers = game.position.registers
    squares = [qubit for qubit in registers.uncertain if qubit not in registers.environment]
    found = {pair: tied for pair in combinations(squares, 2) if (tied := concurrence(registers, *pair)) > 0}
    if not found:
        return "No two of its squares have any concurrence."
    one, other = min(found, key=lambda pair: abs(found[pair] - 0.25))
    if near(found[one, other], 0.25):
        return None
    return f"The closest are {one} and {other} with {found[one, other]:.4f}. It is 2√(pq); how small must pq be?"


def hidden(made: Program) -> str | None:
    """5.3: each qubit has an entropy of one bit, and no two have mutual information."""
    if made.answers:
        return "It measures something; entangle with gates alone."
    if not 0 < len(made.qubits) <= MOST:
        return f"It has {len(made.qubits)} qubits; take one to {MOST}."
    state = Registers(backends.engine("sparse")).run(made).registers
    for qubit in made.qubits:
        if not near(bits := entropy(state, qubit), 1):
            return f"The entropy of {qubit} is {bits:.3f} bits, and is to be 1."
    shared = {pair: mutual_information(state, *pair) for pair in combinations(made.qubits, 2)}
    one, other = max(shared, key=lambda pair: shared[pair])
    if near(shared[one, other], 0):
        return None
    return f"Qubits {one} and {other} share {shared[one, other]:.3f} bits of mutual information."


EXERCISES = (
    Exercise(
        whole("the number of squares, a whole number", 1), one_bit,
        "Half of the squares hold the piece with probability 1/2, so the entropy is that of a fair coin.",
    ),
    Exercise(
        game_of("quantum-chess", "a game of Quantum Chess after your moves"), a_quarter_of_concurrence,
        "Two squares of one piece with the shares p and q have 2√(pq), and pq is 1/64 here.",
    ),
    Exercise(
        program("a program"), hidden,
        "Each qubit has one bit of entanglement, but none of it with any single other qubit.",
    ),
)  # fmt: skip
