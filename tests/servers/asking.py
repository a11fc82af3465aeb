"""A client for tests: JSON over one kept connection, and servers that misbehave on purpose."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from qchess.servers.http import LocalServer
from tests.patience import PATIENCE

JSON = {"Content-Type": "application/json"}


class Client:
    """Asks one server, over one connection as long as it lasts."""

    def __init__(self, url: str) -> None:
        self.address = url.removeprefix("http://")
        self.connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer."""
        self.connection.request(method, path, body, JSON if headers is None else headers)
        answer = self.connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()

    def post(self, path: str, data: Any = None) -> tuple[int, dict[str, Any]]:
        """Status and JSON of an answer."""
        body = b"" if data is None else json.dumps(data).encode()
        status, _, answer = self.send("POST", path, body)
        return status, json.loads(answer)

    def raw(self, sent: bytes) -> bytes:
        """Everything that comes back for some bytes."""
        host, _, port = self.address.partition(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as line:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            back = b""
            while piece := line.recv(65536):
                back += piece
        return back

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()


def ended(server: LocalServer) -> bool:
    """Whether a server listens no more; its port may be another's by now, so nobody knocks there."""
    return server._server.socket.fileno() < 0


@contextmanager
def saying(answer: bytes, *, pause: float = 0.0) -> Iterator[tuple[str, list[bytes]]]:
    """The address of a server that answers one request with these bytes, `pause` seconds before each of them."""
    heard: list[bytes] = []
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)
        thread = threading.Thread(target=_say, args=(server, answer, pause, heard, over), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/move", heard
        over.set()
        thread.join(PATIENCE)


def _say(server: socket.socket, answer: bytes, pause: float, heard: list[bytes], over: threading.Event) -> None:
    try:
        line, _ = server.accept()
        with line:
            line.settimeout(PATIENCE)
            heard.append(_request(line))
            for piece in [answer] if not pause else [answer[k : k + 1] for k in range(len(answer))]:
                if pause and over.wait(pause):
                    return
                line.sendall(piece)
            heard.append(b"all is said")
    except OSError:
        heard.append(b"the client went away")


def _request(line: socket.socket) -> bytes:
    """A whole request: its head, and as much body as the head announces."""
    found = b""
    while b"\r\n\r\n" not in found:
        found += _more(line)
    head, _, body = found.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    while len(body) < length:
        body += _more(line)
    return head + b"\r\n\r\n" + body


def _more(line: socket.socket) -> bytes:
    piece = line.recv(65536)
    if not piece:
        raise ConnectionResetError("the client ended in the middle of its request")
    return piece


def response(body: bytes, status: str = "200 OK", more: str = "") -> bytes:
    """An HTTP response with this body."""
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{more}\r\n".encode() + body
