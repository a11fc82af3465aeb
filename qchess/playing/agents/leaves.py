"""What a leaf of a search is worth: random games played to the end, or the game's own evaluation."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from qchess import backends
from qchess.playing.agents.tree import Scores, Shares, shares
from qchess.playing.agents.worlds import World, world
from qchess.rules import Rules

#: the difference of evaluations at which odds are e : 1
SCALE = 3.0
#: who is far ahead must still see what brings the end nearer: so much of a share is told on a scale so much wider
FAR_PART, FAR_SCALE = 0.15, 5
#: if at most this part of some random games ends, playouts tell too little
ENDING = 0.5
PROBES = 32


class PlayoutLeaf:
    """Scores a state by random games; one that is cut counts as a draw."""

    def __init__(self, world: World, rng: random.Random, games: int = 1, plies: int = 100) -> None:
        self.world, self.rng, self.games, self.plies = world, rng, games, plies

    def __call__(self, state: Any) -> Shares:
        """What the random games from here came to."""
        players = self.world.players
        played = self.world.playouts(state, self.games, self.rng.getrandbits(32), self.plies)
        even = (played.draws + played.unfinished) / len(players)
        return [(played.wins[player] + even) / self.games for player in players]

    def after(self, state: Any, moves: Sequence[Any]) -> Iterator[Scores]:
        """For each move the chance and the score of every way it can end."""
        for move in moves:
            branches = self.world.branches(state, move)
            yield [(branch.probability, self._score(branch.state)) for branch in branches]

    def _score(self, state: Any) -> Shares:
        ended = self.world.result(state)
        return shares(self.world.players, ended) if ended else self(state)


class HeuristicLeaf:
    """Scores a state by the game's evaluation, made into shares of the win."""

    def __init__(self, world: World, scale: float = SCALE) -> None:
        self.world, self.scale = world, scale

    def __call__(self, state: Any) -> Shares:
        """The shares that the evaluation of a state comes to."""
        return self._shares(self.world.evaluate(state))

    def after(self, state: Any, moves: Sequence[Any]) -> Iterator[Scores]:
        """For each move the chance and the score of every way it can end; a compiled core weighs them all at once."""
        players = self.world.players
        for ends in self.world.ends(state, moves):
            yield [(p, shares(players, result) if result else self._shares(worth)) for p, result, worth in ends]

    def _shares(self, worth: Mapping[str, float]) -> Shares:
        players = self.world.players
        near, far = logistic(worth, players, self.scale), logistic(worth, players, FAR_SCALE * self.scale)
        return [a + FAR_PART * (b - a) for a, b in zip(near, far, strict=True)]


def logistic(worth: Mapping[str, float], players: Sequence[str], scale: float) -> list[float]:
    """Evaluations made into shares: two that differ by the scale get theirs as e : 1."""
    best = max(worth.values())
    weights = [math.exp((worth[player] - best) / scale) for player in players]
    total = sum(weights)
    return [weight / total for weight in weights]


def prefers_evaluation(rules: Rules[Any, Any], found: World, position: Any, plies: int) -> bool:
    """Whether this game's leaves should be evaluated: it can, and random games are slow or seldom end.

    The question is put to the usual game as well: a leaf that changed its kind in the middle of a game would make
    the values of two moves incomparable, and chess stays chess with few men on the board.
    """
    if type(rules).evaluate is Rules.evaluate:
        return False
    return not found.fast or _usually_long(type(rules), plies) or _seldom_end(found, found.state(position), plies)


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
