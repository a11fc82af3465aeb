"""Whose a store is, and of which version: an older one is upgraded, any other refused and left as it is."""

from __future__ import annotations

import json
import logging
import re
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from qchess.web.serving import Serving
from qchess.web.store import DamagedError, Row, SqliteStore, StoreError, opened
from qchess.web.store.sqlite import OURS
from tests.web import postgres
from tests.web.patient import PATIENT
from tests.web.player import Player, apart, asked
from tests.web.player import opened as table_of

OLD = Path(__file__).parents[1] / "old" / "data" / "web.sqlite"
MINE = f"PRAGMA application_id = {OURS}"
STUDY = {"title": "A study", "game": "quantum-chess", "nodes": [{}]}


def run(path: Path, *statements: str) -> None:
    """Does something to a file behind the back of whoever owns it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        for statement in statements:
            file.execute(statement)


def marks(path: Path) -> list[int]:
    """The application and the version that a file names."""
    with closing(sqlite3.connect(path)) as file:
        return [file.execute(f"PRAGMA {mark}").fetchone()[0] for mark in ("application_id", "user_version")]


def held(path: Path) -> list[list[Any]]:
    """All rows of both tables."""
    with closing(sqlite3.connect(path)) as file:
        return [file.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in ("games", "rows")]


def files(folder: Path) -> dict[str, bytes]:
    """All that stands in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_an_old_store_is_upgraded_once_and_keeps_its_rows(tmp_path: Path) -> None:
    path = Path(shutil.copy(OLD, tmp_path))
    before = held(path)
    assert marks(path) == [0, 0]
    with ThreadPoolExecutor(4) as together:  # servers that begin in the same moment
        for store in together.map(SqliteStore, [path] * 4):
            store.close()
    assert marks(path) == [OURS, 2]
    once = files(tmp_path)
    SqliteStore(path).close()
    assert files(tmp_path) == once
    with closing(sqlite3.connect(path)) as file:
        assert [
            file.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in ("games", "rows")
        ] == before


def test_a_store_that_was_left_in_the_middle_is_opened(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    store.open("g", {"made": 1})
    (tmp_path / "copy").mkdir()
    for name in ("games.sqlite", "games.sqlite-wal"):  # as a killed server leaves them
        shutil.copy(tmp_path / name, tmp_path / "copy" / name)
    store.close()
    found = SqliteStore(tmp_path / "copy" / "games.sqlite")
    assert found.games(2) == ["g"]
    found.close()


def _letter(path: Path) -> None:
    path.write_text("this is a letter, not a database " * 50)


def _short(path: Path) -> None:
    path.write_bytes(OLD.read_bytes()[:8192])


def _garbled(path: Path) -> None:
    whole = OLD.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * 4096 + whole[12288:])


def _made(*statements: str) -> Callable[[Path], None]:
    return lambda path: run(path, *statements)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (_letter, "cannot be opened as a store: it is not an SQLite database"),
        (_short, "cannot be opened as a store: database disk image is malformed"),
        (_garbled, "cannot be opened as a store: .*btreeInitPage"),
        (_made("CREATE TABLE bookmarks(url)"), r"is the database of another program \(tables: bookmarks\), not a"),
        (_made("PRAGMA journal_mode = WAL", "CREATE TABLE bookmarks(url)"), "another program"),
        (_made("CREATE TABLE games(id, players)", "CREATE TABLE rows(x)"), r"another program \(tables: games, rows\)"),
        (_made("PRAGMA user_version = 7"), r"another program \(its mark is 0, 7\)"),
        (_made(MINE, "PRAGMA user_version = 3", "CREATE TABLE more(x)"), "use a newer qchess"),
        (_made(MINE, "PRAGMA user_version = 2"), r"another program \(tables: none\)"),
    ],
)  # fmt: skip
def test_what_is_no_store_is_refused_in_one_sentence_and_left_as_it_is(
    tmp_path: Path, make: Callable[[Path], None], why: str
) -> None:
    path = tmp_path / "games.sqlite"
    make(path)
    before = files(tmp_path)
    with pytest.raises(StoreError, match=f"^{re.escape(str(path))} .*{why}") as refusal:
        Serving(store=str(path))
    assert "\n" not in str(refusal.value)
    assert files(tmp_path) == before


def test_a_database_that_another_program_has_open_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("CREATE TABLE bookmarks(url)")
        before = [(tmp_path / name).read_bytes() for name in ("games.sqlite", "games.sqlite-wal")]
        with pytest.raises(StoreError, match="another program"):
            SqliteStore(path)
        assert [(tmp_path / name).read_bytes() for name in ("games.sqlite", "games.sqlite-wal")] == before


@pytest.mark.slow
def test_damaged_rows_are_told_once_and_close_their_own_pages_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "games.sqlite"

    async def begun(url: str) -> list[str]:
        names = []
        for _ in range(6):
            table = table_of(url)
            names.append(table["game"])
            async with Player(url, table["game"], table["seats"]["white"]) as white:
                assert (await white.move("b1^a3c3"))["kind"] == "moved"
        return names

    with Serving(PATIENT, store=str(path)) as server:
        good, *bad = apart(begun(server.url))
        study = json.loads(asked(f"{server.url}/api/studies", {"study": STUDY})[1])
        for title in ("second", "third"):
            change = {"study": {**STUDY, "title": title}, "name": study["name"], "key": study["key"]}
            assert asked(f"{server.url}/api/studies", change)[0] in (200, 201)
    damages = [
        "'{\"kind\": '",
        "'[]'",
        "x'ff00'",
        "replace(entry, 'b1^a3c3', 'b1^a3a9')",
        'replace(entry, \'"move": "b1\', \'"mave": "b1\')',
    ]
    for name, damage in zip(bad, damages, strict=True):
        run(path, f"UPDATE rows SET entry = {damage} WHERE game = '{name}'")
    run(path, f"UPDATE games SET head = 'x' WHERE game = '{bad[1]}'")
    run(path, f"UPDATE rows SET entry = '' WHERE game = '{study['name']}' AND number = 1")
    with caplog.at_level(logging.ERROR), Serving(PATIENT, store=str(path)) as server:
        for _ in range(2):
            for name in bad:
                status, body = asked(f"{server.url}/api/tables/{name}/record.json")
                assert (status, "damaged" in json.loads(body)["error"]) == (503, True), body
            assert asked(f"{server.url}/api/tables")[0] == 200
            assert json.loads(asked(f"{server.url}/api/studies/{study['name']}")[1])["study"]["title"] == "second"

        async def met() -> tuple[int | None, int]:
            async with connect(server.url.replace("http", "ws", 1) + "/ws", proxy=None) as line:
                await line.send(json.dumps({"kind": "hello", "game": bad[0]}))
                await line.wait_closed()
            async with Player(server.url, good) as watcher:
                return line.close_code, len(watcher.history)

        assert apart(met()) == (1008, 1)
        change = {"study": {**STUDY, "title": "fourth"}, "name": study["name"], "key": study["key"]}
        assert asked(f"{server.url}/api/studies", change)[0] in (200, 201)
        assert json.loads(asked(f"{server.url}/api/studies/{study['name']}")[1])["study"]["title"] == "fourth"
    told = [record.getMessage() for record in caplog.records if "store" in record.getMessage()]
    assert sorted(re.findall(r"the (?:game|study) '(\w+)'", " ".join(told))) == sorted([*bad, study["name"]])


def test_a_database_of_postgres_is_looked_at_in_the_same_way() -> None:
    def refused(where: str, why: str, *statements: str) -> None:
        with postgres.asked(where) as line:
            for statement in statements:
                line.run(statement)
            tables = "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY 1"
            before = line.run(tables)
            with pytest.raises(StoreError, match=why):
                opened(where)
            assert line.run(tables) == before

    with postgres.database() as where:
        store = opened(where)
        store.open("g", {"made": 1})
        store.add("g", Row(0, None, {"kind": "name"}))
        store.close()
        with postgres.asked(where) as line:
            assert line.run("SELECT version FROM qchess_store") == [[2]]
            line.run("INSERT INTO rows(game, number, entry) VALUES ('g', 1, '{'), ('g', 2, '{\"kind\": \"end\"}')")
            line.run("INSERT INTO games(game, head) VALUES ('bad', '{')")
        store = opened(where)
        kept: Any = store.read("g")
        assert ([row.number for row in kept.rows], kept.damaged) == ([0, 2], (1,))
        with pytest.raises(DamagedError, match="its head is damaged"):
            store.read("bad")
        store.close()
        refused(where, "is a store of version 3", "UPDATE qchess_store SET version = 3")
    with postgres.database() as where:
        refused(where, r"another program \(tables: games\)", "CREATE TABLE games(id INTEGER)")
