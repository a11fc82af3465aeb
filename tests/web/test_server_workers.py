"""The processes that work for the server: started ahead, asked at any time, killed when they take too long."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

import qchess
from qchess.playing.carrying import moment
from qchess.web.workers import Job, Worker, WorkError

BOARD = Job("board", moment(qchess.new()), "seed")


@pytest.fixture
def worker():
    made = Worker()
    yield made
    made.kill()


def test_a_worker_that_is_asked_while_it_is_started_ahead_answers_the_question(worker):
    with ThreadPoolExecutor(2) as pool:
        ahead, asked = pool.submit(worker.start), pool.submit(worker.ask, BOARD, 60)
        ahead.result()
        assert asked.result().player == "white"


def test_a_worker_is_started_once_however_many_start_it(worker, monkeypatch):
    begun: Counter[str] = Counter()
    start = Worker._start

    def slowly(self):
        begun["processes"] += 1
        time.sleep(0.05)
        start(self)

    monkeypatch.setattr(Worker, "_start", slowly)
    threads = [threading.Thread(target=worker.start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert begun["processes"] == 1
    assert worker.ask(BOARD, 60).player == "white"


def test_a_worker_that_is_dead_is_not_started_again(worker):
    worker.kill()
    with pytest.raises(WorkError, match="given up"):
        worker.ask(BOARD, 60)
