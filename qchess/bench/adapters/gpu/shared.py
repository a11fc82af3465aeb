"""What simulators on a GPU have in common: one sentence where there is none, and a beginning in each process.

CUDA does not outlive a fork: a process whose parent has begun to use a GPU cannot use it. So the process that imports a
simulator only asks others whether there is a GPU, and each run begins with it anew, before its clock.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.circuit import Circuit, Step

#: asks NVIDIA's driver; it ends with what is wrong, or says nothing
DRIVER = """
import ctypes, sys
try:
    cuda = ctypes.CDLL("libcuda.so.1")
except OSError:
    sys.exit("NVIDIA's driver (libcuda.so.1) is not found")
count = ctypes.c_int()
for name, value in (("cuInit", 0), ("cuDeviceGetCount", ctypes.byref(count))):
    if code := getattr(cuda, name)(value):
        sys.exit(f"{name} of NVIDIA's driver gives error {code}")
if not count.value:
    sys.exit("NVIDIA's driver finds no GPU")
"""
#: seconds after which a question has no answer
PATIENCE = 120


@cache
def told(code: str) -> str:
    """What a Python process of its own ends with; empty if it ends well."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {PATIENCE} s"
    if done.returncode == 0:
        return ""
    return (done.stderr.strip() or f"ended with {done.returncode}").splitlines()[-1]


def no_gpu() -> str:
    """Why no GPU can be used, in a sentence; empty if one can."""
    why = told(DRIVER)
    return f"there is no GPU here: {why}" if why else ""


class OnGPU(Adapter):
    """A simulator on a GPU. Its time ends when an amplitude is back in the processor's memory."""

    #: ends with a sentence where the package cannot use a GPU
    built = ""

    def absent(self) -> str:
        """That there is no GPU, or no package, or that it was built without one."""
        return no_gpu() or super().absent() or (told(self.built) if self.built else "")

    def wake(self) -> None:
        """Begins with the GPU, and runs a small circuit, which otherwise the first run would pay for."""
        self.begin()
        lowered = self.lower(Circuit(2, (), (Step("H", 1.0, (0,)), Step("X", 1.0, (1,), ((0, 1),)))))
        self.touch(self.run(lowered, self.desk(lowered)), 0)

    def begin(self) -> None:
        """Makes what lives on the GPU and serves all runs of a process."""
