"""The engine `cirq`: Cirq evolves the vector, gate by gate.

A Cirq simulator never gets the whole circuit or a measurement: a measurement in the middle would make it run again
for every shot. Cirq gets one gate and one vector; `project` is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from qchess.backends.dense.engine import Complex, DenseEngine
from qchess.circuits.errors import MissingExtraError
from qchess.circuits.forms.to_cirq import cirq_gate
from qchess.circuits.operations import Gate, Operation

if TYPE_CHECKING:
    import cirq


class CirqEngine(DenseEngine):
    """Applies each operation through ``cirq.apply_unitary``, in complex128; adds no phase.

    >>> from qchess.circuits.operations import iswap
    >>> engine = CirqEngine()
    >>> engine.amplitudes(engine.apply(engine.prepare(("a", "b"), {0b01: 1}), iswap("a", "b")))
    {2: 1j}
    """

    name = "cirq"

    def __init__(self, branch_limit: int = 2**20) -> None:
        super().__init__(branch_limit)
        try:
            import cirq  # noqa: F401  (a missing package is reported now, not in the middle of a game)
        except ModuleNotFoundError as error:
            raise MissingExtraError("the engine 'cirq' needs Cirq; install it with: pip install cirq-core") from error

    def turn(self, operation: Operation, vector: Complex, places: Sequence[int]) -> Complex:
        """Return a new vector, evolved by Cirq."""
        import cirq

        size = len(vector).bit_length() - 1
        targets, controls = places[: operation.gate.size], places[operation.gate.size :]
        # Cirq's axis 0 is the most significant bit of an index, ours the least; and controls come first.
        axes = [size - 1 - place for place in (*controls, *targets)]
        tensor = vector.reshape((2,) * size).copy()
        gate = _vendor_gate(operation.gate, tuple(value for _, value in operation.controls))
        turned = cirq.apply_unitary(gate, cirq.ApplyUnitaryArgs(tensor, np.empty_like(tensor), axes))
        return np.asarray(turned, dtype=np.complex128).reshape(-1)


@lru_cache(maxsize=4096)
def _vendor_gate(gate: Gate, control_values: tuple[int, ...]) -> cirq.Gate:
    """Return Cirq's gate of the same matrix, controlled on these values."""
    vendor = cirq_gate(gate)
    if not control_values:
        return vendor
    return vendor.controlled(len(control_values), control_values=control_values)
