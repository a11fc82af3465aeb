"""What a leaf of a search is worth: random games played to the end, or the game's own evaluation."""

from __future__ import annotations

import math
import random
from typing import Any

from qchess.playing.agents.tree import Leaf, Shares
from qchess.playing.agents.worlds import World
from qchess.rules import Rules

#: the difference of evaluations at which odds are e : 1
SCALE = 3.0
#: if at most this part of some random games ends, playouts tell too little
ENDING = 0.5
PROBES = 16


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


def prefers_evaluation(rules: Rules[Any, Any], world: World, state: Any, seed: int, plies: int) -> bool:
    """Whether this game's leaves should be evaluated: it can, and random games are slow or seldom end."""
    if type(rules).evaluate is Rules.evaluate:
        return False
    return not world.fast or world.playouts(state, PROBES, seed, plies).unfinished > PROBES * ENDING
