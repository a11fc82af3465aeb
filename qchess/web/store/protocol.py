"""What a store promises, whatever keeps the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from qchess.errors import QchessError


class StoreError(QchessError):
    """Something could not be kept or read; the message says what."""


class TakenError(StoreError):
    """A row of this number or of this client's name is there already; nothing was kept."""


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
        """All that is kept of a game, or None."""

    def latest(self, game: str) -> Latest | None:
        """The head and the last row alone, or None."""

    def games(self, most: int) -> Sequence[str]:
        """The names of the games that were opened last, the latest first."""

    def close(self) -> None:
        """Lets the store go."""
