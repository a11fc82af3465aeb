"""What a newcomer meets at a web server that somebody fills with connections on which no request is ever whole.

python benchmarks/half_open.py                            # 1,100 silent connections, 1,024 descriptors
python benchmarks/half_open.py --kind head --again 3      # each stops in the middle of a request's head; three times

Kinds: `silent` says nothing, `head` sends half a head, `body` half a body, `deaf` reads no answer, `socket` opens a
WebSocket and says nothing more. The newcomer comes from the same address, which is the worst case, but for sockets:
of these an address has only so many (`--source 127.0.0.2`). With `--reopen` another process opens each anew that the
server has closed, without a pause, while the newcomer tries.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import resource
import select
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[1]
#: what a connection of each kind sends
SENT = {
    "silent": "",
    "head": "GET / HTTP/1.1\r\nHost: {host}\r\nX-Slow: ",
    "body": "POST /api/tables HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    "Content-Length: 999\r\n\r\n{{",
    "deaf": "GET /static/board.js HTTP/1.1\r\nHost: {host}\r\n\r\n" * 200,
    "socket": "GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
}
#: how long a newcomer tries, and how long one try takes at most, in seconds
PATIENCE, TRY = 90.0, 5.0


@contextlib.contextmanager
def serving(descriptors: int) -> Iterator[tuple[str, int]]:
    """A server with so many descriptors: its address, and its process."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "qchess", "web", "--no-open", "--port", "0", "--store", f"{folder}/g.sqlite"]
        with subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)),
        ) as server:
            try:
                assert server.stdout is not None, "its words are read"
                yield (
                    next(word for line in server.stdout for word in line.split() if word.startswith("http")),
                    server.pid,
                )
            finally:
                server.terminate()


def held(port: int, count: int, kind: str, source: str) -> list[socket.socket]:
    """So many connections from one address that come no further."""
    found: list[socket.socket] = []
    sent = SENT[kind].format(host=f"127.0.0.1:{port}").encode()
    for _ in range(count):
        line = socket.socket()
        line.settimeout(TRY)
        with contextlib.suppress(OSError):
            if kind == "deaf":
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.bind((source, 0))
            line.connect(("127.0.0.1", port))
            line.sendall(sent)
        line.setblocking(False)
        found.append(line)
    return found


def kept_open(port: int, lines: list[socket.socket], kind: str, source: str) -> None:
    """Opens connections anew as soon as they are closed, for ever."""
    while True:
        time.sleep(0.001)
        shut = closed(lines)
        for line in shut:
            lines.remove(line)
            line.close()
        lines += held(port, len(shut), kind, source)


@contextlib.contextmanager
def reopening(args: argparse.Namespace, port: int, lines: list[socket.socket]) -> Iterator[None]:
    """While another process keeps these connections open, if that is wanted."""
    if not args.reopen:
        yield
        return
    keeper = multiprocessing.get_context("fork").Process(
        target=kept_open, args=(port, lines, args.kind, args.source), daemon=True
    )
    keeper.start()
    for line in lines:
        line.close()
    lines.clear()
    try:
        yield
    finally:
        keeper.kill()
        keeper.join()


def closed(lines: list[socket.socket]) -> list[socket.socket]:
    """Those that the server has closed."""
    asked = select.poll()
    for line in lines:
        asked.register(line, select.POLLRDHUP)
    shut = {number for number, _ in asked.poll(0)}
    return [line for line in lines if line.fileno() in shut]


def still_open(lines: list[socket.socket]) -> int:
    """How many of them the server has not closed."""
    return len(lines) - len(closed(lines))


def asked(url: str, data: Any = None) -> Any:
    """What the server answers over HTTP."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=TRY) as answer:
        return json.loads(answer.read())


def moved(url: str) -> None:
    """Opens a table and plays a move there."""
    table = asked(f"{url}/api/tables", {"game": "quantum-chess"})
    with connect(url.replace("http", "ws", 1) + "/ws", compression=None, proxy=None, open_timeout=TRY) as line:
        line.send(json.dumps({"kind": "hello", "game": table["game"], "seat": table["seats"]["white"]}))
        line.send(json.dumps({"kind": "move", "id": "m", "ply": 0, "text": "b1^a3c3"}))
        while json.loads(line.recv(timeout=TRY))["kind"] != "moved":
            pass


def tried(what: Callable[[], object]) -> str:
    """How long it takes until something works, as text."""
    start = time.monotonic()
    while time.monotonic() - start < PATIENCE:
        try:
            what()
        except (OSError, WebSocketException):
            time.sleep(0.05)
        else:
            return f"{time.monotonic() - start:.2f} s"
    return f"not within {PATIENCE:g} s"


def process(number: int) -> str:
    """The descriptors and the memory of a process, as text."""
    files = len(list(Path(f"/proc/{number}/fd").iterdir()))
    pages = int(Path(f"/proc/{number}/statm").read_text().split()[1])
    return f"{files} descriptors, {pages * resource.getpagesize() / 2**20:.0f} MB"


def main() -> None:
    """Fills a server, and comes as a newcomer."""
    parser = argparse.ArgumentParser(description="a newcomer among connections that never complete a request")
    parser.add_argument("--lines", type=int, default=1100)
    parser.add_argument("--descriptors", type=int, default=1024, help="what the server may have")
    parser.add_argument("--kind", choices=SENT, default="silent")
    parser.add_argument("--source", default="127.0.0.1", help="the address of all clients but the newcomer")
    parser.add_argument("--reopen", action="store_true", help="reopen closed connections")
    parser.add_argument("--again", type=int, default=1, help="how often")
    args = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with serving(args.descriptors) as (url, server):
        print(f"a newcomer alone opens a table and plays after {tried(lambda: moved(url))}; {process(server)}")
        for _ in range(args.again):
            fill(url, server, args)


def fill(url: str, server: int, args: argparse.Namespace) -> None:
    """Fills a server once, and comes as a newcomer meanwhile and afterwards."""
    lines = held(int(url.rsplit(":", 1)[1]), args.lines, args.kind, args.source)
    print(f"{args.lines} lines, {args.kind}: {still_open(lines)} are open; {process(server)}")
    with reopening(args, int(url.rsplit(":", 1)[1]), lines):
        for _ in range(5 if args.reopen else 1):
            print(f"  a newcomer opens a table and plays after {tried(lambda: moved(url))}; {process(server)}")
    print(f"  all others were closed after {tried(lambda: _require_none(lines))}; {process(server)}")
    for line in lines:
        line.close()
    print(f"  after they are gone: {tried(lambda: moved(url))}; {process(server)}")


def _require_none(lines: list[socket.socket]) -> None:
    if still_open(lines):
        raise TimeoutError


if __name__ == "__main__":
    main()
