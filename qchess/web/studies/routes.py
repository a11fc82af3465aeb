"""The routes of studies, lessons and classes. Slow work is done in the server's worker processes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from qchess import reading
from qchess.backends.catalogue import with_settings
from qchess.games import rules
from qchess.lessons.lesson import courses
from qchess.web import seeds
from qchess.web.jsontext import json_text
from qchess.web.pages import RequestError, told
from qchess.web.studies.asking import setups
from qchess.web.studies.classes import Classes
from qchess.web.studies.making import MOST_BYTES, Sent
from qchess.web.studies.sharing import Shared
from qchess.web.workers import Job, Priority

if TYPE_CHECKING:
    from qchess.web.hall import Hall

JSON = "application/json"


def routes(hall: Hall) -> list[BaseRoute]:
    """Return every route of studies, lessons and classes."""
    served = Studies(hall)
    classes = Classes(hall, served)
    return [
        Route("/api/study", told(hall, served.ask, "question", MOST_BYTES), methods=["POST"]),
        Route("/api/study/open", told(hall, served.open, "question", MOST_BYTES), methods=["POST"]),
        Route("/api/study/setups", told(hall, served.setups)),
        Route("/api/studies", told(hall, served.share, "study", MOST_BYTES), methods=["POST"]),
        Route("/api/studies/{name}", told(hall, served.shared, "question")),
        Route("/api/lessons", told(hall, served.courses), methods=["GET"]),
        Route("/api/lessons", told(hall, served.lesson, "question", MOST_BYTES), methods=["POST"]),
        Route("/api/classes", told(hall, classes.open, "class", hall.settings.message_bytes), methods=["POST"]),
        WebSocketRoute("/ws/class/{name}", classes.socket),
    ]


class Studies:
    """Answers requests about studies and lessons."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.kept = Shared(hall.keeping, self.work)

    async def ask(self, request: Request) -> Response:
        """Answer a question after a line of moves."""
        return Response(await self._work("studied", request, agents=self.hall.settings.agents), media_type=JSON)

    async def answer(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to ``{game, options, line, ask}``."""
        found: dict[str, Any] = await self.work("answered", data=data, agents=self.hall.settings.agents)
        return found

    @cached_property
    def _setups(self) -> str:
        return json_text({"games": setups(), "agents": list(self.hall.settings.agents)})

    async def open(self, request: Request) -> Response:
        """Return a submitted game as the line of a study."""
        return Response(await self._work("brought", request), media_type=JSON)

    async def setups(self, request: Request) -> Response:
        """Return how a study can begin."""
        return Response(self._setups, media_type=JSON)

    async def share(self, request: Request) -> Response:
        """Save a study and return its name; the key of a saved study allows changing it."""
        sent: Sent = await self._work("checked", request)
        self.hall.doors.enter("bytes", sent.size)
        if sent.name is None:
            name, key = await self.kept.begin(sent.study)
            return JSONResponse({"name": name, "key": key}, 201)
        changed = await self.kept.change(_name(sent.name), reading.text(sent.key, "'key'", 64), sent.study)
        if not changed:
            raise RequestError("this key does not open that study", 403)
        return JSONResponse({"name": sent.name})

    async def shared(self, request: Request) -> Response:
        """Return a stored study."""
        found = await self.kept.read(_name(request.path_params["name"]))
        if found is None:
            raise RequestError("there is no such study", 404)
        return Response(f'{{"study":{found}}}', media_type=JSON)

    @cached_property
    def _courses(self) -> str:
        return _courses()

    async def courses(self, request: Request) -> Response:
        """Return the lessons of every game that has some."""
        return Response(self._courses, media_type=JSON)

    async def lesson(self, request: Request) -> Response:
        """Return a lesson after the learner's input so far."""
        return Response(await self._work("taught", request), media_type=JSON)

    # -- how --------------------------------------------------------------------------------------------------

    async def _work(self, question: str, request: Request, **asked: Any) -> Any:
        return await self.work(question, body=request.state.body, **asked)

    async def work(self, question: str, **asked: Any) -> Any:
        """Return a worker's answer; the worker makes the games in question."""
        settings = self.hall.settings
        backend = with_settings("sparse", {"branch_limit": settings.branches})
        job = Job(question, None, seeds.fresh(), asked, backend)
        return await self.hall.pool.ask(job, settings.work_seconds, Priority.STUDY)


def _courses() -> str:
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
    return json_text({"courses": found})


def _name(value: Any) -> str:
    name = reading.text(value, "the name of a study", 40)
    if not name.isalnum() or not name.isascii():
        raise RequestError("there is no such study", 404)
    return name
