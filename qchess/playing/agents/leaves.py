"""What a leaf of a search is worth: random games played to the end, or the game's own evaluation."""

from __future__ import annotations

import math
import random
from functools import cache
from typing import Any

from qchess import backends
from qchess.playing.agents.tree import Leaf, Shares
from qchess.playing.agents.worlds import World, world
from qchess.rules import Rules

#: the difference of evaluations at which odds are e : 1
SCALE = 3.0
#: if at most this part of some random games ends, playouts tell too little
ENDING = 0.5
PROBES = 32


def playout_leaf(world: World, rng: random.Random, games: int = 1, plies: int = 100) -> Leaf:
    """Scores a state by random games; one that is cut counts as a draw."""
    players = world.players

    def leaf(state: Any) -> Shares:
        played = world.playouts(state, games, rng.getrandbits(32), plies)
        even = (played.draws + played.unfinished) / len(players)
        return [(played.wins[player] + even) / games for player in players]

    return leaf


def heuristic_leaf(world: World, scale: float = SCALE) -> Leaf:
    """Scores a state by the game's evaluation, made into shares of the win."""
    players = world.players

    def leaf(state: Any) -> Shares:
        worth = world.evaluate(state)
        best = max(worth.values())
        weights = [math.exp((worth[player] - best) / scale) for player in players]
        total = sum(weights)
        return [weight / total for weight in weights]

    return leaf


def prefers_evaluation(rules: Rules[Any, Any], found: World, position: Any, plies: int) -> bool:
    """Whether this game's leaves should be evaluated: it can, and random games are slow or seldom end.

    The question is put to the usual game as well: a leaf that changed its kind in the middle of a game would make
    the values of two moves incomparable, and chess stays chess with few men on the board.
    """
    if type(rules).evaluate is Rules.evaluate:
        return False
    return not found.fast or _seldom_end(found, found.state(position), plies) or _usually_long(type(rules), plies)


@cache
def _usually_long(game: type[Rules[Any, Any]], plies: int) -> bool:
    """Whether random games of the usual set-up seldom end; False for a game that has none."""
    try:
        usual = game()
    except TypeError:
        return False  # it cannot be made without options
    found, state = world(usual, usual.start(backends.engine()))
    return found.fast and _seldom_end(found, state, plies)


def _seldom_end(found: World, state: Any, plies: int) -> bool:
    return found.playouts(state, PROBES, 0, plies).unfinished > PROBES * ENDING
