"""A server that is killed in the middle of play, again and again: what it acknowledged is there, once, as it was said.

QCHESS_KILLS says how often; a few times by default, fifty for the figures of a release.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

import qchess
from tests.kills import kills
from tests.patience import wait_until
from tests.web.player import Player, apart, asked, opened, record

ROOT = Path(__file__).parents[2]
ROUNDS = kills(2)
#: the tables, two clients at each; new ones after so many kills, before games are over and nothing goes on
GAMES, LEG = ("quantum-chess", "quantum-checkers", "piece-qubit-chess") * 2, 10
#: how many moves a server may acknowledge in a round before it is killed, and within how many seconds after the last
LIVES, MOMENT = (3, 40), 0.3
LOST = (ConnectionClosed, InvalidHandshake, InvalidMessage, ConnectionError, OSError, TimeoutError, EOFError)


class Server:
    """A server in a process of its own, on one port and one store, that can be killed and started again."""

    def __init__(self, store: Path) -> None:
        # held, so that nobody else gets the port while the server is away
        self.held = socket.socket()
        self.held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.held.bind(("127.0.0.1", 0))
        self.port = self.held.getsockname()[1]
        self.url, self.store = f"http://127.0.0.1:{self.port}", store
        self.process: subprocess.Popen[bytes] | None = None
        #: the seconds that each start took
        self.restarts: list[float] = []

    def start(self) -> None:
        command = [sys.executable, "-m", "qchess", "web", "--no-open", "--port", str(self.port)]
        self.process = subprocess.Popen([*command, "--store", str(self.store)], cwd=ROOT, stdout=subprocess.DEVNULL)
        begun = time.monotonic()
        wait_until(self._is_back, "the server is back")
        self.restarts.append(time.monotonic() - begun)

    def _is_back(self) -> bool:
        try:
            return asked(f"{self.url}/health")[0] == 200
        except OSError:
            return False

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


class Keen(Player):
    """Plays by chance until told to stop, comes back whenever the server does, notes what was acknowledged."""

    def __init__(self, url: str, table: dict[str, Any], player: str) -> None:
        super().__init__(url, table["game"], table["seats"][player])
        self.me, self.rng = player, random.Random(f"{table['game']} {player}")
        #: the name of a move -> what was told of it, each time
        self.told: dict[str, list[tuple[int, str, str]]] = {}
        #: whether it begins no new move, and whether it leaves
        self.rests = self.stop = False

    async def play(self) -> None:
        while not self.stop:
            try:
                await self.connect()
                await self._play()
            except LOST:
                await asyncio.sleep(self.rng.uniform(0.05, 0.3))
        await self.leave()

    async def _play(self) -> None:
        while not self.stop:
            state = self.state
            if state["result"]:
                await asyncio.sleep(0.05)
                continue
            if not self.rests and self.open is None and state["player"] == self.me and state["moves"]:
                await asyncio.sleep(self.rng.uniform(0.0, 0.3))
                await self.send(self.new_move(self.rng.choice(state["moves"])["text"]))
            try:
                async with asyncio.timeout(0.5):
                    await self.hear()
            except TimeoutError:
                continue

    def _note(self, message: dict[str, Any]) -> None:
        name = str(message.get("id"))
        super()._note(message)
        if message["kind"] == "moved" and message["by"] == self.me:
            what = (message["ply"], message["text"], json.dumps(message.get("provenance"), sort_keys=True))
            self.told.setdefault(name, []).append(what)
        elif message["kind"] == "refused" and self.open is not None and name == self.open["id"]:
            self.open = None


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_and_nothing_doubled_when_the_server_is_killed(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite")
    server.start()
    try:
        acknowledged = kept = resends = 0
        for done in range(0, ROUNDS, LEG):
            tables = [opened(server.url, game) for game in GAMES]
            clients = apart(_killed(server, tables, min(LEG, ROUNDS - done), random.Random(f"kills {done}")))
            rows = _rows(server.store, tables)
            acknowledged += sum(_as_kept(client, rows[client.game]) for client in clients)
            pairs = zip(clients[::2], clients[1::2], strict=True)
            kept += sum(_as_seen(server, pair, rows[pair[0].game]) for pair in pairs)
            resends += sum(client.resends for client in clients)
        took = sorted(server.restarts)
        figures = f"{ROUNDS} kills: {acknowledged} moves acknowledged, {kept} kept, {resends} sent again"
        sys.stdout.write(f"{figures}; back after {took[len(took) // 2]:.1f} s, at most {took[-1]:.1f} s\n")
        assert acknowledged == kept >= ROUNDS * LIVES[0]
    finally:
        server.kill()
        server.held.close()


def _as_kept(client: Keen, rows: list[dict[str, Any]]) -> int:
    """How many moves of a client were acknowledged; each is kept, once, as it was told, however often that was."""
    mine = {row["client"]: row for row in rows if row["client"]}
    for name, told in client.told.items():
        assert len(set(told)) == 1, f"{name} was answered in two ways: {told}"
        ply, text, _ = told[0]
        row = mine[f"{client.me}:{name}"]
        assert (row["ply"], row["entry"]["move"]) == (ply, text)
    return len(client.told)


def _as_seen(server: Server, players: tuple[Keen, Keen], rows: list[dict[str, Any]]) -> int:
    """How many moves of a table are kept: each once, and all of them as its record and both its players tell."""
    moves = [row for row in rows if row["entry"]["kind"] == "move"]
    names = [row["client"] for row in moves]
    assert len(names) == len(set(names))
    again = [played.text for played in qchess.replay(record(server.url, players[0].game)).history]
    assert again == [row["entry"]["move"] for row in moves]
    for client in players:
        assert [entry["text"] for entry in client.history] == again
    return len(moves)


async def _killed(server: Server, tables: list[dict[str, Any]], kills: int, rng: random.Random) -> list[Keen]:
    """Lets twelve clients play while the server is killed; then lets all of them come to an end."""
    clients = [Keen(server.url, table, player) for table in tables for player in table["seats"]]
    assert len(clients) == 12
    playing = [asyncio.create_task(client.play()) for client in clients]
    for _ in range(kills):
        await _acknowledged(clients, rng.randint(*LIVES))
        await asyncio.sleep(rng.uniform(0.0, MOMENT))
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
    for client in clients:  # no move is under way any more, and everybody has seen the same
        client.rests = True
    await asyncio.to_thread(wait_until, lambda: _quiet(clients), "every move is answered")
    for client in clients:
        client.stop = True
    await asyncio.gather(*playing)
    return clients


async def _acknowledged(clients: list[Keen], more: int) -> None:
    """Waits until so many more moves were acknowledged: a kill is one during play."""
    begun = _told(clients)
    for done in range(1, more + 1):
        await asyncio.to_thread(wait_until, lambda: _told(clients) >= begun + done, "play goes on")  # noqa: B023


def _told(clients: list[Keen]) -> int:
    """How many moves were acknowledged."""
    return sum(len(client.told) for client in clients)


def _quiet(clients: list[Keen]) -> bool:
    """Whether every move was answered, and both sides of each table know of the same moves."""
    plies: dict[str, set[int]] = {}
    for client in clients:
        plies.setdefault(client.game, set()).add(client.state.get("ply", -1))
    return all(client.open is None for client in clients) and all(len(found) == 1 for found in plies.values())


def _rows(store: Path, tables: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table, in order; each move with its ply."""
    found: dict[str, list[dict[str, Any]]] = {table["game"]: [] for table in tables}
    with sqlite3.connect(store) as file:
        for game, client, entry in file.execute("SELECT game, client, entry FROM rows ORDER BY game, number"):
            if (kept := found.get(game)) is None:
                continue
            ply = 1 + sum(row["entry"]["kind"] == "move" for row in kept)
            kept.append({"client": client, "entry": json.loads(entry), "ply": ply})
    return found
