"""What a move is: from where, to where, and what a pawn becomes."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, repeat
from typing import NamedTuple

from qchess.geometry import squares

#: what a pawn may become
PROMOTIONS = ("q", "r", "b", "n")


class Move(NamedTuple):
    """Sources and targets by number: one of each is a standard move, two targets a split, two sources a merge.

    The order of two targets or two sources is part of the move. `promotion` is a lower-case letter.
    """

    sources: tuple[int, ...]
    targets: tuple[int, ...]
    promotion: str = ""

    @property
    def is_split(self) -> bool:
        """Whether the piece goes to two squares."""
        return len(self.targets) == 2

    @property
    def is_merge(self) -> bool:
        """Whether the piece comes from two squares."""
        return len(self.sources) == 2

    @property
    def squares(self) -> tuple[int, ...]:
        """Every square that the move names."""
        return self.sources + self.targets


#: the last question of a game that `fifty_end="measure"` ends: which kings are there?
KINGS = Move((), ())


@lru_cache(maxsize=65536)
def standard_moves(source: int, targets: int) -> tuple[Move, ...]:
    """The moves from one square to each square of a mask."""
    return tuple(Move((source,), (target,)) for target in squares(targets))


@lru_cache(maxsize=4096)
def promotions(source: int, targets: int, choices: tuple[str, ...]) -> tuple[Move, ...]:
    """The pawn moves from one square to each square of a mask, each with every choice."""
    return tuple(Move((source,), (target,), choice) for target in squares(targets) for choice in choices)


@lru_cache(maxsize=65536)
def splits(source: int, targets: int) -> tuple[Move, ...]:
    """The splits from one square to each pair of squares of a mask, ascending."""
    return tuple(map(Move, repeat((source,)), combinations(squares(targets), 2)))


@lru_cache(maxsize=65536)
def merges(first: int, second: int, targets: int) -> tuple[Move, ...]:
    """The merges from two squares onto each square of a mask."""
    return tuple(Move((first, second), (target,)) for target in squares(targets))
