"""Notebook 10: the cost of each way of simulating."""

from __future__ import annotations

from math import prod

from qchess import backends
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.study.exercises.checking import Exercise, program, whole
from qchess.study.reduced import spectrum

#: bytes of an amplitude, and of a machine's memory
AMPLITUDE, ROOM = 16, 10**12
#: the wires of the second exercise
FULL = 8
#: of the third: the fewest wires, the most branches, and the least bond between two sides
WIRES, BRANCHES, BOND = 24, 64, 8
#: no answer needs more wires and gates, and no right answer has more branches
MOST_WIRES, MOST_GATES, MOST_BRANCHES = 60, 500, 2**10


def wires(count: int) -> str | None:
    """10.1: for how many wires does a vector of all amplitudes fit into memory?"""
    if count > ROOM or AMPLITUDE * 2**count > ROOM:
        return "That many do not fit. Each wire doubles the vector; how large is it for one wire?"
    if AMPLITUDE * 2 ** (count + 1) <= ROOM:
        return f"So many take {AMPLITUDE * 2**count:.3g} bytes, and one more would find room, too."
    return None


def full_but_loose(made: Program) -> str | None:
    """10.2: every amplitude, but no entanglement."""
    if objection := _unfit(made):
        return objection
    if len(made.qubits) != FULL:
        return f"It is to have {FULL} wires, and has {len(made.qubits)}."
    _, branches, bond = _walked(made)
    if branches < 2**FULL:
        return f"After it {branches} of the {2**FULL} basis states have an amplitude."
    if bond > 1:
        return f"Its wires are entangled: up to {bond} Schmidt coefficients connect the two sides of a cut."
    return None


def few_but_far(made: Program) -> str | None:
    """10.3: many wires, few branches, a large bond."""
    if objection := _unfit(made):
        return objection
    if len(made.qubits) < WIRES:
        return f"A dense simulator takes it: it has {len(made.qubits)} wires, and is to have {WIRES} or more."
    most, _, bond = _walked(made)
    if most > BRANCHES:
        return f"On the way it has more than {BRANCHES} branches."
    if bond < BOND:
        return f"A matrix product state holds it with bonds of {bond}, in the order in which its wires are first used."
    return None


def _unfit(made: Program) -> str | None:
    """Return why a program cannot be examined."""
    if made.answers:
        return "It measures something; here a program consists of gates alone."
    if len(made.qubits) > MOST_WIRES or len(made.operations) > MOST_GATES:
        return f"It is larger than needed: {MOST_WIRES} wires and {MOST_GATES} gates are enough."
    return None


def _walked(made: Program) -> tuple[int, int, int]:
    """Return the most branches on the way, those at the end, and the largest bond; stops if there are too many."""
    state, most, branches = Registers(backends.engine()), 1, 1
    for step in made.operations:
        state = state.apply(step)
        branches = prod(state.branches())
        most = max(most, branches)
        if branches > MOST_BRANCHES:
            return most, branches, 0
    order = made.qubits
    bonds = [sum(p > 1e-12 for p in spectrum(state, *order[:k])) for k in range(1, len(order))]
    return most, branches, max(bonds, default=1)


EXERCISES = (
    Exercise(
        whole("the number of wires, a whole number"), wires,
        "Another wire would double the vector. So a machine of twice the size holds one wire more.",
    ),
    Exercise(
        program(f"a program on {FULL} wires"), full_but_loose,
        "Each wire is turned separately. All amplitudes are nonzero, and two numbers per wire describe them.",
    ),
    Exercise(
        program(f"a program on {WIRES} wires or more"), few_but_far,
        "Entangled wires are far apart, so a cut between them goes through all the pairs.",
    ),
)  # fmt: skip
