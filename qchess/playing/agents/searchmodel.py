"""The model of a game in a search: a common interface to walk it, by its rules or by its compiled core.

A search needs the same few things of every game: whose turn it is, the moves, how each can end with its exact
probability, and random games from here. States are opaque: positions, or a core's packed form.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from qchess.circuits.sources import Seeded
from qchess.core import (
    ColumnCore,
    Core,
    CoreLimitError,
    EndColumns,
    OutcomeValue,
    PackedOutcome,
    Playouts,
    WeighingCore,
)
from qchess.errors import StateTooLargeError
from qchess.rules import Result, Rules

T = TypeVar("T")
#: how a `ColumnCore` tells how moves can end
ByColumns = Callable[[Any, Sequence[Any]], Iterator[EndColumns]]


class SearchModel(Protocol):
    """What a search needs of a game."""

    players: tuple[str, ...]
    #: True: random games are cheap, thousands a second
    fast: bool
    #: None: no core, or one that has no columns
    end_columns: ByColumns | None

    def state(self, position: Any) -> Any:
        """Return a position in this model's form."""

    def player(self, state: Any) -> str:
        """Return whose turn it is."""

    def moves(self, state: Any) -> Sequence[Any]:
        """Return every legal move, in the order of the rules."""

    def outcomes(self, state: Any, move: Any) -> Sequence[PackedOutcome]:
        """Return every way the move can end; none if the game would refuse it as too large."""

    def result(self, state: Any) -> Result | None:
        """Return how the game ended, or None."""

    def size(self, state: Any) -> int:
        """Return the cost of a move here, in branches; at least 1."""

    def evaluate(self, state: Any) -> Mapping[str, float]:
        """Return how well each player stands."""

    def ends(self, state: Any, moves: Sequence[Any]) -> Iterator[Sequence[OutcomeValue]]:
        """Yield for each move every way it can end, computed on demand; none if it would be refused."""

    def playouts(self, state: Any, count: int, seed: int, plies: int) -> Playouts:
        """Play random games from here, each cut off after `plies` plies."""

    def same(self, state: Any, position: Any) -> bool:
        """Tell whether a state is this position."""


class RulesModel:
    """Walks a game by its rules."""

    fast = False
    end_columns: ByColumns | None = None

    def __init__(self, rules: Rules[Any, Any]) -> None:
        self.rules = rules
        self.players = rules.players

    def state(self, position: Any) -> Any:
        """Return the position itself."""
        return position

    def player(self, state: Any) -> str:
        """Return whose turn it is."""
        return str(state.player)

    def moves(self, state: Any) -> Sequence[Any]:
        """Return every legal move."""
        return self.rules.moves(state)

    def outcomes(self, state: Any, move: Any) -> Sequence[PackedOutcome]:
        """Return every way the move can end; none if the game would refuse it as too large."""
        try:
            return [PackedOutcome(o.answers, o.probability, o.position) for o in self.rules.outcomes(state, move)]
        except StateTooLargeError:
            return []

    def result(self, state: Any) -> Result | None:
        """Return how the game ended, or None."""
        return self.rules.result(state)

    def size(self, state: Any) -> int:
        """Return the branches of all registers."""
        branches: int = 1 + sum(register.branches for register in state.registers.each)
        return branches

    def evaluate(self, state: Any) -> Mapping[str, float]:
        """Return how well each player stands."""
        return self.rules.evaluate(state)

    def ends(self, state: Any, moves: Sequence[Any]) -> Iterator[Sequence[OutcomeValue]]:
        """Yield for each move every way it can end; by the rules' own `ends_of`, if they know a shorter way."""
        if at_once := getattr(self.rules, "ends_of", None):
            found: Iterator[Sequence[OutcomeValue]] = at_once(state, moves)
            return found
        return (one_by_one(self, state, move) for move in moves)

    def playouts(self, state: Any, count: int, seed: int, plies: int) -> Playouts:
        """Play random games from here, one turn after the other."""
        rng = random.Random(seed)
        return Playouts.of(self.players, (self._random_game(state, rng, plies) for _ in range(count)))

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
                return self.rules.step(position, rng.choice(moves), Seeded(rng))[0]
            except StateTooLargeError:  # refused before anything was asked; the choice is made anew
                continue

    def same(self, state: Any, position: Any) -> bool:
        """Tell whether both positions are equal, amplitudes included."""
        return state is position or (
            state.key() == position.key() and bool(state.registers.same_as(position.registers))
        )


class CoreModel:
    """Walks a game by its compiled core."""

    fast = True

    def __init__(self, rules: Rules[Any, Any], core: Core[Any, Any]) -> None:
        self.core = core
        self.players = rules.players
        self.state = core.pack
        self.player = core.player
        self.moves = core.moves
        self.result = core.result
        self.evaluate = core.evaluate
        self.end_columns: ByColumns | None = core.end_columns if isinstance(core, ColumnCore) else None

    def outcomes(self, state: Any, move: Any) -> Sequence[PackedOutcome]:
        """Return every way the move can end; none if the game would refuse it as too large."""
        try:
            return self.core.outcomes(state, move)
        except StateTooLargeError:
            return []

    def size(self, state: Any) -> int:
        """Return 1: a core holds only small states, and is fast."""
        return 1

    def ends(self, state: Any, moves: Sequence[Any]) -> Iterator[Sequence[OutcomeValue]]:
        """Yield for each move every way it can end; all at once if the core can."""
        if isinstance(self.core, WeighingCore):
            return self.core.ends(state, moves)
        return (one_by_one(self, state, move) for move in moves)

    def playouts(self, state: Any, count: int, seed: int, plies: int) -> Playouts:
        """Play random games from here, in one call."""
        return self.core.playouts(state, count, seed, plies)

    def same(self, state: Any, position: Any) -> bool:
        """Tell whether the core finds no difference."""
        return self.core.differs(state, position) is None


def one_by_one(model: SearchModel, state: Any, move: Any) -> list[OutcomeValue]:
    """Return the ways one move can end, from the states after it."""
    ways = [(probability, after, model.result(after)) for _, probability, after in model.outcomes(state, move)]
    return [OutcomeValue(p, result, {} if result else model.evaluate(after)) for p, after, result in ways]


def search_model(rules: Rules[Any, Any], position: Any, core: bool = True) -> tuple[SearchModel, Any]:
    """Return the fastest model that can hold this position, and its state there."""
    compiled = rules.core() if core else None
    if compiled is not None:
        try:
            found = CoreModel(rules, compiled)
            return found, found.state(position)
        except CoreLimitError:
            pass  # the core says that the position is beyond it; the rules have no such limit
    return RulesModel(rules), position


def with_core(search: Callable[[bool], T], core: bool) -> T:
    """Return the result of a search with the core; by the rules if the core cannot hold something."""
    try:
        return search(core)
    except CoreLimitError:
        if not core:
            raise
        return search(False)
