"""Clocks of a game, as values: time is an argument, and `now` is the one clock that it is read from.

``fischer`` adds seconds after each move, ``delay`` takes the first seconds of each move for free, ``none`` is no clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qchess import reading
from qchess.errors import InvalidMoveError

KINDS = ("none", "fischer", "delay")
LONGEST, MOST_EXTRA = 7 * 24 * 3600.0, 3600.0
#: time controls that pages offer
USUAL = (("none", 0, 0), ("fischer", 180, 2), ("fischer", 300, 5), ("fischer", 900, 10), ("delay", 600, 5))


def now() -> float:
    """The time of the loop that runs; only differences mean anything."""
    return asyncio.get_running_loop().time()


@dataclass(frozen=True, slots=True)
class Control:
    """A time control."""

    kind: str = "none"
    seconds: float = 0.0
    extra: float = 0.0

    @classmethod
    def of(cls, values: Any) -> Control:
        """Reads a time control from JSON values; null is none."""
        if values is None:
            return cls()
        data = reading.mapping(values, "'clock'")
        kind = reading.one_of(data.get("kind"), "the kind of a clock", KINDS)
        if kind == "none":
            return cls()
        seconds = reading.number(data.get("seconds"), "'seconds' of a clock", 1, LONGEST)
        return cls(kind, seconds, reading.number(data.get("extra", 0), "'extra' of a clock", 0, MOST_EXTRA))

    def values(self) -> dict[str, Any]:
        """The control as JSON values."""
        return {"kind": self.kind, "seconds": self.seconds, "extra": self.extra}


@dataclass(frozen=True, slots=True)
class Clocks:
    """What is left to each player, and whose clock runs since when."""

    control: Control
    remaining: Mapping[str, float]
    running: str | None = None
    since: float = 0.0

    @classmethod
    def fresh(cls, control: Control, players: Sequence[str]) -> Clocks:
        """Clocks before the first move; none runs yet."""
        return cls(control, dict.fromkeys(players, control.seconds))

    def left(self, player: str, now: float) -> float:
        """What is left to a player now."""
        if player != self.running:
            return self.remaining[player]
        free = self.control.extra if self.control.kind == "delay" else 0.0
        return self.remaining[player] - max(0.0, now - self.since - free)

    def start(self, player: str, now: float) -> Clocks:
        """The clocks when a player's begins to run."""
        return replace(self.stop(now), running=player, since=now) if self.control.kind != "none" else self

    def stop(self, now: float) -> Clocks:
        """The clocks when none runs any more."""
        if self.running is None:
            return self
        kept = {**self.remaining, self.running: max(0.0, self.left(self.running, now))}
        return replace(self, remaining=kept, running=None)

    def later(self, seconds: float) -> Clocks:
        """The clocks as if the last seconds had not been: the running one had not run."""
        return self if self.running is None else replace(self, since=self.since + seconds)

    def moved(self, player: str) -> Clocks:
        """The clocks after a player's move: what it adds is added."""
        if self.control.kind != "fischer":
            return self
        return replace(self, remaining={**self.remaining, player: self.remaining[player] + self.control.extra})

    def seconds_until_flag(self, now: float) -> float | None:
        """How long the running clock still has, with what is free; None if none runs."""
        if self.running is None:
            return None
        free = self.control.extra if self.control.kind == "delay" else 0.0
        return self.remaining[self.running] + free - (now - self.since)

    def values(self, now: float) -> dict[str, Any] | None:
        """What pages are told; None without clocks."""
        if self.control.kind == "none":
            return None
        left = {player: round(max(0.0, self.left(player, now)), 3) for player in self.remaining}
        return {"kind": self.control.kind, "remaining": left, "running": self.running, "extra": self.control.extra}

    def kept(self, now: float) -> dict[str, float] | None:
        """What is left to each, to be kept with a move; None without clocks."""
        if self.control.kind == "none":
            return None
        return {player: round(self.left(player, now), 3) for player in self.remaining}

    def restored(self, kept: Mapping[str, Any] | None) -> Clocks:
        """The clocks as they were kept; none runs."""
        if kept is None:
            return self
        if set(kept) != set(self.remaining):
            raise InvalidMoveError(f"expected clocks of {', '.join(self.remaining)}, got those of {', '.join(kept)}")
        return replace(self, remaining=dict(kept), running=None)
