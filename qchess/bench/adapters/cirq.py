"""Cirq's own simulator: a dense numpy vector; single precision by default, double here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Dense, Either
from qchess.bench.adapters.circuit import Circuit, Complex, Step
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program


class Cirq(Either, Dense):
    """`cirq.Simulator`; wire 0 is the most significant bit, as here."""

    name = "cirq"
    modules = ("cirq",)
    packages = ("cirq-core",)
    copies = 2
    inside = "`Simulator.simulate`, which makes its state; of programs that ask, `Simulator.run`"
    outside = "the simulator; the circuit in Cirq's operations, measurements and classical controls included"
    options_why = "`precision` is complex128, and complex64, its default, is ranked apart; control values are its own"

    def load(self) -> None:
        """Imports it, and makes its simulator, which holds options and no state."""
        super().load()
        import cirq

        self.simulator = cirq.Simulator(dtype=np.dtype(self.precision).type)

    def lower(self, circuit: Circuit) -> Any:
        """The circuit in Cirq's operations."""
        return circuit, cirq_circuit(circuit)

    def run(self, lowered: Any, desk: Any) -> Any:
        """The final state, as one vector."""
        import cirq

        circuit, made = lowered
        wires = cirq.LineQubit.range(circuit.wires)
        return self.simulator.simulate(made, qubit_order=wires, initial_state=circuit.start())

    def vector(self, state: Any) -> Complex:
        """The vector itself."""
        return np.asarray(state.final_state_vector)

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Its own sampling of the final state."""
        import cirq

        wires = range(lowered[0].wires)
        return keys_of(cirq.sample_state_vector(self.vector(state), wires, repetitions=shots, seed=seed))

    def lower_answers(self, program: Program, full: frozenset[Qubit]) -> Any:
        """The program with Cirq's measurements and classical controls."""
        import cirq

        from qchess.circuits.forms.to_cirq import to_cirq

        return cirq.Circuit(cirq.X(cirq.NamedQubit(q)) for q in sorted(full)) + to_cirq(program)

    def answers(self, lowered: Any, shots: int, seed: int) -> Iterator[Mapping[str, int]]:
        """Cirq's own run of it."""
        import cirq

        simulator = cirq.Simulator(dtype=np.dtype(self.precision).type, seed=seed)
        found = simulator.run(lowered, repetitions=shots)
        records = {name: values[:, -1, :].astype(int) for name, values in found.records.items()}
        for shot in range(shots):
            yield {name: sum(int(b) << k for k, b in enumerate(rows[shot])) for name, rows in records.items()}


def keys_of(bits: Any) -> list[int]:
    """Rows of bits, wire 0 first, as keys."""
    return [int("".join("1" if bit else "0" for bit in row), 2) for row in bits]


def cirq_circuit(circuit: Circuit) -> Any:
    """The steps on `cirq.LineQubit` k for wire k."""
    import cirq

    return cirq.Circuit(_operation(step) for step in circuit.steps)


def _operation(step: Step) -> Any:
    import cirq

    t = step.parameter
    gate: Any = {"SWAP": cirq.SWAP, "H": cirq.H, "ISWAP": cirq.ISWAP, "X": cirq.X, "Z": cirq.Z}.get(step.name)
    if gate is None:
        gate = cirq.ry(t) if step.name == "RY" else cirq.rz(t)
    elif t != 1.0:
        gate **= t
    made = gate.on(*map(cirq.LineQubit, step.targets))
    if not step.controls:
        return made
    wires = [cirq.LineQubit(wire) for wire, _ in step.controls]
    return made.controlled_by(*wires, control_values=[value for _, value in step.controls])
