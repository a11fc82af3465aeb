"""Connections that always end, and whose number is limited.

A connection takes a place before anything is read. It is waited for until its request is complete, and again after the
answer was taken. One that is waited for too long is closed, and so is the one waited for longest if a newcomer finds no
place. A WebSocket is at work until it is disconnected.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
from asyncio import TimerHandle, Transport
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from qchess.servers.http import NO_PLACE
from qchess.servers.limiter import ConnectionLimiter
from qchess.web.addresses import PROXIES, counted

#: seconds for a disconnected client to close
GOODBYE = 1.0
#: the least bytes per second of a request's body from a client, and of an answer to it
SLOWEST = 1000
#: connections that may wait to be accepted, and how many are accepted before the first is looked at: these have
#: descriptors but no place yet
BACKLOG, AT_ONCE = 2048, 16


#: closes a connection at once, and drops unread data
FORGETTING = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)


def cut(line: Transport) -> None:
    """End a connection at once, dropping unsent and unread data."""
    with contextlib.suppress(OSError):  # it may have ended this very moment
        line.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, FORGETTING)
    line.abort()


class Config(uvicorn.Config):
    """The shared configuration of a server's connections."""

    def __init__(self, app: Any, limiter: ConnectionLimiter[Transport], proxied: bool, **how: Any) -> None:
        self.limiter = limiter
        #: the addresses of proxies
        self.trusted = PROXIES if proxied else ()
        super().__init__(app, http=Front, ws=BoundedWebSocket, proxy_headers=proxied, backlog=AT_ONCE, **how)


class Server(uvicorn.Server):
    """A server that disconnects late clients."""

    config: Config

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections; more may wait than are accepted at once."""
        await super().startup(sockets)
        for door in sockets or ():
            door.listen(BACKLOG)

    async def on_tick(self, counter: int) -> bool:
        """Check the connections, some times a second."""
        self.config.limiter.let_go_the_late()
        return await super().on_tick(counter)


class Front(H11Protocol):
    """An HTTP connection."""

    config: Config
    #: the request, whether it is answered, whether more of it comes, and whether part of the answer is not taken
    _at: tuple[object, bool, bool, bool] = (None, False, False, False)
    #: the bytes received since the state last changed
    _came = 0
    #: checks whether the client takes its answer
    _taking: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Take a place, or answer that there is none."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # writing is paused while anything is not taken
        host = self.client[0] if self.client else ""
        if not self.config.limiter.enter(transport, counted(host), trusted=host in self.config.trusted):
            transport.write(NO_PLACE)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        self.config.limiter.leave(self.transport)
        self._look_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what came."""
        super().data_received(data)
        self._note()
        self._came += len(data)
        if self._at[1:] == (False, True, False) and self._came >= SLOWEST * self.config.limiter.seconds:
            self._came = 0
            self.config.limiter.wait(self.transport)

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        super().on_response_complete()
        self._note()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over to a WebSocket."""
        self._look_no_more()
        self.transport.set_write_buffer_limits()
        self.config.limiter.work(self.transport)
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """Wait for the client, which has not taken all that was written."""
        super().pause_writing()
        self._note()
        self._look_later()

    def resume_writing(self) -> None:
        """Go on: the client has taken all that was written."""
        super().resume_writing()
        self._look_no_more()
        self._note()

    def _note(self) -> None:
        """Record whether the client is waited for, and since when."""
        cycle, paused = self.cycle, self.flow.write_paused
        at = (cycle, cycle is not None and cycle.response_complete, cycle is not None and cycle.more_body, paused)
        if at == self._at or self.transport.get_protocol() is not self:
            return
        self._at, self._came = at, 0
        if cycle is None or any(at[1:]):
            self.config.limiter.wait(self.transport)
        elif not self.transport.is_closing():
            self.config.limiter.work(self.transport)

    def _look_later(self) -> None:
        """Check from time to time whether the client takes a long answer."""
        self._look_no_more()
        seconds, size = self.config.limiter.seconds / 2, self.transport.get_write_buffer_size()
        self._taking = self.loop.call_later(seconds, self._look, size - SLOWEST * seconds)

    def _look(self, enough: float) -> None:
        if self.transport.get_write_buffer_size() <= enough:
            self.config.limiter.wait(self.transport)
        self._look_later()

    def _look_no_more(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose client is cut off soon after being disconnected; until then its data is read."""

    config: Config

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.close_timeout = GOODBYE

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        self.config.limiter.leave(self.transport)
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        """Serve it until the application is done with it."""
        await super().run_asgi()
        self.config.limiter.wait(self.transport)

    def keepalive_timeout(self) -> None:
        """End it, since the client does not answer pings."""
        super().keepalive_timeout()
        self.config.limiter.wait(self.transport)
