"""Sockets that come to an end, whatever the client does.

A transport that is closed waits until everything it holds was read. Whoever keeps the connection and reads nothing
would keep it, and its memory, for as long as they like, and no limit would count it.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

#: how long a client that was let go may take to say goodbye, and to read what was sent before, in seconds
GOODBYE, PARTING = 1.0, 12.0


class Line(WebSocketsSansIOProtocol):
    """A WebSocket whose client is cut off soon after it was let go: until then all that it still sends is read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.close_timeout = GOODBYE

    async def run_asgi(self) -> None:
        """Serves it until the application is done with it."""
        await super().run_asgi()
        self._part()

    def keepalive_timeout(self) -> None:
        """Ends it, since it does not say that it is there."""
        super().keepalive_timeout()
        self._part()

    def _part(self) -> None:
        self.loop.call_later(PARTING, self.transport.abort)
