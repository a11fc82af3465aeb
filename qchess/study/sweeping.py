"""Sweep a parameter of a program: the probability of each square as a curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from qchess import backends
from qchess.circuits.chances import explore
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.showing.picture import several
from qchess.study.charts import curves
from qchess.study.entropies import entropy
from qchess.study.paper import Plot
from qchess.study.stepping.taking import full_of
from qchess.study.subject import StudyError

#: what is drawn of each square, and its label
FIGURES: dict[str, tuple[Callable[[Registers, Qubit], float], str]] = {
    "probability": (Registers.probability, "probability"),
    "entropy": (entropy, "entropy in bits"),
}


def sweep(
    make: Callable[[float], Program],
    values: Iterable[float],
    *squares: Qubit,
    full: Iterable[Qubit] = (),
    figure: str = "probability",
    title: str = "",
    across: str = "parameter",
) -> Plot:
    """Draw the probability that squares are full after a program, or their entropy, over its parameter.

    `make` returns the program for a value; without `squares` all of its squares are drawn. Questions are not answered:
    every answer counts with its probability.
    """
    if figure not in FIGURES:
        raise StudyError(f"expected a figure from {', '.join(FIGURES)}; got {figure!r}")
    where, (work, words) = [float(value) for value in values], FIGURES[figure]
    programs = [make(value) for value in where]
    if not programs or not all(isinstance(program, Program) for program in programs):
        raise StudyError(
            f"expected a function that gives a Program, and values for it; got {programs[:1] or 'no value'}"
        )
    known = tuple(dict.fromkeys(qubit for program in programs for qubit in program.qubits))
    if strangers := [square for square in squares if square not in known]:
        raise StudyError(f"expected squares of the program ({several(list(known))}); got {strangers[0]!r}")
    start = Registers(backends.engine("sparse"), full_of(programs[0], full))
    ends = [[(chance.probability, chance.run.registers) for chance in explore(start, each)] for each in programs]
    lines = {
        square: (where, [math.fsum(p * work(world, square) for p, world in ways) for ways in ends])
        for square in squares or known
    }
    return curves(lines, title=title, across=across, up=words)
