"""Flat Monte Carlo: random games after each move, without a tree. The simplest agent with exact odds."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from typing import Any

from qchess.core import PackedOutcome
from qchess.errors import InvalidMoveError
from qchess.playing.agents import explaining
from qchess.playing.agents.agent import Budget, Choice, Task, forced, simulations
from qchess.playing.agents.explaining import Weighed
from qchess.playing.agents.searchmodel import SearchModel, search_model, with_core


class Flat:
    """Plays random games after every move, and halves the number of moves each round (sequential halving).

    The games of a move are divided among its outcomes; each outcome counts with its exact probability.
    """

    name = "flat"

    def __init__(self, simulations: int = 800, plies: int = 100, core: bool = True) -> None:
        if simulations < 1 or plies < 1:
            raise InvalidMoveError(f"expected at least one game and ply; got {simulations!r} and {plies!r}")
        self.simulations, self.plies, self.core = simulations, plies, core

    def choose(self, task: Task) -> Choice:
        """Return the move with the best random games."""
        began = time.monotonic()
        if choice := forced(task):
            return choice
        weighed = with_core(partial(self._search, task), self.core)
        return explaining.choice(task, weighed, "", time.monotonic() - began)

    def _search(self, task: Task, core: bool) -> list[Weighed]:
        """Return the moves that were tried: each round keeps the better half, until two are left."""
        found, state = search_model(task.rules, task.position, core)
        rng = random.Random(task.rng.getrandbits(64))
        arms = [_Arm(move, partial(found.outcomes, state, move)) for move in task.moves()]
        rng.shuffle(arms)
        field, player = arms, found.player(state)
        rounds = max(1, math.ceil(math.log2(len(arms))))
        for _ in range(rounds):
            games = simulations(_part(task.budget, self.simulations, rounds), self.simulations)
            for arm, _ in zip(cycle(field), games, strict=False):
                arm.play(found, rng, self.plies)
            field = sorted(field, key=lambda arm: arm.value(player), reverse=True)[: math.ceil(len(field) / 2)]
        return [Weighed(arm.move, arm.games, arm.value(player)) for arm in arms if arm.games]


def _part(budget: Budget, simulations: int, rounds: int) -> Budget:
    """Return one round's part of a budget."""
    total = budget.simulations if budget.simulations or budget.seconds else simulations
    seconds = budget.seconds and budget.seconds / rounds
    return Budget(total and math.ceil(total / rounds), seconds)


class _Arm:
    """A move, and the results of random games after each of its outcomes."""

    def __init__(self, move: Any, outcomes: Callable[[], Sequence[PackedOutcome]]) -> None:
        self.move, self.games = move, 0
        self.look = outcomes
        self.outcomes: Sequence[PackedOutcome] = ()
        self.counts: list[int] = []
        self.points: list[dict[str, float]] = []

    def play(self, found: SearchModel, rng: random.Random, plies: int) -> None:
        """Play one more random game, after the outcome with the fewest visits for its probability."""
        if not self.games:
            self.outcomes = self.look()
            self.counts = [0] * len(self.outcomes)
            self.points = [{} for _ in self.outcomes]
        if not self.outcomes:
            return  # the game would refuse it
        self.games += 1
        lags = [outcome.probability * self.games - n for outcome, n in zip(self.outcomes, self.counts, strict=True)]
        k = lags.index(max(lags))
        played = found.playouts(self.outcomes[k].state, 1, rng.getrandbits(32), plies)
        self.counts[k] += 1
        even = (played.draws + played.unfinished) / len(found.players)
        for player in found.players:
            self.points[k][player] = self.points[k].get(player, 0.0) + played.wins[player] + even

    def value(self, player: str) -> float:
        """Return a player's mean over the outcomes seen, each with its exact probability."""
        seen = [k for k, count in enumerate(self.counts) if count]
        weight = sum(self.outcomes[k].probability for k in seen)
        total = sum(self.outcomes[k].probability * self.points[k][player] / self.counts[k] for k in seen)
        return total / weight if seen else -math.inf
