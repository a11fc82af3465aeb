"""How the web server stands five hundred connected players and a hundred moves a second.

python benchmarks/web.py                          # 500 players, 100 moves a second, 60 seconds
python benchmarks/web.py --heavy 10 --deaf 5      # with heavy positions, and clients that stop reading

The server runs in a process of its own, the players here. A move's time goes from its sending to its announcement at
the mover's; a beat finds a game where no move is under way, or counts as late.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import random
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
from benchmarks.machine import machine  # noqa: E402
from benchmarks.webplayers import Deaf, Game, seated  # noqa: E402

GAMES = ("quantum-chess", "piece-qubit-chess", "quantum-checkers")
#: moves of a random game after which a register has 1,246 branches
HEAVY = (
    "g1^f3h3 b8^a6c6 b1-a3 a6c6^b4 d2-d3 b4^d5a6 a3^b1c4 d5^b6f6 c1^f4h6 b6^a4d5 f3^h4e5 d5a6^b4 e2-e3 f6^e4g4 "
    "d1^c1h5 d5-b4 h5^f3a5 c7-c5 f3^e2c6 e4^d2c3 e2^d1f3 c3-d1.m0 c6^b6c7 d2^b3e4 f3^g3c6 b3-a1.m0 c6^f6g6 e4^d2c3 "
    "e5^f3c4 d2^b3e4 g6c7^g3 c3^a4b5 b1c4^d2 b4^a6c6 f4^g5b8"
)
#: what the server of this benchmark allows: everybody comes from one address, and tables are opened as games end
LIMITS = {"sockets-per-address": 5000, "sockets": 5000, "tables-per-hour": 100000, "branches": 4096}
#: how long the server may take to have its kernels, in seconds: perhaps it compiles them
WARM = 300.0
#: the seconds within which a heavy position may be set up: the server refuses what takes long, and is asked again
SETTING_UP = 60.0


@dataclass
class Run:
    """What was played, and what it took."""

    light: list[Game]
    heavy: list[Game] = field(default_factory=list)
    deaf: list[Deaf] = field(default_factory=list)
    #: from the first beat until the last light move was announced, in seconds
    seconds: float = 0.0
    #: beats at which no game was free
    late: int = 0
    opened: int = 0
    #: processor time of the server, of its workers, and of the players, in seconds
    server: float = 0.0
    workers: float = 0.0
    players: float = 0.0
    #: how long the server was ready to run and had no processor, in seconds: others were busy on this machine
    waited: float = 0.0
    #: how often a heavy position was refused before it was set up
    refused: int = 0
    #: the memory of the server, and of its workers, in MB
    memory: float = 0.0
    memory_of_workers: float = 0.0


# -- playing --------------------------------------------------------------------------------------------------


async def played(url: str, server: int, args: argparse.Namespace) -> Run:
    """Lets everybody play for a while at the wanted rate."""
    rng = random.Random(args.seed)
    run = Run([await seated(url, rng, GAMES[k % len(GAMES)]) for k in range(args.players // 2)])
    run.heavy = [await _heavy(url, run, rng) for _ in range(args.heavy)]
    run.deaf = [Deaf(url, game) for game in run.light[: args.deaf]]
    await asyncio.sleep(1)
    workers = children(server)
    took, own, waited = processor(server), time.process_time(), waiting(server)
    took_by_workers = sum(processor(worker) for worker in workers)
    start = time.perf_counter()
    besides = [asyncio.create_task(_slowly(game, start + args.seconds)) for game in run.heavy]
    besides += [asyncio.create_task(deaf.ask(start + args.seconds)) for deaf in run.deaf]
    await _paced(url, run, args, rng)
    run.seconds = time.perf_counter() - start
    run.server, run.players = processor(server) - took, time.process_time() - own
    run.waited = waiting(server) - waited
    run.workers = sum(processor(worker) for worker in children(server)) - took_by_workers
    run.memory, run.memory_of_workers = memory(server), sum(memory(worker) for worker in children(server))
    await asyncio.gather(*besides)
    for game in (*run.light, *run.heavy):
        await game.leave()
    return run


async def _heavy(url: str, run: Run, rng: random.Random) -> Game:
    """A table with a heavy position, set up as soon as the server finds the time."""
    until = time.perf_counter() + SETTING_UP
    while True:
        try:
            return await seated(url, rng, "quantum-chess", setup=HEAVY)
        except urllib.error.HTTPError:
            if time.perf_counter() > until:
                raise
            run.refused += 1
            await asyncio.sleep(0.5)


async def _paced(url: str, run: Run, args: argparse.Namespace, rng: random.Random) -> None:
    """Begins a move at each beat, in a game where none is under way; a game that is over is followed by another."""
    start, free, tasks = time.perf_counter(), list(range(len(run.light))), set[asyncio.Task[None]]()

    async def one(seat: int) -> None:
        game = run.light[seat]
        if game.is_over:
            again = await seated(url, rng, rng.choice(GAMES))
            again.seconds, again.failures = game.seconds, game.failures
            run.light[seat] = again
            run.opened += 1
            await game.leave()
        await run.light[seat].move()
        free.append(seat)

    for beat in range(int(args.seconds * args.rate)):
        await asyncio.sleep(max(0.0, start + beat / args.rate - time.perf_counter()))
        if not free:
            run.late += 1
            continue
        task = asyncio.create_task(one(free.pop(rng.randrange(len(free)))))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)


async def _slowly(game: Game, until: float) -> None:
    """Plays a heavy game, a move a second."""
    while time.perf_counter() < until and not game.is_over:
        await game.move()
        await asyncio.sleep(1)


# -- the server -----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def serving(store: str, *words: str) -> Iterator[tuple[str, int]]:
    """A server of its own: its address and its process. It ends with the block, whatever ends that.

    It has the limits of this benchmark, or the options that are given.
    """
    limits = words or [word for name, most in LIMITS.items() for word in (f"--{name}", str(most))]
    command = [sys.executable, "-m", "qchess", "web", "--no-open", "--port", "0", "--store", store, *limits]
    warnings = subprocess.DEVNULL if words else None  # whoever gives options means to be warned of
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=warnings, text=True) as server:
        try:
            assert server.stdout
            url = server.stdout.readline().split()[2].rstrip(";")
            _wait(url)
            yield url, server.pid
        finally:
            server.terminate()


def _wait(url: str) -> None:
    """Waits until the server answers, and its compiled kernels are at hand."""
    until = time.monotonic() + WARM
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            if "qchess_warm 1" in _metrics(url):
                return
        time.sleep(0.1)
    raise TimeoutError(f"the server was not ready within {WARM:g} s")


def _metrics(url: str) -> str:
    with urllib.request.urlopen(f"{url}/metrics") as answer:
        text: str = answer.read().decode()
    return text


def by_the_server(url: str) -> str:
    """What the server itself says of its moves: from their arrival to their announcement."""
    lines = [line.split() for line in _metrics(url).splitlines()]
    counts = {name.split('"')[1]: int(count) for name, count in lines if name.startswith("qchess_move_seconds_bucket")}
    whole = counts["+Inf"] or 1
    shares = ", ".join(f"{100 * count / whole:.1f}% in {1000 * float(le):g} ms" for le, count in counts.items())
    return f"inside the server, of {whole} moves: {shares}"


# -- figures --------------------------------------------------------------------------------------------------


def children(process: int) -> list[int]:
    """The processes that a process has started, where the system tells."""
    listed = Path(f"/proc/{process}/task/{process}/children")
    threads = listed.parent.parent.glob("*/children") if listed.exists() else ()
    return [int(child) for file in threads for child in file.read_text().split()]


def memory(process: int) -> float:
    """The memory of a process in MB, where the system tells."""
    status = Path(f"/proc/{process}/status")
    found = [line for line in status.read_text().splitlines() if line.startswith("VmRSS")] if status.exists() else []
    return int(found[0].split()[1]) / 1024 if found else float("nan")


def processor(process: int) -> float:
    """The seconds of processor time that a process has taken, where the system tells."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return float("nan")
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def waiting(process: int) -> float:
    """The seconds that the first thread of a process was ready and had no processor, where the system tells."""
    told = Path(f"/proc/{process}/schedstat")
    return int(told.read_text().split()[1]) / 1e9 if told.exists() else float("nan")


def share(times: list[float], part: float) -> float:
    """The time, in ms, within which this part of the moves was."""
    return 1000 * sorted(times)[min(len(times) - 1, int(part * len(times)))] if times else float("nan")


def told(games: list[Game]) -> str:
    """How many moves of these games were announced, and how soon."""
    times = [second for game in games for second in game.seconds]
    shares = "  ".join(
        f"{name} {share(times, part):.1f} ms" for name, part in (("p50", 0.5), ("p99", 0.99), ("max", 1))
    )
    return f"{len(times)} moves  {shares}"


def report(args: argparse.Namespace, run: Run) -> None:
    """Prints what was seen."""
    announced = sum(len(game.seconds) for game in run.light)
    failures = [why for game in (*run.light, *run.heavy) for why in game.failures]
    print(
        f"{args.players} players: {announced / run.seconds:.1f} moves/s of {args.rate:g} wanted for {run.seconds:.1f} s"
        f" ({run.late} beats late): {told(run.light)}  failures {len(failures)}"
    )
    took = {"server": run.server, "workers": run.workers, "players": run.players, "server waiting for one": run.waited}
    print(
        f"memory {run.memory:.0f} MB, workers {run.memory_of_workers:.0f} MB; {run.opened} tables opened meanwhile;"
        f" {1000 * run.server / max(1, announced):.2f} ms of the server a move; of a processor: "
        + ", ".join(f"{who} {seconds / run.seconds:.0%}" for who, seconds in took.items())
    )
    if run.heavy:
        print(f"{len(run.heavy)} heavy games, refused {run.refused} times at first: {told(run.heavy)}")
    if run.deaf:
        gone = sorted(deaf.let_go for deaf in run.deaf if deaf.let_go is not None)
        when = f", the last after {gone[-1]:.1f} s" if gone else ""
        print(f"{len(run.deaf)} clients stopped reading, {len(gone)} of them were let go{when}")
    if failures:
        print("failures:", sorted(set(failures))[:5])


def main() -> None:
    """Prints some lines of figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--rate", type=float, default=100.0, help="moves per second")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--heavy", type=int, default=0, help="games with heavy positions, one move per second each")
    parser.add_argument("--deaf", type=int, default=0, help="clients that stop reading")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", help="where the server stores games (default: a new file)")
    args = parser.parse_args()
    gc.disable()  # a pause of the players' own would be counted as the server's
    print(json.dumps(machine()), flush=True)
    with TemporaryDirectory() as folder, serving(args.store or f"{folder}/games.sqlite") as (url, server):
        run = asyncio.run(played(url, server, args))
        print(by_the_server(url))
        report(args, run)


if __name__ == "__main__":
    main()
