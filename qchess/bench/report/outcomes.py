"""How the runs of each simulator ended."""

from __future__ import annotations

from collections import Counter

from qchess.bench.running.results import OUTCOMES, Results


def outcomes(results: Results) -> str:
    """A table for the terminal: a simulator a line, an outcome a column."""
    lines = [f"{'simulator':16}" + "".join(f"{name:>12}" for name in OUTCOMES)]
    for simulator in results.plan.simulators:
        counts = counted(results, simulator)
        lines.append(f"{simulator:16}" + "".join(f"{counts[name] or '.':>12}" for name in OUTCOMES))
    return "\n".join(lines)


def counted(results: Results, simulator: str) -> Counter[str]:
    """How many of its runs ended in each way."""
    return Counter(run["outcome"] for (name, _), run in results.runs.items() if name == simulator)
