"""Gates for simulators without a controlled iSWAP^t: gates on one wire, and X and phases under any controls.

    iSWAP^t(a, b | C)  =  CX(a, b) . H(a) . P(-pi t | a, b, C) . P(pi t / 2 | b, C) . H(a) . CX(a, b)
    SWAP(a, b | C)     =  CX(a, b) . X(a | b, C) . CX(a, b)
    X^t(q | C)         =  H . P(pi t | q, C) . H
    RY(u)(q | C)       =  RY(u/2) . X(q | C) . RY(-u/2) . X(q | C), read from right to left
    RZ(u)(q | C)       =  P(u | q, C) . P(-u/2 | C)
    H(q | C)           =  RY(pi/4) . Z(q | C) . RY(-pi/4)

P(angle | wires) is a phase where all conditions hold. All phases are exact, up to a global one.

A simulator with controlled matrices needs three gates for an exchange: `turn` between two CX.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from qchess.bench.adapters.circuit import Complex, Step

Conditions = tuple[tuple[int, int], ...]


class Phase(NamedTuple):
    """The factor e^{i angle} where every wire has its value."""

    angle: float
    conditions: Conditions


Atom = Step | Phase


def atoms(steps: Iterable[Step]) -> Iterator[Atom]:
    """Yield the steps as uncontrolled gates on one wire, X under controls, and phases."""
    for step in steps:
        yield from _atoms(step)


def _atoms(step: Step) -> Iterator[Atom]:
    name, t, (q, *other), controls = step
    if name in ("ISWAP", "SWAP"):
        (b,) = other
        fold = Step("X", 1.0, (b,), ((q, 1),))
        under = (*controls, (b, 1))
        yield fold
        if name == "SWAP":
            yield Step("X", 1.0, (q,), under)
        else:
            yield Step("H", 1.0, (q,))
            yield Phase(-math.pi * t, (*under, (q, 1)))
            yield Phase(math.pi * t / 2, under)
            yield Step("H", 1.0, (q,))
        yield fold
    elif name == "Z":
        yield Phase(math.pi * t, (*controls, (q, 1)))
    elif not controls or (name == "X" and t == 1.0):
        yield step
    else:
        yield from _controlled(step, q)


def _controlled(step: Step, q: int) -> Iterator[Atom]:
    name, t, _, controls = step
    if name == "X":
        yield Step("H", 1.0, (q,))
        yield Phase(math.pi * t, (*controls, (q, 1)))
        yield Step("H", 1.0, (q,))
    elif name == "RZ":
        yield Phase(t, (*controls, (q, 1)))
        yield Phase(-t / 2, controls)
    elif name == "RY":
        flip = Step("X", 1.0, (q,), controls)
        yield from (flip, Step("RY", -t / 2, (q,)), flip, Step("RY", t / 2, (q,)))
    else:
        yield Step("RY", -math.pi / 4, (q,))
        yield Phase(math.pi, (*controls, (q, 1)))
        yield Step("RY", math.pi / 4, (q,))


def turn(step: Step) -> Complex:
    """Return the matrix of an exchange of a and b, ISWAP or SWAP, on a where b is 1, between CX(a, b) and CX(a, b)."""
    angle = math.pi * step.parameter / 2
    cos, sin = (0.0, 1.0) if step.name == "SWAP" else (math.cos(angle), 1j * math.sin(angle))
    return np.array([[cos, sin], [sin, cos]], dtype=np.complex128)
