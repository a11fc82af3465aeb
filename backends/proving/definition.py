"""The definition that every engine is compared with: matrices, and sums over all basis states.

Slow and simple on purpose, and independent of any engine: gates are those of `qchess.circuits.unitary`, a predicate is
evaluated on every basis state, and the blocks of a state are those that no cut of Schmidt rank 1 separates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qchess.circuits import unitary
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import Predicate

Complex = NDArray[np.complex128]


class Plain(NamedTuple):
    """A state: bit k of an index into `vector` is ``names[k]``."""

    names: tuple[Qubit, ...]
    vector: Complex


class Definition:
    """Evolves and measures states by the definition; usable as the reference of a check."""

    name = "definition"

    def prepare(self, qubits: Sequence[Qubit], amplitudes: Mapping[int, complex]) -> Plain:
        """The state with these amplitudes (bit k of a key is ``qubits[k]``)."""
        vector = np.zeros(2 ** len(qubits), dtype=np.complex128)
        for key, amplitude in amplitudes.items():
            vector[key] = amplitude
        return Plain(tuple(qubits), vector)

    def apply(self, state: Plain, operation: Operation) -> Plain:
        """The state after the operation."""
        return Plain(state.names, unitary.apply(operation, state.vector, state.names))

    def probability(self, state: Plain, predicate: Predicate) -> float:
        """The exact probability that the predicate holds."""
        return math.fsum(abs(state.vector[key]) ** 2 for key in self._holding(state, predicate))

    def distribution(self, state: Plain, qubits: Sequence[Qubit]) -> dict[int, float]:
        """The exact probability of each read-out of some qubits."""
        odds: dict[int, float] = {}
        for key in np.flatnonzero(state.vector).tolist():
            answer = sum(_value(state, key, q) << k for k, q in enumerate(qubits))
            odds[answer] = odds.get(answer, 0.0) + abs(state.vector[key]) ** 2
        return odds

    def project(self, state: Plain, predicate: Predicate, answer: int) -> Plain:
        """The state after the predicate was found true (1) or false (0), norm 1 again."""
        holding = self._holding(state, predicate)
        vector = np.zeros_like(state.vector) if answer else state.vector.copy()
        vector[holding] = state.vector[holding] if answer else 0
        return Plain(state.names, vector / np.linalg.norm(vector))

    def amplitudes(self, state: Plain, order: Sequence[Qubit] | None = None) -> dict[int, complex]:
        """The amplitude of every branch; bit k of a key is ``order[k]``."""
        order = order or state.names
        return {
            sum(_value(state, key, q) << k for k, q in enumerate(order)): complex(state.vector[key])
            for key in np.flatnonzero(state.vector).tolist()
        }

    def _holding(self, state: Plain, predicate: Predicate) -> list[int]:
        keys = range(len(state.vector))
        return [key for key in keys if predicate.holds(lambda q, key=key: _value(state, key, q))]  # type: ignore[misc]


def finest_blocks(vector: Complex, qubits: Sequence[Qubit], rank_tolerance: float = 1e-10) -> set[frozenset[Qubit]]:
    """Return the blocks of the finest product, from the Schmidt rank of all 2^(n-1) cuts."""
    size = len(qubits)
    blocks = [frozenset(range(size))]
    for cut in range(1, 2 ** (size - 1)):
        side = frozenset(k for k in range(size) if cut >> k & 1)
        if _schmidt(vector, sorted(side), size)[1] < rank_tolerance:
            blocks = [part for block in blocks for part in (block & side, block - side) if part]
    return {frozenset(qubits[k] for k in block) for block in blocks}


def _schmidt(vector: Complex, side: Sequence[int], size: int) -> NDArray[np.float64]:
    """Return the Schmidt coefficients between the places of one side and all others, largest first."""
    others = [k for k in range(size) if k not in side]
    tensor = vector.reshape((2,) * size)  # axis 0 is the most significant bit
    matrix = tensor.transpose([size - 1 - k for k in [*side, *others]]).reshape(2 ** len(side), -1)
    return np.asarray(np.linalg.svd(matrix, compute_uv=False), dtype=np.float64)


def _value(state: Plain, key: int, qubit: Qubit) -> int:
    return key >> state.names.index(qubit) & 1
