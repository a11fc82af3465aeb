"""Moves to show how moves are written: legal now, one of each shape that the game has."""

from __future__ import annotations

import re
from typing import Any

from qchess.playing.game import Game

_SQUARE = r"[a-z]\d+"
SHAPES = {
    "a split": re.compile(rf"{_SQUARE}\^(?:{_SQUARE}){{2}}"),
    "a merge": re.compile(rf"(?:{_SQUARE}){{2}}\^{_SQUARE}"),
}
#: so many moves are asked for their chances, to find one that asks a question
ASKED = 120


def examples(game: Game[Any, Any]) -> dict[str, str]:
    """What is legal now, by what it shows: ``a move``, ``a split``, ``a merge``, ``a question``."""
    moves = game.moves()
    if not moves:
        return {}
    found = {"a move": moves[0]}
    for name, shape in SHAPES.items():
        if fitting := next((move for move in moves if shape.fullmatch(move)), None):
            found[name] = fitting
    if asking := _asking(game):
        found["a question"] = asking
    return found


def _asking(game: Game[Any, Any]) -> str | None:
    """A move whose answer is open, if one is found soon."""
    rules, position = game.rules, game.position
    for move in list(rules.moves(position))[:ASKED]:
        if rules.compile(position, move).answers and len(rules.chances(position, move)) > 1:
            return str(rules.write(position, move))
    return None


def first(game: Game[Any, Any]) -> str:
    """Some move as text: a legal one while there is any."""
    return next(iter(game.moves()), None) or next((played.text for played in game.history), "b1-c3")
