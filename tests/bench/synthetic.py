"""Result files that nobody measured: their times are drawn."""

from __future__ import annotations

import json
import math
import random
import statistics
from collections.abc import Callable, Mapping
from typing import Any

from qchess.bench.running.measuring import Settings
from qchess.bench.running.results import Plan, Results

#: takes simulator and case; gives what a run tells beside its name
Told = Callable[[str, str], Mapping[str, Any]]


def case_of(name: str, **more: Any) -> dict[str, Any]:
    """What a result file keeps of a case."""
    return {
        "hash": name * 3, "family": "one", "game": None, "track": "native", "wires": 14, "lives": 14, "operations": 1,
        "two_qubit": 1, "depth": 1, "peak": 8, "final": 8, "register": 14, "clifford": False, "feed_forward": False,
        "post_selected": False, **more,
    }  # fmt: skip


def start_of(simulator: str, **more: Any) -> dict[str, Any]:
    """How a simulator started."""
    single = simulator.endswith(("qsim", "c64"))
    return {
        "what": "start", "simulator": simulator, "load": 0.0, "outcome": "ok", "label": simulator,
        "precision": "complex64" if single else "complex128", "approximate": "mps" in simulator,
        "versions": {simulator: "1"}, "import": {"wall": 0.5, "cpu": 0.5}, "memory": {"base": 0, "peak": 10**6}, **more,
    }  # fmt: skip


def run_of(**more: Any) -> dict[str, Any]:
    """A run that was right."""
    took = {"wall": 1e-3, "cpu": 1e-3}
    return {"outcome": "ok", "kind": "", "why": "", "error": 1e-15, "fidelity": 1.0, "lower": took, "first": took,
            "read": took, "sample": took, "memory": {"base": 10**6, "peak": 3 * 10**6}, **more}  # fmt: skip


def made(simulators: tuple[str, ...], cases: Mapping[str, Mapping[str, Any]], told: Told) -> Results:
    """A file with a run of every simulator on every case."""
    results = Results(Plan("by hand", simulators, Settings(), {"processor": "abacus"}, cases, "0" * 64))
    for simulator in simulators:
        results.take(json.dumps(start_of(simulator)))
        for case, about in cases.items():
            line = {"what": "run", "simulator": simulator, "case": case, "hash": about["hash"], "load": 1.0}
            results.take(json.dumps({**line, **told(simulator, case)}))
    return results


def drawn(seconds: float, dice: random.Random, *, deviation: float = 0.15, stalls: float = 0.02) -> tuple[float, float]:
    """One time on a busy machine, and how long others had the processor in it."""
    took = seconds * math.exp(dice.gauss(0, deviation))
    return (3 * took, 2 * took) if dice.random() < stalls else (took, 0.0)


def repeated(seconds: float, dice: random.Random, runs: int, **noise: float) -> dict[str, Any]:
    """Several times, as a result file keeps them."""
    took = sorted(drawn(seconds, dice, **noise) for _ in range(runs))
    low, middle, high = statistics.quantiles([wall for wall, _ in took], n=4, method="inclusive")
    return {"runs": runs, "wall": middle, "cpu": middle, "low": low, "high": high, "queued": sum(q for _, q in took)}
