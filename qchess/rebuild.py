"""Games rebuilt from text: start, set-up and moves, whose answers stand in the text itself.

Nothing is drawn here. A move whose outcome is open and not written out cannot be replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from qchess import backends
from qchess.backends.sources import certain
from qchess.circuits.engine import Ask, Draw
from qchess.errors import BackendError, InvalidMoveError
from qchess.game import Game
from qchess.rules import Rules


class Recorded:
    """Answers only what is certain: whoever tells a game must say how its open questions were answered."""

    def draw(self, ask: Ask) -> Draw:
        """The certain answer; an error for an open question."""
        only = certain(ask)
        if only is None:
            raise BackendError(f"the outcome is open (odds {dict(ask.odds)}) and not written with the move")
        return Draw(only, "certain")


def rebuild(
    rules: Rules[Any, Any],
    moves: Iterable[str],
    backend: backends.Backend | None = None,
    *,
    between: Callable[[], None] = lambda: None,
) -> Game:
    """The game that these moves tell; `between` is called before each, and may raise to give up."""
    game = Game(rules, backend, source=Recorded())
    for number, move in enumerate(moves, 1):
        between()
        try:
            game.play(move)
        except ValueError as error:
            raise InvalidMoveError(f"move {number}, {move!r}: {error}") from error
    return game
