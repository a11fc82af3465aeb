"""A page without a browser: it says hello, plays, loses its socket, comes back, and knows what it was told."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
import urllib.error
import urllib.request
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.patience import PATIENCE

_NAMES = itertools.count()
T = TypeVar("T")


def apart(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs to its end in a thread of its own: while a browser is driven, this one has a loop already."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, coroutine).result()


def asked(url: str, data: Any = None, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """The status and the body of an answer over HTTP."""
    body = None if data is None else data if isinstance(data, bytes) else json.dumps(data).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json", **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read()


def opened(url: str, game: str = "quantum-chess", **order: Any) -> dict[str, Any]:
    """A new table."""
    status, body = asked(f"{url}/api/tables", {"game": game, **order})
    assert status == 201, body
    found: dict[str, Any] = json.loads(body)
    return found


def record(url: str, game: str) -> str:
    """The record of a table's game."""
    status, body = asked(f"{url}/api/tables/{game}/record.json")
    assert status == 200, body
    return body.decode()


def rounded(value: Any) -> Any:
    """JSON values with their numbers cut to nine digits: engines differ in the last ones."""
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    return [rounded(inner) for inner in value] if isinstance(value, list | tuple) else value


class Player:
    """One client of one table; without a secret it looks on."""

    def __init__(self, url: str, game: str, seat: str | None = None, name: str | None = None) -> None:
        self.url, self.game, self.seat, self.name = url, game, seat, name
        self.socket: ClientConnection | None = None
        self.state: dict[str, Any] = {}
        self.history: list[dict[str, Any]] = []
        #: every message that came, as it came
        self.heard: list[dict[str, Any]] = []
        self.resends = 0
        #: the move that was sent and not answered
        self.open: dict[str, Any] | None = None
        self.answer: dict[str, Any] | None = None

    async def __aenter__(self) -> Player:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.leave()

    async def connect(self) -> None:
        """Opens a socket and waits for the state; what was not answered is sent again."""
        address = self.url.replace("http", "ws", 1) + "/ws"
        self.socket = await connect(
            address, compression=None, max_size=None, proxy=None, open_timeout=PATIENCE, ping_timeout=PATIENCE
        )
        hello = {"kind": "hello", "game": self.game, "client": "test", "seat": self.seat, "name": self.name}
        await self.send({key: value for key, value in hello.items() if value is not None})
        await self.until("state")
        if self.open is not None:
            self.resends += 1
            await self.send(self.open)

    async def leave(self) -> None:
        """Closes the socket politely."""
        if self.socket is not None:
            await self.socket.close()

    def cut(self) -> None:
        """Loses the connection at once, as in a tunnel."""
        assert self.socket is not None
        self.socket.transport.abort()

    async def send(self, message: dict[str, Any]) -> None:
        """Sends a message."""
        assert self.socket is not None
        await self.socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next message, which the player notes."""
        assert self.socket is not None
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
        self.heard.append(message)
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        kind = message["kind"]
        if kind == "state":
            self.state, self.history = message, list(message["history"])
        elif kind == "moved":
            if self.open is not None and message["id"] == self.open["id"]:
                self.answer, self.open = message, None
            if not message.get("repeated"):
                assert message["ply"] == len(self.history) + 1, "a move was missed"
                keys = ("ply", "by", "text", "sentence", "man", "takes", "provenance", "shots")
                self.history.append({key: message[key] for key in keys if key in message})
                changed = ("ply", "view", "moves", "player", "clocks", "result", "offers")
                self.state = {**self.state, **{key: message[key] for key in changed}, "pending": None}
        elif kind in ("offer", "seats"):
            self.state = {**self.state, **{key: value for key, value in message.items() if key != "kind"}}
        elif kind == "waiting":
            self.state = {**self.state, "pending": message}

    async def until(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while True:
            message = await self.hear()
            if message["kind"] in kinds:
                return message

    async def until_ply(self, ply: int) -> None:
        """Listens until so many moves were played."""
        while self.state["ply"] < ply:
            await self.hear()

    def new_move(self, text: str) -> dict[str, Any]:
        """A move from where the player thinks the game is, to be sent until it is answered."""
        self.open = {"kind": "move", "id": f"m{next(_NAMES)}", "ply": self.state["ply"], "text": text}
        self.answer = None
        return self.open

    async def move(self, text: str) -> dict[str, Any]:
        """Plays a move; the answer to it, also over a new socket if the old one is lost."""
        sent = self.new_move(text)
        await self.send(sent)
        while self.answer is None:
            try:
                message = await self.hear()
            except ConnectionClosed:
                await self.connect()
                continue
            if message["kind"] == "refused" and message.get("id") == sent["id"]:
                self.open = None
                return message
        return self.answer

    async def act(self, what: str) -> None:
        """Asks for something besides a move."""
        await self.send({"kind": "act", "id": f"a{next(_NAMES)}", "what": what})

    @property
    def position(self) -> dict[str, Any]:
        """What the player sees: the board, the moves that led there, and the end."""
        return {"view": self.state["view"], "history": self.history, "result": self.state["result"]}


async def moves(url: str, table: dict[str, Any], count: int) -> list[float]:
    """Plays so many moves at a table; how long each took, from its sending to its answer, in seconds."""
    seconds: list[float] = []
    players = {who: Player(url, table["game"], secret) for who, secret in table["seats"].items()}
    for player in players.values():
        await player.connect()
    first = next(iter(players.values()))
    for ply in range(1, count + 1):
        if first.state["result"]:
            break
        mover = players[first.state["player"]]
        start = time.perf_counter()
        await mover.move(mover.state["moves"][0]["text"])
        seconds.append(time.perf_counter() - start)
        for player in players.values():
            await player.until_ply(ply)
    for player in players.values():
        await player.leave()
    return seconds
