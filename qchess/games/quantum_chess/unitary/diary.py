"""The debug log and the timing statistics of a board."""

from __future__ import annotations

import sys
import time
from collections import defaultdict


class Diary:
    """Keeps times as readable text, and as numbers by action."""

    debug_log: str
    timing_stats: defaultdict[str, list[float]]

    def clear_debug_log(self) -> None:
        """Clear the text."""
        self.debug_log = ""

    def print_debug_log(self, clear_log: bool = True) -> None:
        """Print the text, and clear it by default."""
        sys.stdout.write(f"{self.debug_log}\n")
        if clear_log:
            self.clear_debug_log()

    def clear_timing_stats(self) -> None:
        """Clear the numbers."""
        self.timing_stats = defaultdict(list)

    def print_timing_stats(self, clear_stats: bool = False) -> None:
        """Print the numbers; they are kept by default."""
        sys.stdout.write(f"{dict(self.timing_stats)}\n")
        if clear_stats:
            self.clear_timing_stats()

    def record_time(self, action: str, t0: float, t1: float | None = None) -> None:
        """Record how long an action took, from t0 to t1 (default: now) on ``time.perf_counter``."""
        taken = (time.perf_counter() if t1 is None else t1) - t0
        self.debug_log += f"{action} takes {taken:0.9f} seconds.\n"
        self.timing_stats[action].append(taken)
