"""Messages over the socket: JSON objects of known kinds, checked by type and limit.

A client chooses a move, never its outcome: such fields are dropped and logged. See docs/web_protocol.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from qchess import reading
from qchess.errors import InvalidMoveError
from qchess.servers.wire import only
from qchess.web.seats import clean_name

LONGEST_ID, LONGEST_SECRET, LONGEST_TABLE, LONGEST_WORDS, MOST_PLIES = 40, 64, 40, 200, 100_000
ACTS = (
    "resign", "offer-draw", "accept-draw", "decline-draw",
    "ask-takeback", "accept-takeback", "decline-takeback", "rematch",
)  # fmt: skip
#: how many hundreds of answers to a past question may be asked for
MOST_ROUNDS = 1000
LEVELS = ("program", "naive", "exact", "aware")
FORMS = ("cirq", "qiskit", "qasm2", "qasm3", "text", "lines")
CIRCUITS = ("move", "register", "game")
SQUARE = re.compile(r"[a-z]\d{1,2}")
#: the kind of a message -> its fields, each with its reader
Reader = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Message:
    """A parsed message: its kind, and the given fields."""

    kind: str
    fields: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        """Return a field; None if it was not given."""
        return self.fields.get(key)


def _text(what: str, longest: int) -> Reader:
    return lambda value: reading.text(value, repr(what), longest)


def _one_of(what: str, choices: tuple[str, ...]) -> Reader:
    return lambda value: reading.one_of(value, repr(what), choices)


def _ply(value: Any) -> int:
    return reading.integer(value, "'ply'", 0, MOST_PLIES)


def _round(value: Any) -> int:
    return reading.integer(value, "'round'", 0, MOST_ROUNDS - 1)


def _square(value: Any) -> str:
    square = reading.text(value, "'square'", 3)
    if square and not SQUARE.fullmatch(square):
        raise InvalidMoveError(f"expected a square such as 'c3', got {reading.shown(value)}")
    return square


def _id(value: Any) -> str:
    name = reading.text(value, "'id'", LONGEST_ID)
    if not name or not name.isascii() or not name.isprintable():
        raise InvalidMoveError(f"expected 'id' to be a short name, got {reading.shown(value)}")
    return name


def kinds(move_characters: int) -> dict[str, tuple[dict[str, Reader], tuple[str, ...]]]:
    """Return the kinds of messages: the reader of each field, and the required fields."""
    text = _text("text", move_characters)
    seat, game, client = _text("seat", LONGEST_SECRET), _text("game", LONGEST_TABLE), _text("client", LONGEST_ID)
    circuit = {
        "of": _one_of("of", CIRCUITS),
        "level": _one_of("level", LEVELS),
        "form": _one_of("form", FORMS),
    }
    return {
        "hello": ({"game": game, "seat": seat, "client": client, "name": clean_name}, ("game",)),
        "move": ({"id": _id, "ply": _ply, "text": text}, ("id", "ply", "text")),
        "odds": ({"ply": _ply, "square": _square, "text": text}, ("ply",)),
        "preview": ({"ply": _ply, "text": text}, ("ply", "text")),
        "again": ({"ply": _ply, "round": _round}, ("ply",)),
        "danger": ({"ply": _ply}, ("ply",)),
        "look": ({"ply": _ply}, ("ply",)),
        "act": ({"id": _id, "what": _one_of("what", ACTS)}, ("id", "what")),
        "nonce": ({"id": _id, "words": _text("words", LONGEST_WORDS)}, ("id", "words")),
        "circuit": ({**circuit, "ply": _ply, "text": text, "square": _square}, ("of", "ply")),
        "register": ({"ply": _ply, "square": _square}, ("ply", "square")),
        "analyse": ({"ply": _ply}, ("ply",)),
    }


def parse(source: str | bytes, known: Mapping[str, tuple[dict[str, Reader], tuple[str, ...]]], longest: int) -> Message:
    """Parse a message from text."""
    data = reading.json_object(source, "a message", longest)
    kind = reading.one_of(data.get("kind"), "the kind of a message", tuple(known))
    readers, needed = known[kind]
    given = only({key: value for key, value in data.items() if key != "kind"}, tuple(readers), f"a message {kind!r}")
    if missing := [field for field in needed if field not in given]:
        raise InvalidMoveError(f"a message {kind!r} needs {', '.join(missing)}")
    return Message(kind, {key: readers[key](value) for key, value in given.items() if value is not None})
