"""Games in a file of SQLite, in WAL mode: 0.02 ms a row, and a killed process loses nothing.

With ``synchronous = NORMAL`` the system has the row when `add` returns; a power cut may take the last ones. With
`full` the disk has it, for some milliseconds more.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from qchess.web.store.protocol import Kept, Latest, Row, StoreError, TakenError

TABLES = """
CREATE TABLE IF NOT EXISTS games(number INTEGER PRIMARY KEY, game TEXT NOT NULL UNIQUE, head TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS rows(
    game TEXT NOT NULL, number INTEGER NOT NULL, client TEXT, entry TEXT NOT NULL,
    PRIMARY KEY (game, number), UNIQUE (game, client)
) WITHOUT ROWID;
"""
#: how long another process may hold the file, in milliseconds
PATIENCE = 5000


class SqliteStore:
    """Games in one file."""

    def __init__(self, path: str | Path, *, full: bool = False) -> None:
        self.quick = not full
        self.path = path
        with _errors(f"{path} cannot be opened as a store"):
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._file.execute(f"PRAGMA busy_timeout = {PATIENCE}")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            self._file.executescript(TABLES)

    def open(self, game: str, head: Mapping[str, Any]) -> None:
        """Begins a game."""
        with _errors(f"the game {game!r} could not be kept"):
            self._file.execute("INSERT INTO games(game, head) VALUES (?, ?)", (game, json.dumps(head)))

    def add(self, game: str, row: Row) -> None:
        """Keeps a row."""
        values = (game, row.number, row.client, json.dumps(row.entry))
        with _errors(f"row {row.number} of the game {game!r} could not be kept"):
            self._file.execute("INSERT INTO rows(game, number, client, entry) VALUES (?, ?, ?, ?)", values)

    def read(self, game: str) -> Kept | None:
        """All that is kept of a game, or None."""
        with _errors(f"the game {game!r} could not be read"):
            head = self._file.execute("SELECT head FROM games WHERE game = ?", (game,)).fetchone()
            found = self._file.execute(
                "SELECT number, client, entry FROM rows WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
        if head is None:
            return None
        return Kept(
            json.loads(head[0]), tuple(Row(number, client, json.loads(entry)) for number, client, entry in found)
        )

    def latest(self, game: str) -> Latest | None:
        """The head and the last row alone, or None."""
        question = "SELECT number, entry FROM rows WHERE game = ? ORDER BY number DESC LIMIT 1"
        with _errors(f"the game {game!r} could not be read"):
            head = self._file.execute("SELECT head FROM games WHERE game = ?", (game,)).fetchone()
            last = self._file.execute(question, (game,)).fetchone()
        return None if head is None else Latest(head[0], *(last or (-1, None)))

    def games(self, most: int) -> Sequence[str]:
        """The names of the games that were opened last, the latest first."""
        with _errors("the games could not be listed"):
            found = self._file.execute("SELECT game FROM games ORDER BY number DESC LIMIT ?", (most,)).fetchall()
        return [game for (game,) in found]

    def close(self) -> None:
        """Lets the file go; what is in the log is written into it."""
        self._file.close()


@contextmanager
def _errors(what: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise TakenError(f"{what}: it is there already") from error
    except (sqlite3.Error, ValueError) as error:
        raise StoreError(f"{what}: {error}") from error
