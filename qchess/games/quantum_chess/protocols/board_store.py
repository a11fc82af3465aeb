"""Boards in a file, so that they survive a restart of the server: SQLite from the standard library.

Every change is in the file before the answer is sent. A foreign file is left unchanged, and so is one in use by another
server.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from qchess import reading
from qchess.errors import InvalidMoveError
from qchess.games.quantum_chess.protocols.boards import MOST_TURNS, MOST_UNDONE, Answered
from qchess.games.quantum_chess.unitary.moves import Move
from qchess.servers.wire import RequestError

#: marks our files among all others
APPLICATION = 0x71636873
_TABLES = (
    "CREATE TABLE boards (name TEXT PRIMARY KEY, start TEXT NOT NULL)",
    "CREATE TABLE turns (board TEXT NOT NULL, number INTEGER NOT NULL, move TEXT NOT NULL, answers TEXT NOT NULL,"
    " PRIMARY KEY (board, number))",
    "CREATE TABLE undone (board TEXT NOT NULL, line TEXT NOT NULL, answers TEXT NOT NULL, PRIMARY KEY (board, line))",
)


class Saved(NamedTuple):
    """A board as stored in the file."""

    name: str
    start: int
    turns: tuple[Answered, ...]
    undone: dict[str, tuple[int, ...]]


class Store:
    """The file, held open by one server."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(self.path, timeout=0.2, isolation_level=None, check_same_thread=False)
            self._open()
        except sqlite3.Error as error:
            raise InvalidMoveError(f"{str(self.path)!r} cannot be used as a store of boards: {error}") from error

    def _open(self) -> None:
        """Lock the file for this server, and make its tables if it is new."""
        self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._connection.execute("BEGIN EXCLUSIVE")
        [(mark,)] = self._connection.execute("PRAGMA application_id")
        [(tables,)] = self._connection.execute("SELECT count(*) FROM sqlite_master")
        if mark != APPLICATION:
            if tables:
                raise sqlite3.DatabaseError("it holds something else")
            for table in _TABLES:
                self._connection.execute(table)
            self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
        self._connection.execute("COMMIT")
        self._connection.execute("PRAGMA journal_mode = WAL")  # an end of this program loses nothing
        self._connection.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def boards(self) -> Iterator[Saved]:
        """Yield every board of the file; raises for one not written by our server."""
        for name, start in self._connection.execute("SELECT name, start FROM boards").fetchall():
            turns = self._connection.execute("SELECT move, answers FROM turns WHERE board = ? ORDER BY number", (name,))
            undone = self._connection.execute("SELECT line, answers FROM undone WHERE board = ?", (name,))
            yield Saved(
                name,
                reading.decimal(start, "a board's start", 2**64 - 1),
                tuple(Answered(Move.from_string(move), _answers(told)) for move, told in turns.fetchmany(MOST_TURNS)),
                {line: _answers(told) for line, told in undone.fetchmany(MOST_UNDONE)},
            )

    def start(self, name: str, start: int) -> None:
        """Record that a board starts anew."""
        with self._writing() as write:
            write.execute("DELETE FROM turns WHERE board = ?", (name,))
            write.execute("DELETE FROM undone WHERE board = ?", (name,))
            write.execute("INSERT OR REPLACE INTO boards VALUES (?, ?)", (name, str(start)))

    def add(self, name: str, number: int, turn: Answered) -> None:
        """Record a move with its answers."""
        row = name, number, turn.move.to_string(include_type=True), "".join(map(str, turn.answers))
        with self._writing() as write:
            write.execute("INSERT INTO turns VALUES (?, ?, ?, ?)", row)

    def undo(self, name: str, number: int, line: str, turn: Answered) -> None:
        """Record that a move was taken back, and its answers."""
        with self._writing() as write:
            write.execute("DELETE FROM turns WHERE board = ? AND number = ?", (name, number))
            if turn.answers:
                told = "".join(map(str, turn.answers))
                write.execute("INSERT OR REPLACE INTO undone VALUES (?, ?, ?)", (name, line, told))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Write everything or nothing; a full disk is an answer of 503, and the board is unchanged."""
        with self._lock:
            try:
                self._connection.execute("BEGIN")
                yield self._connection
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise RequestError(f"the board could not be stored, and nothing has changed: {error}", 503) from error


def _answers(text: str) -> tuple[int, ...]:
    return tuple(int(reading.one_of(letter, "an answer", ("0", "1"))) for letter in text)
