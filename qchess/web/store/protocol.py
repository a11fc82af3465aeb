"""The interface of stores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from qchess.errors import QchessError
from qchess.reading import json_object

#: the version of the tables: 1 has none; 2 stores it, so that an older program does not write to a newer store
VERSION = 2
#: the columns of our tables, since version 1
COLUMNS = {"games": {"number", "game", "head"}, "rows": {"game", "number", "client", "entry"}}


class StoreError(QchessError):
    """Something could not be saved or read; the message says what."""


class TakenError(StoreError):
    """A row of this number or client name exists already; nothing was stored."""


class DamagedError(StoreError):
    """A stored game can never be read."""


class Row(NamedTuple):
    """One event of a game: a move, a takeback, an end."""

    number: int
    #: the sender's name for it; a resend has the same
    client: str | None
    entry: dict[str, Any]


class Kept(NamedTuple):
    """All that is stored of a game."""

    head: dict[str, Any]
    rows: tuple[Row, ...]
    #: the numbers of rows that cannot be read
    damaged: tuple[int, ...] = ()


class Latest(NamedTuple):
    """The head and the last row stored under a name, as they were written."""

    head: str
    #: the number and the content of the last row; -1 and none if there is no row
    number: int
    entry: str | None


class Store(Protocol):
    """Stores games. Data from `open` and `add` survives any end of the process once they return."""

    #: True: storing a row is so quick that it is done at once; other stores use a thread
    quick: bool

    def open(self, game: str, head: Mapping[str, Any]) -> None:
        """Begin a game; `TakenError` if there is one of this name."""

    def add(self, game: str, row: Row) -> None:
        """Store a row; `TakenError` if its number or client name exists."""

    def read(self, game: str) -> Kept | None:
        """Return all that is stored of a game, or None; `DamagedError` if not even its head can be read."""

    def latest(self, game: str, before: int | None = None) -> Latest | None:
        """Return only the head and the last row, or the last before a number; None if nothing is stored."""

    def games(self, most: int) -> Sequence[str]:
        """Return the names of the games opened last, the latest first."""

    def close(self) -> None:
        """Close the store."""


def kept(game: str, head: str | bytes, found: Iterable[tuple[int, str | None, str | bytes]]) -> Kept:
    """Return a stored game from the text of its head and rows."""
    values = values_of(head)
    if values is None:
        raise DamagedError(f"the game {game!r} cannot be read: its head is damaged in the store")
    rows, damaged = [], []
    for number, client, entry in found:
        told = values_of(entry)
        if told is None or not isinstance(told.get("kind"), str):
            damaged.append(number)
        else:
            rows.append(Row(number, client, told))
    return Kept(values, tuple(rows), tuple(damaged))


def values_of(text: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object of a head or a row; None if it is damaged."""
    try:
        return json_object(text, "a row of the store")
    except QchessError:
        return None


def require_known(where: str, version: int | None, tables: Mapping[str, set[str]]) -> None:
    """Check that this is a store of a known version, by its version and its columns.

    Without a version it is of the first one; without any table it is new.
    """
    if version is not None and version > VERSION:
        raise StoreError(
            f"{where} is a store of version {version}, and this qchess reads versions up to "
            f"{VERSION}; use a newer qchess"
        )
    if not tables and version is None:
        return
    if {name: tables.get(name) for name in COLUMNS} != COLUMNS:
        named = ", ".join(sorted(tables)[:5]) or "none"
        raise StoreError(f"{where} is the database of another program (tables: {named}), not a store of qchess")
