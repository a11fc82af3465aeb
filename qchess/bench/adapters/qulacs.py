"""Qulacs: a dense vector in C++. Every gate of ours is a small matrix with control values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Dense
from qchess.bench.adapters.atoms import turn
from qchess.bench.adapters.circuit import Circuit, Complex, Step

#: exchanges under so many controls, in circuits on so many wires, are folded: measured at 6 to 20 wires
FOLDED, WIDE = 2, 10


class Qulacs(Dense):
    """`QuantumCircuit.update_quantum_state`; wire 0 is the least significant bit of its index."""

    name = "qulacs"
    modules = ("qulacs",)
    packages = ("qulacs",)
    little_endian = True
    inside = "a fresh `QuantumState`, and `update_quantum_state`"
    outside = "the circuit as a `QuantumCircuit`"
    options_why = (
        "threads by `QULACS_NUM_THREADS`; control values are its own; on ten wires and more, an exchange under at most "
        "two controls is a turn of one wire between two CNOT, which is faster there than a matrix on two; X, Z, H and "
        "SWAP are its special gates"
    )

    def lower(self, circuit: Circuit) -> Any:
        """The circuit in Qulacs' gates."""
        from qulacs import QuantumCircuit

        made = QuantumCircuit(circuit.wires)
        for gate in (gate for step in circuit.steps for gate in _gates(step, circuit.wires)):
            made.add_gate(gate)
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


def _gates(step: Step, wires: int) -> Iterator[Any]:
    """The step in Qulacs' gates."""
    from qulacs import gate

    name, t, targets, controls = step
    plain = [value for _, value in controls] in ([], [1]) and t == 1.0
    if plain and name in ("X", "Z"):
        pair = gate.CNOT if name == "X" else gate.CZ
        alone = gate.X if name == "X" else gate.Z
        yield pair(controls[0][0], *targets) if controls else alone(*targets)
    elif name in ("H", "SWAP") and not controls:
        yield (gate.H if name == "H" else gate.SWAP)(*targets)
    elif len(targets) == 2 and len(controls) <= FOLDED and wires >= WIDE:
        a, b = targets
        yield gate.CNOT(a, b)
        yield _under((*controls, (b, 1)), turn(step), (a,))
        yield gate.CNOT(a, b)
    else:
        yield _under(controls, step.matrix(), targets[::-1])


def _under(controls: Sequence[tuple[int, int]], matrix: Complex, targets: Sequence[int]) -> Any:
    """A matrix with control values."""
    from qulacs import gate

    made = gate.DenseMatrix(list(targets), matrix)
    for wire, value in controls:
        made.add_control_qubit(wire, value)
    return made
