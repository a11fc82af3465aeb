"""qsim: a dense vector in C++, in single precision only; it takes Cirq's circuits and refuses classical controls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qchess.bench.adapters.adapter import Dense
from qchess.bench.adapters.circuit import Circuit, Complex
from qchess.bench.adapters.cirq import cirq_circuit, keys_of


class QSim(Dense):
    """`QSimSimulator.simulate_into_1d_array`; gates are fused."""

    name = "qsim"
    modules = ("cirq", "qsimcirq")
    packages = ("qsimcirq", "cirq-core")
    precision = "complex64"

    def lower(self, circuit: Circuit) -> Any:
        """The circuit in Cirq's operations; qsim writes it in its own form whenever it runs."""
        return circuit, cirq_circuit(circuit)

    def run(self, lowered: Any, desk: Any) -> Any:
        """The final vector."""
        import cirq
        import qsimcirq

        circuit, made = lowered
        options = qsimcirq.QSimOptions(cpu_threads=1, max_fused_gate_size=int(self.options.get("fuse", 2)))
        simulator = qsimcirq.QSimSimulator(options)
        wires = cirq.LineQubit.range(circuit.wires)
        return simulator.simulate_into_1d_array(made, qubit_order=wires, initial_state=circuit.start())

    def vector(self, state: Any) -> Complex:
        """The vector itself."""
        return np.asarray(state[1])

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Its own shots: the circuit from a basis state, measured at the end."""
        import cirq
        import qsimcirq

        circuit, made = lowered
        wires = cirq.LineQubit.range(circuit.wires)
        flips = cirq.Circuit(cirq.X(wires[k]) for k in circuit.full)
        simulator = qsimcirq.QSimSimulator(qsimcirq.QSimOptions(cpu_threads=1), seed=seed)
        run = simulator.run(flips + made + cirq.measure(*wires, key="m"), repetitions=shots)
        return keys_of(run.measurements["m"])
