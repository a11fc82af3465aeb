"""Dense matrices of operations and programs: the slow, simple definition used as the tests' reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.program import Program

Complex = NDArray[np.complex128]


def unitary(program: Program, order: Sequence[Qubit] | None = None) -> Complex:
    """Return the matrix of a program without questions; bit k of an index is ``order[k]``."""
    order = tuple(order or program.qubits)
    matrix = np.eye(2 ** len(order), dtype=np.complex128)
    for operation in program.operations:
        matrix = apply(operation, matrix, order)
    return matrix


def apply(operation: Operation, vectors: Complex, order: Sequence[Qubit]) -> Complex:
    """Return the operation applied to a state vector, or to each column of a matrix."""
    bit = {q: 1 << k for k, q in enumerate(order)}
    low_bits, high_bits, ((a, b), (c, d)) = operation.gate.block()
    care = sum(bit[q] for q in operation.qubits)
    base = sum(bit[q] for q, v in operation.controls if v)
    low = base + sum(bit[q] for q, v in zip(operation.targets, low_bits, strict=True) if v)
    high = base + sum(bit[q] for q, v in zip(operation.targets, high_bits, strict=True) if v)
    index = np.arange(len(vectors))
    lows = index[(index & care) == low]
    highs = lows ^ (low ^ high)
    result = vectors.copy()
    result[lows] = a * vectors[lows] + b * vectors[highs]
    result[highs] = c * vectors[lows] + d * vectors[highs]
    return result
