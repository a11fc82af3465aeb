"""Which squares a piece reaches: steps, and rays that end on the first square that is surely occupied."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from qchess.geometry import ALL_AROUND, DIAGONAL, KNIGHT, ORTHOGONAL, Geometry, mask

SLIDERS = {"B": DIAGONAL, "R": ORTHOGONAL, "Q": ALL_AROUND}


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
        #: for each slider its rays: the masks by square, and whether the ray leads to higher squares
        rays = {
            kind: tuple((board.ray_masks(step), (step[1], step[0]) > (0, 0)) for step in directions)
            for kind, directions in SLIDERS.items()
        }
        self._rays = {letter: lines for kind, lines in rays.items() for letter in (kind, kind.lower())}
        #: for each slider and square, all that it sees on an empty board
        self._sight = {
            letter: tuple(self._along(letter, square, 0) for square in range(board.size)) for letter in self._rays
        }
        #: the ways of pawns by square: black, white
        self.pawns = tuple(tuple(_pawn_ways(board, square, ahead) for square in range(board.size)) for ahead in (-1, 1))

    def of(self, symbol: str, square: int, full: int) -> int:
        """The squares that a piece other than a pawn reaches, as a mask; `full` are those that stop a ray."""
        steps = self._steps.get(symbol)
        if steps is not None:
            return steps[square]
        sight = self._sight[symbol][square]
        blockers = sight & full
        return _stopped(self, symbol, square, blockers) if blockers else sight

    def _along(self, symbol: str, square: int, full: int) -> int:
        reached = 0
        for masks, upwards in self._rays[symbol]:
            ray = masks[square]
            blockers = ray & full
            if blockers:
                first = (blockers & -blockers).bit_length() if upwards else blockers.bit_length()
                ray ^= masks[first - 1]
            reached |= ray
        return reached


@lru_cache(maxsize=2**17)
def _stopped(tables: Reach, symbol: str, square: int, blockers: int) -> int:
    """What a slider reaches between those that stop it; the same few patterns come back all game long."""
    return tables._along(symbol, square, blockers)


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
