"""Processes for work that may take long, each of which can be killed: a thread could not.

A desk has a few workers and a queue. What matters most is worked on first, and what only looks ahead never has the
last worker. A worker that does not answer in time is killed, and another takes its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from qchess.circuits.kernels import report
from qchess.errors import QchessError
from qchess.playing.carrying import Moment
from qchess.web.settings import Settings

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

log = logging.getLogger("qchess.web")
#: questions that may wait, and how long a new worker may take to be ready, in seconds: perhaps it compiles
MOST_WAITING, START_SECONDS = 200, 300.0

#: how a worker has its kernels: as they are at hand, not at all, or by compiling them first; and where this is said
USUAL, CLEAR, COMPILE, WAY = "", "clear", "compile", "QCHESS_KERNELS"


class Weight(IntEnum):
    """What is worked on first."""

    PLAY = 0
    AGENT = 1
    LOOK = 2


class WorkError(QchessError):
    """A worker did not answer: too late, or too many wait."""


class SpentError(WorkError):
    """A worker had all the time that a question is given, and has no answer."""


@dataclass(frozen=True, slots=True)
class Job:
    """One question about a game at a moment."""

    question: str
    held: Moment
    #: what the game's answers are drawn from
    seed: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


class Desk:
    """A few workers and what waits for them."""

    def __init__(self, settings: Settings) -> None:
        self.count = max(2, settings.workers)
        self.plugins = settings.plugins
        self.killed = 0
        #: whether compiled kernels are at hand
        self.warm = False
        self._helper: Worker | None = None
        self._threads = ThreadPoolExecutor(self.count + 1, thread_name_prefix="qchess desk")
        self._free = [self._worker() for _ in range(self.count)]
        self._busy: set[Worker] = set()
        self._waiting: list[tuple[Weight, int, asyncio.Future[Worker]]] = []
        self._number = 0
        self._closed = False

    async def ask(self, job: Job, seconds: float, weight: Weight = Weight.PLAY, **more: Any) -> Any:
        """The answer of a worker; `WorkError` if there is none in time."""
        return (await self.timed(job, seconds, weight, **more))[0]

    async def timed(
        self,
        job: Job,
        seconds: float,
        weight: Weight = Weight.PLAY,
        *,
        table: str = "",
        begun: Callable[[], None] | None = None,
    ) -> tuple[Any, float]:
        """The answer, and what it took of a processor; `begun` is called when a worker has the question."""
        worker = await self._take(weight)
        if begun is not None:
            begun()
        loop = asyncio.get_running_loop()
        asked = loop.run_in_executor(self._threads, worker.ask, job, seconds)
        try:
            return await asyncio.shield(asked), worker.seconds
        except asyncio.CancelledError:
            worker.kill()
            with contextlib.suppress(WorkError, QchessError):
                await asked
            raise
        finally:
            self._give_back(worker)

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        return len(self._waiting)

    async def _take(self, weight: Weight) -> Worker:
        """A free worker, as soon as it is this question's turn."""
        if self._may(weight):
            worker = self._free.pop()
            self._busy.add(worker)
            return worker
        if len(self._waiting) >= MOST_WAITING:
            raise WorkError("too many questions wait; ask again later")
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._number += 1
        heapq.heappush(self._waiting, (weight, self._number, turn))
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back(turn.result())
            raise

    def _may(self, weight: Weight) -> bool:
        return len(self._free) > (1 if weight is Weight.LOOK else 0) and not self._closed

    def _give_back(self, worker: Worker) -> None:
        self._busy.discard(worker)
        if worker.dead:
            self.killed += 1
            worker = self._worker()
        elif self.warm and worker.kernels == CLEAR:
            worker.retire()
            worker = self._worker()
        self._free.append(worker)
        while self._waiting and (self._waiting[0][2].done() or self._may(self._waiting[0][0])):
            turn = heapq.heappop(self._waiting)[2]
            if not turn.done():
                given = self._free.pop()
                self._busy.add(given)
                turn.set_result(given)

    async def warm_up(self) -> None:
        """Sees to it that compiled kernels are at hand; until then workers do without.

        An install has them, and this takes a second. In a checkout they are compiled once, by a process of their own.
        All are loaded here, also those of games that nobody plays yet: else the first table would make others wait.
        """
        loop = asyncio.get_running_loop()
        helper = self._helper = Worker((), COMPILE)
        try:
            await loop.run_in_executor(self._threads, helper.start)
            await loop.run_in_executor(self._threads, partial(report, every=True))
        except WorkError as error:
            log.warning("the kernels could not be compiled, and work is slow: %s", error)
            return
        finally:
            helper.kill()
        self.warm = True
        for worker in self._free:
            worker.retire()
        self._free = [self._worker() for _ in self._free]
        for worker in tuple(self._free):  # some may be taken and asked meanwhile
            await loop.run_in_executor(self._threads, worker.start)

    def _worker(self) -> Worker:
        return Worker(self.plugins, USUAL if self.warm else CLEAR)

    def close(self) -> None:
        """Ends all workers, whatever they do."""
        self._closed = True
        for worker in (*self._free, *self._busy, *filter(None, [self._helper])):
            worker.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)


class Worker:
    """One process, started ahead or when it is first asked. One thread at a time asks it; any may kill it."""

    def __init__(self, plugins: tuple[str, ...] = (), kernels: str = "") -> None:
        self.plugins, self.kernels = plugins, kernels
        self.dead = False
        #: what the last question took of the processor
        self.seconds = 0.0
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        # whoever asks while it is being started ahead waits; or else "ready" would be taken for the answer
        self._starting = threading.Lock()

    def start(self) -> None:
        """Starts the process, if it has not been, and waits until it is ready."""
        with self._starting:
            if self._process is None and not self.dead:
                self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, self.plugins, self.kernels), daemon=True, name="qchess worker"
        )
        self._process.start()
        theirs.close()
        try:
            self._heard(START_SECONDS)
        except (OSError, EOFError) as error:
            self.kill()
            raise WorkError("no worker could be started") from error

    def ask(self, job: Job, seconds: float) -> Any:
        """The answer, or the error that the question met; one that comes too late kills the process."""
        try:
            self.start()
            if self._line is None:
                raise EOFError("this worker was ended before it began")
            self._line.send(job)
            good, answer, self.seconds = self._heard(seconds)
        except (OSError, EOFError, AttributeError) as error:
            self.kill()
            kind = SpentError if isinstance(error, TimeoutError) else WorkError
            raise kind("this took too long, or was too large, and was given up") from error
        if not good:
            raise answer
        return answer

    def _heard(self, seconds: float) -> Any:
        assert self._line is not None, "a started worker has a line"
        if not self._line.poll(seconds):
            raise TimeoutError(f"no answer after {seconds:g} s")
        return self._line.recv()

    def retire(self) -> None:
        """Ends the process once it has nothing to do."""
        self.dead = True
        if self._line is not None:
            self._line.close()

    def kill(self) -> None:
        """Ends the process at once."""
        self.dead = True
        process, line = self._process, self._line
        if process is not None and process.is_alive():
            process.kill()
            process.join(5)
        if line is not None:
            line.close()


# -- in the worker --------------------------------------------------------------------------------------------


def _serve(line: Connection, plugins: tuple[str, ...], kernels: str) -> None:
    """Answers questions until the other end is gone."""
    import os
    import signal
    from importlib import import_module

    from qchess.playing.workers import follow_parent

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    follow_parent()
    for plugin in plugins:
        import_module(plugin)
    from qchess.web import work  # noqa: F401

    if kernels == CLEAR:
        os.environ[WAY] = CLEAR
    elif kernels == COMPILE:
        report(every=True)
    line.send((True, "ready", 0.0))
    with contextlib.suppress(EOFError, OSError):
        while True:
            line.send(_answer(line.recv()))


def _answer(job: Job) -> tuple[bool, Any, float]:
    """Whether a question was answered, the answer or what was wrong, and the processor's seconds."""
    from qchess.web.questions import QUESTIONS

    start = time.thread_time()
    answer: Any
    try:
        good, answer = True, QUESTIONS[job.question](_game(job), **job.arguments)
    except ValueError as error:
        good, answer = False, error if _pickles(error) else QchessError(str(error))
    return good, answer, time.thread_time() - start


def _pickles(error: ValueError) -> bool:
    """Whether an error comes through a pipe as what it is."""
    import pickle

    try:
        pickle.loads(pickle.dumps(error))
    except (TypeError, AttributeError, pickle.PicklingError):
        return False
    return True


def _game(job: Job) -> Any:
    """The game at the moment that the question is about."""
    from qchess import backends
    from qchess.games import rules
    from qchess.playing.carrying import at_moment
    from qchess.web import dice

    backend = backends.get(job.held.backend)
    return at_moment(job.held, rules(job.held.game, **job.held.options), backend, dice.source(backend, job.seed))


__all__ = ["Desk", "Job", "SpentError", "Weight", "WorkError"]
