"""What the store holds of a table, checked when it is read: its head, and each row by its kind.

>>> from qchess.web.store import Row
>>> require_row(Row(3, None, {"kind": "undo", "plies": 0}), ("white", "black"))
Traceback (most recent call last):
    ...
qchess.errors.InvalidMoveError: row 3: expected 'plies' to be an integer from 1 to 100000, got 0
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from qchess import reading
from qchess.errors import InvalidMoveError
from qchess.playing.record import entry_of, waiting_of
from qchess.web.clocks import Control
from qchess.web.store.protocol import Kept, Row

#: reads the value of a field that has this name
Reader = Callable[[Any, str], object]
#: the longest text and the most of anything that a table counts
LONGEST = MOST = 100_000
#: the fields that a row may leave out
LEFT_OUT = ("asked", "clocks", "rematch")

text = partial(reading.text, longest=LONGEST)
count = partial(reading.integer, low=1, high=MOST)
number = partial(reading.number, low=-1e12, high=1e12)


def require_table(kept: Kept) -> None:
    """Raise an error that names the first field of a stored table that cannot be."""
    for name in ("game", "backend", "shown", "seed"):
        text(kept.head.get(name), repr(name))
    reading.mapping(kept.head.get("options"), "'options'")
    if "clock" not in kept.head:
        raise InvalidMoveError("expected the head of a table to have a 'clock'")
    Control.of(kept.head["clock"])
    seats = reading.mapping(kept.head.get("seats"), "'seats'")
    for player, seat in seats.items():
        values = reading.mapping(seat, f"the seat of {player}")
        for name in ("who", "key", "name"):
            text(values.get(name, "" if name == "name" else None), f"{name!r} of the seat of {player}")
    for row in kept.rows:
        require_row(row, tuple(seats))


def require_row(row: Row, players: Collection[str]) -> None:
    """Raise an error that names the first field of a row that cannot be; rows of unknown kinds have no effect."""
    kind = row.entry["kind"]
    with reading.place(f"row {row.number}"):
        for name, read in (_fields(players).get(kind, {}) | {"clocks": _or_none(_times)}).items():
            if name not in row.entry and name not in LEFT_OUT:
                raise InvalidMoveError(f"expected a row {kind!r} to have {name!r}")
            read(row.entry.get(name), repr(name))
        if kind == "move":
            entry_of(row.entry)
        elif kind == "waiting":
            waiting_of(row.entry)


def _fields(players: Collection[str]) -> dict[str, dict[str, Reader]]:
    """Return the readers of the fields that rows of each kind need."""
    player = partial(reading.one_of, choices=players)
    return {
        "waiting": {"by": player, "at": number, "asked": _or_none(_texts)},
        "undo": {"plies": count},
        "end": {"winner": _or_none(player), "reason": text},
        "offer": {"offers": _offers},
        "next": {"game": text, "rematch": _or_none(_names)},
        "name": {"player": player, "name": text},
        "nonce": {"player": player, "words": text},
    }


def _or_none(read: Reader) -> Reader:
    """Return a reader of a field that may be null, or left out."""
    return lambda value, what: None if value is None else read(value, what)


def _times(value: Any, what: str) -> None:
    for player, seconds in reading.mapping(value, what).items():
        number(seconds, f"the time of {player}")


def _offers(value: Any, what: str) -> None:
    readers = {"draw": _or_none(text), "takeback": _or_none(text), "next": _or_none(text), "rematch": _names}
    for name, given in reading.known(reading.mapping(value, what), what, readers).items():
        readers[name](given, repr(name))


def _names(value: Any, what: str) -> None:
    reading.texts(value, what, MOST, LONGEST)


def _texts(value: Any, what: str) -> None:
    for name, given in reading.mapping(value, what).items():
        text(given, f"{name!r} of {what}")
