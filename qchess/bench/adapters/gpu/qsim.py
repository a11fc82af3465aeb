"""qsim on a GPU: a build of qsimcirq from its source, where there is CUDA."""

from __future__ import annotations

from typing import Any, ClassVar

from qchess.bench.adapters.gpu.shared import OnGPU
from qchess.bench.adapters.qsim import QSim, package


class QSimGPU(OnGPU, QSim):
    """What ``QSimOptions(use_gpu=True, gpu_mode=0)`` chooses."""

    name = "qsim-gpu"
    built = """
import sys, qsimcirq
if qsimcirq.qsim_gpu is None:
    sys.exit("this qsimcirq was built without a GPU; with CUDA, it is built from its source")
"""
    inside = f"{QSim.inside}; the copy of the vector to the processor's memory"
    outside = f"{QSim.outside}; the context of the GPU, and a run on two wires"
    options_why = f"`use_gpu`, and `gpu_mode` 0, which is CUDA; {QSim.options_why}. Not tested on a GPU by us"
    settings: ClassVar = {"use_gpu": True, "gpu_mode": 0}

    @property
    def code(self) -> Any:
        """Its compiled module."""
        return package().qsim_gpu
