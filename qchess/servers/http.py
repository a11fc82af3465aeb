"""A small HTTP server for JSON: routes, bounded bodies, errors as JSON, on the loopback by default.

    with LocalServer(MoveServer().routes) as server:
        print(server.url)

Every answer is 200 or a 4xx with ``{"error": ...}``; 503 means that the server is at its limit.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from qchess.errors import QchessError
from qchess.servers import descriptors
from qchess.servers.limiter import ConnectionLimiter
from qchess.servers.wire import BODY_LIMIT, RequestError, parse

log = logging.getLogger("qchess.servers")
#: an object for JSON, or the text of a page
Answer = dict[str, Any] | str
Route = Callable[[dict[str, Any]], Answer]
#: the handlers, by method and path
Routes = Mapping[tuple[str, str], Route]
#: how much of an unread body is discarded, and for how long, so that the client reads our answer
_DRAINED, _DRAIN_SECONDS = 4 * 1024 * 1024, 1.0
#: how often a server checks for late clients and its stop flag, in seconds
_ROUND = 0.05
#: the answer to a connection without a place
_FULL = b'{"error":"this server is at its limit; ask again later"}'
NO_PLACE = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_FULL), _FULL)
)


def page(text: str) -> Route:
    """Return a route that shows one line of text, for clients to check the server."""
    return lambda _: f"<!doctype html><title>qchess</title><p>{text}</p>\n"


@dataclass(frozen=True, slots=True)
class Settings:
    """Who may connect, how much, and for how long."""

    #: the web pages that may send requests from a browser, such as ``https://example.org``
    origins: tuple[str, ...] = ()
    #: what clients must send as ``Authorization: Bearer ...``, if anything
    token: str | None = None
    #: the most bytes of a body
    limit: int = BODY_LIMIT
    #: the time limit for a request's head, and then its body, in seconds
    seconds: float = 10.0
    #: the most connections at a time, if there are descriptors; beyond them, the address with the most loses
    #: the one idle for longest
    connections: int = 640
    #: how long requests in progress may take when the server ends, in seconds
    parting: float = 10.0


class LocalServer:
    """A server on its own thread within a ``with`` block, or on this thread by `serve`."""

    def __init__(
        self,
        routes: Routes,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        settings: Settings | None = None,
    ) -> None:
        self._server = _Server((host, port), routes, settings or Settings())
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Return the server's URL."""
        host, port = self._server.server_address[:2]
        shown = f"[{host!s}]" if ":" in str(host) else str(host)
        return f"http://{shown}:{port}"

    def serve(self) -> None:
        """Answer requests on this thread until `stop` or an interrupt; requests in progress are still answered."""
        try:
            self._server.serve_forever(_ROUND)
        finally:
            self._part()

    def stop(self) -> None:
        """Make `serve` return; may be called from a signal handler."""
        threading.Thread(target=self._server.shutdown, name="qchess stop", daemon=True).start()

    def _part(self) -> None:
        """Accept no more connections, and wait for the requests in progress."""
        self._server.parting = True
        self._server.server_close()
        if not self._server.limiter.drain(self._server.settings.parting):
            log.warning("stopped after %g s with requests unanswered", self._server.settings.parting)

    def __enter__(self) -> LocalServer:
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(_ROUND,), name="qchess server", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._part()
        assert self._thread is not None, "a server is entered before it is left"
        self._thread.join()


class _Server(ThreadingHTTPServer):
    """Holds routes, settings and the limiter for the handlers."""

    #: the backlog of new connections; the system may allow fewer
    request_queue_size = 1024
    #: True: the server is ending, and each connection closes after its answer
    parting = False

    def __init__(self, address: tuple[str, int], routes: Routes, settings: Settings) -> None:
        self.routes, self.settings = routes, settings
        left = descriptors.left(settings.connections)
        most = settings.connections if left is None else max(1, min(settings.connections, left))
        self.limiter = ConnectionLimiter(most, 2 * settings.seconds, _cut)  # for the head, and for the body
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        """Bind without asking a name server for our own name, which can take seconds."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Hand a connection to a thread, or answer that there is no place."""
        request.settimeout(self.settings.seconds)
        if not self.limiter.enter(request, str(client_address[0])):
            self._turn_away(request, f"{self.limiter.most} requests are being processed")
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError as error:  # no thread can be started
            self.limiter.leave(request)
            self._turn_away(request, str(error))

    def _turn_away(self, request: Any, why: str) -> None:
        log.warning("refused a connection: %s", why)
        with contextlib.suppress(OSError):
            request.send(NO_PLACE)
        self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one connection."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.limiter.leave(request)

    def service_actions(self) -> None:
        """Close late connections."""
        self.limiter.let_go_the_late()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log an error of a connection; a client that disconnects is not an error."""
        usual = isinstance(sys.exception(), OSError)
        log.log(logging.INFO if usual else logging.ERROR, "a connection was lost", exc_info=not usual)


def _cut(line: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it may have ended this very moment
        line.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: _Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "qchess", ""
    # answers leave at once and in one piece: 0.15 ms instead of 44 ms
    wbufsize = -1
    disable_nagle_algorithm = True
    #: True: the body of the present request was read
    _consumed = False

    def do_GET(self) -> None:
        """Answer from the routes."""
        self._serve()

    def do_POST(self) -> None:
        """Answer from the routes."""
        self._serve()

    def parse_request(self) -> bool:
        """Read the request line and the headers; incomplete requests are refused here."""
        if not super().parse_request():
            return False
        if self.request_version == "HTTP/0.9" or self.headers.defects:
            self.send_error(400, "expected HTTP/1.0 or 1.1 and well-formed headers")
            return False
        return True

    def handle_expect_100(self) -> bool:
        """Tell a waiting client at once to send its body."""
        super().handle_expect_100()
        self.wfile.flush()
        return True

    def do_OPTIONS(self) -> None:
        """Tell a browser whether its page may send requests."""
        self._consumed = False
        try:
            self._check_origin()
            self._find_any()
        except RequestError as error:
            self._refuse(error)
            return
        self._send(200, b"{}", "application/json")

    # -- a request, step by step ----------------------------------------------------------------------------

    def _serve(self) -> None:
        self._consumed = False
        try:
            self._check_origin()
            self._check_token()
            route = self._find()
            data = parse(self._body())
        except QchessError as error:
            self._refuse(error)
            return
        self.server.limiter.work(self.connection)
        try:
            self._answer(route, data)
            self.wfile.flush()
        finally:
            self.server.limiter.wait(self.connection)

    def _answer(self, route: Route, data: dict[str, Any]) -> None:
        try:
            answer = route(data)
        except QchessError as error:
            self._refuse(error)
            return
        if isinstance(answer, str):
            self._send(200, answer.encode(), "text/html; charset=utf-8")
        else:
            self._send(200, json.dumps(answer, separators=(",", ":")).encode(), "application/json")

    def _check_origin(self) -> None:
        """Refuse web pages that are not configured: a browser sends requests for any page, even to the loopback."""
        origin = self.headers.get("Origin")
        if origin is not None and not self._configured(origin):
            raise RequestError("this web page may not use this server", 403)

    def _configured(self, origin: str) -> bool:
        return origin in self.server.settings.origins or "*" in self.server.settings.origins

    def _check_token(self) -> None:
        token = self.server.settings.token
        given = self.headers.get("Authorization", "").encode("latin-1", "replace")
        if token is not None and not hmac.compare_digest(given, f"Bearer {token}".encode()):
            raise RequestError("expected 'Authorization: Bearer' with this server's token", 401)

    def _find(self) -> Route:
        route = self.server.routes.get((self.command, self._path()))
        if route is None:
            self._find_any()
            raise RequestError(f"{self.command} is not supported here", 405)
        return route

    def _find_any(self) -> None:
        if self._path() not in {path for _, path in self.server.routes}:
            known = ", ".join(f"{method} {path}" for method, path in self.server.routes)
            raise RequestError(f"there is nothing at this address; there are {known}", 404)

    def _path(self) -> str:
        return self.path.partition("?")[0]

    def _body(self) -> bytes:
        """Return the body, bounded in length and time, parsed as JSON if there is any."""
        length = self._length()
        if not length:
            self._consumed = True
            return b""
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise RequestError("expected Content-Type: application/json", 415)
        return self._read(length, time.monotonic() + self.server.settings.seconds)

    def _length(self) -> int:
        if self.headers.get("Transfer-Encoding") is not None:
            raise RequestError("expected a Content-Length, and no Transfer-Encoding", 411)
        said = self.headers.get_all("Content-Length", ["0"])
        if len(said) > 1 or not (said[0].isascii() and said[0].isdecimal()) or len(said[0]) > 12:
            raise RequestError("expected one Content-Length, a number of bytes")
        if int(said[0]) > self.server.settings.limit:
            raise RequestError(f"expected a body of at most {self.server.settings.limit} bytes, got {said[0]}", 413)
        return int(said[0])

    def _read(self, length: int, deadline: float) -> bytes:
        """Read this many bytes, before the deadline."""
        body = b""
        while len(body) < length:
            try:
                piece = self.rfile.read1(length - len(body))
            except TimeoutError:
                piece = b""
            if not piece or time.monotonic() > deadline:
                raise RequestError(f"expected {length} bytes, got {len(body) + len(piece)} in time", 408)
            body += piece
        self._consumed = True
        return body

    # -- answers --------------------------------------------------------------------------------------------

    def _refuse(self, error: QchessError) -> None:
        status = error.status if isinstance(error, RequestError) else 400
        unread = not self._consumed and self._has_body()
        self.close_connection = self.close_connection or unread
        self._send(status, json.dumps({"error": str(error)}).encode(), "application/json")
        if unread:
            self._drain()

    def _has_body(self) -> bool:
        return "Transfer-Encoding" in self.headers or self.headers.get("Content-Length", "0") != "0"

    def _drain(self) -> None:
        """Discard what the client still sends: closing too early would lose our answer."""
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_WR)
        self.connection.settimeout(_DRAIN_SECONDS)
        end, taken = time.monotonic() + _DRAIN_SECONDS, 0
        with contextlib.suppress(OSError):
            while taken < _DRAINED and time.monotonic() < end and (piece := self.rfile.read1(65536)):
                taken += len(piece)

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.close_connection = self.close_connection or self.server.parting
        self.send_response(status)
        origin = self.headers.get("Origin") if hasattr(self, "headers") else None
        if origin is not None and self._configured(origin):
            self._send_cors(origin)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        if status == 503:
            self.send_header("Retry-After", "1")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _send_cors(self, origin: str) -> None:
        self.send_header("Access-Control-Allow-Origin", origin)
        self.send_header("Vary", "Origin")
        if self.command == "OPTIONS":
            self.send_header("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
            self.send_header("Access-Control-Allow-Headers", "Content-Type, Authorization")
            self.send_header("Access-Control-Allow-Private-Network", "true")
            self.send_header("Access-Control-Max-Age", "600")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a request that is not understood; the fault is the client's."""
        self.request_version = "HTTP/1.1"  # a request without a version still gets a status line
        self.close_connection = True
        status = 405 if code == 501 else code if code < 500 else 400
        self._send(status, json.dumps({"error": message or "this is not an HTTP request"}).encode(), "application/json")
        self._drain()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (named by the standard library)
        """Log requests to our logger."""
        log.info(format, *args)
