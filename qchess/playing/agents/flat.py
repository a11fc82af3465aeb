"""Flat Monte Carlo: random games after each move, no tree. The plainest agent that uses exact odds."""

from __future__ import annotations

import math
import random
import time
from functools import partial
from typing import Any

from qchess.errors import InvalidMoveError
from qchess.playing.agents import explaining
from qchess.playing.agents.agent import Choice, Task
from qchess.playing.agents.explaining import Weighed
from qchess.playing.agents.thinking import forced, turns
from qchess.playing.agents.worlds import Branch, World, with_core, world


class Flat:
    """Plays random games after every move, and halves the field again and again (sequential halving).

    The games of a move are shared out over its outcomes; each outcome counts with its exact probability.
    """

    name = "flat"

    def __init__(self, simulations: int = 800, plies: int = 100, core: bool = True) -> None:
        if simulations < 1 or plies < 1:
            raise InvalidMoveError(f"expected at least one game and ply; got {simulations!r} and {plies!r}")
        self.simulations, self.plies, self.core = simulations, plies, core

    def choose(self, task: Task) -> Choice:
        """The move whose random games ended best."""
        began = time.monotonic()
        if choice := forced(task):
            return choice
        weighed = with_core(partial(self._search, task), self.core)
        return explaining.choice(task, weighed, "", time.monotonic() - began)

    def _search(self, task: Task, core: bool) -> list[Weighed]:
        found, state = world(task.rules, task.position, core)
        rng = random.Random(task.rng.getrandbits(64))
        field = [_Arm(move, branches) for move in task.moves() if (branches := found.branches(state, move))]
        rng.shuffle(field)
        player, everyone = found.player(state), list(field)
        total = task.budget.simulations or self.simulations
        games = turns(task.budget, self.simulations)
        for left in _rounds(len(field)):
            self._play(found, field, max(1, total // len(_rounds(len(everyone))) // left), games, rng)
            field = sorted(field, key=lambda arm: arm.value(player), reverse=True)[: math.ceil(left / 2)]
        return [Weighed(arm.move, arm.games, arm.value(player)) for arm in everyone if arm.games]

    def _play(self, found: World, field: list[_Arm], each: int, games: Any, rng: random.Random) -> None:
        """Gives every move of the field so many games, while the budget lasts."""
        for _ in range(each):
            for arm in field:
                if next(games, None) is None and arm.games:
                    return
                arm.play(found, rng, self.plies)


class _Arm:
    """A move, and what came of the random games after each of its outcomes."""

    def __init__(self, move: Any, branches: list[Branch]) -> None:
        self.move, self.branches, self.games = move, branches, 0
        self.counts = [0] * len(branches)
        self.points: list[dict[str, float]] = [{} for _ in branches]

    def play(self, found: World, rng: random.Random, plies: int) -> None:
        """One more random game, after the outcome that lags furthest behind its share."""
        self.games += 1
        lags = [branch.probability * self.games - n for branch, n in zip(self.branches, self.counts, strict=True)]
        k = lags.index(max(lags))
        played = found.playouts(self.branches[k].state, 1, rng.getrandbits(32), plies)
        self.counts[k] += 1
        even = (played.draws + played.unfinished) / len(found.players)
        for player in found.players:
            self.points[k][player] = self.points[k].get(player, 0.0) + played.wins[player] + even

    def value(self, player: str) -> float:
        """A player's mean over the outcomes seen, each with its exact probability."""
        seen = [k for k, count in enumerate(self.counts) if count]
        weight = sum(self.branches[k].probability for k in seen)
        total = sum(self.branches[k].probability * self.points[k][player] / self.counts[k] for k in seen)
        return total / weight if seen else -math.inf


def _rounds(moves: int) -> list[int]:
    """How many moves are left in each round: half of the field goes every time."""
    sizes = []
    while moves > 1:
        sizes.append(moves)
        moves = math.ceil(moves / 2)
    return sizes or [1]
