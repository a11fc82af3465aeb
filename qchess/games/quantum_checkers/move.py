"""A move: from where, to where. Everything else follows from the position."""

from __future__ import annotations

from typing import NamedTuple

from qchess.boards.moves import USUAL, spelled
from qchess.foreign import understands

Squares = tuple[int, ...]


@understands("Move")
class Move(NamedTuple):
    """Sources and targets by number: two targets are a split, two sources a merge.

    The order of a pair does not matter (CQ-24); the lower square comes first.

    >>> Move((8,), (17,))
    Move('a2-b3')
    """

    sources: Squares
    targets: Squares

    @property
    def is_split(self) -> bool:
        """Tell whether the part goes to two squares."""
        return len(self.targets) == 2

    @property
    def is_merge(self) -> bool:
        """Tell whether two parts of a piece go to one square."""
        return len(self.sources) == 2

    def in_order(self) -> Move:
        """Return the move with the lower square of a pair first."""
        return Move(tuple(sorted(self.sources)), tuple(sorted(self.targets)))

    @property
    def files(self) -> int:
        """Return the files of the board for printing; `qchess.boards.moves.named` sets another."""
        return USUAL

    def __str__(self) -> str:
        return spelled(self.sources, self.targets, self.files)

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


def is_jump(move: Move, size: int) -> bool:
    """Tell whether the move jumps over a square, so captures."""
    return len(move.sources) == len(move.targets) == 1 and abs(move.targets[0] // size - move.sources[0] // size) == 2
