"""Boards in a file: what was answered is there after any end of the server, and no other file is touched."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import main
from qchess.errors import QchessError
from qchess.games.quantum_chess.protocols.board_store import Store
from qchess.games.quantum_chess.protocols.state_server import StateServer
from qchess.servers.wire import RequestError
from tests.servers.asking import Client
from tests.servers.test_state_server import CAPTURE, bells, random_moves

ROOT = Path(__file__).parents[2]


@contextmanager
def serving(path: Path, seed: int = 1) -> Iterator[StateServer]:
    with closing(Store(path)) as store:
        yield StateServer(seed=seed, store=store)


def told(server: StateServer) -> dict[str, dict[str, Any]]:
    return {name: board.data() for name, board in server.boards.items()}


def test_boards_moves_and_undone_answers_are_there_in_the_next_server(tmp_path: Path):
    path = tmp_path / "boards.db"
    with serving(path) as server:
        bells(server, "one")
        first = server.do_move({**CAPTURE, "board": "one"})
        server.undo_last_move({"board": "one"})
        server.init({"init_basis_state": 0b101101})
        for request in random_moves(random.Random(2), 30):
            server.do_move(request)
        before = told(server)
    for seed in range(4):  # another seed, and still the same answer
        with serving(path, seed) as server:
            assert told(server) == before
            assert server.do_move({**CAPTURE, "board": "one"}) == first
            server.undo_last_move({"board": "one"})
            assert server.undo_last_move({})["result"]
            before = told(server)


def test_a_board_that_starts_anew_forgets_its_moves_in_the_file_too(tmp_path: Path):
    path = tmp_path / "boards.db"
    with serving(path) as server:
        bells(server)
        server.init({"init_basis_state": 7})
    with serving(path) as server:
        assert server.boards[""].data()["full"] == 7
        assert not server.undo_last_move({})["result"]


@pytest.mark.parametrize("content", [b"a diary", b"SQLite format 3\x00 and then nothing", b"\x00" * 5000])
def test_a_file_that_holds_something_else_is_left_as_it_is(tmp_path: Path, content: bytes):
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(QchessError, match="cannot be used as a store"):
        Store(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE accounts (name TEXT)")
        other.execute("INSERT INTO accounts VALUES ('Ada')")
        other.commit()
    content = path.read_bytes()
    assert main(["serve", "state", "--store", str(path)]) == 2
    assert "something else" in capsys.readouterr().err
    assert path.read_bytes() == content


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path):
    path = tmp_path / "boards.db"
    with serving(path) as server:
        bells(server)
        before = told(server)
        with pytest.raises(QchessError, match="locked"):
            Store(path)
        assert server.do_move(CAPTURE)
    with serving(path) as server:
        assert server.undo_last_move({})["result"]
        assert told(server) == before


def test_what_cannot_be_stored_is_not_played(tmp_path: Path):
    with serving(tmp_path / "boards.db") as server:
        split = bells(server)
        assert server.store
        [(pages,)] = server.store._connection.execute("PRAGMA page_count")
        server.store._connection.execute(f"PRAGMA max_page_count = {pages}")  # as if the disk were full
        for _ in range(2000):
            try:
                answer = server.do_move(CAPTURE)
            except RequestError as error:
                caught = error
                break
            split = {key: value for key, value in answer.items() if key != "result"}
        assert caught.status == 503
        assert "full" in str(caught)
        assert server.boards[""].data() == {key: split[key] for key in server.boards[""].data()}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9")
def test_after_kill_9_the_next_server_goes_on_with_what_was_answered(tmp_path: Path):
    path, rng = tmp_path / "boards.db", random.Random(4)
    command = [sys.executable, "-m", "qchess", "serve", "state", "--port", "0", "--store", str(path)]
    before: dict[str, Any] = {}
    for _ in range(3):
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
            assert process.stdout
            try:
                with Client(process.stdout.readline().split()[2].rstrip(";")) as client:
                    if not before:
                        client.post("/quantumboard/init", {"init_basis_state": 0b101101})
                    else:
                        jump = {"square1": 50, "square2": 51, "square3": 0, "type": 2, "variant": 1}
                        assert client.post("/quantumboard/do_move", jump)[0] == 200
                        status, after = client.post("/quantumboard/undo_last_move")
                        assert (status, after["probabilities"]) == (200, before["probabilities"])
                    for request in random_moves(rng, 8):
                        status, before = client.post("/quantumboard/do_move", request)
                        assert status == 200
            finally:
                process.send_signal(signal.SIGKILL)
