"""The processes that work for the server: started ahead, asked at any time, killed when they take too long."""

import asyncio
import os
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

import qchess
from qchess.backends import ready
from qchess.circuits.child import Child
from qchess.web import workers
from qchess.web.settings import Settings
from qchess.web.workers import Held, Job, Priority, SpentError, Worker, WorkerPool, WorkError
from tests.patience import PATIENCE
from tests.web.player import apart

BOARD = Job("board", Held.of(qchess.new(), "sparse"), "seed")


@pytest.fixture
def worker():
    made = Worker()
    yield made
    made.kill()


def test_a_worker_that_is_asked_while_it_is_started_ahead_answers_the_question(worker):
    with ThreadPoolExecutor(2) as pool:
        ahead, asked = pool.submit(worker.start), pool.submit(worker.ask, BOARD, PATIENCE)
        ahead.result()
        assert asked.result().player == "white"


def test_a_device_is_kept_ready_unless_it_would_remember_what_it_tried():
    assert ready.backend("sparse-shots") is ready.backend("sparse-shots")
    assert ready.backend("sparse-shots,mitigation=100") is not ready.backend("sparse-shots,mitigation=100")


def test_a_worker_is_started_once_however_many_start_it(worker, monkeypatch):
    begun: Counter[str] = Counter()

    class Slow(Child):
        def __init__(self, *arguments, **options):
            begun["processes"] += 1
            time.sleep(0.05)
            super().__init__(*arguments, **options)

    monkeypatch.setattr(workers, "Child", Slow)
    threads = [threading.Thread(target=worker.start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert begun["processes"] == 1
    assert worker.ask(BOARD, PATIENCE).player == "white"


def test_a_worker_that_is_dead_is_not_started_again(worker):
    worker.kill()
    with pytest.raises(WorkError, match="was stopped"):
        worker.ask(BOARD, PATIENCE)


def test_looks_leave_one_worker_to_those_who_play(monkeypatch):
    """Of two workers one looks; the next look waits until both are free, and a move does not."""
    going_on = threading.Event()
    monkeypatch.setattr(Worker, "ask", lambda self, job, seconds: going_on.wait(PATIENCE) and job.question)

    async def asked() -> list[str]:
        pool, done = WorkerPool(Settings(workers=2)), []

        async def question(name, priority):
            done.append(await pool.ask(Job(name, BOARD.held, "seed"), 30, priority))

        asking = []
        for name, priority in (("look", Priority.LOOK), ("later look", Priority.LOOK), ("move", Priority.PLAY)):
            asking.append(asyncio.create_task(question(name, priority)))
            await asyncio.sleep(0)
        assert pool.waiting == 1
        going_on.set()
        await asyncio.gather(*asking)
        assert set(done[:2]) == {"look", "move"}
        return done

    assert apart(asked())[2] == "later look"


def test_a_computer_player_that_others_keep_from_a_processor_has_not_spent_its_time(worker, monkeypatch):
    """A process that is stopped uses no time: what it had is what counts, and not the clock."""
    monkeypatch.setattr("qchess.web.workers.CROWDED", 2.0)
    worker.start()
    os.kill(worker._child.pid, signal.SIGSTOP)
    with pytest.raises(WorkError) as told:
        worker.ask(Job("choose", BOARD.held, "seed", {"agent": "greedy", "seed": "s"}), 0.2)
    assert not isinstance(told.value, SpentError)
    assert worker.seconds < 0.2
