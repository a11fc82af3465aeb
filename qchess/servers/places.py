"""Who is connected to a server, and which of them it waits for.

A connection is waited for until its request is whole, and again after the answer; meanwhile it is at work.
Whoever is waited for too long is let go, and so is the one waited for longest where a newcomer finds no
place: slow clients keep nobody out, and a request that is being worked on is never dropped.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time


class Places:
    """The places of a server."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self._changed = threading.Condition()
        #: connections, and since when each is waited for; the longest first
        self._waiting: dict[socket.socket, float] = {}
        self._working: set[socket.socket] = set()

    def enter(self, line: socket.socket) -> bool:
        """Gives a newcomer a place, at the cost of whoever is waited for longest; false if all are at work."""
        with self._changed:
            if len(self._waiting) + len(self._working) >= self.most:
                if not self._waiting:
                    return False
                self._cut(next(iter(self._waiting)))
            self._waiting[line] = time.monotonic()
            return True

    def work(self, line: socket.socket) -> None:
        """Notes that a connection's request is whole; an error if it has been let go meanwhile."""
        with self._changed:
            if line not in self._waiting:
                raise ConnectionAbortedError("this connection was let go before its request was whole")
            del self._waiting[line]
            self._working.add(line)

    def wait(self, line: socket.socket) -> None:
        """Notes that a connection has its answer, and may ask again."""
        with self._changed:
            if line in self._working:
                self._working.remove(line)
                self._waiting[line] = time.monotonic()
                self._changed.notify_all()

    def leave(self, line: socket.socket) -> None:
        """Frees the place of a connection that has ended."""
        with self._changed:
            self._waiting.pop(line, None)
            self._working.discard(line)
            self._changed.notify_all()

    def let_go_the_late(self) -> None:
        """Ends the connections that are waited for too long."""
        with self._changed:
            latest = time.monotonic() - self.seconds
            for line in [line for line, since in self._waiting.items() if since < latest]:
                self._cut(line)

    def drain(self, seconds: float) -> bool:
        """Ends who is waited for, and gives who is at work so long for the answer; whether all were done."""
        with self._changed:
            for line in list(self._waiting):
                self._cut(line)
            return self._changed.wait_for(lambda: not self._working, seconds)

    def _cut(self, line: socket.socket) -> None:
        del self._waiting[line]
        with contextlib.suppress(OSError):  # it may have ended this very moment
            line.shutdown(socket.SHUT_RDWR)
