"""The connections of a server, and which of them it waits for.

A connection is waited for until its request is complete, and again after the answer; in between it is at work. One that
is waited for too long is closed. If there is no place for a newcomer, the address with the most places loses the one
waited for longest: so slow clients keep nobody out, and a request at work is never dropped.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Line = TypeVar("Line", bound=Hashable)


class Places(Generic[Line]):
    """The places of a server; `cut` ends a connection."""

    def __init__(
        self, most: int, seconds: float, cut: Callable[[Line], object], *, of_one_address: int | None = None
    ) -> None:
        self.most, self.seconds, self.of_one_address = most, seconds, of_one_address or most
        self._end = cut
        self._changed = threading.Condition()
        #: the connections waited for, by address, each with its start; the longest first
        self._waiting: dict[str, dict[Line, float]] = {}
        self._working: set[Line] = set()
        #: the address of each connection, and the number of connections of each address
        self._addresses: dict[Line, str] = {}
        self._counts: dict[str, int] = {}
        #: how many were rejected, lost their place to a newcomer, and were waited for too long
        self.refused, self.displaced, self.late = 0, 0, 0

    def __len__(self) -> int:
        return len(self._addresses)

    def enter(self, line: Line, address: str = "", *, trusted: bool = False) -> bool:
        """Give a newcomer a place, if needed that of the longest wait; False if all are at work.

        An address has a limited number of places, unless it is `trusted` to speak for many.
        """
        with self._changed:
            own = not trusted and self._counts.get(address, 0) >= self.of_one_address
            if own or len(self) >= self.most:
                loser = address if own else max(self._waiting, key=self._counts.__getitem__, default=address)
                if loser not in self._waiting:
                    self.refused += 1
                    return False
                self.displaced += 1
                self._cut(next(iter(self._waiting[loser])))
            self._addresses[line] = address
            self._counts[address] = self._counts.get(address, 0) + 1
            self._wait(line)
            return True

    def work(self, line: Line) -> None:
        """Record that a connection's request is complete; raises if it has been closed meanwhile."""
        with self._changed:
            if line not in self._addresses:
                raise ConnectionAbortedError("this connection was closed before its request was complete")
            self._rest(line)
            self._working.add(line)

    def wait(self, line: Line) -> None:
        """Record that the connection is waited for from now on: it has its answer, and may ask again."""
        with self._changed:
            if line in self._addresses:
                self._rest(line)
                self._working.discard(line)
                self._wait(line)
                self._changed.notify_all()

    def leave(self, line: Line) -> None:
        """Free the place of a connection that has ended."""
        with self._changed:
            self._forget(line)
            self._changed.notify_all()

    def let_go_the_late(self) -> None:
        """End the connections that are waited for too long."""
        with self._changed:
            latest = time.monotonic() - self.seconds
            late = [line for lines in self._waiting.values() for line, since in lines.items() if since < latest]
            self.late += len(late)
            for line in late:
                self._cut(line)

    def drain(self, seconds: float) -> bool:
        """End idle connections, and give those at work this long for the answer; returns whether all were done."""
        with self._changed:
            for line in [line for lines in self._waiting.values() for line in lines]:
                self._cut(line)
            return self._changed.wait_for(lambda: not self._working, seconds)

    def _wait(self, line: Line) -> None:
        self._waiting.setdefault(self._addresses[line], {})[line] = time.monotonic()

    def _rest(self, line: Line) -> None:
        """Stop waiting for a connection."""
        lines = self._waiting.get(self._addresses[line], {})
        lines.pop(line, None)
        if not lines:
            self._waiting.pop(self._addresses[line], None)

    def _forget(self, line: Line) -> None:
        if line not in self._addresses:
            return
        self._rest(line)
        self._working.discard(line)
        address = self._addresses.pop(line)
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]

    def _cut(self, line: Line) -> None:
        self._forget(line)
        self._end(line)
