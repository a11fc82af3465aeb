"""Warns a player whose king could be captured next turn."""

from __future__ import annotations

from typing import Any

from qchess.circuits.precision import SAME
from qchess.rules import Rules, Threat
from qchess.wording import percent


def threats(rules: Rules[Any, Any], position: Any) -> tuple[Threat, ...]:
    """Return how a king of the player to move could be captured next turn, likeliest first; nothing once it is over.

    It tries moves of the other side, so it takes about as long as a list of moves: ask where a person sees the board.
    """
    if rules.result(position) is not None:
        return ()
    return tuple(sorted(rules.threats(position), key=lambda threat: -round(threat.probability, 9)))


def warning(rules: Rules[Any, Any], position: Any) -> str:
    """Return the same in a sentence; nothing where no king is in danger.

    >>> import qchess
    >>> game = qchess.new("quantum-chess", fen="4k3/8/8/8/8/8/8/r3K3 w - - 0 1")
    >>> warning(game.rules, game.position)
    'Your king on e1 can be captured next turn: a1-e1.'
    """
    found = threats(rules, position)
    if not found:
        return ""
    first = found[0]
    odds = "" if first.probability > 1 - SAME else f", {percent(first.probability)}"
    more = f" ({len(found) - 1} more)" if len(found) > 1 else ""
    if rules.has_check:
        return f"Your king on {first.square} is in check from {first.move}{odds}{more}."
    return f"Your king on {first.square} can be captured next turn: {first.move}{odds}{more}."
