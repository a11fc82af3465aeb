"""The record of a game: start, moves, answers with their odds and sources. A game *is* its record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from qchess.circuits.engine import Answer
from qchess.errors import InvalidMoveError
from qchess.rules import Result

FORMAT = "qchess-record-1"


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn: the move as text with its answers, and what is known of each answer."""

    player: str
    move: str
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game, replayable on any engine."""

    game: str
    options: Mapping[str, Any]
    entries: tuple[Entry, ...] = ()
    result: Result | None = None
    backend: str = "sparse"
    tags: Mapping[str, str] = field(default_factory=dict)

    def moves(self) -> tuple[str, ...]:
        """The moves as text, answers included."""
        return tuple(entry.move for entry in self.entries)

    def to_json(self) -> str:
        """The record as JSON text."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1, default=list)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Reads `to_json` back."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise InvalidMoveError(f"expected a game record in JSON, got text that is none: {error}") from error
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            found = data.get("format") if isinstance(data, dict) else type(data).__name__
            raise InvalidMoveError(f"expected a record of format {FORMAT!r}, got {found!r}")
        try:
            return cls(
                game=data["game"],
                options=data["options"],
                entries=tuple(_entry(entry) for entry in data["entries"]),
                result=Result(**data["result"]) if data["result"] else None,
                backend=data["backend"],
                tags=data["tags"],
            )
        except (KeyError, TypeError) as error:
            raise InvalidMoveError(f"the record lacks or misuses a field: {error}") from error


def _entry(data: Mapping[str, Any]) -> Entry:
    return Entry(data["player"], data["move"], tuple(Answer(**answer) for answer in data["answers"]))
