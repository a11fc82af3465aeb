"""Notebook 11: the cost of a state by its amplitudes, its branches, and its cuts."""

from __future__ import annotations

from qchess import backends
from qchess.circuits.errors import StateTooLargeError
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.study.exercises.checking import Exercise, program, whole
from qchess.study.reduced import spectrum

#: bytes of an amplitude, and of the laptop's memory
AMPLITUDE, LAPTOP = 16, 16 * 10**9
#: the register of exercise 11.2, and the most branches of its program on the way
WIDE, FEW = 60, 64
#: the squares of exercise 11.3, the branches of their state, and the least weight of a coefficient
LINE, MOST, COUNTS = tuple(f"q{k}" for k in range(8)), 16, 1e-9


def laptop(qubits: int) -> str | None:
    """11.1: the largest state vector in a laptop."""
    if qubits < 1000 and AMPLITUDE * 2**qubits <= LAPTOP < AMPLITUDE * 2 ** (qubits + 1):
        return None
    return "How many amplitudes fit into 16 GB? Which power of two is the largest that is not more?"


def wide_and_thin(written: Program) -> str | None:
    """11.2: many squares, two branches."""
    if written.answers:
        return "It measures something, and every answer removes branches and squares."
    try:
        world = Registers(backends.engine(branch_limit=FEW)).run(written).registers
    except StateTooLargeError:
        return f"On the way it has more than {FEW} branches. Which gates make two branches of one, and which make none?"
    widest = max(world.each, key=lambda each: len(each.qubits), default=None)
    if widest is None:
        return "At its end every square is certain, so there is no register."
    if len(widest.qubits) >= WIDE and widest.branches == 2:
        return None
    return (
        f"Its largest register has {len(widest.qubits)} squares and {widest.branches} branches; "
        f"{WIDE} squares and two branches are wanted."
    )


def dear_cut(written: Program) -> str | None:
    """11.3: few branches, but as many coefficients at a cut."""
    if written.answers:
        return "It measures something; make the state with gates alone."
    world = Registers(backends.engine(branch_limit=2 ** len(LINE))).run(written).registers
    found = " and ".join("/".join(sorted(each)) for each in world.registers) or "none: every square is certain"
    if len(world.registers) != 1 or set(world.registers[0]) != set(LINE):
        return f"The squares q0 to q7 are to be one register, without others; the registers are {found}."
    [register] = world.each
    if register.branches > MOST:
        return f"It has {register.branches} branches. {MOST} are enough: which squares need a gate that doubles them?"
    bond = int((spectrum(world, *LINE[:4]) > COUNTS).sum())
    if bond == MOST:
        return None
    return f"The cut has {bond} Schmidt coefficients, not {MOST}. How many does one entangled pair across it give?"


EXERCISES = (
    Exercise(
        whole("the number of qubits, a whole number"), laptop,
        "Twice the memory is one qubit more, a thousand times the memory ten.",
    ),
    Exercise(
        program("a program"), wide_and_thin,
        "Two branches are two amplitudes, on however many squares.",
    ),
    Exercise(
        program("a program on q0 to q7"), dear_cut,
        "Each pair that a cut separates doubles what a matrix product state keeps there. With the partners side by "
        "side in its order, the same pairs cost it next to nothing. A list of branches does not depend on the order.",
    ),
)  # fmt: skip
