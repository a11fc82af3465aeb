"""A move: from where, to where, and what a pawn becomes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from qchess.boards.geometry import squares
from qchess.boards.moves import USUAL, spelled
from qchess.foreign import understands

#: what a pawn may become
PROMOTIONS = ("q", "r", "b", "n")

Squares = tuple[int, ...]


@understands("Move")
class Move(NamedTuple):
    """Sources and targets by number: one of each is a standard move, two targets a split, two sources a merge.

    The order of two targets or two sources is part of the move. `promotion` is a lower-case letter.

    >>> Move((12,), (28,)), Move((1,), (16, 18))
    (Move('e2-e4'), Move('b1^a3c3'))
    """

    sources: Squares
    targets: Squares
    promotion: str = ""

    @property
    def is_split(self) -> bool:
        """Tell whether the piece goes to two squares."""
        return len(self.targets) == 2

    @property
    def is_merge(self) -> bool:
        """Tell whether the piece comes from two squares."""
        return len(self.sources) == 2

    @property
    def squares(self) -> Squares:
        """Return every square that the move names."""
        return self.sources + self.targets

    @property
    def files(self) -> int:
        """Return the files of the board for printing; `qchess.boards.moves.named` sets another."""
        return USUAL

    def __str__(self) -> str:
        return spelled(self.sources, self.targets, self.files) + self.promotion if self.squares else "kings"

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


#: the last question of a game with `fifty_end="measure"`: which kings are there?
KINGS = Move((), ())


# Lists of moves are kept by their masks, and every list is made of the same move objects: a list that nobody
# asked for before costs a look-up a move, and a long life of many games holds each move once.


class _Made(dict[Squares, Move]):
    """The moves that share their sources, by their targets; each is made on first use."""

    def __init__(self, sources: Squares) -> None:
        self.sources = sources

    def __missing__(self, targets: Squares) -> Move:
        return self.setdefault(targets, Move(self.sources, targets))


@cache
def _from(*sources: int) -> Callable[[Squares], Move]:
    """Return the function from targets to the move from these sources."""
    return _Made(sources).__getitem__


@lru_cache(maxsize=65536)
def standard_moves(source: int, targets: int) -> tuple[Move, ...]:
    """Return the moves from one square to each square of a mask."""
    return tuple(map(_from(source), zip(squares(targets), strict=True)))


@lru_cache(maxsize=4096)
def promotions(source: int, targets: int, choices: tuple[str, ...]) -> tuple[Move, ...]:
    """Return the pawn moves from one square to each square of a mask, each with every choice."""
    return tuple(Move((source,), (target,), choice) for target in squares(targets) for choice in choices)


@lru_cache(maxsize=16384)
def splits(source: int, targets: int) -> tuple[Move, ...]:
    """Return the splits from one square to each pair of squares of a mask, ascending."""
    return tuple(map(_from(source), combinations(squares(targets), 2)))


@lru_cache(maxsize=65536)
def merges(first: int, second: int, targets: int) -> tuple[Move, ...]:
    """Return the merges from two squares onto each square of a mask."""
    return tuple(map(_from(first, second), zip(squares(targets), strict=True)))
