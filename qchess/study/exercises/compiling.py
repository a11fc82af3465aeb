"""Notebook 8: what a circuit costs, and what a compiler may use of the state."""

from __future__ import annotations

from collections.abc import Iterable

from qchess import backends
from qchess.circuits.operations import Qubit, iswap
from qchess.circuits.patterns import slide, split
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.study.exercises.checking import Exercise, names, near, program, whole
from qchess.study.sameness import overlap

#: the three moves of the notebook, and the full squares before them
MOVES = split("q0", "q1", "q2") + slide("q3", "q4", ("q2",)) + Program(iswap("q4", "q5", 0.5))
TOLD = frozenset({"q0", "q3"})


def _after(done: Program, full: Iterable[Qubit]) -> Registers:
    return Registers(backends.engine(), full=full).run(done).registers


def gates_of_two_rounds(gates: int) -> str | None:
    """8.1: what a piece on four squares costs."""
    moves = split("q0", "q1", "q2") + split("q1", "q3", "q4") + split("q2", "q5", "q6")
    known = {square: int(square == "q0") for square in moves.qubits}
    if gates == moves.compile("aware", basis="cz", known=known).two_qubit_count():
        return None
    return "Take the moves one by one: is the square that a half or a whole move leaves certain, or open?"


def split_by_hand(written: Program) -> str | None:
    """8.2: a split with one two-qubit gate."""
    if written.answers:
        return "It measures something, and a split measures nothing."
    if any(len(step.qubits) > 2 or step.gate.size == 2 for step in written.operations):
        return "Only CNOT, CZ and gates on one qubit are allowed."
    if (two := sum(len(step.qubits) == 2 for step in written.operations)) > 1:
        return f"It has {two} gates on two qubits, and one is enough."
    wanted, found = _after(split("q0", "q1", "q2"), ["q0"]), _after(written, ["q0"])
    same = overlap(wanted, found)
    if near(abs(same), 1) and not near(abs(same - 1), 0):
        return f"Every probability is right, but the amplitudes lack a global phase: the overlap is {same:.3g}, not 1."
    if near(abs(same), 1):
        return None
    odds = ", ".join(f"{square} {found.probability(square):.0%}" for square in ("q0", "q1", "q2"))
    return f"It ends with {odds}, and its overlap with the split is {abs(same):.3g}. Which pairs can be full together?"


def still_right(full: frozenset[Qubit]) -> str | None:
    """8.3: where a promise is broken and the circuit is right."""
    if strangers := sorted(full - set(MOVES.qubits)):
        return f"The squares are {', '.join(sorted(MOVES.qubits))}; {strangers[0]} is not one of them."
    if full == TOLD:
        return "It was compiled for that start; find another one."
    known = {square: int(square in TOLD) for square in MOVES.qubits}
    made = MOVES.compile("aware", basis="cz", known=known, prepare=False)
    back = {wire: square for square, wire in made.layout.items()}
    same = abs(overlap(_after(MOVES, full), _after_renamed(made.program, full, back)))
    if near(same, 1):
        return None
    return f"From there the overlap is {same:.3g}. Which of the six squares does no gate of the circuit rely on?"


def _after_renamed(done: Program, full: Iterable[Qubit], names_at_end: dict[Qubit, Qubit]) -> Registers:
    """Return the state of a compiled circuit, each wire named by the square that ends on it."""
    at_start = [names_at_end.get(square, square) for square in full]
    return _after(done.renamed(names_at_end), at_start)


EXERCISES = (
    Exercise(
        whole("the number of CZ, a whole number"), gates_of_two_rounds,
        "The first split starts from a full square and takes one CZ. The other two start from open squares: half a "
        "move takes two, and the whole move that follows it only renames a wire.",
    ),
    Exercise(
        program("a program on q0, q1 and q2"), split_by_hand,
        "If two squares always differ, one CNOT makes the second from the first.",
    ),
    Exercise(
        names("the names of the squares that are full at the start"), still_right,
        "You may break a promise that the compiler did not use. Only a run or a proof shows which one that is.",
    ),
)  # fmt: skip
