"""What is served over HTTP: pages, the catalogue, new tables, records, drawings, and the server's health."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from qchess import games, reading
from qchess.errors import IllegalMoveError, QchessError
from qchess.games import presets
from qchess.lessons.lesson import courses
from qchess.playing import agents
from qchess.showing import viewjson
from qchess.web.clocks import USUAL, now
from qchess.web.hall import FullError, Hall
from qchess.web.jsontext import json_text
from qchess.web.limits import TooMuchError
from qchess.web.settings import level_of
from qchess.web.store import StoreError
from qchess.web.studies import inlining, samples
from qchess.web.tablerequest import TableRequest, answering, levels
from qchess.web.tables import Table
from qchess.web.workers import WorkError

#: the page of each address; missing ones answer 404
PAGES = {
    "/": "index.html",
    "/play/{game}": "play.html",
    "/watch/{game}": "play.html",
    "/study": "study.html",
    "/study/{name}": "study.html",
    "/learn": "learn.html",
    "/learn/{name}": "learn.html",
    "/class": "class.html",
    "/class/{name}": "class.html",
}
STATIC = files("qchess.web").joinpath("static")
#: how long browsers may keep a file without asking, in seconds; then it is sent again only if changed
KEPT = "no-cache"
LISTED = 50
#: why a link cannot be sent
ALONE = (
    "Only this computer can open this link. Start with `qchess web --host 0.0.0.0` to play with others in your network."
)
#: the status for a disconnected client, never sent; the longest error
GONE, LONGEST_ERROR = 499, 600
#: the forms of a game; pages for use without a server are downloaded, never shown as our page
FORMS = {"json": "application/json", "svg": "image/svg+xml", "html": "text/html", "moving.svg": "image/svg+xml"}
EXPORTS = ("html", "moving.svg")
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class RequestError(QchessError):
    """A request answered with its own status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def routes(hall: Hall) -> list[BaseRoute]:
    """Return every route over HTTP."""
    served = Pages(hall)
    pages = [Route(path, _page(name)) for path, name in PAGES.items()]
    api = [
        Route("/api/games", served.catalogue),
        Route("/api/lobby", served.lobby),
        Route("/api/address", served.address),
        Route("/api/tables", told(hall, served.open, "table", hall.settings.message_bytes), methods=["POST"]),
        Route("/api/tables", served.tables, methods=["GET"]),
        Route("/api/tables/{game}", told(hall, served.standing, "question")),
        Route("/api/tables/{game}/record.{form}", told(hall, served.record, "export")),
        Route("/api/tables/{game}/views.json", told(hall, served.views, "export")),
        Route("/api/drawings/{name}", told(hall, served.drawings)),
        Route("/health", served.health),
        Route("/metrics", served.metrics),
    ]
    return [*pages, *api, Mount("/static", _Static(directory=str(STATIC), check_dir=False))]


class _Static(StaticFiles):
    """Our files, which browsers check each time: a new version shows at once."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """Return a file, or that it is unchanged; it is closed before waiting for anybody."""
        found = super().file_response(*args, **kwargs)
        found.headers["cache-control"] = KEPT
        if isinstance(found, FileResponse):
            del found.headers["accept-ranges"]
            body = Path(found.path).read_bytes()
            if Path(found.path).suffix == ".js":
                body = inlining.bare(body.decode()).encode()
                found.headers["content-length"] = str(len(body))
            return Response(body, found.status_code, found.headers)
        return found


def _page(name: str) -> Handler:
    async def page(request: Request) -> Response:
        path = STATIC.joinpath(name)
        if not path.is_file():
            return JSONResponse({"error": "there is no such page"}, 404)
        return Response(path.read_bytes(), media_type="text/html", headers={"cache-control": KEPT})

    return page


def told(hall: Hall, handler: Handler, door: str = "", most: int = 0) -> Handler:
    """Return a handler that turns errors into answers and stops when its connection closes.

    It may be behind a door, and require a JSON body of at most `most` bytes, in `request.state.body`.
    """

    async def answered(request: Request) -> Response:
        try:
            if most:
                _require_json(request)
            if door:
                hall.doors.enter(door)
            if most:
                request.state.body = await _body(request, most)
            return await _while_there(request, handler(request))
        except ClientDisconnect:
            return Response(status_code=GONE)
        except QchessError as error:
            text = error.plain if isinstance(error, IllegalMoveError) else str(error)
            return JSONResponse({"error": " ".join(text.split())[:LONGEST_ERROR]}, _status(error))

    return answered


async def _while_there(request: Request, answering: Coroutine[Any, Any, Response]) -> Response:
    """Return the answer; if the client disconnects, the work for it is cancelled."""
    loop = asyncio.get_running_loop()
    answer, gone = loop.create_task(answering), loop.create_task(_gone(request))
    try:
        await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
        return answer.result() if answer.done() else Response(status_code=GONE)
    finally:
        gone.cancel()
        answer.cancel()


async def _gone(request: Request) -> None:
    """Return when the connection is closed."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _status(error: QchessError) -> int:
    if isinstance(error, RequestError):
        return error.status
    if isinstance(error, TooMuchError):
        return 429
    return 503 if isinstance(error, (FullError, StoreError, WorkError)) else 400


class Pages:
    """Answers requests for one hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    async def catalogue(self, request: Request) -> Response:
        """Return the games, and who may play them."""
        return Response(self._catalogue, media_type="application/json")

    @cached_property
    def _catalogue(self) -> str:
        settings = self.hall.settings
        values = {
            "games": [_game_values(row) for row in games.rows()],
            "agents": list(settings.agents or agents.names()),
            "backends": [each["name"] for each in answering(settings)],
            "answering": answering(settings),
            "typed": not settings.backends,
            "clocks": [{"kind": kind, "seconds": seconds, "extra": extra} for kind, seconds, extra in USUAL],
            "public": settings.public,
        }
        return json_text(values)

    async def lobby(self, request: Request) -> Response:
        """Return what the first page shows at once: the games with pictures, the levels, the board to try."""
        return Response(self._lobby, media_type="application/json")

    @cached_property
    def _lobby(self) -> str:
        return json_text({**samples.lobby(), "levels": levels(self.hall.settings)})

    async def address(self, request: Request) -> Response:
        """Return the address under which others reach this server, or why they cannot."""
        return JSONResponse({"address": self.hall.address, "why": None if self.hall.address else ALONE})

    async def open(self, request: Request) -> Response:
        """Open a table."""
        body = request.state.body
        values = reading.json_object(body, "the settings of a table", len(body) + 1)
        table, secrets = await self.hall.open(TableRequest.of(values, self.hall.settings))
        play = {player: f"/play/{table.name}#seat={secret}" for player, secret in secrets.items()}
        told = {"game": table.name, "title": table.game.rules.title, "seats": secrets, "play": play}
        return JSONResponse({**told, "watch": f"/watch/{table.name}"}, 201)

    async def tables(self, request: Request) -> Response:
        """Return the public tables with players, the latest first."""
        live = [table for table in self.hall.tables.values() if table.head.get("public") and not table.result]
        latest = sorted((table for table in live if table.clients), key=lambda table: -table.touched)
        return JSONResponse({"tables": [_table_values(table) for table in latest[:LISTED]]})

    async def standing(self, request: Request) -> Response:
        """Return how a table stands: whose turn it is, the clocks, the result, the rematch."""
        table = await self._table(request)
        told = {"player": table.player, "clocks": table.clocks.values(now()), "result": table.result}
        return JSONResponse({**_table_values(table), **told, "next": table.offers.next})

    async def record(self, request: Request) -> Response:
        """Return the record of a game, in one of its forms."""
        table = await self._table(request)
        form = request.path_params["form"]
        found = await self.hall.exported(table, form)
        if found is None:
            raise RequestError(f"this game cannot be exported as .{form}", 404)
        taken = {"content-disposition": f'attachment; filename="{table.name}.{form}"'} if form in EXPORTS else None
        return Response(found, media_type=FORMS.get(form, "text/plain"), headers=taken)

    async def views(self, request: Request) -> Response:
        """Return a whole game for showing: a view per ply, and the moves between."""
        return Response(await self.hall.views(await self._table(request)), media_type=FORMS["json"])

    async def drawings(self, request: Request) -> Response:
        """Return the drawings of pieces."""
        name = request.path_params["name"]
        if name not in viewjson.DRAWINGS:
            raise RequestError(f"there is no set of pieces {reading.shown(name)}", 404)
        return JSONResponse(viewjson.drawings(name))

    async def health(self, request: Request) -> Response:
        """Return one word that says that the server runs."""
        return PlainTextResponse("closing\n" if self.hall.closing else "ok\n", 503 if self.hall.closing else 200)

    async def metrics(self, request: Request) -> Response:
        """Return the server's counters."""
        return PlainTextResponse(self.hall.metrics.text())

    async def _table(self, request: Request) -> Table:
        table = await self.hall.find(request.path_params["game"])
        if table is None:
            raise RequestError("there is no such table", 404)
        return table


def _require_json(request: Request) -> None:
    """Require the JSON content type, which foreign pages cannot send without permission."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise RequestError("expected Content-Type: application/json", 415)


async def _body(request: Request, most: int) -> bytes:
    """Return the body of a request, reading at most `most` bytes."""
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > most:
            raise RequestError(f"expected at most {most} bytes", 413)
    return bytes(found)


def _game_values(row: games.Row) -> dict[str, Any]:
    made = row.rules()
    return {
        "name": row.name,
        "title": made.title,
        "summary": row.summary,
        "players": list(made.players),
        "presets": [{"name": name, "summary": told} for name, told in presets.summaries(row.name).items()],
        "options": made.options(),
        "lessons": row.name in courses(),
    }


def _table_values(table: Table) -> Mapping[str, Any]:
    seats = {player: {"who": seat.who, "name": seat.name or level_of(seat.who)} for player, seat in table.seats.items()}
    return {
        "game": table.name,
        "title": table.game.rules.title,
        "name": table.head.get("name", ""),
        "seats": seats,
        "ply": table.ply,
        "watchers": sum(client.player is None for client in table.clients),
    }
