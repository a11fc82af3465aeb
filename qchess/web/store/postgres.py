"""Games in PostgreSQL, for servers that share a store or do not trust one disk.

One connection, used by one thread at a time. After a failure it is opened again and checked for the row being written,
so that no row is stored twice or wrongly refused.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from qchess.errors import MissingExtraError
from qchess.web.store.protocol import COLUMNS, VERSION, Kept, Latest, Row, StoreError, TakenError, kept, require_known

T = TypeVar("T")
TABLES = (
    """CREATE TABLE IF NOT EXISTS games(
        number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, game TEXT NOT NULL UNIQUE, head TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS rows(
        game TEXT NOT NULL, number INTEGER NOT NULL, client TEXT, entry TEXT NOT NULL,
        PRIMARY KEY (game, number), UNIQUE (game, client))""",
    "CREATE TABLE IF NOT EXISTS qchess_store(version INTEGER NOT NULL)",
    "DELETE FROM qchess_store",
    f"INSERT INTO qchess_store(version) VALUES ({VERSION})",
)
#: the columns of a table of this name, if it exists
COLUMNS_OF = "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(:name) AND attnum > 0 AND NOT attisdropped"
#: a lock for checking and creating the tables: one of several servers at a time
LOCK = 0x71636865
#: PostgreSQL's codes for an existing row, and the server's time limit in seconds
TAKEN, PATIENCE = "23505", 10


class PostgresStore:
    """Games in the database of an address, ``postgresql://user:password@host:port/name?sslmode=require``."""

    quick = False

    def __init__(self, address: str) -> None:
        self._how = _parts(address)
        self._line: Any = None
        self._where = f"the database {self._how['database']!r}"
        try:
            self._run(self._upgrade, f"{self._where} cannot be opened as a store")
        except StoreError:
            self.close()
            raise

    def _upgrade(self, line: Any) -> None:
        """Create the tables or upgrade older ones, atomically; refuses any other version."""
        line.run("BEGIN")
        try:
            line.run(f"SELECT pg_advisory_xact_lock({LOCK})")
            tables = {name: {column for (column,) in line.run(COLUMNS_OF, name=name)} for name in COLUMNS}
            told = (
                line.run("SELECT max(version) FROM qchess_store") if line.run(COLUMNS_OF, name="qchess_store") else []
            )
            version = told[0][0] if told else None
            require_known(self._where, version, {name: columns for name, columns in tables.items() if columns})
            for statement in TABLES if version != VERSION else ():
                line.run(statement)
            line.run("COMMIT")
        except StoreError:
            line.run("ROLLBACK")
            raise

    def open(self, game: str, head: Mapping[str, Any]) -> None:
        """Begin a game."""
        text = json.dumps(head)
        self._run(
            lambda line: line.run("INSERT INTO games(game, head) VALUES (:game, :head)", game=game, head=text),
            f"the game {game!r} could not be saved",
            is_kept=lambda: self._head(game) == text,
        )

    def add(self, game: str, row: Row) -> None:
        """Store a row."""
        values = {"game": game, "number": row.number, "client": row.client, "entry": json.dumps(row.entry)}
        self._run(
            lambda line: line.run(
                "INSERT INTO rows(game, number, client, entry) VALUES (:game, :number, :client, :entry)", **values
            ),
            f"row {row.number} of the game {game!r} could not be saved",
            is_kept=lambda: (row.number, row.client, values["entry"]) in self._told(game),
        )

    def read(self, game: str) -> Kept | None:
        """Return all that is stored of a game, or None."""
        head = self._head(game)
        return None if head is None else kept(game, head, self._told(game))

    def latest(self, game: str, before: int | None = None) -> Latest | None:
        """Return only the head and the last row, or the last before a number; None if nothing is stored."""
        end = "" if before is None else f"AND number < {before:d}"
        question = f"SELECT number, entry FROM rows WHERE game = :game {end} ORDER BY number DESC LIMIT 1"
        head = self._head(game)
        last = self._run(lambda line: line.run(question, game=game), f"the game {game!r} could not be read")
        return None if head is None else Latest(head, *(last[0] if last else (-1, None)))

    def games(self, most: int) -> Sequence[str]:
        """Return the names of the games opened last, the latest first."""
        question = "SELECT game FROM games ORDER BY number DESC LIMIT :most"
        return [game for (game,) in self._run(lambda line: line.run(question, most=most), "the games were not listed")]

    def close(self) -> None:
        """Close the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _head(self, game: str) -> str | None:
        question = "SELECT head FROM games WHERE game = :game"
        found = self._run(lambda line: line.run(question, game=game), f"the game {game!r} could not be read")
        return str(found[0][0]) if found else None

    def _told(self, game: str) -> list[tuple[int, str | None, str]]:
        question = "SELECT number, client, entry FROM rows WHERE game = :game ORDER BY number"
        found = self._run(lambda line: line.run(question, game=game), f"the game {game!r} could not be read")
        return [(number, client, entry) for number, client, entry in found]

    def _run(self, ask: Callable[[Any], T], what: str, is_kept: Callable[[], bool] | None = None) -> T:
        """Query the database; over a new connection, if the old one is broken."""
        import pg8000.exceptions as wrong

        for last in (False, True):
            try:
                return ask(self._connected())
            except wrong.DatabaseError as error:
                told = error.args[0] if error.args and isinstance(error.args[0], dict) else {}
                if told.get("C") == TAKEN:
                    if last and is_kept is not None and is_kept():
                        return None  # type: ignore[return-value]  # kept before the connection broke
                    raise TakenError(f"{what}: it exists already") from error
                if last or told:
                    raise StoreError(f"{what}: {told.get('M', error)}") from error
                self._drop()
            except (wrong.InterfaceError, OSError) as error:
                if last:
                    raise StoreError(f"{what}: {error}") from error
                self._drop()
        raise StoreError(what)

    def _connected(self) -> Any:
        if self._line is None:
            import pg8000.native

            self._line = pg8000.native.Connection(**self._how)
        return self._line

    def _drop(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            _closed(line)


def _closed(line: Any) -> None:
    import contextlib

    import pg8000.exceptions as wrong

    with contextlib.suppress(wrong.InterfaceError, wrong.DatabaseError, OSError):
        line.close()


def _parts(address: str) -> dict[str, Any]:
    """Return the driver's arguments from an address."""
    try:
        import pg8000.native  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "a store in PostgreSQL needs pg8000; install it with: pip install 'qchess[postgres]'"
        ) from error
    parts = urlsplit(address)
    secure = parse_qs(parts.query).get("sslmode", ["disable"])[0] not in ("disable", "allow", "prefer")
    found: dict[str, Any] = {
        "user": unquote(parts.username or "postgres"),
        "password": unquote(parts.password) if parts.password else None,
        "database": parts.path.lstrip("/") or "qchess",
        "timeout": PATIENCE,
        "ssl_context": ssl.create_default_context() if secure else None,
    }
    folder = parse_qs(parts.query).get("host")
    if folder:
        return {**found, "unix_sock": f"{folder[0]}/.s.PGSQL.{parts.port or 5432}"}
    return {**found, "host": parts.hostname or "localhost", "port": parts.port or 5432}
