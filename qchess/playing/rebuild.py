"""Games rebuilt from text: start, set-up and moves, whose answers stand in the text itself.

Nothing is drawn unless a source is handed in: a move whose outcome is open must have it written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from qchess import backends
from qchess.circuits.engine import Source
from qchess.errors import InvalidMoveError
from qchess.playing.game import Game
from qchess.rules import Rules


def rebuild(
    rules: Rules[Any, Any],
    moves: Iterable[str],
    backend: backends.Backend | None = None,
    *,
    source: Source | None = None,
    between: Callable[[], None] = lambda: None,
) -> Game:
    """The game that these moves tell; `between` is called before each, and may raise to give up.

    Answers that are not written with the moves come from the source, or are an error without one.
    """
    game = Game(rules, backend, source=source or backends.Recorded())
    for number, move in enumerate(moves, 1):
        between()
        try:
            game.play(move)
        except ValueError as error:
            raise InvalidMoveError(f"move {number}, {move!r}: {error}") from error
    return game
