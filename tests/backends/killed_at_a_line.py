"""A process that asks a device one question of a game, under a budget, and kills itself when it comes to a given line.

    python killed_at_a_line.py GAME_FILE DEVICE LIMITS LINE

Where it does not come there it prints, on the last line, all lines that it came to from the question on: there others
may be killed. DEVICE is ``queued``, a local device behind its queue, or ``ibm``, IBM's jobs on a stand-in for the
account whose jobs lie in a folder, so that they outlive the process and a test counts them.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

#: a split knight, whose half on c3 takes a pawn: one open question
FEN = "4k3/8/8/3p4/8/8/8/1N2K3 w - - 0 1"
MOVES = ("b1^a3c3", "e8-e7", "c3-d5")
#: where a process may be killed
FILES = (
    "backends/budget.py", "backends/devices/queued.py", "backends/devices/jobqueue.py", "backends/ibm/jobs.py",
    "playing/game.py", "playing/keeping.py", "backends/killed_at_a_line.py",
)  # fmt: skip
#: every job of IBM is held to so many seconds of use
LONGEST = 10


class Lines:
    """Notes the lines that the process comes to once it asks, and kills it at one of them."""

    def __init__(self, fatal: str) -> None:
        self.fatal, self.asks = fatal, False
        self.seen: dict[str, None] = {}

    def entered(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        """Follows the calls of our own files."""
        name = frame.f_code.co_filename
        if not name.endswith(FILES):
            return None
        self.asks = self.asks or (name.endswith("queued.py") and frame.f_code.co_name in ("submit", "collect"))
        return self.came

    def came(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        """Notes a line, or dies there."""
        if self.asks and event == "line":
            line = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
            if line == self.fatal:
                os.kill(os.getpid(), signal.SIGKILL)
            self.seen[line] = None
        return self.came


class Job:
    """A job in its file. Some fail, having used all that they were held to; of some the use is told late."""

    def __init__(self, file: Path) -> None:
        self.file, told = file, pickle.loads(file.read_bytes())
        self.tags, self.held, self.used, self.fails, self.late, self.came = told
        self.creation_date = None

    def job_id(self) -> str:
        return self.file.stem

    def status(self) -> str:
        return "ERROR" if self.fails else "DONE"

    def error_message(self) -> str:
        return "the fridge"

    def result(self) -> Any:
        return self.came

    def usage(self) -> int:
        """Its seconds of use; 0 until they are worked out."""
        asked = self.file.with_suffix(".asked")
        if self.late and not asked.exists():
            asked.touch()
            return 0
        return int(self.used)


class Account:
    """What qchess asks of an account; its jobs lie in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def all(self) -> list[Job]:
        """Every job, the latest first."""
        return [Job(file) for file in sorted(self.folder.glob("*.job"), reverse=True)]

    def jobs(self, job_tags: list[str], limit: int) -> list[Job]:
        return [job for job in self.all() if set(job_tags) <= set(job.tags)][:limit]

    def job(self, name: str) -> Job:
        return Job(self.folder / f"{name}.job")


class Primitive:
    """Runs at once on Qiskit's own sampler, and then the job is there: from then on it is paid for."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.options = SimpleNamespace(environment=SimpleNamespace(job_tags=[]), max_execution_time=LONGEST)

    def run(self, circuits: list[Any], shots: int) -> Job:
        from qiskit.primitives import StatevectorSampler

        came = StatevectorSampler(seed=1).run(circuits, shots=shots).result()
        number = len(self.account.all())
        held, fails, late = self.options.max_execution_time, number % 2 == 1, number % 3 == 1
        used = held if fails else min(held, random.Random(number).randint(1, 12))
        file = self.account.folder / f"job{number:04}.job"
        beside = file.with_suffix(".new")
        beside.write_bytes(pickle.dumps((list(self.options.environment.job_tags), held, used, fails, late, came)))
        beside.replace(file)
        return Job(file)


def backend(device: str, account: Path, limits: dict[str, Any]) -> Any:
    """The device under these limits."""
    from qchess import backends

    if device == "queued":
        return backends.get("queued:sparse-shots", **limits)
    from qchess.backends.devices.adapters import device as made
    from qchess.backends.ibm.jobs import IbmJobs

    service = Account(account)
    sampler = IbmJobs(Primitive(service), service, name="ibm:somewhere")
    sampler.longest = LONGEST
    return made(sampler, **limits)


def main(path: Path, device: str, limits: dict[str, Any], fatal: str) -> None:
    """Goes on with the game, or begins it, until its question is answered, refused, or lost."""
    import qchess
    from qchess.playing.keeping import Keeper

    lines = Lines(fatal)
    asked = backend(device, path.parent / "account", limits)
    started = path.exists()
    game = qchess.load(path, backend=asked) if started else qchess.new("quantum-chess", backend=asked, fen=FEN)
    sys.settrace(lines.entered)
    try:
        with Keeper(game, path, goes_on=started):
            for move in MOVES[len(game.history) :] if game.pending is None else ():
                game.play(move)
            while game.pending is not None and game.collect() is None:
                time.sleep(0.02)
    except qchess.BackendError as error:
        sys.stdout.write(f"{error}\n")
    sys.settrace(None)
    sys.stdout.write(json.dumps(list(lines.seen)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]), sys.argv[4])
