"""Carry a game elsewhere: its present moment as a value, played on there, with the result brought back.

A moment has no history, so it is small; another process makes a game of it and goes on. The game itself changes only
when it takes over the steps, so that they can be stored first.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, NamedTuple

from qchess import backends
from qchess.circuits.engine import Draw, Source
from qchess.playing.game import Game
from qchess.playing.played import Played
from qchess.playing.registers import Numbered
from qchess.playing.score import Pending
from qchess.playing.standing import Standing
from qchess.rules import Rules


class Moment(NamedTuple):
    """A game as it is now; can be pickled."""

    game: str
    options: Mapping[str, Any]
    backend: str
    position: Any
    line: str
    given: Mapping[str, Draw]
    pending: Pending | None
    asked: Mapping[str, str]
    numbered: Numbered = Numbered()


class Steps(NamedTuple):
    """What was played since a moment, and what the game waits for now; can be pickled."""

    played: tuple[Played, ...]
    positions: tuple[Any, ...]
    lines: tuple[str, ...]
    points: Mapping[str, tuple[str, ...]]
    given: Mapping[str, Draw]
    pending: Pending | None
    asked: Mapping[str, str]


def moment(game: Game[Any, Any], ply: int = -1) -> Moment:
    """Return the present moment of a game, or the one after `ply` plies, when it waited for nothing."""
    name, options = game.rules.name, game.rules.options()
    given, pending = dict(game._standing.given), game.pending if ply == -1 else None
    at, line = game._positions[ply], game._lines[ply]
    return Moment(name, options, game.backend.name, at, line, given, pending, dict(game.asked), game.numbered(ply))


def at_moment(
    held: Moment, rules: Rules[Any, Any], backend: backends.Backend, source: Source | None = None
) -> Game[Any, Any]:
    """Return a game that goes on from a moment, without the earlier history."""
    made: Game[Any, Any] = Game(rules, backend, source=source, start=held.position)
    made._lines, made._numbered = [held.line], [(held.position, held.numbered)]
    made._standing, made.pending, made.asked = Standing(held.given), held.pending, dict(held.asked)
    return made


def twin(game: Game[Any, Any], ply: int = -1) -> Game[Any, Any]:
    """Return a game that goes on from here, or from after `ply` plies; the original is not affected."""
    made = copy.copy(game)
    at = game.positions[ply]
    made._positions, made._lines, made._numbered = [at], [game._lines[ply]], [(at, game.numbered(ply))]
    if ply != -1:
        made.pending = made._ended = None
    made._played, made._undone, made._points = [], [], {}
    made._standing, made.asked = Standing(game._standing.given), dict(game.asked)
    made.on_change, made.sources = [], []
    return made


def steps(game: Game[Any, Any]) -> Steps:
    """Return what was played in a game made from a moment, or in a twin."""
    return Steps(
        tuple(game._played),
        tuple(game._positions[1:]),
        tuple(game._lines[1:]),
        dict(game._points),
        dict(game._standing.given),
        game.pending,
        dict(game.asked),
    )


def take_over(game: Game[Any, Any], made: Steps) -> None:
    """Apply to a game what was played elsewhere from its present moment."""
    made_turns = zip(made.positions, made.lines, made.played, strict=True)
    for turn, (position, line, played) in enumerate(made_turns, len(game.history) + 1):
        game._push(position, line, played)
        game.note_dice(turn, played.answers)
    game._points.update(made.points)
    game._standing.given.update(made.given)
    game.pending, game.asked = made.pending, dict(made.asked)
    if made.played:
        game._undone.clear()
    game._changed()
