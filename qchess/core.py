"""The interface of compiled cores: a second, faster form of a game, for search and playouts.

A core answers the same questions as the rules, about positions in its own form. `qchess.testing.check_game` checks
every core against the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from qchess.errors import QchessError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qchess.rules import Result

P = TypeVar("P", contravariant=True)
M = TypeVar("M")


class CoreLimitError(QchessError):
    """The core cannot hold this position; continue with the rules."""


class PackedOutcome(NamedTuple):
    """A packed outcome: one way a move can end, with the next position in the core's own form."""

    answers: dict[str, int]
    probability: float
    state: Any

    @property
    def packed(self) -> Any:
        """Return the state, under its old name."""
        return self.state


class OutcomeValue(NamedTuple):
    """One way a move can end, without the position: its probability, and the game's result or the evaluation."""

    probability: float
    #: None while the game goes on
    result: Result | None
    #: how well each player stands, while the game goes on
    worth: Mapping[str, float]


class EndColumns(NamedTuple):
    """Every way each of some moves can end, as columns of two ways a move."""

    #: the place in `results`, 0 while the game goes on; less than 0 where the move cannot end in this way
    endings: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    #: how much better the first of two players stands, while the game goes on
    leads: NDArray[np.float64]
    results: Sequence[Result | None]


#: their old names
Way = PackedOutcome
End = OutcomeValue


@dataclass(frozen=True, slots=True)
class Playouts:
    """The results of a batch of random games."""

    #: games won, by player
    wins: Mapping[str, int]
    draws: int
    #: games that were cut off: too long, or too large for the core
    unfinished: int
    plies: int

    @property
    def games(self) -> int:
        """Return the number of games."""
        return sum(self.wins.values()) + self.draws + self.unfinished

    @classmethod
    def of(cls, players: Sequence[str], games: Iterable[tuple[Result | None, int]]) -> Playouts:
        """Return the tally of games, each given as its result (`None` if cut off) and its plies."""
        wins, draws, unfinished, plies = dict.fromkeys(players, 0), 0, 0, 0
        for end, played in games:
            plies += played
            if end is None:
                unfinished += 1
            elif end.winner is None:
                draws += 1
            else:
                wins[end.winner] += 1
        return cls(wins, draws, unfinished, plies)


class Core(Protocol[P, M]):
    """A compiled form of one game; a `WeighingCore` can do more."""

    def pack(self, position: P) -> Any:
        """Return the position in the core's own form; raises `CoreLimitError` if it does not fit."""

    def player(self, packed: Any) -> str:
        """Return whose turn it is."""

    def moves(self, packed: Any) -> Sequence[M]:
        """Return the moves that the rules list, in their order."""

    def outcomes(self, packed: Any, move: M) -> Sequence[PackedOutcome]:
        """Return every way a legal move can end, in the order of the rules; `CoreLimitError` if one does not fit."""

    def result(self, packed: Any) -> Result | None:
        """Return how the game ended, or None while it goes on."""

    def evaluate(self, packed: Any) -> Mapping[str, float]:
        """Return how well each player stands, as the rules do."""

    def differs(self, packed: Any, position: P) -> str | None:
        """Return how a packed position differs from one of the rules, in words; None if they are the same."""

    def playouts(self, packed: Any, count: int, seed: int, plies: int) -> Playouts:
        """Play random games from here, each of at most `plies` plies, in one call that lets other threads run."""


@runtime_checkable
class WeighingCore(Core[P, M], Protocol[P, M]):
    """A core that evaluates a whole list of moves at once; with others a search asks about one move at a time."""

    def ends(self, packed: Any, moves: Sequence[M]) -> Iterator[Sequence[OutcomeValue]]:
        """Yield for each move every way it can end, as `outcomes`, `result` and `evaluate` would give them."""


@runtime_checkable
class ColumnCore(WeighingCore[P, M], Protocol[P, M]):
    """A core of a game for two that can also give all of that as columns of numbers."""

    def end_columns(self, packed: Any, moves: Sequence[M]) -> Iterator[EndColumns]:
        """Yield what `ends` tells of some moves, then of the next ones."""
