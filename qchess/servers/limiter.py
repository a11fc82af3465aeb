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

Connection = TypeVar("Connection", bound=Hashable)


class ConnectionLimiter(Generic[Connection]):
    """Gives connections places, and takes them from the slow; `cut` ends a connection."""

    def __init__(
        self, most: int, seconds: float, cut: Callable[[Connection], object], *, of_one_address: int | None = None
    ) -> None:
        self.most, self.seconds, self.of_one_address = most, seconds, of_one_address or most
        self._end = cut
        self._changed = threading.Condition()
        #: the connections waited for, by address, each with its start; the longest first
        self._waiting: dict[str, dict[Connection, float]] = {}
        self._working: set[Connection] = set()
        #: the address of each connection, and the number of connections of each address
        self._addresses: dict[Connection, str] = {}
        self._counts: dict[str, int] = {}
        #: how many were rejected, lost their place to a newcomer, and were waited for too long
        self.refused, self.displaced, self.late = 0, 0, 0

    def __len__(self) -> int:
        return len(self._addresses)

    def enter(self, connection: Connection, address: str = "", *, trusted: bool = False) -> bool:
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
            self._addresses[connection] = address
            self._counts[address] = self._counts.get(address, 0) + 1
            self._wait(connection)
            return True

    def work(self, connection: Connection) -> None:
        """Record that a connection's request is complete; raises if it has been closed meanwhile."""
        with self._changed:
            if connection not in self._addresses:
                raise ConnectionAbortedError("this connection was closed before its request was complete")
            self._rest(connection)
            self._working.add(connection)

    def wait(self, connection: Connection) -> None:
        """Record that the connection is waited for from now on: it has its answer, and may ask again."""
        with self._changed:
            if connection in self._addresses:
                self._rest(connection)
                self._working.discard(connection)
                self._wait(connection)
                self._changed.notify_all()

    def leave(self, connection: Connection) -> None:
        """Free the place of a connection that has ended."""
        with self._changed:
            self._forget(connection)
            self._changed.notify_all()

    def let_go_the_late(self) -> None:
        """End the connections that are waited for too long."""
        with self._changed:
            latest = time.monotonic() - self.seconds
            late = [one for waiting in self._waiting.values() for one, since in waiting.items() if since < latest]
            self.late += len(late)
            for connection in late:
                self._cut(connection)

    def drain(self, seconds: float) -> bool:
        """End idle connections, and give those at work this long for the answer; returns whether all were done."""
        with self._changed:
            for connection in [one for waiting in self._waiting.values() for one in waiting]:
                self._cut(connection)
            return self._changed.wait_for(lambda: not self._working, seconds)

    def _wait(self, connection: Connection) -> None:
        self._waiting.setdefault(self._addresses[connection], {})[connection] = time.monotonic()

    def _rest(self, connection: Connection) -> None:
        """Stop waiting for a connection."""
        connections = self._waiting.get(self._addresses[connection], {})
        connections.pop(connection, None)
        if not connections:
            self._waiting.pop(self._addresses[connection], None)

    def _forget(self, connection: Connection) -> None:
        if connection not in self._addresses:
            return
        self._rest(connection)
        self._working.discard(connection)
        address = self._addresses.pop(connection)
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]

    def _cut(self, connection: Connection) -> None:
        self._forget(connection)
        self._end(connection)
