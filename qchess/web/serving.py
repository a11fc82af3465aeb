"""Serve an application: on this thread until stopped, or on its own thread for a while.

with Serving() as server:
    print(server.url)
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from asyncio import Transport
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import TracebackType

from starlette.routing import BaseRoute

from qchess.errors import QchessError
from qchess.games import plug
from qchess.servers import descriptors
from qchess.servers.limiter import ConnectionLimiter
from qchess.web.addresses import EVERYWHERE, PROXIES, reached_at
from qchess.web.app import application
from qchess.web.guard import LOOPBACK, host_of, origin, own_origins
from qchess.web.hall import Hall
from qchess.web.settings import Settings
from qchess.web.sockets import BACKLOG, Config, Server, cut
from qchess.web.store import opened
from qchess.web.studies.routes import routes as studies
from qchess.web.tablerequest import TableRequest

#: how often a server pings a client, and how long it waits for the answer, in seconds
PING = 20.0
START_SECONDS = 30.0

log = logging.getLogger("qchess.web")


class ServingError(QchessError):
    """The server cannot start."""


class Serving:
    """One server: its socket, its store, its hall."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        store: str = ":memory:",
        full: bool = False,
        bind: str = "127.0.0.1",
        port: int = 0,
        more: Callable[[Hall], Sequence[BaseRoute]] = studies,
    ) -> None:
        self.settings = settings or Settings()
        for plugin in self.settings.plugins:
            plug(plugin)
        self._thread: threading.Thread | None = None
        with contextlib.ExitStack() as closing:  # if what follows cannot be had
            self._socket = closing.enter_context(contextlib.closing(_bound(bind, port)))
            self.port: int = self._socket.getsockname()[1]
            origins = _origins(self.settings, bind, self.port)
            self.url = origins[0]
            kept = opened(store, full)
            closing.callback(kept.close)
            self.settings = _held(self.settings)
            self.hall = Hall(self.settings, kept)
            self.hall.address = None if host_of(self.url) in map(host_of, own_origins(self.port)) else self.url
            self.limiter = _limiter(self.hall)
            config = Config(
                application(self.hall, origins, more(self.hall)),
                self.limiter,
                self.settings.proxied,
                ws_max_size=self.settings.message_bytes,
                ws_per_message_deflate=False,
                ws_ping_interval=PING,
                ws_ping_timeout=PING,
                timeout_graceful_shutdown=self.settings.parting_seconds,
                forwarded_allow_ips=",".join(PROXIES),
                log_config=None,
                access_log=False,
                server_header=False,
            )
            self._server = Server(config)
            closing.pop_all()

    def opened_at_start(self, game: str, preset: str | None, against: str) -> str:
        """Open a table before the server starts; returns the path of its first seat."""
        from qchess.games import rules

        seats = dict.fromkeys(rules(game).players[1:], against)
        data = {"game": game, "seats": seats, **({"preset": preset} if preset else {})}
        wanted = TableRequest.of(data, self.settings)

        async def opened() -> str:
            table, secrets = await self.hall.open(wanted)
            self.hall.forget(table)  # it is replayed from the store, on the loop that serves
            return f"/play/{table.name}#seat={next(iter(secrets.values()))}"

        return asyncio.run(opened())

    def when_started(self, do: Callable[[], None]) -> None:
        """Call a function once the server answers requests."""

        def wait() -> None:
            self._wait_until_started()
            do()

        threading.Thread(target=wait, name="qchess web started", daemon=True).start()

    def run(self) -> None:
        """Serve on this thread until Ctrl-C, SIGTERM, or `stop`."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()

    def stop(self) -> None:
        """Make the server stop."""
        self._server.should_exit = True

    def __enter__(self) -> Serving:
        self._thread = threading.Thread(target=self.run, name="qchess web", daemon=True)
        self._thread.start()
        self._wait_until_started()
        return self

    def _wait_until_started(self) -> None:
        pause = threading.Event()
        waited = 0.0
        while not self._server.started:
            if waited > START_SECONDS or (self._thread is not None and not self._thread.is_alive()):
                raise ServingError("the server did not start")
            pause.wait(0.01)
            waited += 0.01

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        assert self._thread is not None, "a server is entered before it is left"
        self._thread.join(START_SECONDS)


def _held(settings: Settings) -> Settings:
    """Return the settings, limited by this process's file descriptors."""
    wanted = settings.sockets + settings.requests
    left = descriptors.left(wanted)
    if left is None or left >= wanted:
        return settings
    if left < descriptors.LEAST:
        raise ServingError(
            f"expected file descriptors for {descriptors.LEAST} connections and {descriptors.KEPT} other uses, "
            f"got {descriptors.LEAST - left} too few; see `ulimit -n`"
        )
    sockets = min(settings.sockets, left * 3 // 4)
    log.warning(
        "of %d connections, %d fit the limit of open files (%d of them sockets); see `ulimit -n`", wanted, left, sockets
    )
    return replace(settings, sockets=sockets, requests=left - sockets)


def _limiter(hall: Hall) -> ConnectionLimiter[Transport]:
    """Return what limits a server's connections, with its counts among the figures of the hall."""
    settings = hall.settings
    made: ConnectionLimiter[Transport] = ConnectionLimiter(
        settings.sockets + settings.requests,
        settings.request_seconds,
        cut,
        of_one_address=settings.sockets_per_address + settings.requests_per_address,
    )
    for name, look in {
        "connections": lambda: len(made),
        "connections_late": lambda: made.late,
        "connections_displaced": lambda: made.displaced,
        "connections_refused": lambda: made.refused,
    }.items():
        hall.metrics.watch(name, look)
    return made


def _bound(bind: str, port: int) -> socket.socket:
    """Return a socket at this address; if it is taken, raises with one sentence."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    made = socket.socket(family)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    with contextlib.suppress(OSError, AttributeError):
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        made.bind((bind, port))
        made.listen(BACKLOG)
    except OSError as error:
        made.close()
        raise ServingError(f"{bind} port {port} cannot be used: {error.strerror or error}") from error
    made.set_inheritable(False)
    return made


def _origins(settings: Settings, bind: str, port: int) -> tuple[str, ...]:
    """Return the origins whose pages may send requests: the named ones, else the numbers of this machine.

    The first is the one that people are told.
    """
    named = tuple(origin(one) for one in settings.origins)
    local = bind in ("127.0.0.1", "::1", "localhost")
    if not named and not local:
        if (number := reached_at(bind)) is None:
            raise ServingError(
                f"who serves at {bind} names the address that people use: --origin https://play.example.org"
            )
        named = (origin(f"http://{f'[{number}]' if ':' in number else number}:{port}"),)
        local = bind == EVERYWHERE
    own = tuple(one for one in own_origins(port) if bind != "::1" or LOOPBACK[0] not in one)
    return (*named, *own) if local else named
