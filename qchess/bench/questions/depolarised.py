"""Depolarising noise at small sizes, and the exact probabilities of read-outs under it.

After each gate on exactly two wires, controls included, one of the fifteen non-identity products of two Paulis acts on
these wires, all equally likely; their total probability is the strength. Other gates have no noise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qchess.bench.adapters.circuit import Circuit, Step

#: the most wires, and the strength
MOST, STRENGTH = 8, 0.05


def noisy(step: Step) -> bool:
    """Tell whether noise follows this gate."""
    return len(step.all_wires) == 2


def exact(circuit: Circuit, strength: float) -> list[float]:
    """Return the probability of each key, by a density matrix mixed after each gate with its two-wire partial trace."""
    n = circuit.wires
    state = np.zeros((2,) * (2 * n), dtype=np.complex128)
    state[tuple([int(wire in circuit.full) for wire in range(n)] * 2)] = 1
    for step in circuit.steps:
        wires, matrix = list(step.all_wires), step.whole_matrix()
        state = _acted(state, matrix, wires)
        state = _acted(state, matrix.conj(), [n + wire for wire in wires])
        if noisy(step):
            whole = [*wires, *(n + wire for wire in wires)]
            moved = np.moveaxis(state, whole, range(4))
            rest = np.einsum("abab...->...", moved) / 4
            spread = np.multiply.outer(np.eye(4).reshape((2,) * 4), rest)
            share = 16 * strength / 15
            state = np.moveaxis((1 - share) * moved + share * spread, range(4), whole)
    found: list[float] = np.clip(np.diagonal(state.reshape(1 << n, 1 << n)).real, 0, 1).tolist()
    return found


def _acted(state: NDArray[np.complex128], matrix: NDArray[np.complex128], axes: list[int]) -> NDArray[np.complex128]:
    k = len(axes)
    made = np.tensordot(matrix.reshape((2,) * (2 * k)), state, (range(k, 2 * k), axes))
    return np.moveaxis(made, range(k), axes)
