"""One way to walk a game, whether by its rules or by its compiled core.

A search asks the same few questions of every game: whose turn, which moves, how each can end with what exact
probability, and how random games go on from here. States are opaque: positions, or what a core packs them into.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from qchess.circuits.chances import explore
from qchess.circuits.engine import Draw
from qchess.errors import CoreLimitError, StateTooLargeError
from qchess.rules import Result, Rules


class Branch(NamedTuple):
    """One way a move can end: how its questions were answered, how likely that is, and the state after it."""

    answers: Mapping[str, int]
    probability: float
    state: Any


class Played(NamedTuple):
    """What came of a number of random games."""

    wins: Mapping[str, int]
    draws: int
    unfinished: int
    plies: int


class World(Protocol):
    """What a search asks of a game."""

    players: tuple[str, ...]
    #: whether random games are cheap: thousands a second
    fast: bool

    def state(self, position: Any) -> Any:
        """A position as this world holds it."""

    def player(self, state: Any) -> str:
        """Whose turn it is."""

    def moves(self, state: Any) -> Sequence[Any]:
        """Every legal move, in the order of the rules."""

    def branches(self, state: Any, move: Any) -> list[Branch]:
        """Every way the move can end; none where the game would refuse it as too large."""

    def result(self, state: Any) -> Result | None:
        """How the game ended, or None."""

    def evaluate(self, state: Any) -> Mapping[str, float]:
        """How well each player stands."""

    def playouts(self, state: Any, count: int, seed: int, plies: int) -> Played:
        """Random games from here, each cut after so many plies."""

    def same(self, state: Any, position: Any) -> bool:
        """Whether a state is this position."""


class ByRules:
    """Walks a game by its rules."""

    fast = False

    def __init__(self, rules: Rules[Any, Any]) -> None:
        self.rules = rules
        self.players = rules.players

    def state(self, position: Any) -> Any:
        """The position itself."""
        return position

    def player(self, state: Any) -> str:
        """Whose turn it is."""
        return str(state.player)

    def moves(self, state: Any) -> Sequence[Any]:
        """Every legal move."""
        return self.rules.moves(state)

    def branches(self, state: Any, move: Any) -> list[Branch]:
        """Every way the move can end; none where the game would refuse it as too large."""
        try:
            return outcomes(self.rules, state, move)
        except StateTooLargeError:
            return []

    def result(self, state: Any) -> Result | None:
        """How the game ended, or None."""
        return self.rules.result(state)

    def evaluate(self, state: Any) -> Mapping[str, float]:
        """How well each player stands."""
        return self.rules.evaluate(state)

    def playouts(self, state: Any, count: int, seed: int, plies: int) -> Played:
        """Random games from here, one turn after the other."""
        rng = random.Random(seed)
        wins, draws, unfinished, played = dict.fromkeys(self.players, 0), 0, 0, 0
        for _ in range(count):
            result, length = self._random_game(state, rng, plies)
            played += length
            if result is None:
                unfinished += 1
            elif result.winner is None:
                draws += 1
            else:
                wins[result.winner] += 1
        return Played(wins, draws, unfinished, played)

    def _random_game(self, position: Any, rng: random.Random, plies: int) -> tuple[Result | None, int]:
        for ply in range(plies):
            if result := self.rules.result(position):
                return result, ply
            position = self._random_turn(position, rng)
        return self.rules.result(position), plies

    def _random_turn(self, position: Any, rng: random.Random) -> Any:
        moves = list(self.rules.moves(position))
        while True:
            try:
                return self.rules.step(position, rng.choice(moves), Dice(rng))[0]
            except StateTooLargeError:  # refused before anything was asked; the choice is made anew
                continue

    def same(self, state: Any, position: Any) -> bool:
        """Whether both positions hold the same, amplitudes included."""
        return state is position or _contents(state) == _contents(position)


class ByCore:
    """Walks a game by its compiled core."""

    fast = True

    def __init__(self, rules: Rules[Any, Any], core: Any) -> None:
        self.core = core
        self.players = rules.players
        self.state = core.pack
        self.player = core.player
        self.moves = core.moves
        self.result = core.result
        self.evaluate = core.evaluate

    def branches(self, state: Any, move: Any) -> list[Branch]:
        """Every way the move can end."""
        return [Branch(*found) for found in self.core.outcomes(state, move)]

    def playouts(self, state: Any, count: int, seed: int, plies: int) -> Played:
        """Random games from here, in one call."""
        found = self.core.playouts(state, count, seed, plies)
        return Played(found.wins, found.draws, found.unfinished, found.plies)

    def same(self, state: Any, position: Any) -> bool:
        """Whether the core finds no difference."""
        return self.core.differs(state, position) is None


class Dice:
    """Answers questions from a generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def draw(self, pause: Any) -> Draw:
        """One answer with the exact odds."""
        values = sorted(pause.odds)
        return Draw(self.rng.choices(values, [pause.odds[value] for value in values])[0], "playout")


def world(rules: Rules[Any, Any], position: Any, core: bool = True) -> tuple[World, Any]:
    """The quickest world that can hold this position, and its state there."""
    compiled = rules.core() if core else None
    if compiled is not None:
        try:
            found = ByCore(rules, compiled)
            return found, found.state(position)
        except CoreLimitError:
            pass  # the core says that the position is beyond it; the rules have no such limit
    return ByRules(rules), position


def outcomes(rules: Rules[Any, Any], position: Any, move: Any) -> list[Branch]:
    """Every way a move can end, by the rules, with exact probabilities."""
    return [
        Branch(chance.answers, chance.probability, rules.settle(position, move, chance.run))
        for chance in explore(position.registers, rules.compile(position, move))
    ]


def _contents(position: Any) -> tuple[Any, ...]:
    registers = position.registers
    states = ((registers.engine.qubits(s), registers.engine.amplitudes(s)) for s in registers.states)
    return position.key(), registers.full, tuple((qubits, tuple(sorted(a.items()))) for qubits, a in states)
