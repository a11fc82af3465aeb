"""What units are worth, by kind and square."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from qchess.boards.geometry import Geometry

#: the values of pieces; kings count nothing here
CHESS = {"P": 1.0, "N": 3.0, "B": 3.0, "R": 5.0, "Q": 9.0, "K": 0.0}
XIANGQI = {"P": 1.0, "A": 2.0, "B": 2.0, "N": 4.0, "C": 4.5, "R": 9.0, "K": 0.0}
#: the value of a pawn's step, so that going on always gains something
STEP = 0.02


@lru_cache(maxsize=16)
def worths(board: Geometry, xiangqi: bool) -> Sequence[Mapping[str, Sequence[float]]]:
    """Return by colour, kind and square (of a pair its better half) what a unit is worth."""
    values, last = XIANGQI if xiangqi else CHESS, board.height - 1
    ranks = [board.rank(square) for square in range(board.size)]
    gone = ranks, [last - rank for rank in ranks]
    return tuple(
        {kind: [value + (STEP * steps if kind == "P" else 0.0) for steps in ways] for kind, value in values.items()}
        for ways in gone
    )
