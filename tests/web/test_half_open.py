"""Connections on which no request is ever whole: each comes to an end, and they keep nobody out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from qchess.servers import descriptors
from qchess.servers.http import LocalServer, page
from qchess.servers.limiter import ConnectionLimiter
from qchess.web import serving
from qchess.web.hall import Hall
from qchess.web.serving import Serving, ServingError
from qchess.web.settings import Settings
from tests.patience import wait_until
from tests.web.patient import PATIENT
from tests.web.player import Player, apart, asked, opened

ROOT = Path(__file__).parents[2]
#: eight connections of one address
FEW = replace(PATIENT, sockets_per_address=4, requests_per_address=4)
HEAD = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
BODY = (
    b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
)


class Lines(contextlib.ExitStack):
    """Connections that come no further."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port
        self.open: list[socket.socket] = []

    def add(self, count: int, sent: bytes = b"") -> None:
        """Opens so many more, on each of which the same is sent."""
        for _ in range(count):
            line = self.enter_context(socket.socket())
            line.connect(("127.0.0.1", self.port))
            line.sendall(sent)
            line.setblocking(False)
            self.open.append(line)

    def count(self) -> int:
        """How many the server has not closed."""
        self.open = [line for line in self.open if not _is_closed(line)]
        return len(self.open)


def _is_closed(line: socket.socket) -> bool:
    try:
        return not line.recv(1000)
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_the_address_with_the_most_places_loses_the_one_waited_for_longest() -> None:
    cut: list[str] = []
    limiter: ConnectionLimiter[str] = ConnectionLimiter(4, 10.0, cut.append, of_one_address=3)
    for line in ("a1", "a2", "b1", "a3"):
        assert limiter.enter(line, line[0])
    limiter.work("a1")
    assert limiter.enter("b2", "b")  # all places are taken, three of them by a: a1 is at work, so a2 goes
    assert limiter.enter("a4", "a")
    assert cut == ["a2", "a3"]
    limiter.wait("a1")
    assert limiter.enter("b3", "b")  # of two with as many, the one waited for longest
    assert cut[2:] == ["b1"]
    for line in ("a1", "a4", "b2", "b3"):
        limiter.work(line)
    assert not limiter.enter("c1", "c")
    assert (len(limiter), limiter.displaced, limiter.refused, limiter.late) == (4, 3, 1, 0)
    for line in ("a1", "a4", "b2"):
        limiter.leave(line)
    assert limiter.enter("b4", "b")
    assert limiter.enter("b5", "b")
    assert limiter.enter("b6", "b")  # an address has three places, although there are more
    assert cut[3:] == ["b4"]
    assert limiter.enter("b7", "b", trusted=True)
    limiter.seconds = -1.0
    limiter.let_go_the_late()
    assert (cut[4:], limiter.late, len(limiter)) == (["b5", "b6", "b7"], 3, 1)
    with pytest.raises(ConnectionAbortedError):
        limiter.work("b5")


def test_who_comes_no_further_keeps_nobody_out_and_is_let_go(caplog: pytest.LogCaptureFixture) -> None:
    with Serving(FEW) as server, Lines(server.port) as lines:
        limiter = server.limiter
        table = opened(server.url, "quantum-checkers")
        lines.add(20)
        wait_until(lambda: lines.count() == len(limiter) == 8, "twelve of twenty lost their places to the others")
        assert asked(f"{server.url}/health")[0] == 200

        async def played() -> None:
            async with Player(server.url, table["game"], table["seats"]["white"]) as white:
                lines.add(1, HEAD)
                lines.add(1, BODY % server.port)
                lines.add(1, b"GET /health HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\nGET " % server.port)
                await asyncio.to_thread(wait_until, lambda: lines.count() == 7, "the socket is never displaced")
                limiter.seconds = 0.1
                await asyncio.to_thread(wait_until, lambda: not lines.count(), "all others were late")
                limiter.seconds = PATIENT.request_seconds
                assert len(limiter) == 1
                assert (await white.move(white.state["moves"][0]["text"]))["kind"] == "moved"

        apart(played())
        wait_until(lambda: not limiter, "nobody is here")
        assert b"qchess_connections_late 7" in asked(f"{server.url}/metrics")[1]
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_a_body_that_comes_slowly_is_waited_for() -> None:
    with Serving(FEW) as server, Lines(server.port) as lines, Lines(server.port) as others:
        server.limiter.seconds = 60.0
        lines.add(1, (BODY % server.port).replace(b"h: 9", b"h: 65536"))
        others.add(7)
        wait_until(lambda: len(server.limiter) == 8, "all are there")
        lines.open[0].sendall(b" " * 60_000)  # as much as must come in a minute
        others.add(7)
        wait_until(lambda: server.limiter.displaced == 7, "those who say nothing lose their places")
        assert lines.count() == 1


def test_a_proxy_of_this_machine_speaks_for_many() -> None:
    with Serving(replace(FEW, proxied=True)) as server, Lines(server.port) as lines:
        lines.add(20)
        assert asked(f"{server.url}/health")[0] == 200
        wait_until(lambda: len(server.limiter) == lines.count() == 20, "all of them are there")


def test_what_is_worked_on_is_never_dropped_and_who_comes_then_is_told() -> None:
    gate = threading.Event()

    def slow(hall: Hall) -> Sequence[BaseRoute]:
        async def held(request: Request) -> Response:
            while not gate.is_set():
                await asyncio.sleep(0.01)
            return PlainTextResponse("done")

        return [Route("/slow", held)]

    with Serving(FEW, more=slow) as server, Lines(server.port) as lines:
        lines.add(8, b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % server.port)
        wait_until(lambda: len(server.limiter) == 8, "all are there")
        wait_until(lambda: asked(f"{server.url}/health")[0] == 503, "all are at work")
        server.limiter.seconds = 0.0
        server.limiter.let_go_the_late()
        assert asked(f"{server.url}/health")[0] == 503
        assert (lines.count(), server.limiter.late) == (8, 0)
        server.limiter.seconds = PATIENT.request_seconds  # whoever has an answer is waited for again until they leave
        gate.set()
        wait_until(lambda: not lines.count(), "all are answered")
        assert server.limiter.late == 0


def test_there_are_no_more_connections_than_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptors, "left", lambda wanted: 400)
    held = serving._held(Settings())
    assert (held.sockets, held.requests) == (300, 100)
    monkeypatch.setattr(descriptors, "left", lambda wanted: 40)
    with pytest.raises(
        ServingError, match="expected file descriptors for 64 connections and 128 other uses, got 24 too few"
    ):
        Serving()
    monkeypatch.setattr(descriptors, "left", lambda wanted: 3)
    with LocalServer({("GET", "/"): page("here")}) as bots, Lines(int(bots.url.rpartition(":")[2])) as lines:
        lines.add(5)
        wait_until(lambda: lines.count() == 3, "the server for bots holds as many as it can")
        assert asked(bots.url)[0] == 200


@pytest.fixture
def small() -> Iterator[tuple[str, int]]:
    """The address and the process of a server with 1,024 descriptors."""
    command = [sys.executable, "-m", "tests.web.patient", "--port", "0", "--no-open", "--store", ":memory:"]
    limit = (1024, 1024)
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit),
    ) as process:
        try:
            assert process.stdout is not None
            yield next(word for line in process.stdout for word in line.split() if "http" in word), process.pid
        finally:
            process.terminate()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="descriptors of others are counted in /proc")
def test_a_newcomer_plays_among_1100_at_1024_descriptors(small: tuple[str, int]) -> None:
    """Half of them are silent, and half have sent half a head: were one kind not closed, too many would stay."""
    url, process = small

    def files() -> int:
        return len(list(Path(f"/proc/{process}/fd").iterdir()))

    def memory() -> int:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()

    async def newcomer() -> None:
        table = opened(url)
        async with Player(url, table["game"], table["seats"]["white"]) as white:
            assert (await white.move("b1^a3c3"))["kind"] == "moved"

    apart(newcomer())
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    used: list[int] = []
    try:
        for number in range(10):
            with Lines(int(url.rsplit(":", 1)[1])) as lines:
                lines.add(550)
                lines.add(550, HEAD)
                if number < 3:  # each table that was played at stays in memory for a while
                    apart(newcomer())
                wait_until(lambda: 250 < lines.count() <= 300, "as many as one address may have are left")
                assert files() < 400
            wait_until(lambda: files() < 40, "nobody is here any more")
            used.append(memory())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    # an allocator grows in some rounds and not in others; what each connection leaves behind would grow in every one
    assert min(later - before for before, later in pairwise(used[3:])) < 1100 * 64, used
