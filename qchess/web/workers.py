"""Processes for slow work; unlike threads, they can be killed.

A worker pool has a queue, and hands out all work. Games come before studies, studies before read-only
questions, and the last free worker is reserved for games. Within a kind, the address with the least recent work comes
first: all work is charged to the address that caused it, and to its table. A worker that does not answer in time is
killed and replaced.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Self

from qchess.circuits.child import Child
from qchess.circuits.kernels import report
from qchess.errors import QchessError
from qchess.playing.game import Game, GameState
from qchess.web.limits import Ledger, Priority, Queue, Turn
from qchess.web.settings import Settings

log = logging.getLogger("qchess.web")
#: seconds for a new worker to get ready: it may have to compile
START_SECONDS = 300.0
#: seconds for which a worker continues with a cancelled question: cheaper than a new worker
GRACE = 0.5
#: questions limited in processor seconds, so that a busy machine does not fail them: the limit of clock time as a
#: multiple
BY_PROCESSOR, CROWDED = ("choose",), 10.0

#: how a worker gets its kernels: as available, not at all, or by compiling first; and the variable that says so
USUAL, CLEAR, COMPILE, WAY = "", "clear", "compile", "QCHESS_KERNELS"


class WorkError(QchessError):
    """A worker did not answer: too late, or too many wait."""


class SpentError(WorkError):
    """A worker used all its processor time without an answer."""


class Held(NamedTuple):
    """What a worker makes a game from: its rules, its backend, and its state without its past."""

    game: str
    options: Mapping[str, Any]
    backend: str
    state: GameState[Any]

    @classmethod
    def of(cls, game: Game[Any, Any], backend: str, ply: int = -1) -> Self:
        """Return the game as it is now, or after `ply` moves; people look at a position although they gave it up."""
        return cls(game.rules.name, game.rules.options(), backend, game.cut(ply)._replace(ended=None))


@dataclass(frozen=True, slots=True)
class Job:
    """One question about a held game; without one, the question itself says how to make the game."""

    question: str
    held: Held | None
    #: the seed of the game's answers
    seed: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    #: what makes the game if there is none yet
    backend: str = "sparse"


class WorkerPool:
    """A few workers and their queue."""

    def __init__(self, settings: Settings) -> None:
        self.count = max(2, settings.workers)
        self.plugins = settings.plugins
        self.ledger = Ledger()
        #: killed workers, questions whose client had gone, and those displaced by others
        self.killed = self.withdrawn = self.gave_way = 0
        #: True: compiled kernels are available
        self.warm = False
        self._helper: Worker | None = None
        self._threads = ThreadPoolExecutor(self.count + 1, thread_name_prefix="qchess workers")
        self._free = [self._worker() for _ in range(self.count)]
        self._busy: set[Worker] = set()
        self._queue: Queue[Worker] = Queue(self.ledger)
        #: workers in use by computer players of an address that had more than its share
        self._behind = 0
        self._working: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def ask(self, job: Job, seconds: float, priority: Priority = Priority.PLAY, **more: Any) -> Any:
        """Return the answer of a worker; raises `WorkError` if there is none in time."""
        return (await self.timed(job, seconds, priority, **more))[0]

    async def timed(
        self,
        job: Job,
        seconds: float,
        priority: Priority = Priority.PLAY,
        *,
        table: str = "",
        begun: Callable[[], None] | None = None,
    ) -> tuple[Any, float]:
        """Return the answer and its processor seconds; `begun` is called when a worker has the question."""
        turn: Turn[Worker] = self._queue.turn(priority, table)
        worker = await self._given(turn)
        working = asyncio.get_running_loop().create_task(self._work(worker, turn, job, seconds))
        self._working.add(working)
        working.add_done_callback(self._worked)
        if begun is not None:
            begun()
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            self.withdrawn += 1
            asyncio.get_running_loop().call_later(GRACE, lambda: None if working.done() else worker.kill())
            raise

    def _worked(self, working: asyncio.Task[Any]) -> None:
        self._working.discard(working)
        if not working.cancelled():
            working.exception()  # nobody may be there to hear of it

    async def _work(self, worker: Worker, turn: Turn[Worker], job: Job, seconds: float) -> tuple[Any, float]:
        """Let a worker answer, and charge the work, whatever its result."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, worker.ask, job, seconds), worker.seconds
        finally:
            self._end(turn)
            self.ledger.charge(turn.at, turn.priority.name.lower(), worker.seconds, loop.time(), worker.size)
            self._give_back(worker)

    # -- whose turn it is -------------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """Count the waiting questions."""
        return len(self._queue)

    def waiting_as(self, priority: Priority) -> int:
        """Count the waiting questions of a kind."""
        return self._queue.count(priority)

    async def _given(self, turn: Turn[Worker]) -> Worker:
        """Return a free worker, when it is this question's turn."""
        if (last := self._queue.enter(turn)) is not None:
            self.gave_way += 1
            last.given.set_exception(WorkError("too many questions wait; ask again later"))
        self._hand_out()
        try:
            return await turn.given
        except asyncio.CancelledError:
            if self._queue.leave(turn):
                self.withdrawn += 1
            elif not turn.given.cancelled() and turn.given.exception() is None:
                self._end(turn)
                self._give_back(turn.given.result())
            raise

    def _may(self, priority: Priority) -> bool:
        """Tell whether a worker is free for this: the last one is for games, unless games had more than their share."""
        kept = 0 if priority.is_game or self._behind else 1
        return len(self._free) > kept and not self._closed

    def _hand_out(self) -> None:
        """Give free workers to the questions whose turn it is."""
        now = asyncio.get_running_loop().time()
        while (turn := self._queue.next(self._may, now)) is not None:
            worker = self._free.pop()
            self._busy.add(worker)
            turn.address.going += 1
            self._behind += turn.behind and turn.priority.is_game
            turn.given.set_result(worker)

    def _end(self, turn: Turn[Worker]) -> None:
        turn.address.going -= 1
        self._behind -= turn.behind and turn.priority.is_game

    def _give_back(self, worker: Worker) -> None:
        self._busy.discard(worker)
        if worker.dead:
            self.killed += 1
            worker = self._worker()
        elif self.warm and worker.kernels == CLEAR:
            worker.kill()
            worker = self._worker()
        self._free.append(worker)
        self._hand_out()

    async def warm_up(self) -> None:
        """Make compiled kernels available; until then workers do without.

        An installed package has them, and this takes a second. In a checkout a separate process compiles them once. The
        kernels of all games are loaded here, so that no table has to wait for its first use.
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
            worker.kill()
        self._free = [self._worker() for _ in self._free]
        for worker in tuple(self._free):  # some may be taken and asked meanwhile
            with suppress(WorkError):
                await loop.run_in_executor(self._threads, worker.start)

    def _worker(self) -> Worker:
        return Worker(self.plugins, USUAL if self.warm else CLEAR)

    def close(self) -> None:
        """End all workers at once."""
        self._closed = True
        for worker in (*self._free, *self._busy, *filter(None, [self._helper])):
            worker.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)


class Worker:
    """One process, started in advance or on first use. One thread at a time uses it; any may kill it."""

    def __init__(self, plugins: tuple[str, ...] = (), kernels: str = "") -> None:
        self.plugins, self.kernels = plugins, kernels
        self.dead = False
        #: the processor seconds of the last question, even if unanswered; and its bytes with those of its answer
        self.seconds, self.size = 0.0, 0
        self._child: Child | None = None
        self._starting = threading.Lock()

    def start(self) -> Child:
        """Return the process, started if needed, once it is ready."""
        try:
            with self._starting:
                if self.dead:
                    raise WorkError("this worker was stopped")
                if self._child is None:
                    way = {WAY: CLEAR} if self.kernels == CLEAR else None
                    self._child = Child(f"{__name__}:working", self.plugins, self.kernels, environment=way)
            self._child.ready(START_SECONDS)
        except Exception as error:
            if not self.dead:
                log.warning("no worker process could be started: %s", error)
            self.kill()
            raise WorkError("no worker process could be started, or it was stopped") from error
        return self._child

    def ask(self, job: Job, seconds: float) -> Any:
        """Return the answer, or raise the question's error; a late one kills the process."""
        self.seconds, self.size = 0.0, 0
        child = self.start()
        try:
            by_processor = job.question in BY_PROCESSOR
            return child.ask(job, *((CROWDED * seconds, seconds) if by_processor else (seconds,)))
        except Exception as error:
            if isinstance(error, ValueError) and not child.ended:
                raise
            self.kill()
            kind = SpentError if child.spent else WorkError
            raise kind("this took too long or was too large, and was stopped") from error
        finally:
            self.seconds, self.size = child.seconds, child.size

    def kill(self) -> None:
        """End the process at once."""
        self.dead = True
        with self._starting:
            child = self._child
        if child is not None:
            child.kill()


# -- in the worker --------------------------------------------------------------------------------------------


def working(plugins: tuple[str, ...], kernels: str) -> Callable[[Job], Any]:
    """Load in the process what questions need, and return what answers them."""
    from qchess.games import plug
    from qchess.web.questions import QUESTIONS

    for plugin in plugins:
        plug(plugin)
    if kernels == COMPILE:
        report(every=True)

    def answer(job: Job) -> Any:
        try:
            return QUESTIONS[job.question](_game(job), **job.arguments)
        except Exception as error:
            if not isinstance(error, ValueError):
                log.exception("the question %s failed", job.question)
            raise

    return answer


def _game(job: Job) -> Any:
    """Return the game in question, or what makes one."""
    from qchess.backends import ready
    from qchess.games import rules
    from qchess.web import seeds
    from qchess.web.studies.making import Maker

    if job.held is None:
        return Maker(job.backend, job.seed)
    backend = ready.backend(job.held.backend)
    made, state = rules(job.held.game, **job.held.options), job.held.state
    return Game(made, backend, source=seeds.source(backend, job.seed), start=state.start).at(state)


__all__ = ["Job", "Priority", "SpentError", "WorkError", "WorkerPool"]
