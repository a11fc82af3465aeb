"""The addresses of studies, lessons and classes. What may take long is worked on in the server's worker processes."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from qchess import backends, reading
from qchess.backends.catalogue import with_settings
from qchess.errors import IllegalMoveError, QchessError
from qchess.games import rules
from qchess.lessons.lesson import courses
from qchess.playing.carrying import moment
from qchess.playing.game import Game
from qchess.web import dice
from qchess.web.addresses import address_of
from qchess.web.limits import Buckets
from qchess.web.store import StoreError
from qchess.web.studies.asking import options_of, setups
from qchess.web.studies.classes import Classes
from qchess.web.studies.sharing import Shared, study_values
from qchess.web.workers import Job, Weight, WorkError

if TYPE_CHECKING:
    from qchess.web.hall import Hall

Handler = Callable[[Request], Awaitable[Response]]
#: the longest body: a whole study, or a record that somebody brings
MOST_BYTES = 4 * 1024 * 1024
#: questions of one address a second and at once; studies that it may share an hour
ASKED, SHARED = (8.0, 60), 100
MOST_SAID, LONGEST = 400, 200


class RefusedError(QchessError):
    """A request that is answered with a status of its own."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def routes(hall: Hall) -> list[BaseRoute]:
    """Every address of studies, lessons and classes."""
    served = Studies(hall)
    classes = Classes(hall, served)
    return [
        Route("/api/study", _told(served.ask), methods=["POST"]),
        Route("/api/study/open", _told(served.open), methods=["POST"]),
        Route("/api/study/setups", _told(served.setups)),
        Route("/api/studies", _told(served.share), methods=["POST"]),
        Route("/api/studies/{name}", _told(served.shared)),
        Route("/api/lessons", _told(served.courses), methods=["GET"]),
        Route("/api/lessons", _told(served.lesson), methods=["POST"]),
        Route("/api/classes", _told(classes.open), methods=["POST"]),
        WebSocketRoute("/ws/class/{name}", classes.socket),
    ]


def _told(handler: Handler) -> Handler:
    """A handler whose errors are answers."""

    async def told(request: Request) -> Response:
        try:
            return await handler(request)
        except QchessError as error:
            text = error.plain if isinstance(error, IllegalMoveError) else str(error)
            return JSONResponse({"error": " ".join(text.split())[:600]}, _status(error))

    return told


def _status(error: QchessError) -> int:
    if isinstance(error, RefusedError):
        return error.status
    return 503 if isinstance(error, (StoreError, WorkError)) else 400


class Studies:
    """What answers requests about studies and lessons."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.kept = Shared(hall.keeping)
        self.asked = Buckets(*ASKED)
        self.sharing = Buckets(SHARED / 3600, SHARED)

    async def ask(self, request: Request) -> Response:
        """What is asked after a line of moves."""
        return JSONResponse(await self.answer(await self.body(request)))

    async def answer(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to ``{game, options, line, ask}``."""
        ask = reading.mapping(data.get("ask"), "'ask'")
        allowed = self.hall.settings.agents
        if ask.get("kind") == "analyse" and allowed:
            reading.one_of(ask.get("agent"), "an agent of this server", tuple(allowed))
        return await self.work("study", data, line=data.get("line", []), ask=ask)

    async def open(self, request: Request) -> Response:
        """A game that somebody brings, as the line of a study."""
        data = await self.body(request)
        text = reading.text(data.get("text"), "'text'", MOST_BYTES)
        number = reading.integer(data.get("number", 1), "'number'", 1, 10_000)
        return JSONResponse(await self.work("open_text", {}, text=text, number=number))

    async def setups(self, request: Request) -> Response:
        """What a study can begin with."""
        return JSONResponse({"games": setups(), "agents": list(self.hall.settings.agents)})

    async def share(self, request: Request) -> Response:
        """Keeps a study, and tells its name; whoever has the key of a kept one may change it."""
        data = await self.body(request)
        if not self.sharing.take(address_of(request), time.monotonic()):
            raise RefusedError("too many studies were kept from there; come again later", 429)
        values = study_values(data.get("study"))
        name, key = data.get("name"), data.get("key")
        if name is None:
            name, key = await self.kept.begin(values)
            return JSONResponse({"name": name, "key": key}, 201)
        changed = await self.kept.change(_name(name), reading.text(key, "'key'", 64), values)
        if not changed:
            raise RefusedError("this key does not open that study", 403)
        return JSONResponse({"name": name})

    async def shared(self, request: Request) -> Response:
        """A study that was kept."""
        found = await self.kept.read(_name(request.path_params["name"]))
        if found is None:
            raise RefusedError("there is no such study", 404)
        return JSONResponse({"study": found})

    async def courses(self, request: Request) -> Response:
        """The lessons of every game that has some."""
        found = [
            {
                "game": course.game,
                "title": rules(course.game).title,
                "rules": list(course.rules),
                "legend": list(course.legend),
                "lessons": [{"name": lesson.name, "title": lesson.title} for lesson in course.lessons],
            }
            for course in courses().values()
        ]
        return JSONResponse({"courses": found})

    async def lesson(self, request: Request) -> Response:
        """A lesson after what the learner said so far."""
        data = await self.body(request)
        asked = {
            "name": reading.text(data.get("lesson"), "'lesson'", LONGEST),
            "seed": reading.integer(data.get("seed"), "'seed'", 0, 2**53),
            "said": list(reading.texts(data.get("said", []), "'said'", MOST_SAID, LONGEST)),
        }
        return JSONResponse(await self.work("lesson", {"game": data.get("game")}, **asked))

    # -- how --------------------------------------------------------------------------------------------------

    async def work(self, question: str, data: Mapping[str, Any], **asked: Any) -> dict[str, Any]:
        """The answer of a worker about a game that stands at its start."""
        settings = self.hall.settings
        made = rules(
            reading.text(data.get("game", "quantum-chess"), "'game'", LONGEST), **options_of(data.get("options"))
        )
        backend = backends.get(with_settings("sparse", {"branch_limit": settings.branches}))
        seed = dice.fresh()
        held = moment(Game(made, backend, source=dice.source(backend, seed)))
        job = Job(question, held, seed, asked)
        answer: dict[str, Any] = await self.hall.desk.ask(job, settings.work_seconds, Weight.STUDY)
        return answer

    async def body(self, request: Request) -> dict[str, Any]:
        """The JSON object that a request brings, from an address that does not ask too often."""
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise RefusedError("what is asked comes as application/json", 415)
        if not self.asked.take(address_of(request), time.monotonic()):
            self.hall.metrics.count("refused", "too many study questions")
            raise RefusedError("too many questions; wait a moment", 429)
        found = bytearray()
        async for part in request.stream():
            found += part
            if len(found) > MOST_BYTES:
                raise RefusedError(f"expected at most {MOST_BYTES} bytes", 413)
        return reading.json_object(bytes(found), "what is asked", MOST_BYTES + 1)


def _name(value: Any) -> str:
    name = reading.text(value, "the name of a study", 40)
    if not name.isalnum() or not name.isascii():
        raise RefusedError("there is no such study", 404)
    return name
