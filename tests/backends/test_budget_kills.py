"""Processes are killed at any line between asking and answering: no job is lost or paid twice, no budget exceeded."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qchess.backends import budget
from tests.backends import killed_at_a_line
from tests.backends.killed_at_a_line import LONGEST, Account
from tests.forks import Forks
from tests.kills import kills

SHOTS = 100
PLAYS = f"import runpy; runpy.run_path({killed_at_a_line.__file__!r}, run_name='__main__')"


class Runs:
    """Processes that play on one device, what they were allowed, and what they came to."""

    def __init__(self, forks: Forks, device: str, folder: Path, state: Path) -> None:
        self.forks, self.device, self.folder, self.state = forks, device, folder, state
        self.lines: set[str] = set()
        self.killed_at: list[str] = []

    def run(self, path: Path, line: str, slack: tuple[int, int]) -> str:
        """Lets a process go on with a game, to its end or to a line; it may spend so many shots and seconds."""
        limits = {"budget_shots": self.counted("shots") + slack[0]}
        if self.device == "ibm":
            limits["budget_seconds"] = self.counted("seconds of use") + slack[1]
        done = self.forks.run(PLAYS, str(path), self.device, json.dumps(limits), line)
        if done.returncode == -signal.SIGKILL:
            self.killed_at.append(line)
        else:
            assert done.returncode == 0, done.stderr
            self.lines |= set(json.loads(done.stdout.splitlines()[-1]))
        assert SHOTS * self.jobs() <= self.counted("shots") <= limits["budget_shots"]
        if self.device == "ibm":
            assert self.used() <= self.counted("seconds of use") <= limits["budget_seconds"]
        return done.stdout

    def line(self, rng: random.Random) -> str:
        """A line of any file where a process may be killed, each file as often; none before one has come to its end."""
        files = sorted({line.partition(":")[0] for line in self.lines})
        file = rng.choice(files) if files else "none"
        return rng.choice(sorted(line for line in self.lines if line.startswith(file)) or [file])

    def counted(self, unit: str) -> Any:
        """What is spent or reserved."""
        return sum(told["spent"] + told["reserved"] for told in budget.standing() if told["unit"] == unit)

    def jobs(self) -> int:
        """How many jobs the service was handed."""
        if self.device == "ibm":
            return len(self.account().all())
        return len(list((self.state / "jobs").glob("*/order.json")))

    def used(self) -> int:
        """The seconds of use of all jobs."""
        return sum(job.used for job in self.account().all())

    def account(self) -> Account:
        return Account(self.folder / "account")


def answered(path: Path) -> bool:
    """Whether the game has its answer."""
    record = json.loads(path.read_text()) if path.exists() else {}
    return record.get("pending") is None and len(record.get("entries", ())) == len(killed_at_a_line.MOVES)


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    made = Forks(tmp_path_factory.mktemp("forks"), "numpy", "qiskit.primitives")
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize("device", ["queued", "ibm"])
def test_processes_killed_at_any_line_lose_no_job_pay_none_twice_and_exceed_no_budget(
    device: str, forks: Forks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    monkeypatch.setenv("QCHESS_STATE", str(tmp_path / "state"))
    runs, rng, count = Runs(forks, device, tmp_path, tmp_path / "state"), random.Random(5), kills(3)
    games, answers = 0, []
    while len(runs.killed_at) < count:
        path = tmp_path / f"game{games}.json"
        games += 1
        while not answered(path):
            runs.run(path, runs.line(rng), (SHOTS + 50, LONGEST + 5))
        answers += [answer for entry in json.loads(path.read_text())["entries"] for answer in entry["answers"]]
        assert runs.counted("shots") == SHOTS * runs.jobs()
        assert sum(told["reserved"] for told in budget.standing() if told["unit"] == "shots") == 0
    ids = [job for answer in answers for job in answer["details"]["jobs"]]
    failed = [job.job_id() for job in runs.account().all() if job.fails] if device == "ibm" else []
    assert len(set(ids)) == games == runs.jobs() - len(failed)  # each question has one job that gave shots
    if device == "queued":
        paid = [len(file.read_text().splitlines()) for file in (tmp_path / "state" / "jobs").glob("*/paid")]
        assert paid == [1] * games
    before = runs.jobs()
    assert "is too small" in runs.run(tmp_path / "last.json", "none", (50, LONGEST + 5))
    if device == "ibm":
        assert "seconds of use are spent" in runs.run(tmp_path / "last.json", "none", (SHOTS, LONGEST - 1))
    assert runs.jobs() == before
    told = {"kills": runs.killed_at, "lines": len(runs.lines), "games": games, "jobs": before, "failed": len(failed)}
    for name, value in told.items():
        record_property(name, value)
