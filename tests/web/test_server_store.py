"""Every store keeps the same promises; PostgreSQL is asked where QCHESS_POSTGRES names one."""

from __future__ import annotations

import json
import socket
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from starlette.routing import BaseRoute

from qchess.web import serving
from qchess.web.hall import Hall
from qchess.web.serving import Serving
from qchess.web.store import Row, SqliteStore, Store, StoreError, TakenError, opened
from tests.web import postgres
from tests.web.patient import PATIENT
from tests.web.player import Player, apart
from tests.web.player import opened as table_of

HEAD = {"game": "quantum-chess", "options": {"fen": "é 'quoted\" \\ text"}, "seed": "ab"}
Reopen = Callable[[], Store]


@pytest.fixture(params=["sqlite", "sqlite full", "postgres"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reopen]:
    """Opens one store, as often as it is called."""
    made: list[Store] = []
    where = postgres.address() if request.param == "postgres" else str(tmp_path / "games.sqlite")

    def again() -> Store:
        made.append(opened(where, full=request.param == "sqlite full"))
        return made[-1]

    yield again
    for store in made:
        store.close()


def name() -> str:
    return uuid.uuid4().hex


def test_what_is_kept_is_read_as_it_was_also_by_another_process(reopen: Reopen) -> None:
    store, game = reopen(), name()
    rows = [Row(k, f"white:{k}", {"kind": "move", "move": "b1^a3c3", "answers": []}) for k in range(5)]
    store.open(game, HEAD)
    for row in rows:
        store.add(game, row)
    for seen in (store, reopen()):
        kept = seen.read(game)
        assert kept is not None
        assert kept.head == HEAD
        assert list(kept.rows) == rows
        assert game in seen.games(3)


def test_a_number_and_a_clients_name_are_taken_once(reopen: Reopen) -> None:
    store, game = reopen(), name()
    store.open(game, HEAD)
    store.add(game, Row(0, "white:a", {"kind": "move"}))
    with pytest.raises(TakenError):
        store.open(game, HEAD)
    with pytest.raises(TakenError):
        store.add(game, Row(0, "black:b", {"kind": "move"}))
    with pytest.raises(TakenError):
        store.add(game, Row(1, "white:a", {"kind": "move"}))
    store.add(game, Row(1, None, {"kind": "undo"}))
    store.add(game, Row(2, None, {"kind": "undo"}))  # rows of nobody have no name that could be taken
    kept = store.read(game)
    assert kept is not None
    assert [row.number for row in kept.rows] == [0, 1, 2]


def test_the_head_and_the_last_row_are_read_alone_as_they_were_written(reopen: Reopen) -> None:
    store, game = reopen(), name()
    assert store.latest(game) is None
    store.open(game, {"study": {"title": "one"}})
    assert store.latest(game) == ('{"study": {"title": "one"}}', -1, None)
    for number in range(11):
        store.add(game, Row(number, None, {"number": number}))
    assert store.latest(game) == ('{"study": {"title": "one"}}', 10, '{"number": 10}')


def test_a_game_that_nobody_opened_is_none(reopen: Reopen) -> None:
    assert reopen().read(name()) is None


def test_two_processes_at_one_table_keep_one_row_of_each_number(reopen: Reopen) -> None:
    first, second, game = reopen(), reopen(), name()
    first.open(game, HEAD)
    first.add(game, Row(0, "white:a", {"kind": "move"}))
    with pytest.raises(TakenError):
        second.add(game, Row(0, "white:b", {"kind": "move"}))
    second.add(game, Row(1, "white:b", {"kind": "move"}))
    kept = first.read(game)
    assert kept is not None
    assert [row.client for row in kept.rows] == ["white:a", "white:b"]


def test_a_file_that_is_no_store_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.write_text("this is a letter, not a database " * 50)
    with pytest.raises(StoreError, match=r"games\.sqlite cannot be opened"):
        SqliteStore(path)


def test_a_server_that_cannot_begin_leaves_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sockets: list[socket.socket] = []
    stores: list[Store] = []
    bound = serving._bound

    def noted_socket(bind: str, port: int) -> socket.socket:
        sockets.append(bound(bind, port))
        return sockets[-1]

    def noted_store(where: str, full: bool = False) -> Store:
        stores.append(opened(where, full))
        return stores[-1]

    monkeypatch.setattr(serving, "_bound", noted_socket)
    monkeypatch.setattr(serving, "opened", noted_store)
    (tmp_path / "letter").write_text("this is a letter, not a database " * 50)
    with pytest.raises(StoreError):
        Serving(store=str(tmp_path / "letter"))

    def impossible(hall: Hall) -> Sequence[BaseRoute]:
        raise ValueError("no routes")

    with pytest.raises(ValueError, match="no routes"):
        Serving(store=str(tmp_path / "games.sqlite"), more=impossible)
    assert [line.fileno() for line in sockets] == [-1, -1]
    with pytest.raises(StoreError, match="closed"):
        stores[0].games(1)


def test_a_killed_process_loses_no_row_that_was_added(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    writer = (
        "import sys\nfrom qchess.web.store import Row, SqliteStore\nstore = SqliteStore(sys.argv[1])\n"
        "store.open('g', {})\nk = 0\nwhile True:\n"
        "    store.add('g', Row(k, None, {}))\n    sys.stdout.write(f'{k}\\n')\n    sys.stdout.flush()\n    k += 1\n"
    )
    with subprocess.Popen([sys.executable, "-c", writer, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(200)][-1]
        process.kill()
        told = max([told, *(int(line) for line in process.stdout if line.endswith("\n"))])
    with sqlite3.connect(path) as file:
        numbers = [number for (number,) in file.execute("SELECT number FROM rows ORDER BY number")]
    file.close()
    assert numbers[: told + 1] == list(range(told + 1))


def test_a_move_that_cannot_be_kept_is_not_played_and_may_be_sent_again(tmp_path: Path) -> None:
    with Serving(PATIENT, store=str(tmp_path / "games.sqlite")) as server:
        table = table_of(server.url)
        store = server.hall.keeping.store
        add = store.add

        def full_disk(game: str, row: Row) -> None:
            raise StoreError("the disk is full")

        async def tried() -> tuple[str, int, str]:
            async with Player(server.url, table["game"], table["seats"]["white"]) as white:
                store.add = full_disk  # type: ignore[method-assign]
                refusal = await white.move("b1^a3c3")
                store.add = add  # type: ignore[method-assign]
                ply = white.state["ply"]
                return refusal["why"], ply, (await white.move("b1^a3c3"))["text"]

        assert apart(tried()) == ("the disk is full", 0, "b1^a3c3")


def test_a_server_plays_on_postgres_as_on_a_file() -> None:
    where = postgres.address()
    with Serving(PATIENT, store=where) as server:
        table = table_of(server.url)

        async def played() -> None:
            async with Player(server.url, table["game"], table["seats"]["white"]) as white:
                assert (await white.move("b1^a3c3"))["kind"] == "moved"

        apart(played())
    with Serving(PATIENT, store=where) as server:

        async def seen() -> list[str]:
            async with Player(server.url, table["game"]) as watcher:
                return [entry["text"] for entry in watcher.history]

        assert apart(seen()) == ["b1^a3c3"]


def test_rows_are_json_that_people_can_read(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    store.open("g", HEAD)
    store.close()
    with sqlite3.connect(tmp_path / "games.sqlite") as file:
        (head,) = file.execute("SELECT head FROM games").fetchone()
    file.close()
    assert json.loads(head) == HEAD
