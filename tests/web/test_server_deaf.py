"""A client that keeps its connection and reads nothing more: the server lets go of the connection, too."""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from dataclasses import replace

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from qchess.web import serving
from qchess.web.clients import Client
from qchess.web.hall import Hall
from qchess.web.serving import Serving
from qchess.web.tables import Table
from tests.patience import wait_until
from tests.web.patient import PATIENT
from tests.web.player import asked, opened


def shouting(hall: Hall) -> Sequence[BaseRoute]:
    """An address that has every table say something long."""

    async def shout(request: Request) -> Response:
        for table in hall.tables.values():
            table.tell({"kind": "notice", "text": "!" * 100_000})
        return PlainTextResponse("said")

    return [Route("/shout", shout)]


def deaf_client(port: int, game: str) -> socket.socket:
    """Opens a WebSocket by hand, says hello, and never reads again."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", port))
    line.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    line.recv(1)
    say(line, {"kind": "hello", "game": game})
    return line


def say(line: socket.socket, message: dict[str, str]) -> None:
    """Sends a short message in a frame."""
    text = json.dumps(message).encode()
    assert len(text) < 126
    line.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)


def is_reset(line: socket.socket) -> bool:
    """Whether the other side has dropped the connection."""
    try:
        say(line, {"kind": "nothing"})
    except ConnectionError:
        return True
    return False


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> list[Client]:
    """Who has come to a table, also if they are gone again."""
    found: list[Client] = []
    enter = Table.enter

    def noted(table: Table, client: Client) -> None:
        enter(table, client)
        found.append(client)

    monkeypatch.setattr(Table, "enter", noted)
    return found


@pytest.mark.slow
def test_who_lets_too_much_wait_loses_the_connection_and_not_only_the_table(entered: list[Client]) -> None:
    with Serving(PATIENT, more=shouting) as server:
        table = server.hall.tables[opened(server.url)["game"]]
        with deaf_client(server.port, table.name) as line:
            wait_until(lambda: entered, "it is at the table")
            wait_until(lambda: asked(f"{server.url}/shout")[0] == 200 and not table.clients, "it is let go")
            server.limiter.seconds = 0.2
            wait_until(lambda: is_reset(line), "the connection is cut")


@pytest.mark.slow
def test_who_does_not_say_that_they_are_there_leaves_the_table(
    monkeypatch: pytest.MonkeyPatch, entered: list[Client]
) -> None:
    monkeypatch.setattr(serving, "PING", 0.3)
    with Serving(replace(PATIENT, queue=10_000), more=shouting) as server:
        table = server.hall.tables[opened(server.url)["game"]]
        with deaf_client(server.port, table.name) as line:
            wait_until(lambda: entered, "it is at the table")
            for _ in range(100):  # more than the system holds for it
                assert asked(f"{server.url}/shout")[0] == 200
            server.limiter.seconds = 0.2
            wait_until(lambda: is_reset(line), "the connection is cut")
            wait_until(lambda: not table.clients, "it is let go")
            server.limiter.seconds = 0.2
