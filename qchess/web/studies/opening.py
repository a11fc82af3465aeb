"""Open submitted games: our records, and the games' notations for whole games."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from qchess import games, reading
from qchess.errors import InvalidMoveError, QchessError
from qchess.playing.game import Game
from qchess.playing.record import Record

#: the longest text to open
LONGEST = 4 * 1024 * 1024


def records(text: str, longest: int = LONGEST) -> list[Record]:
    """Return every game in a text: one of our records, or any number in PGN or PDN."""
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
    """Return the games of a notation: some notations hold several, some one."""
    return told if isinstance(told, list) else [told.record()]


def record(text: str, number: int = 1, longest: int = LONGEST) -> Record:
    """Return one game of a text, by default the first."""
    found = records(text, longest)
    return found[reading.integer(number, "the number of the game", 1, len(found)) - 1]
