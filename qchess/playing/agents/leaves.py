"""The value of a search leaf: by random games, or by the game's evaluation."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from qchess import backends
from qchess.core import OutcomeValue
from qchess.playing.agents.scores import Columns, Listed, Ranking, Scores, Shares, joined
from qchess.playing.agents.searchmodel import SearchModel, search_model
from qchess.playing.agents.tree import shares
from qchess.rules import Result, Rules

#: the difference of evaluations at which odds are e : 1
SCALE = 3.0
#: a player far ahead must still see what brings the end nearer: this part of a share uses a scale this much wider
FAR_PART, FAR_SCALE = 0.15, 5
#: if at most this part of random games ends, playouts say too little
ENDING = 0.5
PROBES = 32


class PlayoutLeaf:
    """Scores a state by random games; one that is cut off counts as a draw."""

    def __init__(self, model: SearchModel, rng: random.Random, games: int = 1, plies: int = 100) -> None:
        self.model, self.rng, self.games, self.plies = model, rng, games, plies
        #: how many games were played so far, and how many of them were cut off: too long, or too large for the core
        self.played = self.cut = 0

    def __call__(self, state: Any) -> Shares:
        """Return the result of random games from here."""
        players = self.model.players
        played = self.model.playouts(state, self.games, self.rng.getrandbits(32), self.plies)
        self.played, self.cut = self.played + self.games, self.cut + played.unfinished
        even = (played.draws + played.unfinished) / len(players)
        return [(played.wins[player] + even) / self.games for player in players]

    def after(self, state: Any, moves: Sequence[Any], until: float) -> Ranking:
        """Return the probability and the score of every way these moves can end."""
        return Listed(
            ([(p, *self._score(after)) for _, p, after in self.model.outcomes(state, move)] for move in moves), until
        )

    def _score(self, state: Any) -> tuple[Shares, bool]:
        ended = self.model.result(state)
        return (shares(self.model.players, ended), True) if ended else (self(state), False)


class HeuristicLeaf:
    """Scores a state by the game's evaluation, converted to shares of the win."""

    def __init__(self, model: SearchModel, scale: float = SCALE) -> None:
        self.model, self.players, self.scale = model, model.players, scale
        self.leads = Leads(scale)

    def __call__(self, state: Any) -> Shares:
        """Return the shares from the evaluation of a state."""
        return self._shares(self.model.evaluate(state))

    def after(self, state: Any, moves: Sequence[Any], until: float) -> Ranking:
        """Return the probability and score of every way these moves can end; a compiled core does all at once."""
        if columns := self.model.end_columns:
            return Columns(joined(columns(state, moves), until), self.leads, self._ended)
        return Listed(map(self._scores, self.model.ends(state, moves)), until)

    def _scores(self, ends: Sequence[OutcomeValue]) -> Scores:
        of, ended = self._shares, self._ended
        return [(p, ended(end), True) if end else (p, of(worth), False) for p, end, worth in ends]

    def _ended(self, result: Result) -> Shares:
        return shares(self.players, result)

    def _shares(self, worth: Mapping[str, float]) -> Shares:
        players, scale = self.players, self.scale
        if len(players) == 2:
            first, second = players
            return self.leads[worth[first] - worth[second]]
        near, far = logistic(worth, players, scale), logistic(worth, players, FAR_SCALE * scale)
        return [a + FAR_PART * (b - a) for a, b in zip(near, far, strict=True)]


def logistic(worth: Mapping[str, float], players: Sequence[str], scale: float) -> list[float]:
    """Convert evaluations to shares: a difference of `scale` gives odds of e : 1."""
    best = max(worth.values())
    weights = [math.exp((worth[player] - best) / scale) for player in players]
    total = sum(weights)
    return [weight / total for weight in weights]


class Leads(dict[float, Shares]):
    """The shares of two players by the first one's lead.

    Most moves of a list keep the material as it is, so that nearly all leads were seen before.
    """

    def __init__(self, scale: float) -> None:
        super().__init__()
        self.scale = scale

    def __missing__(self, lead: float) -> Shares:
        found = self[lead] = of_two(lead, self.scale)
        return found


def of_two(lead: float, scale: float) -> Shares:
    """Return the shares of two players by the first one's lead, to the last bit as `logistic` has them."""
    behind = -abs(lead)
    near, far = math.exp(behind / scale), math.exp(behind / (FAR_SCALE * scale))
    more, less = 1 / (1 + near), near / (1 + near)
    more += FAR_PART * (1 / (1 + far) - more)
    less += FAR_PART * (far / (1 + far) - less)
    return (more, less) if lead >= 0 else (less, more)


def prefers_evaluation(rules: Rules[Any, Any], found: SearchModel, state: Any, plies: int) -> bool:
    """Tell whether this game's leaves should be evaluated: it can, and random games are slow or seldom end.

    The default set-up is tested as well. Otherwise leaves could change their kind during a game, and the values of two
    moves could not be compared; chess stays chess with few pieces on the board.
    """
    if type(rules).evaluate is Rules.evaluate:
        return False
    return not found.fast or _usually_long(type(rules), plies) or _seldom_end(found, state, plies)


@cache
def _usually_long(game: type[Rules[Any, Any]], plies: int) -> bool:
    """Tell whether random games of the default set-up seldom end; False for a game without one."""
    try:
        usual = game()
    except TypeError:
        return False  # it cannot be made without options
    found, state = search_model(usual, usual.start(backends.engine()))
    return found.fast and _seldom_end(found, state, plies)


def _seldom_end(found: SearchModel, state: Any, plies: int) -> bool:
    return found.playouts(state, PROBES, 0, plies).unfinished > PROBES * ENDING
