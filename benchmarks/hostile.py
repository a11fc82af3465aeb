"""What players meet while hostile clients drive every route of the web server at its legal limit.

python benchmarks/hostile.py                       # 30 players, 8 hostile addresses, 60 seconds alone and 60 beside
python benchmarks/hostile.py --addresses 20 --seconds 120

Half of the players play each other, half play `greedy` with a clock. First they are alone, then each hostile address
asks for all that the server allows it and more: pages, tables with long set-ups, studies, records, exports, kept
studies, classes, sockets that ask for previews and circuits, and long messages. Hostile clients run in a process of
their own, on loopback addresses of their own (Linux). Times are those of the players; read them as ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
from benchmarks import web  # noqa: E402
from benchmarks.machine import machine  # noqa: E402
from benchmarks.webplayers import Game, asked  # noqa: E402

#: a set-up as long as a table takes, and a study with it
LONG = [move for _ in range(60) for move in ("b1^a3c3", "g8^f6h6", "a3c3^b1", "f6h6^g8")]
STUDY = {"title": "x", "game": "quantum-chess", "options": {}, "nodes": [{"comment": "y" * 4000} for _ in range(1)]}
CLOCK = {"kind": "fischer", "seconds": 600, "extra": 5}
#: seconds for which one answer is awaited
PATIENCE = 30.0
#: how a game may not end while the server is attacked
UNFAIR = ("time", "no move")

Ask = Callable[["Hostile"], Awaitable[None]]


@dataclass
class Hostile:
    """One address, which asks for as much as it may and more."""

    host: str
    port: int
    address: str
    #: the status of each answer; "lost" where there was none
    answers: Counter[str]
    table: str = ""
    study: str = ""

    async def ask(self, method: str, path: str, data: Any = None) -> Any:
        """One request on a connection of its own; what was answered, if it was JSON."""
        body = b"" if data is None else json.dumps(data).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nConnection: close\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=(self.address, 0))
                writer.write(head.encode() + body)
                answer = await reader.read()
                writer.close()
        except (OSError, TimeoutError):
            self.answers[f"{path.split('?')[0][:12]} lost"] += 1
            return None
        first, _, rest = answer.partition(b"\r\n\r\n")
        self.answers[first.split(b" ")[1].decode() if b" " in first else "none"] += 1
        with contextlib.suppress(ValueError):
            return json.loads(rest)
        return None


# -- what is asked ------------------------------------------------------------------------------------------------


async def pages(who: Hostile) -> None:
    """Pages and lists."""
    for path in ("/", "/api/games", "/api/tables", "/api/lessons", "/metrics", "/static/board.js"):
        await who.ask("GET", path)


async def tables(who: Hostile) -> None:
    """Tables whose set-up is long."""
    found = await who.ask("POST", "/api/tables", {"game": "quantum-chess", "options": {"setup": LONG}})
    who.table = (found or {}).get("game") or who.table


async def questions(who: Hostile) -> None:
    """Studies that take long to tell, and an agent's opinion of them."""
    for ask in ({"kind": "analyse", "agent": "mcts@0.5s"}, {"kind": "odds", "square": "b1"}, {"kind": "state"}):
        await who.ask(
            "POST", "/api/study", {"game": "quantum-chess", "options": {"setup": LONG}, "line": [], "ask": ask}
        )


async def records(who: Hostile) -> None:
    """A table in every form."""
    for form in ("record.json", "record.svg", "record.moving.svg", "record.html", "views.json"):
        await who.ask("GET", f"/api/tables/{who.table}/{form}")


async def studies(who: Hostile) -> None:
    """Studies that are kept and read."""
    found = await who.ask("POST", "/api/studies", {"study": STUDY})
    who.study = (found or {}).get("name") or who.study
    await who.ask("GET", f"/api/studies/{who.study}")


async def classes(who: Hostile) -> None:
    """Classes that nobody enters."""
    await who.ask("POST", "/api/classes", {"title": "x"})


async def sockets(who: Hostile) -> None:
    """A socket that looks on, asks for all there is, and sends long messages."""
    url = f"ws://{who.host}:{who.port}/ws"
    asks = ({"kind": "preview", "ply": 0, "text": "b1^a3c3"}, {"kind": "circuit", "ply": 0, "of": "game"},
            {"kind": "odds", "ply": 0, "square": "b1"}, {"kind": "look", "ply": 0, "more": "z" * 60_000})  # fmt: skip
    try:
        async with connect(url, local_addr=(who.address, 0), proxy=None, max_size=None, open_timeout=PATIENCE) as line:
            await line.send(json.dumps({"kind": "hello", "game": who.table}))
            for _ in range(20):
                for ask in asks:
                    await line.send(json.dumps(ask))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        while True:
                            who.answers[f"socket {json.loads(await line.recv())['kind']}"] += 1
    except (OSError, TimeoutError, WebSocketException) as error:
        who.answers[f"socket {type(error).__name__}"] += 1


#: what an address asks for, and by how many at once
ASKS: dict[Ask, int] = {pages: 4, tables: 4, questions: 10, records: 4, studies: 4, classes: 1, sockets: 20}


def attack(host: str, port: int, addresses: int, told: Any) -> None:
    """Asks for ever, from so many addresses, and tells what was answered."""
    asyncio.run(_attack(host, port, addresses, told))


async def _attack(host: str, port: int, addresses: int, told: Any) -> None:
    answers = Counter[str]()
    whose = [Hostile(host, port, f"127.0.1.{k + 1}", answers) for k in range(addresses)]

    async def asking(ask: Ask, who: Hostile) -> None:
        while True:
            await ask(who)
            await asyncio.sleep(0.02)

    async def telling() -> None:
        while True:
            await asyncio.sleep(0.5)
            told.put(dict(answers))

    for who in whose:
        await tables(who)
    await asyncio.gather(
        telling(), *(asking(ask, who) for who in whose for ask, many in ASKS.items() for _ in range(many))
    )


# -- the players --------------------------------------------------------------------------------------------------


class Against(Game):
    """A person against a computer: one client, who moves when it is their turn."""

    async def move(self) -> None:
        """Plays one move, and waits until it is announced and the computer has answered."""
        turn = self._turn
        assert turn is not None, "the player to move was notified"
        await super().move()
        until = time.perf_counter() + PATIENCE
        while not self.is_over and self._turn is turn and time.perf_counter() < until:
            await asyncio.sleep(0.01)
        if not self.is_over and time.perf_counter() >= until:
            self._fail("the computer did not answer")


async def opened(url: str, rng: random.Random, computer: bool) -> Game:
    """A table with a clock, and its players."""
    order = {
        "game": "quantum-chess",
        "clock": CLOCK,
        **({"seats": {"white": "human", "black": "greedy"}} if computer else {}),
    }
    found = (Against if computer else Game)(url, await asyncio.to_thread(asked, f"{url}/api/tables", order), rng)
    await found.enter()
    return found


async def played(games: list[Game], seconds: float) -> None:
    """Lets every game go on, about a move in two seconds."""
    until = time.perf_counter() + seconds

    async def one(game: Game) -> None:
        await asyncio.sleep(game.rng.random() * 2)
        while time.perf_counter() < until and not game.is_over:
            began = time.perf_counter()
            await game.move()
            await asyncio.sleep(max(0.0, 2 - (time.perf_counter() - began)))

    await asyncio.gather(*map(one, games))


def process(number: int) -> str:
    """The descriptors of a process, and its memory with that of its workers."""
    files = len(list(Path(f"/proc/{number}/fd").iterdir()))
    whole = web.memory(number) + sum(web.memory(worker) for worker in web.children(number))
    return f"{files} descriptors, {whole:.0f} MB with its workers"


def told(games: list[Game], since: list[int]) -> str:
    """How many moves were announced since then, and how soon."""
    times = [second for game, past in zip(games, since, strict=True) for second in game.seconds[past:]]
    shares = "  ".join(
        f"{name} {web.share(times, part):.0f} ms" for name, part in (("p50", 0.5), ("p99", 0.99), ("max", 1))
    )
    return f"{len(times)} moves  {shares}"


async def measured(url: str, server: int, args: argparse.Namespace) -> None:
    """Players alone, then beside hostile clients, then alone again."""
    rng = random.Random(args.seed)
    games = [await opened(url, rng, k % 2 == 1) for k in range(args.players * 2 // 3)]
    host, _, port = url.removeprefix("http://").partition(":")
    for what, hostile in (("alone", False), ("beside hostile clients", True), ("alone again", False)):
        since, answers = [len(game.seconds) for game in games], multiprocessing.get_context("fork").SimpleQueue()
        others = multiprocessing.get_context("fork").Process(
            target=attack, args=(host, int(port), args.addresses, answers), daemon=True
        )
        if hostile:
            others.start()
        await played(games, args.seconds)
        print(f"{what}: {told(games, since)}; {process(server)}", flush=True)
        if hostile:
            others.kill()
            others.join()
            seen: dict[str, int] = {}
            while not answers.empty():
                seen = answers.get()
            print("  answered to them:", ", ".join(f"{name}: {count}" for name, count in sorted(seen.items())))
    ended = Counter(game.result["reason"] for game in games if game.result)
    unfair = [reason for reason in ended if any(word in reason for word in UNFAIR)]
    failures = Counter(why for game in games for why in game.failures)
    told_of = {"ended": dict(ended), "by the server's fault": unfair, "failures": dict(failures)}
    print(f"{len(games)} games;", "; ".join(f"{what}: {found or 'none'}" for what, found in told_of.items()))


def main() -> None:
    """Prints some lines of figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=30, help="people who play, half of them against a computer")
    parser.add_argument("--addresses", type=int, default=8, help="number of hostile addresses")
    parser.add_argument("--seconds", type=float, default=60.0, help="length of each of the three parts")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    gc.disable()
    print(json.dumps(machine()), flush=True)
    with TemporaryDirectory() as folder, web.serving(f"{folder}/games.sqlite", "--public") as (url, server):
        asyncio.run(measured(url, server, args))


if __name__ == "__main__":
    main()
