"""One ledger of work: who is served when others ask too much, what is withdrawn, and that none of it is a result."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

import qchess
from qchess.web.hall import Hall
from qchess.web.limits import CARRIED, MOST_WAITING, SHARE
from qchess.web.store import SqliteStore
from qchess.web.tablerequest import TableRequest
from qchess.web.workers import Held, Job, Priority, SpentError, Worker, WorkerPool, WorkError
from tests.web.patient import PATIENT
from tests.web.player import apart
from tests.web.workbench import NEIGHBOUR, STRANGER, Bench, coming_from

BOARD = Job("board", Held.of(qchess.new(), "sparse"), "seed")


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


class Asking:
    """Questions that wait for their answers."""

    def __init__(self, pool: WorkerPool) -> None:
        self.pool = pool
        self.tasks: list[asyncio.Task[Any]] = []
        #: what workers have begun, in order, and what became of it
        self.begun: list[str] = []
        self.answered: list[str] = []
        self.refused: list[str] = []

    async def ask(self, name: str, priority: Priority, address: str, table: str = "") -> None:
        with coming_from(address):
            self.tasks.append(asyncio.create_task(self._asked(name, priority, table)))
        for _ in range(3):
            await asyncio.sleep(0)

    async def _asked(self, name: str, priority: Priority, table: str) -> None:
        try:
            job, begun = replace(BOARD, question=name), lambda: self.begun.append(name)
            self.answered.append(await self.pool.ask(job, 1, priority, table=table, begun=begun))
        except WorkError:
            self.refused.append(name)

    async def end(self) -> None:
        await asyncio.gather(*self.tasks, return_exceptions=True)


# -- whose turn it is -------------------------------------------------------------------------------------------


def test_a_computer_player_has_its_worker_at_once_whatever_one_address_asks_of_studies(bench: Bench) -> None:
    """199 study questions, as many as the limits allow, and one more than may wait besides: no move is refused."""

    async def asked() -> list[str]:
        pool = WorkerPool(PATIENT)
        asking = Asking(pool)
        bench.open.clear()
        for number in range(MOST_WAITING + 2):
            await asking.ask(f"study {number}", Priority.STUDY, STRANGER)
        assert (pool.waiting, asking.begun, asking.refused) == (
            MOST_WAITING,
            ["study 0"],
            [f"study {MOST_WAITING + 1}"],
        )
        await asking.ask("choose a move", Priority.AGENT, NEIGHBOUR)
        assert pool.waiting_as(Priority.AGENT) == 0, "the worker that is kept for games has it"
        await asking.ask("play", Priority.PLAY, NEIGHBOUR)
        await asking.ask("another's study", Priority.STUDY, NEIGHBOUR)
        assert asking.refused[-1] == f"study {MOST_WAITING}", "whoever has most gives way"
        bench.open.set()
        await asking.end()
        assert "choose a move" in asking.answered
        assert pool.gave_way == 2
        return asking.begun

    bench.cost = 0.01
    begun = apart(asked())
    assert begun.index("play") == 2
    assert begun.index("another's study") < 8


def test_games_come_before_studies_and_studies_before_looks_and_whoever_had_least_first(bench: Bench) -> None:
    async def asked() -> list[str]:
        asking = Asking(WorkerPool(PATIENT))
        bench.open.clear()
        for number in range(2):
            await asking.ask(f"begun {number}", Priority.PLAY, STRANGER)
        for priority in reversed(Priority):
            for number in range(2):
                await asking.ask(f"{priority.name} {number} of a stranger", priority, STRANGER, "his")
            await asking.ask(f"{priority.name} of a neighbour", priority, NEIGHBOUR, "hers")
        bench.cost = 0.25
        bench.open.set()
        await asking.end()
        return asking.begun

    begun = apart(asked())
    kinds = [name.partition(" ")[0] for name in begun[2:]]
    assert [kind for k, kind in enumerate(kinds) if kind not in kinds[:k]] == [priority.name for priority in Priority]
    for priority in Priority:
        mine = [name for name in begun if name.startswith(priority.name)]
        assert "neighbour" in mine[0], mine


def test_who_had_more_than_a_share_comes_after_everybody_but_for_moves(bench: Bench) -> None:
    """Computer players that play each other for ever at one address do not keep all workers from others' studies."""

    async def asked() -> list[str]:
        pool = WorkerPool(PATIENT)
        asking = Asking(pool)
        with coming_from(STRANGER):
            pool.ledger.charge("his", "agent", SHARE + 10, asyncio.get_running_loop().time())
        bench.open.clear()
        for number in range(6):
            await asking.ask(f"AGENT {number} of a stranger", Priority.AGENT, STRANGER)
        for priority in (Priority.LOOK, Priority.STUDY):
            await asking.ask(f"{priority.name} of a stranger", priority, STRANGER)
            await asking.ask(f"{priority.name} of a neighbour", priority, NEIGHBOUR)
        bench.open.set()
        await asking.end()
        return asking.begun

    begun = apart(asked())
    assert begun[:2] == ["AGENT 0 of a stranger", "AGENT 1 of a stranger"], "nobody else asked yet"
    assert begun[2] == "STUDY of a neighbour"
    assert "LOOK of a neighbour" in begun[3:6]
    assert begun[-2:] == ["STUDY of a stranger", "LOOK of a stranger"]


def test_what_is_asked_is_charged_to_an_address_and_to_a_table(bench: Bench) -> None:
    async def asked() -> None:
        pool = WorkerPool(PATIENT)
        asking, bench.cost = Asking(pool), 2.0
        await asking.ask("one", Priority.AGENT, STRANGER, "his")
        bench.size = CARRIED
        await asking.ask("two", Priority.STUDY, STRANGER)
        await asking.end()
        now = asyncio.get_running_loop().time()
        held = [pool.ledger.of(name) for name in (STRANGER, "table his", NEIGHBOUR)]
        assert [round(account.lately(now)) for account in held] == [5, 2, 0], "bytes count as seconds"
        assert [account.going + account.waiting for account in held] == [0, 0, 0]
        assert pool.ledger.seconds == {"agent": 2.0, "study": 2.0}
        assert pool.ledger.bytes == {"agent": 0, "study": CARRIED}

    apart(asked())


def test_a_question_is_withdrawn_with_whoever_asked_it(bench: Bench) -> None:
    async def asked() -> None:
        pool = WorkerPool(PATIENT)
        asking = Asking(pool)
        bench.open.clear()
        for number in range(100):
            await asking.ask(f"study {number}", Priority.STUDY, STRANGER)
        for task in asking.tasks:
            task.cancel()
        await asyncio.sleep(0)
        await asking.ask("another's", Priority.LOOK, NEIGHBOUR)
        assert pool.waiting == 1
        bench.open.set()
        await asking.end()
        assert (pool.withdrawn, pool.waiting, pool.killed) == (100, 0, 0)
        assert (asking.begun, asking.answered) == (["study 0", "another's"], ["another's"])

    apart(asked())


def test_a_question_that_nobody_waits_for_is_ended_soon_and_charged(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qchess.web.workers.GRACE", 0.0)
    ended = asyncio.Event()

    def kill(worker: Worker) -> None:
        worker.dead = True
        bench.open.set()
        ended.set()

    monkeypatch.setattr(Worker, "kill", kill)

    async def asked() -> None:
        pool = WorkerPool(PATIENT)
        asking, bench.cost = Asking(pool), 3.0
        bench.open.clear()
        await asking.ask("a long study", Priority.STUDY, STRANGER)
        asking.tasks[0].cancel()
        await ended.wait()
        await asyncio.sleep(0)
        while not pool.killed:
            await asyncio.sleep(0)
        assert pool.ledger.of(STRANGER).lately(asyncio.get_running_loop().time()) > 2

    apart(asked())


# -- never a result ---------------------------------------------------------------------------------------------


async def thinking(hall: Hall, **order: Any) -> Any:
    """A table at which `greedy` has the first move."""
    given = {"game": "quantum-tic-tac-toe", "seats": {hall_player("quantum-tic-tac-toe"): "greedy"}, **order}
    return (await hall.open(TableRequest.of(given, hall.settings)))[0]


def hall_player(game: str) -> str:
    """Who moves first in a game."""
    return str(qchess.new(game).player)


def test_no_time_is_no_result_and_the_clock_of_who_waits_for_the_server_stands(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker of a computer player is refused or lost six times: it is asked until it has its move."""
    monkeypatch.setattr("qchess.web.turns.PAUSE", 0.0)
    lost: Counter[str] = Counter()
    clocks: list[Any] = []

    async def played() -> None:
        hall = Hall(PATIENT, SqliteStore(":memory:"))

        def before(job: Job) -> None:
            lost[job.question] += 1
            if lost[job.question] <= 6:
                raise WorkError("this took too long or was too large, and was stopped")

        bench.before = before
        table = await thinking(hall, clock={"kind": "fischer", "seconds": 60, "extra": 0})
        ask = table.ask

        async def watched(question: str, **more: Any) -> Any:
            clocks.append((table.clocks.running, table.clocks.remaining[table.player]))
            return await ask(question, **more)

        table.ask = watched
        while not table.ply:
            await asyncio.sleep(0)
        assert (table.ply, table.result) == (1, None)
        await hall.close()

    apart(played())
    assert lost["choose"] == 7
    assert set(clocks) == {(None, 60.0)}


def test_who_spends_the_time_of_a_processor_twice_has_no_move(bench: Bench) -> None:
    def before(job: Job) -> None:
        raise SpentError("this took too long or was too large, and was stopped")

    async def ended() -> Any:
        hall = Hall(PATIENT, SqliteStore(":memory:"))
        bench.before = before
        table = await thinking(hall)
        while table.result is None:
            await asyncio.sleep(0)
        await hall.close()
        return table.result["reason"]

    assert apart(ended()) == "no move in time"
    assert len(bench.begun) == 2
