"""The record of a game: start, moves, answers with their odds and sources. A game *is* its record."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from qchess.circuits.engine import Answer, Draw, Ticket
from qchess.errors import InvalidMoveError
from qchess.rules import Result
from qchess.version import __version__

FORMATS = ("qchess-record-1", "qchess-record-2")
#: how deep, how long and how large what is read may be
DEEPEST, LONGEST, LARGEST = 40, 100_000, 2**63


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn: the move as text with its answers, and what is known of each answer."""

    player: str
    move: str
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A turn that waits for an answer: the move, what it was answered so far, the question, and the ticket."""

    move: str
    answers: tuple[Answer, ...]
    question: str
    ticket: Ticket | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game, replayable on any engine."""

    game: str
    options: Mapping[str, Any]
    entries: tuple[Entry, ...] = ()
    result: Result | None = None
    backend: str = "sparse"
    tags: Mapping[str, str] = field(default_factory=dict)
    #: what the answers were drawn from; a game that is played on goes on with it
    seed: int | str | None = None
    #: who sits where, with their settings
    players: Mapping[str, Any] = field(default_factory=dict)
    pending: Waiting | None = None
    #: answers that stand although their moves were taken back, by their point
    standing: Mapping[str, Draw] = field(default_factory=dict)

    def moves(self) -> tuple[str, ...]:
        """The moves as text, answers included."""
        return tuple(entry.move for entry in self.entries)

    def to_json(self) -> str:
        """The record as JSON text."""
        return json.dumps(self._values(), indent=1)

    def _values(self) -> dict[str, Any]:
        waits = self.pending
        return {
            "format": FORMATS[-1],
            "game": self.game,
            "options": plain(self.options),
            "seed": self.seed,
            "backend": self.backend,
            "versions": _versions(),
            "players": plain(self.players),
            "entries": [
                {"player": e.player, "move": e.move, "answers": [_answer_values(a) for a in e.answers]}
                for e in self.entries
            ],
            "pending": waits
            and {
                "move": waits.move,
                "answers": [_answer_values(a) for a in waits.answers],
                "question": waits.question,
                "ticket": plain(waits.ticket),
            },
            "standing": {
                point: [draw.value, draw.source, plain(draw.details)] for point, draw in self.standing.items()
            },
            "result": self.result and {"winner": self.result.winner, "reason": self.result.reason},
            "tags": plain(self.tags),
        }

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Reads `to_json` back, and records of the first format."""
        data = _Fields(_parsed(text), "a record")
        if data.values.get("format") not in FORMATS:
            found = data.values.get("format")
            raise InvalidMoveError(f"expected a record of format {' or '.join(map(repr, FORMATS))}, got {found!r}")
        return cls(
            game=data.text("game"),
            options=data.mapping("options"),
            entries=tuple(_entry(entry) for entry in data.list("entries")),
            result=_result(data.values.get("result")),
            backend=data.text("backend"),
            tags={str(name): str(value) for name, value in data.mapping("tags", {}).items()},
            seed=data.seed("seed"),
            players=data.mapping("players", {}),
            pending=_waiting(data.values.get("pending")),
            standing={point: _draw(told) for point, told in data.mapping("standing", {}).items()},
        )


def plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON can hold it; what is none of its kinds becomes its text."""
    if depth > DEEPEST:
        return repr(value)
    if isinstance(value, Mapping):
        return {str(key): plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner, depth + 1) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (str, int, float, bool)) else repr(value)


def _versions() -> dict[str, str]:
    return {"qchess": __version__}


def _answer_values(answer: Answer) -> dict[str, Any]:
    values = {"name": answer.name, "value": answer.value, "probability": answer.probability, "source": answer.source}
    return {**values, "details": plain(answer.details)}


# -- reading: everything that comes from outside passes here ----------------------------------------------


def _parsed(text: str) -> Any:
    """The JSON value of a text, however it is nested."""
    try:
        return json.loads(text, parse_int=_integer)
    except (json.JSONDecodeError, RecursionError, UnicodeError) as error:
        raise InvalidMoveError(f"expected a game record in JSON, got text that is none: {error}") from error


def _integer(digits: str) -> int:
    if len(digits) > 40:
        raise InvalidMoveError(f"expected numbers of at most 40 digits in a record, got one of {len(digits)}")
    return int(digits)


class _Fields:
    """The fields of one JSON object, each read as what it has to be."""

    def __init__(self, values: Any, what: str) -> None:
        if not isinstance(values, dict):
            raise InvalidMoveError(f"expected {what} to be a JSON object, got {_shown(values)}")
        self.values, self.what = values, what

    def _get(self, name: str, kinds: type | tuple[type, ...], expected: str, default: Any = None) -> Any:
        if name not in self.values and default is not None:
            return default
        if name not in self.values:
            raise InvalidMoveError(f"{self.what} lacks its field {name!r}")
        value = self.values[name]
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise InvalidMoveError(f"expected {expected} in the field {name!r} of {self.what}, got {_shown(value)}")
        return value

    def text(self, name: str) -> str:
        """A text."""
        return str(self._get(name, str, "a text"))

    def number(self, name: str) -> float:
        """A number."""
        return float(self._get(name, (int, float), "a number"))

    def integer(self, name: str) -> int:
        """A whole number that is no giant."""
        value: int = self._get(name, int, "a whole number")
        return value

    def list(self, name: str) -> list[Any]:
        """A list that is not endless."""
        value: list[Any] = self._get(name, list, "a list", [] if name == "answers" else None)
        if len(value) > LONGEST:
            raise InvalidMoveError(f"expected at most {LONGEST} values in {name!r}, got {len(value)}")
        return value

    def mapping(self, name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
        """A JSON object."""
        value: dict[str, Any] = self._get(name, dict, "an object", default)
        return value

    def seed(self, name: str) -> int | str | None:
        """A seed: a whole number, a text or nothing."""
        value = self.values.get(name)
        if value is None or (isinstance(value, (int, str)) and not isinstance(value, bool)):
            return value
        raise InvalidMoveError(f"expected a seed (a whole number or a text) in {self.what}, got {_shown(value)}")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _entry(values: Any) -> Entry:
    data = _Fields(values, "a turn of the record")
    return Entry(data.text("player"), data.text("move"), tuple(_answer(told) for told in data.list("answers")))


def _answer(values: Any) -> Answer:
    data = _Fields(values, "an answer of the record")
    return Answer(
        data.text("name"),
        data.integer("value"),
        data.number("probability"),
        data.text("source"),
        data.mapping("details", {}),
    )


def _draw(values: Any) -> Draw:
    if isinstance(values, list) and len(values) == 3:
        value, source, details = values
        if type(value) is int and isinstance(source, str) and isinstance(details, dict):
            return Draw(value, source, details)
    raise InvalidMoveError(f"expected an answer that stands as [value, source, details], got {_shown(values)}")


def _result(values: Any) -> Result | None:
    if values is None:
        return None
    data = _Fields(values, "the result of the record")
    winner = values.get("winner")
    if winner is not None and not isinstance(winner, str):
        raise InvalidMoveError(f"expected the winner's name or null, got {_shown(winner)}")
    return Result(winner, data.text("reason"))


def _waiting(values: Any) -> Waiting | None:
    if values is None:
        return None
    data = _Fields(values, "the waiting turn of the record")
    ticket = values.get("ticket")
    if ticket is not None and not isinstance(ticket, dict):
        raise InvalidMoveError(f"expected a ticket as an object or null, got {_shown(ticket)}")
    answers = tuple(_answer(told) for told in data.list("answers"))
    return Waiting(data.text("move"), answers, data.text("question"), ticket)
