"""The connected clients: each socket has a short queue, so that a slow client delays nobody."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from qchess.web.jsontext import encoded
from qchess.web.limits import Bucket
from qchess.web.settings import Settings

#: why a socket is closed
NOT_ALLOWED, TOO_LONG, FAILED, RESTART, TOO_SLOW, NO_TABLE = 1008, 1009, 1011, 1012, 1013, 4404
#: the most seconds for closing, and the most questions of one client in progress
CLOSE_SECONDS, MOST_TASKS = 1.0, 4


class Client:
    """One socket: its queue, its limits, and its player."""

    def __init__(self, socket: WebSocket, address: str, settings: Settings) -> None:
        now = time.monotonic()
        self.socket, self.address = socket, address
        #: the player whose seat it opened; None for a spectator
        self.player: str | None = None
        self.messages = Bucket(*settings.messages, now)
        self.looks = Bucket(*settings.looks, now)
        self.refusals = 0
        self.closed: tuple[int, str] | None = None
        self._queue: asyncio.Queue[str] = asyncio.Queue(settings.queue)
        self._tasks: set[asyncio.Task[None]] = set()
        self._gone = asyncio.Event()

    def send(self, message: dict[str, Any] | str) -> None:
        """Queue a message; a client with too many waiting is disconnected, and reconnects for the state."""
        if self.closed is not None:
            return
        try:
            self._queue.put_nowait(message if isinstance(message, str) else encoded(message))
        except asyncio.QueueFull:
            self.close(TOO_SLOW, "too many messages wait for this client")

    def close(self, code: int, why: str) -> None:
        """Disconnect the client; its queue is dropped."""
        if self.closed is None:
            self.closed = (code, why)
            self._gone.set()

    def spawn(self, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        """Work on a question beside the socket; False if this client has enough of them."""
        if len(self._tasks) >= MOST_TASKS:
            return False
        task = asyncio.get_running_loop().create_task(work())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def write(self) -> None:
        """Send what waits, until the client is gone."""
        sending = asyncio.create_task(self._send())
        await asyncio.wait({sending, asyncio.create_task(self._gone.wait())}, return_when=asyncio.FIRST_COMPLETED)
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sending
        if self.closed:
            with contextlib.suppress(TimeoutError, RuntimeError, WebSocketDisconnect, OSError):
                await asyncio.wait_for(self.socket.close(self.closed[0], self.closed[1][:120]), CLOSE_SECONDS)

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                await self.socket.send_text(await self._queue.get())

    async def leave(self) -> None:
        """Cancel the work for this client."""
        self.close(NOT_ALLOWED, "gone")
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
