"""PennyLane Lightning: a dense vector in C++. Its operations take control values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Dense, Either
from qchess.bench.adapters.circuit import Circuit, Complex, Step


class Lightning(Either, Dense):
    """The state vector behind ``lightning.qubit``; wire 0 is the most significant bit, as here."""

    name = "lightning"
    modules = ("pennylane", "pennylane_lightning.lightning_qubit")
    packages = ("pennylane_lightning", "pennylane")
    inside = "a fresh `LightningStateVector`, and `apply_operations`, a call a gate"
    outside = "the circuit in PennyLane's operations"
    options_why = (
        "`precision` is complex128; control values are its own. A device and its QNode would transform the circuit "
        "again in every call"
    )

    def lower(self, circuit: Circuit) -> Any:
        """The circuit in PennyLane's operations."""
        return circuit, [_operation(step) for step in (*circuit.starting_flips(), *circuit.steps)]

    def run(self, lowered: Any, desk: Any) -> Any:
        """A fresh vector, turned by the operations."""
        from pennylane_lightning.lightning_qubit._state_vector import LightningStateVector

        circuit, operations = lowered
        made = LightningStateVector(num_wires=circuit.wires, dtype=np.dtype(self.precision).type)
        made.reset_state()
        made.apply_operations(operations)
        return made

    def touch(self, state: Any, key: int) -> None:
        """Each call of a gate does it; all amplitudes would be copied for one."""

    def vector(self, state: Any) -> Complex:
        """A copy of all amplitudes."""
        return np.asarray(state.state)

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Its own sampling of the vector."""
        from pennylane_lightning.lightning_qubit_ops import MeasurementsC64, MeasurementsC128

        kind = MeasurementsC128 if self.precision == "complex128" else MeasurementsC64
        measure = kind(state.state_vector)
        measure.set_random_seed(seed)
        rows = np.asarray(measure.generate_samples(list(range(lowered[0].wires)), shots)).astype(np.uint8)
        return [int("".join(map(str, row)), 2) for row in rows.tolist()]


def _operation(step: Step) -> Any:
    import pennylane as qml

    t = step.parameter
    match step.name:
        case "ISWAP":
            made = qml.IsingXY(math.pi * t, wires=step.targets)
        case "SWAP":
            made = qml.SWAP(wires=step.targets)
        case "H":
            made = qml.Hadamard(wires=step.targets)
        case "RY":
            made = qml.RY(t, wires=step.targets)
        case "RZ":
            made = qml.RZ(t, wires=step.targets)
        case "Z":
            made = qml.PauliZ(wires=step.targets) if t == 1.0 else qml.PhaseShift(math.pi * t, wires=step.targets)
        case "X" if t == 1.0:
            made = qml.PauliX(wires=step.targets)
        case _:
            made = qml.QubitUnitary(step.matrix(), wires=step.targets)
    if not step.controls:
        return made
    if step.name == "X" and t == 1.0 and [value for _, value in step.controls] == [1]:
        return qml.CNOT(wires=[step.controls[0][0], *step.targets])
    wires, values = zip(*step.controls, strict=True)
    return qml.ctrl(made, control=wires, control_values=values)
