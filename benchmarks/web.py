"""How the web server stands five hundred connected players and a hundred moves a second.

python benchmarks/web.py                          # 500 players, 100 moves a second, 60 seconds
python benchmarks/web.py --heavy 10 --deaf 5      # with heavy positions, and clients that stop reading

The clients run in a process of their own. A move's time goes from its sending to its announcement at the mover's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
GAMES = ("quantum-chess", "piece-qubit-chess", "quantum-checkers")
#: moves of a random game after which a register has 1,246 branches
HEAVY = (
    "g1^f3h3 b8^a6c6 b1-a3 a6c6^b4 d2-d3 b4^d5a6 a3^b1c4 d5^b6f6 c1^f4h6 b6^a4d5 f3^h4e5 d5a6^b4 e2-e3 f6^e4g4 "
    "d1^c1h5 d5-b4 h5^f3a5 c7-c5 f3^e2c6 e4^d2c3 e2^d1f3 c3-d1.m0 c6^b6c7 d2^b3e4 f3^g3c6 b3-a1.m0 c6^f6g6 e4^d2c3 "
    "e5^f3c4 d2^b3e4 g6c7^g3 c3^a4b5 b1c4^d2 b4^a6c6 f4^g5b8"
)


def asked(url: str, data: Any = None) -> Any:
    """What the server answers over HTTP."""
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, {"content-type": "application/json"})) as answer:
        return json.loads(answer.read())


class Game:
    """Two clients at one table; moves are chosen by chance."""

    def __init__(self, address: str, table: dict[str, Any], rng: random.Random) -> None:
        self.address, self.table, self.rng = address, table, rng
        self.lines: dict[str, ClientConnection] = {}
        self.state: dict[str, Any] = {}
        self.failures: list[str] = []
        self.seconds: list[float] = []
        self._sent = 0.0
        self._answered = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def enter(self) -> None:
        """Connects both players."""
        for player, secret in self.table["seats"].items():
            line = await connect(
                self.address, compression=None, max_size=None, proxy=None, ping_interval=None, open_timeout=60
            )
            self.lines[player] = line
            await line.send(json.dumps({"kind": "hello", "game": self.table["game"], "seat": secret}))
            self._note(player, json.loads(await line.recv()))
            self._tasks.append(asyncio.create_task(self._listen(player, line)))

    async def _listen(self, player: str, line: ClientConnection) -> None:
        async for text in line:
            if '"moves":[]' not in text[-20:] or f'"by":"{player}"' in text[:200]:  # what tells this client something
                self._note(player, json.loads(text))
        if not self._tasks[0].cancelled() and line.close_code not in (1000, 1012):
            self.failures.append(f"closed with {line.close_code}")

    def _note(self, player: str, message: dict[str, Any]) -> None:
        if message.get("repeated"):
            self._answered.set()
        elif message["kind"] in ("moved", "state"):
            if message["kind"] == "moved" and message.get("by") == player:
                self.seconds.append(time.perf_counter() - self._sent)
                self._answered.set()
            if message["player"] == player or not self.state:
                self.state = message
        elif message["kind"] == "refused":
            self.failures.append(message["why"])
            self._answered.set()

    @property
    def is_over(self) -> bool:
        """Whether nobody can move."""
        return bool(self.state["result"]) or not self.state["moves"]

    async def move(self, text: str | None = None) -> None:
        """Plays one move, and waits until it is announced."""
        mover, ply = self.state["player"], self.state["ply"]
        chosen = text or self.rng.choice(self.state["moves"])["text"]
        self._answered.clear()
        self._sent = time.perf_counter()
        await self.lines[mover].send(json.dumps({"kind": "move", "id": f"m{ply}", "ply": ply, "text": chosen}))
        await asyncio.wait_for(self._answered.wait(), 60)
        until = time.monotonic() + 10
        while self.state["ply"] == ply and not self.failures and time.monotonic() < until:
            await asyncio.sleep(0.001)

    async def leave(self) -> None:
        """Closes both sockets."""
        for line in self.lines.values():
            await line.close()


async def opened(url: str, address: str, rng: random.Random, game: str, **options: str) -> Game:
    """A table with both players connected."""
    table = await asyncio.to_thread(asked, f"{url}/api/tables", {"game": game, "options": options})
    found = Game(address, table, rng)
    await found.enter()
    return found


async def played(url: str, args: argparse.Namespace) -> tuple[list[Game], list[Game], float]:
    """Lets everybody play for a while at the wanted rate."""
    address, rng = url.replace("http", "ws", 1) + "/ws", random.Random(args.seed)
    games = [await opened(url, address, rng, GAMES[k % len(GAMES)]) for k in range(args.players // 2)]
    heavy = [await opened(url, address, rng, "quantum-chess", setup=HEAVY) for _ in range(args.heavy)]
    deaf = [_deaf(url, games[k]) for k in range(args.deaf)]
    await asyncio.sleep(1)
    start = time.perf_counter()
    works = [asyncio.create_task(_slowly(game, start + args.seconds)) for game in heavy]
    await _paced(url, address, games, args, rng)
    await asyncio.gather(*works)
    spent = time.perf_counter() - start
    for line in deaf:
        line.close()
    return games, heavy, spent


async def _paced(url: str, address: str, games: list[Game], args: argparse.Namespace, rng: random.Random) -> None:
    """Begins a move at each beat, in a game where none is under way; a game that is over is followed by another."""
    start, beats = time.perf_counter(), int(args.seconds * args.rate)
    free, tasks = list(games), set[asyncio.Task[None]]()

    async def one(game: Game) -> None:
        if game.is_over:
            again = await opened(url, address, rng, rng.choice(GAMES))
            games[games.index(game)] = again
            again.seconds, again.failures = game.seconds, game.failures
            await game.leave()
            game = again
        await game.move()
        free.append(game)

    for beat in range(beats):
        await asyncio.sleep(max(0.0, start + beat / args.rate - time.perf_counter()))
        if not free:
            continue
        game = free.pop(rng.randrange(len(free)))
        task = asyncio.create_task(one(game))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks, return_exceptions=True)


async def _slowly(game: Game, until: float) -> None:
    """Plays a heavy game, a move a second."""
    while time.perf_counter() < until and not game.is_over and not game.failures:
        await game.move()
        await asyncio.sleep(1)


def _deaf(url: str, game: Game) -> socket.socket:
    """A client of somebody's table that says hello and never reads."""
    port = int(url.rpartition(":")[2])
    line = socket.create_connection(("127.0.0.1", port))
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    line.recv(1)
    text = json.dumps({"kind": "hello", "game": game.table["game"]}).encode()
    line.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
    return line


def memory(process: int) -> float:
    """The memory of a process in MB, where the system tells."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def processor(process: int) -> float:
    """The seconds of processor time that a process has taken, where the system tells."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return float("nan")
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def share(times: list[float], part: float) -> float:
    """The time, in ms, within which this part of the moves was."""
    return 1000 * sorted(times)[min(len(times) - 1, int(part * len(times)))] if times else float("nan")


def main() -> None:
    """Prints one line of figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--rate", type=float, default=100.0, help="moves a second")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--heavy", type=int, default=0, help="games with heavy positions, a move a second each")
    parser.add_argument("--deaf", type=int, default=0, help="clients that stop reading")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", help="where the server keeps games; a file of its own if not said")
    args = parser.parse_args()
    from benchmarks.machine import machine

    print(json.dumps(machine()))
    with TemporaryDirectory() as folder:
        store = args.store or f"{folder}/games.sqlite"
        limits = [
            "--sockets-per-address",
            "5000",
            "--sockets",
            "5000",
            "--tables-per-hour",
            "100000",
            "--branches",
            "4096",
        ]
        command = [sys.executable, "-m", "qchess", "web", "--no-open", "--port", "0", "--store", store, *limits]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            url = server.stdout.readline().split()[2].rstrip(";")
            _wait(url)
            games, heavy, spent = asyncio.run(played(url, args))
            _report(args, url, games, heavy, spent, server.pid)
            server.terminate()


def _wait(url: str) -> None:
    """Waits until the server answers, and its compiled kernels are at hand."""
    until = time.monotonic() + 300
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"{url}/metrics") as answer:
                if b"qchess_warm 1" in answer.read():
                    return
        except OSError:
            pass
        time.sleep(0.1)


def _by_the_server(url: str) -> str:
    """What the server itself says of its moves: from their arrival to their announcement."""
    with urllib.request.urlopen(f"{url}/metrics") as answer:
        lines = [line.split() for line in answer.read().decode().splitlines()]
    counts = {name.split('"')[1]: int(count) for name, count in lines if name.startswith("qchess_move_seconds_bucket")}
    whole = counts["+Inf"] or 1
    shares = ", ".join(f"{100 * count / whole:.1f}% in {float(bound) * 1000:g} ms" for bound, count in counts.items())
    return f"inside the server, of {whole} moves: {shares}"


def _report(
    args: argparse.Namespace, url: str, games: list[Game], heavy: list[Game], spent: float, server: int
) -> None:
    times = [second for game in games for second in game.seconds]
    failures = [why for game in (*games, *heavy) for why in game.failures]
    print(_by_the_server(url))
    print(
        f"{args.players} players: {len(times) / spent:.1f} moves/s  p50 {share(times, 0.5):.1f} ms"
        f"  p99 {share(times, 0.99):.1f} ms  max {share(times, 1):.0f} ms  memory {memory(server):.0f} MB"
        f"  processor {100 * processor(server) / spent:.0f}% (all since its start)  failures {len(failures)}"
    )
    if heavy:
        slow = [second for game in heavy for second in game.seconds]
        times_of = f"p50 {share(slow, 0.5):.0f} ms  p99 {share(slow, 0.99):.0f} ms"
        print(f"{len(heavy)} heavy games: {len(slow)} moves  {times_of}")
    if failures:
        print("failures:", sorted(set(failures))[:5])


if __name__ == "__main__":
    main()
