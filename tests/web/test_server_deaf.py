"""A client that keeps its connection and reads nothing more: the server lets go of the connection, too."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Sequence

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from qchess.web import serving, sockets
from qchess.web.hall import Hall
from qchess.web.serving import Serving
from qchess.web.settings import Settings
from tests.web.player import asked, opened

PATIENCE = 20.0


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


def becomes(condition: Callable[[], bool]) -> bool:
    """Whether something comes true within some seconds."""
    until = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


def is_reset(line: socket.socket) -> bool:
    """Whether the other side has dropped the connection, within some seconds."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            say(line, {"kind": "nothing"})
        except ConnectionError:
            return True
        time.sleep(0.05)
    return False


def test_who_lets_too_much_wait_loses_the_connection_and_not_only_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PARTING", 0.2)
    with Serving(more=shouting) as server:
        tables = server.hall.tables
        name = opened(server.url)["game"]
        with deaf_client(server.port, name) as line:
            assert becomes(lambda: bool(tables[name].clients))
            until = time.monotonic() + PATIENCE
            while tables[name].clients and time.monotonic() < until:
                assert asked(f"{server.url}/shout")[0] == 200
            assert not tables[name].clients
            assert is_reset(line)


def test_who_does_not_say_that_they_are_there_leaves_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PARTING", 0.2)
    monkeypatch.setattr(serving, "PING", 0.3)
    with Serving(Settings(queue=10_000), more=shouting) as server:
        tables = server.hall.tables
        name = opened(server.url)["game"]
        with deaf_client(server.port, name) as line:
            assert becomes(lambda: bool(tables[name].clients))
            for _ in range(100):  # more than the system holds for it
                assert asked(f"{server.url}/shout")[0] == 200
            assert is_reset(line)
            assert becomes(lambda: not tables[name].clients)
