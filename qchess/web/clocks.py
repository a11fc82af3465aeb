"""Clocks of a game, as values: time is an argument, always read from `now`.

``fischer`` adds seconds after each move, ``delay`` takes the first seconds of each move for free, ``none`` is no clock.
After an answer that was open no clock runs for `SHOWN` seconds, as pages show the answer before they show the reply.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qchess import reading
from qchess.errors import InvalidMoveError

KINDS = ("none", "fischer", "delay")
LONGEST, MOST_EXTRA = 7 * 24 * 3600.0, 3600.0
#: seconds for which pages show an answer; nobody's clock runs in them
SHOWN = 2.0
#: time controls offered by pages
USUAL = (("none", 0, 0), ("fischer", 180, 2), ("fischer", 300, 5), ("fischer", 900, 10), ("delay", 600, 5))


def now() -> float:
    """Return the time of the running loop; only differences are meaningful."""
    return asyncio.get_running_loop().time()


@dataclass(frozen=True, slots=True)
class Control:
    """A time control."""

    kind: str = "none"
    seconds: float = 0.0
    extra: float = 0.0

    @classmethod
    def of(cls, values: Any) -> Control:
        """Read a time control from JSON values; null is none."""
        if values is None:
            return cls()
        data = reading.mapping(values, "'clock'")
        kind = reading.one_of(data.get("kind"), "the kind of a clock", KINDS)
        if kind == "none":
            return cls()
        seconds = reading.number(data.get("seconds"), "'seconds' of a clock", 1, LONGEST)
        return cls(kind, seconds, reading.number(data.get("extra", 0), "'extra' of a clock", 0, MOST_EXTRA))

    def values(self) -> dict[str, Any]:
        """Return the control as JSON values."""
        return {"kind": self.kind, "seconds": self.seconds, "extra": self.extra}


@dataclass(frozen=True, slots=True)
class Clocks:
    """The remaining time of each player, and whose clock has run since when."""

    control: Control
    remaining: Mapping[str, float]
    running: str | None = None
    since: float = 0.0
    #: until when an answer is shown
    shown: float = -math.inf

    @classmethod
    def fresh(cls, control: Control, players: Sequence[str]) -> Clocks:
        """Return the clocks before the first move; none runs yet."""
        return cls(control, dict.fromkeys(players, control.seconds))

    def left(self, player: str, now: float) -> float:
        """Return what is left to a player now, in seconds."""
        if player != self.running:
            return self.remaining[player]
        return self.remaining[player] - max(0.0, now - self._began)

    @property
    def _began(self) -> float:
        """Return from when on the running clock takes time: after its delay, and after the answer that is shown."""
        free = self.control.extra if self.control.kind == "delay" else 0.0
        return max(self.since, self.shown) + free

    def answered(self, now: float) -> Clocks:
        """Return the clocks when an answer has come that pages show for a while."""
        return replace(self, shown=now + SHOWN)

    def start(self, player: str, now: float) -> Clocks:
        """Return the clocks when a player's begins to run."""
        return replace(self.stop(now), running=player, since=now) if self.control.kind != "none" else self

    def stop(self, now: float) -> Clocks:
        """Return the clocks when none runs any more."""
        if self.running is None:
            return self
        kept = {**self.remaining, self.running: max(0.0, self.left(self.running, now))}
        return replace(self, remaining=kept, running=None)

    def later(self, seconds: float) -> Clocks:
        """Return the clocks as if the running one had not run for the last seconds."""
        return self if self.running is None else replace(self, since=self.since + seconds)

    def moved(self, player: str) -> Clocks:
        """Return the clocks after a player's move, with its increment."""
        if self.control.kind != "fischer":
            return self
        return replace(self, remaining={**self.remaining, player: self.remaining[player] + self.control.extra})

    def seconds_until_flag(self, now: float) -> float | None:
        """Return how long the running clock still has, with its delay; None if none runs."""
        if self.running is None:
            return None
        return self.remaining[self.running] + self._began - now

    def values(self, now: float) -> dict[str, Any] | None:
        """Return the clocks as JSON values; None without clocks."""
        if self.control.kind == "none":
            return None
        left = {player: round(max(0.0, self.left(player, now)), 3) for player in self.remaining}
        stands = round(max(0.0, self.shown - now), 3)
        values = {"kind": self.control.kind, "remaining": left, "running": self.running, "extra": self.control.extra}
        return values | ({"stands": stands} if stands else {})

    def kept(self, now: float) -> dict[str, float] | None:
        """Return the remaining times, stored with a move; None without clocks."""
        if self.control.kind == "none":
            return None
        return {player: round(self.left(player, now), 3) for player in self.remaining}

    def restored(self, kept: Mapping[str, Any] | None) -> Clocks:
        """Return the clocks as they were stored; none runs."""
        if kept is None:
            return self
        if set(kept) != set(self.remaining):
            raise InvalidMoveError(f"expected clocks of {', '.join(self.remaining)}, got those of {', '.join(kept)}")
        return replace(self, remaining=dict(kept), running=None)
