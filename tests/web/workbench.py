"""Workers that are threads of this process, and whom what is asked there is charged to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from qchess.web.limits import WHOSE
from qchess.web.questions import QUESTIONS
from qchess.web.workers import Job, Worker, WorkerPool, _game
from tests.patience import PATIENCE

STRANGER, NEIGHBOUR = "198.51.100.1", "203.0.113.7"


@contextmanager
def coming_from(address: str) -> Iterator[None]:
    """What is asked inside comes from there."""
    token = WHOSE.set(address)
    yield
    WHOSE.reset(token)


class Bench:
    """Workers that are no processes: each answers at once, or when it may, and costs what a test says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cost: float = 0.0) -> None:
        self.cost, self.size, self.open = cost, 0, threading.Event()
        self.open.set()
        #: what the workers began, in order
        self.begun: list[str] = []
        self.before: Callable[[Job], None] = lambda job: None
        bench = self

        def ask(worker: Worker, job: Job, seconds: float) -> Any:
            bench.begun.append(job.question)
            worker.seconds, worker.size = bench.cost, bench.size
            bench.before(job)
            bench.open.wait(PATIENCE)
            return QUESTIONS[job.question](_game(job), **job.arguments) if job.question in QUESTIONS else job.question

        async def warm(pool: WorkerPool) -> None:
            pool.warm = True

        monkeypatch.setattr(Worker, "ask", ask)
        monkeypatch.setattr(WorkerPool, "warm_up", warm)
