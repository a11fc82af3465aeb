"""Qiskit Aer on a GPU: the package ``qiskit-aer-gpu`` in place of ``qiskit-aer``."""

from __future__ import annotations

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.aer import AerDense
from qchess.bench.adapters.gpu.shared import OnGPU


class AerGPU(OnGPU, AerDense):
    """The same with ``device="GPU"``."""

    name = "aer-gpu"
    built = """
import sys
from qiskit_aer import AerSimulator
if "GPU" not in (found := AerSimulator().available_devices()):
    sys.exit(f"this Qiskit Aer has no GPU, only {', '.join(found)}; the package is qiskit-aer-gpu")
"""
    inside = f"{AerDense.inside}; the copy of the vector to the processor's memory, which `save_statevector` makes"
    outside = f"{AerDense.outside}; the context of the GPU, and a run on two wires"
    options_why = f"`device` is GPU; {AerDense.options_why}. Not tested on a GPU by us"

    device = "GPU"

    def load(self) -> None:
        """Imports it, and makes nothing: a simulator asks for the devices when it is made."""
        Adapter.load(self)

    def begin(self) -> None:
        """Makes its simulators."""
        self.prepare()
