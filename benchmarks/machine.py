"""What every benchmark prints about where it ran, and how it takes a median."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    """Processor, cores, Python and the versions of the packages that matter."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "versions": {
            name: _version(name) for name in ("numpy", "numba", "networkx", "cirq-core", "qiskit", "qiskit-aer")
        },
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    lines = [line for line in text.splitlines() if line.startswith("model name")]
    return lines[0].split(":", 1)[1].strip() if lines else platform.processor()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def timings(action: Callable[[], Any], *, seconds: float = 0.5, least: int = 5, most: int = 2000) -> list[float]:
    """The seconds that each of several runs took, after one that warms up; of slow ones, two."""
    begun = time.perf_counter()
    action()
    least = 2 if time.perf_counter() - begun > 1 else least
    taken: list[float] = []
    end = time.perf_counter() + seconds
    while len(taken) < least or (time.perf_counter() < end and len(taken) < most):
        start = time.perf_counter()
        action()
        taken.append(time.perf_counter() - start)
    return taken


def summary(taken: list[float]) -> dict[str, float]:
    """Median and quartiles in microseconds."""
    low, middle, high = statistics.quantiles(taken, n=4) if len(taken) > 1 else (taken[0],) * 3
    return {
        "median_us": round(middle * 1e6, 2),
        "q1_us": round(low * 1e6, 2),
        "q3_us": round(high * 1e6, 2),
        "runs": len(taken),
    }
