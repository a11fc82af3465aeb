"""What a store promises, whatever keeps the rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from qchess.errors import QchessError

#: the version of the tables: 1 told none; 2 tells it, so that a later one is not written on by an older program
VERSION = 2
#: the columns of our tables, since version 1
COLUMNS = {"games": {"number", "game", "head"}, "rows": {"game", "number", "client", "entry"}}


class StoreError(QchessError):
    """Something could not be saved or read; the message says what."""


class TakenError(StoreError):
    """A row of this number or of this client's name is there already; nothing was kept."""


class DamagedError(StoreError):
    """What is kept of a game cannot be read, and never will be."""


class Row(NamedTuple):
    """One thing that happened in a game: a move, a takeback, an end."""

    number: int
    #: the name that whoever sent it gave it; a resend has the same
    client: str | None
    entry: dict[str, Any]


class Kept(NamedTuple):
    """All that is kept of a game."""

    head: dict[str, Any]
    rows: tuple[Row, ...]
    #: the numbers of rows that cannot be read
    damaged: tuple[int, ...] = ()


class Latest(NamedTuple):
    """The head and the last row of what is kept under a name, as they were written."""

    head: str
    #: the number and the entry of the last row; -1 and none if there is no row
    number: int
    entry: str | None


class Store(Protocol):
    """Keeps games. What `open` and `add` have returned from survives the end of the process, however it ends."""

    #: whether keeping a row takes so little that nobody notices: such a store is asked at once, others on a thread
    quick: bool

    def open(self, game: str, head: Mapping[str, Any]) -> None:
        """Begins a game; `TakenError` if there is one of this name."""

    def add(self, game: str, row: Row) -> None:
        """Keeps a row; `TakenError` if its number or its client's name is taken."""

    def read(self, game: str) -> Kept | None:
        """All that is kept of a game, or None; `DamagedError` if not even its head can be read."""

    def latest(self, game: str, before: int | None = None) -> Latest | None:
        """The head and the last row alone, or the last before a number; None if nothing is kept."""

    def games(self, most: int) -> Sequence[str]:
        """The names of the games that were opened last, the latest first."""

    def close(self) -> None:
        """Lets the store go."""


def kept(game: str, head: str | bytes, found: Iterable[tuple[int, str | None, str | bytes]]) -> Kept:
    """What is kept of a game, from the text of its head and of its rows."""
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
    """The JSON object of a head or a row; None if it is damaged."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def require_known(where: str, version: int | None, tables: Mapping[str, set[str]]) -> None:
    """Requires that what is there is a store of ours that this program knows, by its version and its columns.

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
