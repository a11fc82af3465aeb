"""Carry a game elsewhere: its present state, played on there, with the result brought back.

The state has no history, so it is small; another process makes a game of it and goes on. The game itself changes only
when it follows, so that the result can be stored first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from qchess import backends
from qchess.circuits.engine import Source
from qchess.playing.game import Game
from qchess.playing.state import GameState
from qchess.rules import Rules

Steps = GameState[Any]


class Moment(NamedTuple):
    """A game as it is now; can be pickled."""

    game: str
    options: Mapping[str, Any]
    backend: str
    state: GameState[Any]


def moment(game: Game[Any, Any], ply: int = -1) -> Moment:
    """Return the present moment of a game, or the one after `ply` plies, when it waited for nothing."""
    return Moment(game.rules.name, game.rules.options(), game.backend.name, game.cut(ply))


def at_moment(
    held: Moment, rules: Rules[Any, Any], backend: backends.Backend, source: Source | None = None
) -> Game[Any, Any]:
    """Return a game that goes on from a moment, without the earlier history."""
    return Game(rules, backend, source=source, start=held.state.start).at(held.state)


def twin(game: Game[Any, Any], ply: int = -1) -> Game[Any, Any]:
    """Return a game that goes on from here, or from after `ply` plies; the original is not affected."""
    return game.at(game.cut(ply))


def steps(game: Game[Any, Any]) -> Steps:
    """Return what was played in a game made from a moment, or in a twin."""
    return game.state


def take_over(game: Game[Any, Any], made: Steps) -> None:
    """Apply to a game what was played elsewhere from its present moment."""
    game.follow(made)
