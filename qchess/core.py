"""The seam for compiled cores: a game may offer a second form of itself, made for search and playouts.

A core answers the same questions as the rules about positions in a form of its own. The rules are the truth:
`qchess.testing.check_game` holds every core that is offered to the law "the core equals the rules".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from qchess.errors import QchessError

if TYPE_CHECKING:
    from qchess.rules import Result

P = TypeVar("P", contravariant=True)
M = TypeVar("M")


class CoreLimitError(QchessError):
    """The core cannot hold this position; continue with the rules."""


class Way(NamedTuple):
    """One way a move can end, as `qchess.rules.Outcome` tells it, with the packed next position."""

    answers: dict[str, int]
    probability: float
    packed: Any


class End(NamedTuple):
    """One way a move can end, without the position: how likely, how the game ended by it, and how the players stand."""

    probability: float
    #: None while the game goes on
    result: Result | None
    #: how well each player stands, while the game goes on
    worth: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Playouts:
    """What a batch of random games came to."""

    #: games won, by player
    wins: Mapping[str, int]
    draws: int
    #: games that were broken off: too long, or too large for the core
    unfinished: int
    plies: int

    @property
    def games(self) -> int:
        """How many games there were."""
        return sum(self.wins.values()) + self.draws + self.unfinished

    @classmethod
    def of(cls, players: Sequence[str], games: Iterable[tuple[Result | None, int]]) -> Playouts:
        """The tally of games, each told as its end, `None` if it was broken off, and its plies."""
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
    """A compiled form of one game.

    Besides this it may weigh a whole list of moves at once: ``ends(packed, moves)`` gives every `End` of each, in
    order, as `outcomes`, `result` and `evaluate` would; without it a search asks those three, move by move.
    """

    def pack(self, position: P) -> Any:
        """The position in the core's own form; `CoreLimitError` where it does not fit."""

    def player(self, packed: Any) -> str:
        """Whose turn it is."""

    def moves(self, packed: Any) -> Sequence[M]:
        """The moves that the rules list, in their order."""

    def outcomes(self, packed: Any, move: M) -> Sequence[Way]:
        """Every way a legal move can end, in the order of the rules; `CoreLimitError` where one does not fit."""

    def result(self, packed: Any) -> Result | None:
        """How the game ended, or None while it goes on."""

    def evaluate(self, packed: Any) -> Mapping[str, float]:
        """How well each player stands, as the rules say."""

    def differs(self, packed: Any, position: P) -> str | None:
        """How a packed position differs from one of the rules, in words; None if they are the same."""

    def playouts(self, packed: Any, count: int, seed: int, plies: int) -> Playouts:
        """Random games from here, each of so many plies at most, in one call that lets other threads run."""
