"""The application that uvicorn serves: pages, sockets, and a guard before both."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Sequence

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from qchess.web.addresses import address_of
from qchess.web.clients import NOT_ALLOWED, TOO_SLOW
from qchess.web.guard import Guard, host_of
from qchess.web.hall import Hall
from qchess.web.limits import Counts
from qchess.web.pages import routes
from qchess.web.sessions import Session

#: HTTP answers of at least this many bytes are compressed, at this level: a higher one takes longer and saves little
LARGE, EFFORT = 1000, 6


def application(hall: Hall, origins: Iterable[str], more: Sequence[BaseRoute] = ()) -> ASGIApp:
    """Return the application of a hall, for pages of these origins; `more` are further routes."""
    counts = Counts(hall.settings.sockets_per_address)
    open_sockets: set[Session] = set()

    async def socket(websocket: WebSocket) -> None:
        address = address_of(websocket)
        await websocket.accept()
        if len(open_sockets) >= hall.settings.sockets or hall.closing:
            await websocket.close(TOO_SLOW, "this server is full")
            return
        if not counts.enter(address):
            hall.metrics.count("refused", "too many sockets")
            await websocket.close(NOT_ALLOWED, "too many sockets from there")
            return
        session = Session(hall, websocket, address)
        open_sockets.add(session)
        try:
            await session.run()
        finally:
            open_sockets.discard(session)
            counts.leave(address)

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        hall.spawn(hall.pool.warm_up())
        minding = asyncio.create_task(hall.mind())
        try:
            yield
        finally:
            minding.cancel()
            await hall.close()

    known = tuple(origins)
    app = Starlette(routes=[*more, WebSocketRoute("/ws", socket), *routes(hall)], lifespan=life)
    small = GZipMiddleware(app, minimum_size=LARGE, compresslevel=EFFORT)
    return Guard(small, known, {host_of(origin) for origin in known}, hall.metrics)
