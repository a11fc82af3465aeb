"""Atoms multiply to the step that they stand for, phases included, whatever it waits for."""

from __future__ import annotations

import cmath
from itertools import product

import numpy as np
import pytest

from qchess.bench.adapters.atoms import Atom, Phase, atoms, turn
from qchess.bench.adapters.circuit import Step

WIRES = 4
ONES = [("X", 1.0), ("X", 0.5), ("X", -0.3), ("Z", 1.0), ("Z", 0.25), ("H", 1.0), ("RY", 0.7), ("RZ", -1.1)]
TWOS = [("ISWAP", 1.0), ("ISWAP", 0.5), ("ISWAP", -0.4), ("SWAP", 1.0)]
CONTROLS = [(), ((2, 1),), ((2, 0),), ((2, 1), (3, 1)), ((3, 0), (2, 1))]


def holds(key: int, conditions: tuple[tuple[int, int], ...]) -> bool:
    return all(key >> wire & 1 == value for wire, value in conditions)


def matrix(atom: Atom) -> np.ndarray:
    """The atom over all wires; bit k of a key is wire k."""
    made = np.eye(2**WIRES, dtype=complex)
    if isinstance(atom, Phase):
        return np.diag([cmath.exp(1j * atom.angle) if holds(k, atom.conditions) else 1 for k in range(2**WIRES)])
    small, targets = atom.matrix(), atom.targets
    for key in filter(lambda key: holds(key, atom.controls), range(2**WIRES)):
        made[:, key] = 0
        column = sum((key >> wire & 1) << k for k, wire in enumerate(reversed(targets)))
        for row in range(len(small)):
            to = key
            for k, wire in enumerate(reversed(targets)):
                to = to & ~(1 << wire) | (row >> k & 1) << wire
            made[to, key] = small[row, column]
    return made


STEPS = [
    *(Step(name, t, (0,), controls) for (name, t), controls in product(ONES, CONTROLS)),
    *(Step(name, t, wires, controls) for (name, t), wires, controls in product(TWOS, [(0, 1), (1, 0)], CONTROLS)),
]


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_the_atoms_of_a_step_multiply_to_it(step: Step) -> None:
    found = np.eye(2**WIRES, dtype=complex)
    for atom in atoms([step]):
        found = matrix(atom) @ found
    wanted = matrix(step)
    k = int(np.argmax(abs(wanted[:, 0])))
    phase = found[k, 0] / wanted[k, 0]
    assert abs(abs(phase) - 1) < 1e-12
    assert np.allclose(found, phase * wanted, atol=1e-12)


@pytest.mark.parametrize("controls", CONTROLS, ids=str)
@pytest.mark.parametrize(("name", "t"), TWOS)
def test_a_turn_between_two_cx_is_the_exchange(name: str, t: float, controls: tuple[tuple[int, int], ...]) -> None:
    step = Step(name, t, (0, 1), controls)
    fold = matrix(Step("X", 1.0, (1,), ((0, 1),)))
    inner = np.eye(2**WIRES, dtype=complex)
    for key in filter(lambda key: holds(key, (*controls, (1, 1))), range(2**WIRES)):
        inner[[key & ~1, key | 1], key] = turn(step)[:, key & 1]
    assert np.allclose(fold @ inner @ fold, matrix(step), atol=1e-12)
