"""Players that are programs: one function each, position in, move out.

An agent uses the exact chances of a move, never a sample, and draws from the generator it is handed,
never from the game's: the same generator gives the same move.

>>> get('random').name
'random'
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from qchess.circuits.chances import explore
from qchess.circuits.errors import unknown_name
from qchess.errors import IllegalMoveError, QchessError, StateTooLargeError
from qchess.playing.agents.agent import Agent, Choice, Task
from qchess.playing.agents.agent import Budget as Budget
from qchess.playing.agents.agent import Candidate as Candidate
from qchess.rules import Rules

#: what a won game counts, beside which every evaluation is small
WIN = 1e6
#: values closer than this part of them are equal
ROUNDING = 1e-9


class UnknownAgentError(QchessError):
    """No agent has this name."""


class PlayerError(QchessError):
    """What loses the game for a player that is a program: it gave no legal move, or none in time."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class RandomAgent:
    """Plays any legal move, each with the same chance."""

    name = "random"

    def choose(self, task: Task) -> Choice:
        """Any legal move."""
        return Choice(task.rng.choice(_moves(task)))


class GreedyAgent:
    """Plays the move after which it stands best on average, one turn ahead.

    The average is exact: every way the move's questions can be answered, weighted by its probability.
    Of a list longer than `width` only a sample is weighed.
    """

    name = "greedy"

    def __init__(self, width: int = 150) -> None:
        self.width = width

    def choose(self, task: Task) -> Choice:
        """The best move on average; equal ones have equal chances."""
        rules, position, rng = task.rules, task.position, task.rng
        moves = _moves(task)
        if len(moves) > self.width:
            moves = rng.sample(moves, self.width)
        values = [self._playable_value(rules, position, move) for move in moves]
        best = max(values)
        equal = best - ROUNDING * max(1.0, abs(best)) if math.isfinite(best) else best
        return Choice(rng.choice([move for move, worth in zip(moves, values, strict=True) if worth >= equal]))

    def _playable_value(self, rules: Rules[Any, Any], position: Any, move: Any) -> float:
        try:
            return value(rules, position, move)
        except StateTooLargeError:
            return float("-inf")  # the game would refuse it


def value(rules: Rules[Any, Any], position: Any, move: Any) -> float:
    """How well the player to move stands after a move, on the exact average over its answers."""
    return sum(
        chance.probability * standing(rules, rules.settle(position, move, chance.run), position.player)
        for chance in explore(position.registers, rules.compile(position, move))
    )


def standing(rules: Rules[Any, Any], position: Any, player: str) -> float:
    """How well a player stands against the best of the others."""
    if result := rules.result(position):
        return 0.0 if result.winner is None else WIN if result.winner == player else -WIN
    worth = rules.evaluate(position)
    return worth[player] - max((worth[other] for other in worth if other != player), default=0.0)


def _moves(task: Task) -> list[Any]:
    moves = list(task.rules.moves(task.position) if task.only is None else task.only)
    if not moves:
        raise IllegalMoveError(f"{task.position.player} has no legal move to choose from")
    return moves


#: name -> what makes the agent; a new one is a class and a row
CATALOGUE: dict[str, str] = {
    "random": "qchess.playing.agents:RandomAgent",
    "greedy": "qchess.playing.agents:GreedyAgent",
    "flat": "qchess.playing.agents.flat:Flat",
    "mcts": "qchess.playing.agents.mcts:Mcts",
    "mcts-paper": "qchess.playing.agents.mcts_paper:PaperMcts",
}


def names() -> tuple[str, ...]:
    """The names of all agents."""
    return tuple(CATALOGUE)


def get(name: str, **options: Any) -> Agent:
    """The agent of that name; options go to it (``width=...``)."""
    if name in CATALOGUE:
        module, _, maker = CATALOGUE[name].partition(":")
        return getattr(import_module(module), maker)(**options)  # type: ignore[no-any-return]
    raise UnknownAgentError(unknown_name("agent", name, names()))
