"""The squares a piece reaches: steps, and rays that end on the first certainly occupied square."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from qchess.boards.geometry import Geometry, Step, mask
from qchess.boards.movers import FORWARD, LEAPERS, SLIDERS, pawns

#: the lines of each slider, by the step that leads to higher squares
LINES: dict[str, tuple[Step, ...]] = {
    kind: tuple(step for step in steps if (step[1], step[0]) > (0, 0)) for kind, steps in SLIDERS.items()
}
#: the most patterns kept per line: all there are on a usual board
MOST_PATTERNS = 2**12


class Line(dict[int, int]):
    """A line through one square: what a slider reaches on it, by the squares that stop it.

    Results are cached, since the same few patterns recur all game long.
    """

    def __init__(self, square: int, up: tuple[int, ...], down: tuple[int, ...]) -> None:
        self.square = square
        #: for each square of the board, the mask of the squares ahead of it, upwards and downwards
        self.up, self.down = up, down

    def __missing__(self, stops: int) -> int:
        if len(self) >= MOST_PATTERNS:
            self.clear()
        up, down = self.up[self.square], self.down[self.square]
        if above := up & stops:
            up ^= self.up[(above & -above).bit_length() - 1]
        if below := down & stops:
            down ^= self.down[below.bit_length() - 1]
        return self.setdefault(stops, up | down)


class PawnWays(NamedTuple):
    """Where a pawn could go from one square, as masks."""

    one: int
    #: two steps ahead, from its start rank only
    two: int
    attacks: int


class Reach:
    """The tables of one board; see `reach`."""

    def __init__(self, board: Geometry) -> None:
        steps = {kind: board.step_masks(steps) for kind, steps in LEAPERS.items()}
        self._steps = {letter: table for kind, table in steps.items() for letter in (kind, kind.lower())}
        #: for each slider and square, the lines that cross there
        lines = {
            kind: tuple(tuple(_line(board, step, square) for step in steps) for square in range(board.size))
            for kind, steps in LINES.items()
        }
        self._lines = {letter: table for kind, table in lines.items() for letter in (kind, kind.lower())}
        #: the moves of pawns by square: black, white
        self.pawns = tuple(_pawn_ways(board, forward) for forward in reversed(FORWARD))

    def of(self, symbol: str, square: int, full: int) -> int:
        """Return the squares that a piece other than a pawn reaches, as a mask; `full` are those that stop a ray."""
        steps = self._steps.get(symbol)
        if steps is not None:
            return steps[square]
        reached = 0
        for sight, line in self._lines[symbol][square]:
            reached |= line[full & sight]
        return reached


def _line(board: Geometry, step: Step, square: int) -> tuple[int, Line]:
    """Return the line through a square in both directions of a step; with the number of its squares before it."""
    up, down = board.ray_masks(step), board.ray_masks((-step[0], -step[1]))
    return up[square] | down[square], Line(square, up, down)


def _pawn_ways(board: Geometry, forward: int) -> tuple[PawnWays, ...]:
    ways = zip(*pawns(board, forward), strict=True)
    return tuple(PawnWays(_bit(one), _bit(two), mask(struck)) for one, two, struck in ways)


def _bit(square: int | None) -> int:
    return 0 if square is None else 1 << square


@lru_cache(maxsize=64)
def reach(board: Geometry) -> Reach:
    """Return the tables of a board; the same object each time."""
    return Reach(board)
