"""Players for the benchmark of the web server: each has a socket, moves by chance, and notes how long a move took."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import time
import urllib.request
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect

#: how long an announcement may take before the game counts as failed, in seconds
PATIENCE = 60.0
#: how a message ends that holds no moves for whoever gets it
NO_MOVES = '"moves":[]}'


def asked(url: str, data: Any = None) -> Any:
    """What the server answers over HTTP."""
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, {"content-type": "application/json"})) as answer:
        return json.loads(answer.read())


class Turn(NamedTuple):
    """What the player whose turn it is was told."""

    player: str
    ply: int
    moves: list[str]


class Game:
    """Two clients at one table; moves are chosen by chance."""

    def __init__(self, url: str, table: dict[str, Any], rng: random.Random) -> None:
        self.url, self.table, self.rng = url, table, rng
        self.failures: list[str] = []
        #: what each move took, from its sending to its announcement at the mover's
        self.seconds: list[float] = []
        self.result: dict[str, Any] | None = None
        self._lines: dict[str, ClientConnection] = {}
        self._listening: list[asyncio.Task[None]] = []
        #: whose turn it is, the position, and the moves there are
        self._turn: Turn | None = None
        #: the players who were told of the last move
        self._told: set[str] = set()
        self._all_told = asyncio.Event()
        self._sent, self._leaving = 0.0, False

    async def enter(self) -> None:
        """Connects both players."""
        address = self.url.replace("http", "ws", 1) + "/ws"
        for player, secret in self.table["seats"].items():
            line = self._lines[player] = await connect(
                address, compression=None, max_size=None, proxy=None, ping_interval=None, open_timeout=PATIENCE
            )
            await line.send(json.dumps({"kind": "hello", "game": self.table["game"], "seat": secret}))
            self._note(player, json.loads(await line.recv()))
            self._listening.append(asyncio.create_task(self._listen(player, line)))

    async def _listen(self, player: str, line: ClientConnection) -> None:
        async for text in line:
            assert isinstance(text, str), "the server sends text"
            if text.startswith('{"kind":"moved"') and text.endswith(NO_MOVES) and '"result":null' in text:
                self._heard(player, f'"by":"{player}"' in text[:200])  # the rest is for who moves next
            else:
                self._note(player, json.loads(text))
        if not self._leaving:
            self._fail(f"closed with {line.close_code}")

    def _note(self, player: str, message: dict[str, Any]) -> None:
        """Takes in a message that tells this player something."""
        if message["kind"] in ("moved", "state"):
            self.result = message["result"]
            if message["player"] == player or self._turn is None:
                self._turn = Turn(message["player"], message["ply"], [move["text"] for move in message["moves"] or ()])
        if message["kind"] == "moved":
            self._heard(player, message["by"] == player)
        elif message["kind"] == "refused":
            self._fail(message["why"])

    def _heard(self, player: str, moved: bool) -> None:
        """A player was told of the move that is under way."""
        if moved:
            self.seconds.append(time.perf_counter() - self._sent)
        self._told.add(player)
        if len(self._told) == len(self._lines):
            self._all_told.set()

    def _fail(self, why: str) -> None:
        self.failures.append(why)
        self._all_told.set()

    @property
    def is_over(self) -> bool:
        """Whether nobody can move any more."""
        return bool(self.result or self.failures) or self._turn is None or not self._turn.moves

    async def move(self) -> None:
        """Plays one move, and waits until both players were told."""
        turn = self._turn
        assert turn is not None, "the player to move was notified"
        self._told.clear()
        self._all_told.clear()
        sent = {"kind": "move", "id": f"m{turn.ply}", "ply": turn.ply, "text": self.rng.choice(turn.moves)}
        self._sent = time.perf_counter()
        await self._lines[turn.player].send(json.dumps(sent))
        try:
            await asyncio.wait_for(self._all_told.wait(), PATIENCE)
        except TimeoutError:
            self._fail(f"no announcement within {PATIENCE:g} s")

    async def leave(self) -> None:
        """Closes both sockets."""
        self._leaving = True
        for line in self._lines.values():
            await line.close()
        await asyncio.gather(*self._listening, return_exceptions=True)


async def seated(url: str, rng: random.Random, game: str, **options: str) -> Game:
    """A table with both players connected."""
    table = await asyncio.to_thread(asked, f"{url}/api/tables", {"game": game, "options": options})
    found = Game(url, table, rng)
    await found.enter()
    return found


class Deaf:
    """A client that looks on at a table, asks for a position again and again, and never reads an answer."""

    #: looks a second; the server allows five messages
    RATE = 4.0

    def __init__(self, url: str, game: Game) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        self._line = socket.socket()
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._line.connect((host, int(port)))
        self._line.sendall(
            f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert self._line.recv(12) == b"HTTP/1.1 101", "the server speaks WebSocket"
        self._say({"kind": "hello", "game": game.table["game"]})
        #: after how many seconds the server let it go; None while it is there
        self.let_go: float | None = None

    def _say(self, message: dict[str, Any]) -> None:
        text = json.dumps(message).encode()
        assert len(text) < 126, "a message that fits the shortest frame"
        self._line.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)

    async def ask(self, until: float) -> None:
        """Asks until the server lets go, or the time is over."""
        start = time.perf_counter()
        while time.perf_counter() < until and self.let_go is None:
            try:
                self._say({"kind": "look", "ply": 0})
            except OSError:
                self.let_go = time.perf_counter() - start
            await asyncio.sleep(1 / self.RATE)
        self._line.close()
