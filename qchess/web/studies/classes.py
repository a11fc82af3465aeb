"""A classroom: one teacher's board on many pages, and questions whose answers are counted.

The board is computed here from the teacher's line of moves, so every page gets a board made by the rules. Classes are
in memory only: a class ends with the server, or when nobody has been there for long.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket

from qchess import reading
from qchess.errors import InvalidMoveError, QchessError
from qchess.web.addresses import address_of
from qchess.web.clients import NO_TABLE, NOT_ALLOWED, Client
from qchess.web.hall import FullError
from qchess.web.jsontext import JsonText, json_text
from qchess.web.limits import Counts
from qchess.web.seats import fresh, hashed
from qchess.web.studies.sharing import MOST_ARROWS, arrow_values

if TYPE_CHECKING:
    from qchess.web.hall import Hall

#: the most classes of a server, the most pages of a class, and the seconds until an empty class ends
MOST_CLASSES, MOST_PAGES, IDLE = 500, 1000, 3600.0
LONGEST, LONGEST_COMMENT, LONGEST_NAME, MOST_CHOICES, MOST_BYTES = 200, 4000, 40, 8, 200_000
#: the letters of a class's code, which is written on a wall and typed: none looks or sounds like another one
CODE, CODE_LENGTH = "abcdefghkmnpqrstuvwxyz", 6
#: the number of groups of equal width for answers about odds
GROUPS = 10
#: events within this many seconds are sent together
TOGETHER = 0.05


class Answering(Protocol):
    """The interface of what answers questions about a line of moves."""

    async def answer(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to ``{game, options, line, ask}``."""


@dataclass(slots=True)
class Question:
    """A question to the class: the odds of a move, or one of some choices."""

    text: str
    #: the choices; none if a probability in percent is wanted
    choices: tuple[str, ...] = ()
    #: for a move: its probability, hidden until the end
    exact: float | None = None
    answers: dict[str, float] = field(default_factory=dict)
    over: bool = False

    def answered(self, client: str, value: Any) -> None:
        """Record an answer; a second one from the same student replaces it."""
        if self.over:
            raise InvalidMoveError("this question is over")
        if client not in self.answers and len(self.answers) >= MOST_PAGES:
            raise InvalidMoveError("this question takes no more answers")
        if self.choices:
            self.answers[client] = reading.integer(value, "the number of a choice", 0, len(self.choices) - 1)
        else:
            self.answers[client] = reading.number(value, "a probability in percent", 0, 100)

    def told(self, teacher: bool) -> dict[str, Any]:
        """Return the question as pages show it: how many answered, and after the end the results."""
        told: dict[str, Any] = {
            "text": self.text,
            "choices": list(self.choices),
            "answered": len(self.answers),
            "over": self.over,
        }
        if self.over or teacher:
            told["counts"] = self.counts()
        if self.over:
            told["exact"] = self.exact
            values = list(self.answers.values())
            told["median"] = statistics.median(values) if values and not self.choices else None
        return told

    def counts(self) -> list[int]:
        """Count the answers; percents in groups of ten."""
        if self.choices:
            return [sum(answer == k for answer in self.answers.values()) for k in range(len(self.choices))]
        groups = [min(GROUPS - 1, int(answer * GROUPS / 100)) for answer in self.answers.values()]
        return [groups.count(k) for k in range(GROUPS)]


class Page(NamedTuple):
    """A page of a class: its secret name, whether it is the teacher's, and what its student is called."""

    name: str
    teacher: bool
    called: str


class Class:
    """One class: its pages, the board shown, and the question."""

    def __init__(self, title: str, key: str) -> None:
        self.title, self.key = title, key
        self.pages: dict[Client, Page] = {}
        #: what each page has been shown already
        self._seen: dict[Client, JsonText | None] = {}
        #: the teacher's board, encoded once for all pages
        self.shown: JsonText | None = None
        self.question: Question | None = None
        self.touched = time.monotonic()
        #: the teacher's actions are done one after the other
        self.lock = asyncio.Lock()
        self._said = False

    def tell(self) -> None:
        """Send the state to every page, once for simultaneous events."""
        if not self._said:
            self._said = True
            asyncio.get_running_loop().call_later(TOGETHER, self._tell)

    def _tell(self) -> None:
        self._said = False
        asked, here = self.question, {page.name: page.called for page in self.pages.values() if not page.teacher}
        called = sorted(filter(None, here.values()))
        told = {teacher: asked.told(teacher) if asked else {} for teacher in (False, True)}
        for client, (name, teacher, own) in tuple(self.pages.items()):
            question = asked and {**told[teacher], "mine": asked.answers.get(name)}
            you = "teacher" if teacher else "student"
            common = {"kind": "class", "title": self.title, "students": len(here)}
            names = {"names": called} if teacher else {"name": own}
            new = {} if self._seen.get(client, "") is self.shown else {"shown": self.shown}
            self._seen[client] = self.shown
            client.send({**common, **names, **new, "you": you, "question": question})

    def leave(self, client: Client) -> None:
        """Remove a page."""
        self.touched = time.monotonic()
        self._seen.pop(client, None)
        if self.pages.pop(client, None):
            self.tell()


class Classes:
    """The classes of a server."""

    def __init__(self, hall: Hall, studies: Answering) -> None:
        self.hall, self.studies = hall, studies
        self.held: dict[str, Class] = {}
        self.counts = Counts(hall.settings.sockets_per_address)

    async def open(self, request: Request) -> Response:
        """Open a class: returns its name, and the teacher's key, shown once."""
        data = reading.json_object(request.state.body, "a class", MOST_BYTES)
        self._forget()
        if len(self.held) >= MOST_CLASSES:
            raise FullError("this server has no room for another class")
        title = reading.text(data.get("title", ""), "'title'", LONGEST)
        while (name := "".join(secrets.choice(CODE) for _ in range(CODE_LENGTH))) in self.held:
            pass
        key, kept = fresh()
        self.held[name] = Class(title, kept)
        return JSONResponse({"name": name, "key": key}, 201)

    def _forget(self) -> None:
        """Remove classes in which nobody has been for long."""
        now = time.monotonic()
        self.held = {name: c for name, c in self.held.items() if c.pages or now - c.touched < IDLE}

    async def socket(self, websocket: WebSocket) -> None:
        """Serve one page of a class, until it is gone."""
        await websocket.accept()
        address = address_of(websocket)
        here = self.held.get(websocket.path_params["name"])
        if here is None or len(here.pages) >= MOST_PAGES or not self.counts.enter(address):
            await websocket.close(
                NO_TABLE if here is None else NOT_ALLOWED, "no such class" if here is None else "full"
            )
            return
        client = Client(websocket, address, self.hall.settings)
        writing = asyncio.create_task(client.write())
        talking = asyncio.create_task(self._read(here, client))
        try:
            await asyncio.wait({writing, talking}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.counts.leave(address)
            here.leave(client)
            talking.cancel()
            await client.leave()
            await asyncio.gather(talking, writing, return_exceptions=True)

    async def _read(self, here: Class, client: Client) -> None:
        """Read messages until the page is gone or asks too much."""
        while client.closed is None:
            await asyncio.sleep(0)  # answers and others get their turn
            message = await client.socket.receive()
            if message["type"] != "websocket.receive":
                return
            if not client.messages.take(time.monotonic()):
                client.send({"kind": "refused", "why": "too many messages; wait a moment"})
                client.refusals += 1
                if client.refusals > self.hall.settings.patience:
                    client.close(NOT_ALLOWED, "too many refused messages")
                continue
            try:
                text = message.get("text") or message.get("bytes") or ""
                self.hall.doors.enter("heard", len(text))
                data = reading.json_object(text, "a message", MOST_BYTES)
                await self._heard(here, client, data)
            except QchessError as error:
                _refuse(client, error)

    async def _heard(self, here: Class, client: Client, data: Mapping[str, Any]) -> None:
        """Handle one message."""
        kind = data.get("kind")
        if kind == "hello":
            self._hello(here, client, data)
            return
        if client not in here.pages:
            raise InvalidMoveError("send hello first")
        name, teacher, _ = here.pages[client]
        if kind == "answer":
            if here.question is None:
                raise InvalidMoveError("no question is open")
            here.question.answered(name, data.get("value"))
            here.tell()
        elif not teacher:
            raise InvalidMoveError("only the teacher may do this")
        elif not client.spawn(lambda: self._taught(here, client, data)):
            raise InvalidMoveError("your earlier request is still being processed")

    async def _taught(self, here: Class, client: Client, data: Mapping[str, Any]) -> None:
        """Handle a message of the teacher beside the socket; closing the socket cancels it."""
        async with here.lock:
            try:
                await self._do(here, data)
            except QchessError as error:
                _refuse(client, error)

    async def _do(self, here: Class, data: Mapping[str, Any]) -> None:
        kind = data.get("kind")
        if kind == "show":
            here.shown = await self._shown(data)
        elif kind == "ask":
            here.question = await self._asked(data)
        elif kind in ("reveal", "clear"):
            if here.question is not None:
                here.question.over = True
            here.question = here.question if kind == "reveal" else None
        else:
            raise InvalidMoveError(f"expected a message of a class, got {reading.shown(kind)}")
        here.tell()

    def _hello(self, here: Class, client: Client, data: Mapping[str, Any]) -> None:
        if client in here.pages:
            raise InvalidMoveError("hello was already sent")
        name = reading.text(data.get("client"), "'client'", 40)
        key = data.get("key")
        teacher = isinstance(key, str) and hmac.compare_digest(here.key, hashed(key[:64]))
        if key is not None and not teacher:
            client.close(NOT_ALLOWED, "this key does not open a class")
            return
        called = " ".join(reading.text(data.get("name", ""), "'name'", LONGEST_NAME).split())
        here.pages[client] = Page(name, teacher, called)
        here.tell()

    async def _shown(self, data: Mapping[str, Any]) -> JsonText:
        """Return the teacher's board, made by the rules, without playing on it."""
        self.hall.doors.enter("question")
        state = await self.studies.answer({**data, "ask": {"kind": "state"}})
        arrows = [arrow_values(arrow) for arrow in reading.items(data.get("arrows", []), "'arrows'", MOST_ARROWS)]
        comment = reading.text(data.get("comment", ""), "'comment'", LONGEST_COMMENT)
        return json_text({"state": {**state, "you": None, "moves": []}, "arrows": arrows, "comment": comment})

    async def _asked(self, data: Mapping[str, Any]) -> Question:
        """Return a question: with choices, or about the odds of a move after a line."""
        text = reading.text(data.get("text", ""), "'text'", LONGEST_COMMENT)
        choices = tuple(reading.texts(data.get("choices", []), "'choices'", MOST_CHOICES, LONGEST))
        if choices:
            return Question(text, choices)
        move = reading.text(data.get("move"), "'move'", LONGEST)
        self.hall.doors.enter("question")
        found = await self.studies.answer({**data, "ask": {"kind": "preview", "text": move}})
        ways = found["outcomes"]
        if len(ways) < 2:
            raise InvalidMoveError(f"{move} measures nothing; choose a move that measures")
        yes = _first(ways)
        player = found["player"]
        told = f"{player[:1].upper()}{player[1:]} plays {found['said']}. How likely is this outcome?"
        asked = text or f"{told} {_without_odds(yes['sentence'])}"
        return Question(asked, (), yes["probability"])


def _refuse(client: Client, error: QchessError) -> None:
    client.send({"kind": "refused", "why": " ".join(str(error).split())[:300]})


def _without_odds(sentence: str) -> str:
    """Return an outcome in words without its probability, which is the question."""
    return re.sub(r", (?:less than |more than )?\d+% likely", "", sentence)


def _first(ways: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the outcome that a question is about: the one with the answer yes, or the likeliest."""
    return next((way for way in ways if set(way["answers"].values()) == {1}), ways[0])
