"""Progress bars for work of more than a second, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self, TextIO

#: the width of a bar, the longest name, and the width of a line
WIDTH, LABEL, COLUMNS = 20, 20, 79
#: shorter work needs no bar, in seconds; and the time between two drawings
PATIENCE, EVERY = 1.0, 0.1


class Bar:
    """How much of the work is done, how fast, and how long the rest takes if it goes on like that."""

    def __init__(self, label: str, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self.label = label if len(label) <= LABEL else f"{label[: LABEL - 3]}..."
        self.stream, self.clock = stream, clock
        self.began, self.first, self.shown = clock(), -1, -1.0
        self.on = stream.isatty()

    def show(self, done: int, total: int) -> None:
        """Draw the bar again, once the work has taken a second, and at most ten times a second."""
        now = self.clock()
        if self.first < 0:
            self.first = done
        is_late = now - self.began >= PATIENCE and (self.shown < 0 or now - self.shown >= EVERY)
        if not self.on or not (is_late or (self.shown >= 0 and done >= total)):
            return
        self.shown = now
        filled = min(WIDTH, WIDTH * done // max(1, total))
        line = f"{self.label} [{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{total} {self._speed(done, total, now)}"
        self.stream.write(f"\r{line[:COLUMNS].rstrip()}\x1b[K")
        self.stream.flush()

    def _speed(self, done: int, total: int, now: float) -> str:
        """Return the speed and the time left; what was done before the work began again tells neither."""
        if done <= self.first:
            return ""
        each = (now - self.began) / (done - self.first)
        speed = f"{1 / each:.3g}/s" if each < 1 else f"{each:.3g} s each"
        minutes, seconds = divmod(round(each * (total - done)), 60)
        if minutes >= 60:
            return f"{speed} {minutes // 60}:{minutes % 60:02}:{seconds:02} left"
        return f"{speed} {minutes}:{seconds:02} left" if minutes or seconds else speed

    def close(self) -> None:
        """End the line."""
        if self.on and self.shown >= 0:
            self.stream.write("\n")
            self.stream.flush()


class Bars:
    """Progress bars on the standard error stream; leaving `with Bars() as bars` ends the last one.

    After Ctrl-C a sentence says that what is finished is in `kept`, if the work goes on from there.
    """

    def __init__(
        self, kept: Path | None = None, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.kept, self.stream, self.clock = kept, stream or sys.stderr, clock
        self.name, self.bar = "", Bar("", self.stream, clock)

    @property
    def on(self) -> bool:
        """Tell whether they are visible."""
        return self.bar.on

    def tell(self, name: str, done: int, total: int) -> None:
        """Show the progress of the work of that name."""
        if name != self.name:
            self.bar.close()
            self.name, self.bar = name, Bar(name, self.stream, self.clock)
        self.bar.show(done, total)

    def of(self, name: str) -> Callable[[int, int], None]:
        """Begin a bar, and return the function that shows the progress of that name."""
        self.bar.close()
        self.name, self.bar = name, Bar(name, self.stream, self.clock)
        return self.bar.show

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.bar.close()
        if self.kept and kind and issubclass(kind, KeyboardInterrupt):
            told = f"stopped; what is finished is in {self.kept}, and the same command goes on from there\n"
            self.stream.write(told)
            self.stream.flush()
