"""A progress bar on one line of a terminal; anywhere else nothing is written."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

WIDTH = 30


class Bar:
    """How many of all games are done, and about how long the others will take."""

    def __init__(self, label: str, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self.label, self.stream, self.clock = label, stream, clock
        self.began, self.first, self.shown = clock(), 0, -1.0
        self.on = stream.isatty()

    def show(self, done: int, total: int) -> None:
        """Draws the bar anew, at most ten times a second."""
        now = self.clock()
        if self.shown < 0:
            self.first = done
        if not self.on or (done < total and self.shown >= 0 and now - self.shown < 0.1):
            return
        self.shown = now
        filled = WIDTH * done // max(1, total)
        self.stream.write(f"\r{self.label} [{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{total} "
                          f"{self._left(done, total, now)}\x1b[K")  # fmt: skip
        self.stream.flush()

    def _left(self, done: int, total: int, now: float) -> str:
        if done <= self.first:
            return ""
        seconds = round((now - self.began) / (done - self.first) * (total - done))
        return f"{seconds // 60}:{seconds % 60:02} left" if seconds else ""

    def close(self) -> None:
        """Ends the line."""
        if self.on and self.shown >= 0:
            self.stream.write("\n")
            self.stream.flush()
