"""How the runs of each simulator ended."""

from __future__ import annotations

from collections import Counter

from qchess.bench.running.results import OUTCOMES, Results


def outcomes(results: Results) -> str:
    """Return a table for the terminal: a line per simulator, a column per outcome."""
    widths = {name: max(len(name), 6) + 2 for name in OUTCOMES}
    first = max(16, *map(len, results.plan.simulators))
    lines = [f"{'simulator':{first}}" + "".join(f"{name:>{wide}}" for name, wide in widths.items())]
    for simulator in results.plan.simulators:
        counts = counted(results, simulator)
        cells = [f"{counts[name] or '.':>{wide}}" for name, wide in widths.items()]
        lines.append(f"{simulator:{first}}" + "".join(cells))
    return "\n".join(lines)


def counted(results: Results, simulator: str) -> Counter[str]:
    """Return how many of its runs ended in each way."""
    return Counter(run["outcome"] for (name, _), run in results.runs.items() if name == simulator)
