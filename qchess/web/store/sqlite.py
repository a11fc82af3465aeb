"""Games in an SQLite file, in WAL mode: 0.02 ms per row, and a killed process loses nothing.

With ``synchronous = NORMAL`` the system has the row when `add` returns; a power cut may take the last ones. With
`full` the disk has it, for some milliseconds more.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from qchess import private
from qchess.web.store.protocol import VERSION, Kept, Latest, Row, StoreError, TakenError, kept, require_known

TABLES = (
    "CREATE TABLE IF NOT EXISTS games(number INTEGER PRIMARY KEY, game TEXT NOT NULL UNIQUE, head TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS rows(
        game TEXT NOT NULL, number INTEGER NOT NULL, client TEXT, entry TEXT NOT NULL,
        PRIMARY KEY (game, number), UNIQUE (game, client)
    ) WITHOUT ROWID""",
)
#: the mark of our files, "qche", and the first bytes of every SQLite file
OURS, MAGIC = 0x71636865, b"SQLite format 3\0"
#: how long to wait for another process with the file, in milliseconds
PATIENCE = 5000
#: more rows than any game has
ENDLESS = 2**62
#: files up to this many bytes are checked when opened, which takes some tenths of a second
CHECKED = 64 * 2**20


class SqliteStore:
    """Games in one file. A foreign file, or a newer store, is refused and unchanged."""

    def __init__(self, path: str | Path, *, full: bool = False) -> None:
        self.quick = not full
        self.path = path
        end = time.monotonic() + PATIENCE / 1000
        with _errors(f"{path} cannot be opened as a store"):
            while True:
                try:
                    self._file = _opened(path, full)
                    break
                except sqlite3.OperationalError as error:  # a new file that several processes begin at once
                    if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                        raise
                time.sleep(0.01)

    def open(self, game: str, head: Mapping[str, Any]) -> None:
        """Begin a game."""
        with _errors(f"the game {game!r} could not be saved"):
            self._file.execute("INSERT INTO games(game, head) VALUES (?, ?)", (game, json.dumps(head)))

    def add(self, game: str, row: Row) -> None:
        """Store a row."""
        values = (game, row.number, row.client, json.dumps(row.entry))
        with _errors(f"row {row.number} of the game {game!r} could not be saved"):
            self._file.execute("INSERT INTO rows(game, number, client, entry) VALUES (?, ?, ?, ?)", values)

    def read(self, game: str) -> Kept | None:
        """Return all that is stored of a game, or None."""
        with _errors(f"the game {game!r} could not be read"):
            head = self._file.execute("SELECT CAST(head AS BLOB) FROM games WHERE game = ?", (game,)).fetchone()
            found = self._file.execute(
                "SELECT number, client, CAST(entry AS BLOB) FROM rows WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
        return None if head is None else kept(game, head[0], found)

    def latest(self, game: str, before: int | None = None) -> Latest | None:
        """Return only the head and the last row, or the last before a number; None if nothing is stored."""
        ask = "SELECT number, CAST(entry AS BLOB) FROM rows WHERE game = ? AND number < ? ORDER BY number DESC LIMIT 1"
        with _errors(f"the game {game!r} could not be read"):
            head = self._file.execute("SELECT CAST(head AS BLOB) FROM games WHERE game = ?", (game,)).fetchone()
            last = self._file.execute(ask, (game, ENDLESS if before is None else before)).fetchone()
        if head is None:
            return None
        return Latest(_text(head[0]), last[0], _text(last[1])) if last else Latest(_text(head[0]), -1, None)

    def games(self, most: int) -> Sequence[str]:
        """Return the names of the games opened last, the latest first."""
        with _errors("the games could not be listed"):
            found = self._file.execute("SELECT game FROM games ORDER BY number DESC LIMIT ?", (most,)).fetchall()
        return [game for (game,) in found]

    def close(self) -> None:
        """Close the file; the log is written into it."""
        self._file.close()


@contextmanager
def _errors(what: str) -> Iterator[None]:
    try:
        yield
    except StoreError:
        raise
    except sqlite3.IntegrityError as error:
        raise TakenError(f"{what}: it exists already") from error
    except (sqlite3.Error, ValueError, OSError) as error:
        raise StoreError(f"{what}: {error}") from error


def _text(kept: bytes) -> str:
    """Return the text of a column; empty if it is not text, which is never valid JSON."""
    try:
        return kept.decode()
    except UnicodeDecodeError:
        return ""


def _opened(path: str | Path, full: bool) -> sqlite3.Connection:
    """Return a connection to a store of this version; a new or older one is upgraded atomically."""
    _require_ours(path)
    if str(path) != ":memory:":
        private.make_file(Path(path))  # it holds the seed of every answer to come
    with ExitStack() as closing_:  # if what follows cannot be done
        file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        closing_.callback(file.close)
        file.execute(f"PRAGMA busy_timeout = {PATIENCE}")
        file.execute("PRAGMA journal_mode = WAL")
        file.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
        if _version(path, file) != VERSION:
            with file:
                file.execute("BEGIN IMMEDIATE")
                _require_known(path, file)  # another process may have been faster
                for table in TABLES:
                    file.execute(table)
                file.execute(f"PRAGMA application_id = {OURS}")
                file.execute(f"PRAGMA user_version = {VERSION}")
        closing_.pop_all()
        return file


def _require_ours(path: str | Path) -> None:
    """Check that a file is a store of ours, or does not exist; only reads."""
    place = Path(path)
    if str(path) == ":memory:" or not place.is_file() or not place.stat().st_size:
        return
    with place.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise StoreError(f"{path} cannot be opened as a store: it is not an SQLite database")
    # what nobody has open, or left in the middle of something, is looked at without a trace
    log = place.with_name(f"{place.name}-wal")
    before = _state(place)
    still = not log.exists()
    try:
        _look(place, "?mode=ro&immutable=1" if still else "?mode=ro")
    except (StoreError, sqlite3.Error):
        if not still or (_state(place) == before and not log.exists()):
            raise
        _look(place, "?mode=ro")  # somebody has opened it meanwhile, perhaps to upgrade it


def _state(place: Path) -> tuple[int, int]:
    found = place.stat()
    return found.st_size, found.st_mtime_ns


def _look(place: Path, how: str) -> None:
    """Check that a file is a store of ours, or an empty database."""
    with closing(sqlite3.connect(place.absolute().as_uri() + how, uri=True, isolation_level=None)) as file:
        file.execute(f"PRAGMA busy_timeout = {PATIENCE}")
        file.execute("BEGIN")  # all that follows is told of one moment
        _require_known(place, file)
        small = place.stat().st_size <= CHECKED
        if small and (told := file.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(" ".join(told.split()))


def _require_known(path: str | Path, file: sqlite3.Connection) -> None:
    names = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")]
    tables = {
        name: {row[0] for row in file.execute("SELECT name FROM pragma_table_info(?)", (name,))} for name in names
    }
    require_known(str(path), _version(path, file), tables)


def _version(path: str | Path, file: sqlite3.Connection) -> int | None:
    """Return the version of a store; None if nothing marks the file as ours."""
    ask = "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version"
    name, version = file.execute(ask).fetchone()  # at once, since another process may be writing them
    if name != OURS and (name or version):
        raise StoreError(
            f"{path} is the database of another program (its mark is {name}, {version}), not a store of qchess"
        )
    return int(version) if name == OURS else None
