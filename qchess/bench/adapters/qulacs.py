"""Qulacs: a dense vector in C++. Every gate of ours is a small matrix with control values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Dense
from qchess.bench.adapters.circuit import Circuit, Complex, Step


class Qulacs(Dense):
    """`QuantumCircuit.update_quantum_state`; wire 0 is the least significant bit of its index."""

    name = "qulacs"
    modules = ("qulacs",)
    packages = ("qulacs",)
    little_endian = True

    def lower(self, circuit: Circuit) -> Any:
        """The circuit in Qulacs' gates."""
        from qulacs import QuantumCircuit

        made = QuantumCircuit(circuit.wires)
        for step in circuit.steps:
            made.add_gate(_gate(step))
        return circuit, made

    def run(self, lowered: Any, desk: Any) -> Any:
        """A fresh state vector, turned by the circuit."""
        from qulacs import QuantumState

        circuit, made = lowered
        state = QuantumState(circuit.wires)
        state.set_computational_basis(circuit.turned(circuit.start()))
        made.update_quantum_state(state)
        return state

    def vector(self, state: Any) -> Complex:
        """A copy of all amplitudes."""
        return np.asarray(state.get_vector())

    def amplitudes(self, state: Any, keys: Sequence[int]) -> Sequence[complex]:
        """One call a key."""
        turned = Circuit(state.get_qubit_count(), (), ()).turned
        return [state.get_amplitude(turned(key)) for key in keys]

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Its own sampling."""
        return [lowered[0].turned(key) for key in state.sampling(shots, seed)]


def _gate(step: Step) -> Any:
    from qulacs import gate

    if step.name == "X" and step.parameter == 1.0 and len(step.controls) <= 1 and all(v for _, v in step.controls):
        return gate.CNOT(step.controls[0][0], *step.targets) if step.controls else gate.X(*step.targets)
    if step.name == "H" and not step.controls:
        return gate.H(*step.targets)
    made = gate.DenseMatrix(list(step.targets[::-1]), step.matrix())
    for wire, value in step.controls:
        made.add_control_qubit(wire, value)
    return made
