"""The plumbing of the servers: bounded, on the loopback, and never at a loss for an answer."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from qchess.servers import http
from qchess.servers.http import LocalServer, Settings, page
from qchess.servers.limiter import ConnectionLimiter
from tests.patience import PATIENCE, wait_until
from tests.servers.asking import JSON, Client, ended

PAGE = "https://chess.example.org"


def echo(data: dict[str, Any]) -> dict[str, Any]:
    return {"heard": data}


ROUTES = {("GET", "/"): page("alive"), ("POST", "/echo"): echo}


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(http, "_DRAIN_SECONDS", PATIENCE)
    settings = Settings(limit=1000, seconds=PATIENCE, origins=(PAGE,), connections=4)
    with LocalServer(ROUTES, settings=settings) as server, Client(server.url) as client:
        yield client


def test_a_server_listens_on_the_loopback_only_and_ends_with_its_block():
    with LocalServer(ROUTES) as server:
        assert server.url.startswith("http://127.0.0.1:")
        client = Client(server.url)
        assert client.send("GET", "/")[0] == 200
        client.connection.close()
    assert ended(server)


def test_json_comes_back_as_json(client: Client):
    assert client.post("/echo", {"a": [1, "ü"]}) == (200, {"heard": {"a": [1, "ü"]}})
    assert client.post("/echo?x=1") == (200, {"heard": {}})


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status"),
    [
        ("GET", "/nowhere", None, JSON, 404),
        ("POST", "/", b"{}", JSON, 405),
        ("GET", "/echo", None, JSON, 405),
        ("DELETE", "/echo", None, JSON, 405),
        ("HEAD", "/", None, JSON, 405),
        ("POST", "/echo", b"{}", {}, 415),
        ("POST", "/echo", b"{}", {"Content-Type": "text/plain"}, 415),
        ("POST", "/echo", b"{", JSON, 400),
        ("POST", "/echo", b"[1]", JSON, 400),
        ("POST", "/echo", b'{"a": NaN}', JSON, 400),
        ("POST", "/echo", b'{"a": "\xff"}', JSON, 400),
        ("POST", "/echo", b"[" * 1000, JSON, 400),
        ("POST", "/echo", b"9" * 1000, JSON, 400),
        ("POST", "/echo", b"x" * 1001, JSON, 413),
        ("POST", "/echo", b"x" * 3_000_000, JSON, 413),
        ("POST", "/echo", b"{}", {**JSON, "Content-Length": "-1"}, 400),
        ("POST", "/echo", b"{}", {**JSON, "Content-Length": "2.0"}, 400),
        ("POST", "/echo", b"{}", {**JSON, "Transfer-Encoding": "chunked"}, 411),
        ("POST", "/echo", b"{}", {**JSON, "Origin": "https://evil.example.org"}, 403),
        ("OPTIONS", "/echo", None, {"Origin": "https://evil.example.org"}, 403),
        ("OPTIONS", "/nowhere", None, {"Origin": PAGE}, 404),
    ],
)
def test_a_bad_request_is_told_what_was_expected_and_the_next_one_is_served(
    client: Client, method: str, path: str, body: bytes | None, headers: dict[str, str], status: int
):
    found, _, answer = client.send(method, path, body, headers)
    assert found == status
    assert method == "HEAD" or json.loads(answer)["error"]
    assert client.post("/echo", {"b": 2}) == (200, {"heard": {"b": 2}})


@pytest.mark.parametrize(
    "sent",
    [
        b"\r\n\r\n\r\n", b"hello\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET /" + b"a" * 70000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n", b"\x00\xff\xfe",
        b"POST /echo HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    ],
)  # fmt: skip
def test_bytes_that_are_no_request_get_a_4xx_or_nothing(client: Client, sent: bytes):
    back = client.raw(sent)
    assert not back or back.startswith(b"HTTP/1.1 4"), back
    assert client.send("GET", "/")[0] == 200


def test_a_configured_page_may_ask_from_a_browser(client: Client):
    status, headers, _ = client.send("OPTIONS", "/echo", None, {"Origin": PAGE})
    assert (status, headers["Access-Control-Allow-Origin"]) == (200, PAGE)
    assert "POST" in headers["Access-Control-Allow-Methods"]
    status, headers, _ = client.send("POST", "/echo", b"{}", {**JSON, "Origin": PAGE})
    assert (status, headers["Access-Control-Allow-Origin"]) == (200, PAGE)
    assert "Access-Control-Allow-Origin" not in client.send("POST", "/echo", b"{}")[1]


def test_a_server_with_a_token_hears_only_those_who_have_it():
    with LocalServer(ROUTES, settings=Settings(token="sesame")) as server, Client(server.url) as client:
        assert client.send("POST", "/echo", b"{}")[0] == 401
        assert client.send("POST", "/echo", b"{}", {**JSON, "Authorization": "Bearer sesam"})[0] == 401
        assert client.send("POST", "/echo", b"{}", {**JSON, "Authorization": "Bearer sesame"})[0] == 200


def test_an_answer_leaves_at_once_and_in_one_piece(client: Client, monkeypatch: pytest.MonkeyPatch):
    # with unbuffered answers and Nagle's algorithm each would take 44 ms
    hurried: list[int] = []
    pieces: list[bytes] = []
    work, write = ConnectionLimiter.work, socket.SocketIO.write

    def noted(limiter: ConnectionLimiter, line: socket.socket) -> None:
        hurried.append(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        work(limiter, line)

    def counted(answers: socket.SocketIO, piece: Any) -> int | None:
        pieces.append(bytes(piece))
        return write(answers, piece)

    monkeypatch.setattr(ConnectionLimiter, "work", noted)
    monkeypatch.setattr(socket.SocketIO, "write", counted)
    for _ in range(3):
        client.post("/echo", {"a": 1})
    assert all(hurried)
    assert [piece[:12] + piece[-17:] for piece in pieces] == [b'HTTP/1.1 200{"heard":{"a":1}}'] * 3


# -- many clients at once ------------------------------------------------------------------------------------

ASK = b"POST /echo HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


def connected(url: str) -> socket.socket:
    host, _, port = url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def heard(line: socket.socket) -> bytes:
    """What comes first on a line; nothing if it was closed."""
    try:
        return line.recv(65536)
    except ConnectionResetError:
        return b""


@contextmanager
def closing(lines: list[socket.socket]) -> Iterator[None]:
    try:
        yield
    finally:
        for line in lines:
            line.close()


def test_no_more_connections_are_held_than_allowed():
    with LocalServer(ROUTES, settings=Settings(seconds=10 * PATIENCE, connections=4)) as server:
        lines = [connected(server.url) for _ in range(6)]
        with closing(lines):
            assert [heard(line) for line in lines[:2]] == [b"", b""]
            for line in lines[2:]:
                line.sendall(ASK)
            assert all(heard(line).startswith(b"HTTP/1.1 200") for line in lines[2:])


def first(url: str, head: bytes, piece: bytes) -> bytes:
    """What comes first for a head and a slow body, or a slow rest of the head; nothing if the line was closed."""
    with closing([line := connected(url)]):
        line.sendall(head)
        line.settimeout(0.05)
        for _ in range(400):
            try:
                line.sendall(piece)
                return heard(line)
            except TimeoutError:
                continue
            except OSError:
                break
    return b""


@pytest.mark.parametrize("piece", [b"", b" "], ids=["silent", "dribbles"])
def test_a_client_that_dribbles_or_is_silent_is_let_go(piece: bytes):
    slow = ASK.replace(b"Content-Length: 2", b"Content-Length: 900")
    with LocalServer(ROUTES, settings=Settings(seconds=0.2)) as server:
        # where the machine stands still even the head may be late: then there is no answer, and we try again
        wait_until(lambda: first(server.url, slow, piece).startswith(b"HTTP/1.1 408"), "the body is too late")
        wait_until(lambda: first(server.url, ASK, b"").startswith(b"HTTP/1.1 200"), "the next request is served")


@pytest.mark.slow
def test_five_hundred_clients_at_once_are_all_answered():
    with LocalServer(ROUTES, settings=Settings(seconds=PATIENCE)) as server:
        lines = [connected(server.url) for _ in range(500)]
        with closing(lines):
            for line in lines:
                line.sendall(ASK)
            assert all(heard(line).startswith(b"HTTP/1.1 200") for line in lines)


#: the beginning of a head that goes on for long
HEAD = b"POST /echo HTTP/1.1\r\nContent-Type: appl"


def test_slow_heads_shut_nobody_out():
    with LocalServer(ROUTES, settings=Settings(connections=64, seconds=10 * PATIENCE)) as server:
        slow = [connected(server.url) for _ in range(64)]
        with closing(slow), Client(server.url) as client:
            for line in slow:
                line.sendall(HEAD)
            assert client.post("/echo", {"a": 1}) == (200, {"heard": {"a": 1}})


def test_slow_heads_are_let_go_though_they_are_never_silent():
    def gone(line: socket.socket) -> bool:
        try:
            line.sendall(b"i")
            return not line.recv(1)
        except TimeoutError:
            return False
        except OSError:
            return True

    with LocalServer(ROUTES, settings=Settings(seconds=0.2)) as server:
        slow = [connected(server.url) for _ in range(16)]
        with closing(slow):
            for line in slow:
                line.sendall(HEAD)
                line.settimeout(0.001)
            wait_until(lambda: sum(map(gone, slow)) == 16, "all are let go")


def test_a_request_that_is_worked_on_is_never_dropped_for_another():
    begun, go_on = threading.Semaphore(0), threading.Event()

    def slowly(data: dict[str, Any]) -> dict[str, Any]:
        begun.release()
        assert go_on.wait(PATIENCE)
        return {"done": True}

    routes = {**ROUTES, ("POST", "/slow"): slowly}
    with LocalServer(routes, settings=Settings(connections=3, seconds=PATIENCE)) as server:
        lines = [connected(server.url) for _ in range(3)]
        with closing(lines):
            for line in lines:
                line.sendall(ASK.replace(b"/echo", b"/slow"))
                assert begun.acquire(timeout=PATIENCE)
            with closing([late := connected(server.url)]):
                back = heard(late)
                assert back.startswith(b"HTTP/1.1 503")
                assert b"Retry-After" in back
            go_on.set()
            assert all(b'{"done":true}' in heard(line) for line in lines)
        with Client(server.url) as client:
            assert client.post("/echo") == (200, {"heard": {}})


def test_a_thread_that_cannot_start_takes_no_place(monkeypatch: pytest.MonkeyPatch):
    real, failing = threading.Thread.start, [True]

    def start(thread: threading.Thread) -> None:
        if failing[0] and "process_request" in thread.name:
            raise RuntimeError("can't start new thread")
        real(thread)

    with LocalServer(ROUTES, settings=Settings(connections=2, seconds=PATIENCE)) as server:
        monkeypatch.setattr(threading.Thread, "start", start)
        for _ in range(10):
            with closing([line := connected(server.url)]):
                assert heard(line)[:12] in (b"HTTP/1.1 503", b"")
        failing[0] = False
        lines = [connected(server.url) for _ in range(2)]
        with closing(lines):
            for line in lines:
                line.sendall(ASK)
            assert all(heard(line).startswith(b"HTTP/1.1 200") for line in lines)


def test_a_server_that_ends_answers_what_it_works_on_and_hears_nobody_new():
    begun = threading.Event()

    def slowly(data: dict[str, Any]) -> dict[str, Any]:
        begun.set()
        wait_until(lambda: ended(server), "the server listens no more")
        return {"done": True}

    with LocalServer({("POST", "/slow"): slowly}, settings=Settings(seconds=PATIENCE, parting=PATIENCE)) as server:
        line, idle = connected(server.url), connected(server.url)
        line.sendall(ASK.replace(b"/echo", b"/slow"))
        assert begun.wait(PATIENCE)
    with closing([line, idle]):
        assert b'{"done":true}' in heard(line)
        assert heard(idle) == b""
