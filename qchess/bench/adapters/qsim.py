"""qsim: a dense vector in C++, in single precision only; it takes Cirq's circuits and refuses classical controls."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from qchess.bench.adapters.adapter import Dense
from qchess.bench.adapters.circuit import Circuit, Complex
from qchess.bench.adapters.cirq import cirq_circuit


class QSim(Dense):
    """`QSimSimulator.simulate_into_1d_array`; gates are fused."""

    name = "qsim"
    modules = ("cirq", "qsimcirq")
    packages = ("qsimcirq", "cirq-core")
    precision = "complex64"
    inside = "`qsim_simulate_fullstate`: a fresh vector, the fusing of gates, and all of them"
    outside = "Cirq's operations, and their translation to qsim's own, which `QSimSimulator` makes in every call"
    options_why = (
        "threads by `cpu_threads`; `fuse`, the most wires of a fused gate, is 2 as by default; it has single precision "
        "only"
    )

    #: options beside threads and fusing
    settings: ClassVar[dict[str, Any]] = {}

    @property
    def code(self) -> Any:
        """Its compiled module."""
        return package().qsim

    def lower(self, circuit: Circuit) -> Any:
        """The circuit as qsim's own, by its translation of Cirq's operations, which otherwise each run makes."""
        import cirq

        wires = cirq.LineQubit.range(circuit.wires)
        flips = cirq.Circuit(cirq.X(wires[k]) for k in circuit.full)
        translated, _ = package().QSimCircuit(flips + cirq_circuit(circuit)).translate_cirq_to_qsim(wires)
        return translated

    def run(self, lowered: Any, desk: Any) -> Any:
        """The final vector, from a state in which every wire is 0."""
        return self.code.qsim_simulate_fullstate(self._asked(lowered, 1), 0)

    def vector(self, state: Any) -> Complex:
        """The vector itself."""
        return np.asarray(state).view(np.complex64)

    def sample(self, lowered: Any, state: Any, shots: int, seed: int) -> Sequence[int]:
        """Its own shots; it simulates again for them."""
        keys: Sequence[int] = self.code.qsim_sample_final(self._asked(lowered, seed), shots)
        return keys

    def _asked(self, translated: Any, seed: int) -> dict[str, Any]:
        """What qsim is called with."""
        fuse = int(self.options.get("fuse", 2))
        options = package().QSimOptions(cpu_threads=self.threads, max_fused_gate_size=fuse, **self.settings)
        return {**options.as_dict(), "c": translated, "s": seed}


def package() -> Any:
    """The package, which is imported by now."""
    return import_module("qsimcirq")
