"""Opening games that people bring: records of ours, and the notations that games have for whole games."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from qchess import games, reading
from qchess.errors import InvalidMoveError, QchessError
from qchess.playing.game import Game
from qchess.playing.record import Record

#: characters of what is opened
LONGEST = 4 * 1024 * 1024


def records(text: str, longest: int = LONGEST) -> list[Record]:
    """Every game in a text: one of our records, or any number in PGN or PDN."""
    text = reading.text(text, "a game to open", longest)
    if text.lstrip().startswith("{"):
        return [Record.from_json(text)]
    if not text.strip():
        raise InvalidMoveError("expected a record, or a game in a known notation; got nothing")
    objections = []
    for row in games.rows():
        for form, module in row.notations:
            try:
                found = _all(import_module(module).loads(text))
            except QchessError as error:
                objections.append(f"as {form.upper()} of {row.name}: {error}")
                continue
            if found:
                return found
    raise InvalidMoveError(
        f"expected a record, or a game in a known notation; {'; '.join(objections) or 'got nothing'}"
    )


def _all(told: list[Record] | Game[Any, Any]) -> list[Record]:
    """The games that a notation told: some notations hold several, some one."""
    return told if isinstance(told, list) else [told.record()]


def record(text: str, number: int = 1, longest: int = LONGEST) -> Record:
    """One game of a text, the first if no other is named."""
    found = records(text, longest)
    return found[reading.integer(number, "the number of the game", 1, len(found)) - 1]
