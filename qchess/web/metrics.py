"""The server's counters, as text for monitoring programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

#: the upper bounds of the groups of moves, in seconds
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """Counters with descriptions, and figures computed on request."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.seconds, self.moves = 0.0, 0
        self._buckets = [0] * len(BOUNDS)
        self._gauges: dict[str, Callable[[], float]] = {}

    def count(self, name: str, why: str = "") -> None:
        """Count one more."""
        self.counts[name, why] += 1

    def moved(self, seconds: float) -> None:
        """Count a move's seconds from arrival to announcement."""
        self.moves += 1
        self.seconds += seconds
        for k, bound in enumerate(BOUNDS):
            if seconds <= bound:
                self._buckets[k] += 1

    def watch(self, name: str, look: Callable[[], float]) -> None:
        """Add a figure computed on request."""
        self._gauges[name] = look

    def text(self) -> str:
        """Return everything, a line per figure."""
        lines = [f"qchess_{name} {look():g}" for name, look in sorted(self._gauges.items())]
        for (name, why), count in sorted(self.counts.items()):
            lines.append(f'qchess_{name}_total{{why="{why}"}} {count}' if why else f"qchess_{name}_total {count}")
        lines += [f'qchess_move_seconds_bucket{{le="{b}"}} {n}' for b, n in zip(BOUNDS, self._buckets, strict=True)]
        lines += [f'qchess_move_seconds_bucket{{le="+Inf"}} {self.moves}']
        lines += [f"qchess_move_seconds_sum {self.seconds:.6f}", f"qchess_move_seconds_count {self.moves}"]
        return "\n".join(lines) + "\n"
