"""Which squares a piece reaches: steps, and rays that end on the first square that is surely occupied."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from qchess.boards.geometry import ALL_AROUND, DIAGONAL, KNIGHT, ORTHOGONAL, Geometry, Step, mask

#: the lines of each slider, by the step that leads to higher squares
SLIDERS: dict[str, tuple[Step, ...]] = {
    kind: tuple(step for step in steps if (step[1], step[0]) > (0, 0))
    for kind, steps in {"B": DIAGONAL, "R": ORTHOGONAL, "Q": ALL_AROUND}.items()
}


@dataclass(frozen=True, eq=False)
class Line:
    """A line through one square: a slider goes up and down it until something stops it."""

    square: int
    #: for each square of the board, the mask of what lies ahead of it, upwards and downwards
    up: tuple[int, ...]
    down: tuple[int, ...]


class PawnWays(NamedTuple):
    """Where a pawn could go from one square, as masks."""

    one: int
    #: two steps ahead, from its start rank only
    two: int
    attacks: int


class Reach:
    """The tables of one board; see `reach`."""

    def __init__(self, board: Geometry) -> None:
        steps = {"N": board.step_masks(KNIGHT), "K": board.step_masks(ALL_AROUND)}
        self._steps = {letter: table for kind, table in steps.items() for letter in (kind, kind.lower())}
        #: for each slider and square, the lines that cross there
        lines = {
            kind: tuple(tuple(_line(board, step, square) for step in steps) for square in range(board.size))
            for kind, steps in SLIDERS.items()
        }
        self._lines = {letter: table for kind, table in lines.items() for letter in (kind, kind.lower())}
        #: the ways of pawns by square: black, white
        self.pawns = tuple(tuple(_pawn_ways(board, square, ahead) for square in range(board.size)) for ahead in (-1, 1))

    def of(self, symbol: str, square: int, full: int) -> int:
        """The squares that a piece other than a pawn reaches, as a mask; `full` are those that stop a ray."""
        steps = self._steps.get(symbol)
        if steps is not None:
            return steps[square]
        reached = 0
        for sight, line in self._lines[symbol][square]:
            reached |= _along(line, full & sight)
        return reached


def _line(board: Geometry, step: Step, square: int) -> tuple[int, Line]:
    """The line through a square in the direction of a step to higher squares, and back; before it, its squares."""
    up, down = board.ray_masks(step), board.ray_masks((-step[0], -step[1]))
    return up[square] | down[square], Line(square, up, down)


@lru_cache(maxsize=2**17)
def _along(line: Line, stops: int) -> int:
    """What a slider reaches on a line between the squares that stop it; these few patterns come back all game long."""
    up, down = line.up[line.square], line.down[line.square]
    if above := up & stops:
        up ^= line.up[(above & -above).bit_length() - 1]
    if below := down & stops:
        down ^= line.down[below.bit_length() - 1]
    return up | down


def _pawn_ways(board: Geometry, square: int, ahead: int) -> PawnWays:
    start = 1 if ahead > 0 else board.height - 2
    goals = [board.step(square, (0, ahead))], [board.step(square, (0, 2 * ahead))]
    sides = [board.step(square, (side, ahead)) for side in (-1, 1)]
    one, two, attacks = (mask(k for k in found if k is not None) for found in (*goals, sides))
    return PawnWays(one, two if board.rank(square) == start else 0, attacks)


@lru_cache(maxsize=64)
def reach(board: Geometry) -> Reach:
    """The tables of a board; the same object each time."""
    return Reach(board)
