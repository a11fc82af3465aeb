"""How much anybody may ask: buckets that fill with time, and counts by address. Time is an argument."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass


@dataclass(slots=True)
class Bucket:
    """So many a second, and so many at once.

    >>> bucket = Bucket(1.0, 2, 0.0)
    >>> [bucket.take(now) for now in (0.0, 0.0, 0.0, 1.0)]
    [True, True, False, True]
    """

    rate: float
    most: float
    since: float
    held: float = -1.0

    def take(self, now: float) -> bool:
        """Whether one more is allowed now; it counts if it is."""
        held = self.most if self.held < 0 else min(self.most, self.held + (now - self.since) * self.rate)
        self.since = now
        self.held = held - 1 if held >= 1 else held
        return held >= 1


class Buckets:
    """A bucket for each address; the addresses asked longest ago are forgotten, and full again."""

    def __init__(self, rate: float, most: int, addresses: int = 10_000) -> None:
        self.rate, self.most, self.addresses = rate, most, addresses
        self._held: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, now: float) -> bool:
        """Whether one more is allowed to this address now."""
        bucket = self._held.pop(address, None) or Bucket(self.rate, self.most, now)
        self._held[address] = bucket
        if len(self._held) > self.addresses:
            self._held.popitem(last=False)
        return bucket.take(now)


class Counts:
    """How many of something each address has at this moment."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held: dict[str, int] = {}

    def enter(self, address: str) -> bool:
        """Counts one more, unless the address has as many as it may."""
        if self._held.get(address, 0) >= self.most:
            return False
        self._held[address] = self._held.get(address, 0) + 1
        return True

    def leave(self, address: str) -> None:
        """Counts one less."""
        left = self._held.get(address, 0) - 1
        if left > 0:
            self._held[address] = left
        else:
            self._held.pop(address, None)
