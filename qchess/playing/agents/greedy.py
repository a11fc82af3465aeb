"""The greedy player: looks one turn ahead, exactly."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from qchess.circuits.precision import SAME
from qchess.core import OutcomeValue
from qchess.playing.agents.agent import WIN, Candidate, Choice, Task
from qchess.playing.agents.searchmodel import search_model, with_core
from qchess.rules import Result, Rules

#: the least number of moves considered in a state of any size
FEWEST = 8
#: how many candidates are reported
TOLD = 8


class GreedyAgent:
    """Plays the move with the best average evaluation one turn ahead.

    The average is exact: over every way the move's questions can be answered, weighted by probability. Of a list longer
    than `width` only a sample is considered, and no more moves than the budget allows. In a large state there are
    fewer: `work` is about the total number of branches to process, a second's worth. The game's compiled core is used
    if it can hold the position: the same choice, sooner. With `core` False the rules are used.
    """

    name = "greedy"

    def __init__(self, width: int = 150, work: int = 2**20, core: bool = True) -> None:
        self.width, self.work, self.core = width, work, core

    def choose(self, task: Task) -> Choice:
        """Return the best move on average; ties are broken at random."""
        began, deadline = time.monotonic(), task.budget.deadline()
        moves, width = task.moves(), self._width(task)
        if len(moves) > width:
            moves = task.rng.sample(moves, width)
        elif deadline is not None:
            task.rng.shuffle(moves)  # what comes last may not be weighed
        weighed = with_core(partial(_weighed, task, moves, deadline), self.core)
        best = max(worth for worth, _ in weighed)
        equal = best - SAME * max(1.0, abs(best)) if math.isfinite(best) else best
        chosen = task.rng.choice([move for worth, move in weighed if worth >= equal])
        return Choice(chosen, _told(task, weighed), time.monotonic() - began, f"the best of {len(weighed)} moves")

    def _width(self, task: Task) -> int:
        branches: int = 1 + sum(register.branches for register in task.position.registers.each)
        return min(self.width, max(FEWEST, self.work // branches), task.budget.simulations or self.width)


def _told(task: Task, weighed: list[tuple[float, Any]]) -> tuple[Candidate, ...]:
    best = sorted(weighed, key=lambda pair: -pair[0])[:TOLD]
    return tuple(Candidate(move, task.rules.write(task.position, move), worth) for worth, move in best)


def _weighed(task: Task, moves: list[Any], deadline: float | None, core: bool) -> list[tuple[float, Any]]:
    """Return the moves with their values, as many as there is time for, at least one."""
    found, state = search_model(task.rules, task.position, core)
    weighed, ends, player = [], found.ends(state, moves), found.player(state)
    for move in moves:
        before = time.monotonic()
        weighed.append((_average(next(ends), player), move))
        if deadline is not None and 2 * time.monotonic() - before > deadline:
            break  # another one as slow as this would be too late
    return weighed


def _average(ways: Sequence[OutcomeValue], player: str) -> float:
    """Return a player's exact average value; -inf if the game refuses the move."""
    if not ways:
        return -math.inf
    return sum(way.probability * _standing(way.result, way.worth, player) for way in ways)


def value(rules: Rules[Any, Any], position: Any, move: Any) -> float:
    """Return the value of a move for the player to move: the exact average over its answers."""
    ways = rules.outcomes(position, move)
    return sum(way.probability * standing(rules, way.position, position.player) for way in ways)


def standing(rules: Rules[Any, Any], position: Any, player: str) -> float:
    """Return a player's evaluation minus that of the best other player."""
    result = rules.result(position)
    return _standing(result, {} if result else rules.evaluate(position), player)


def _standing(result: Result | None, worth: Mapping[str, float], player: str) -> float:
    if result:
        return 0.0 if result.winner is None else WIN if result.winner == player else -WIN
    return worth[player] - max((worth[other] for other in worth if other != player), default=0.0)
