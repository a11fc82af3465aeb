"""Which squares a piece reaches: steps, and rays that end on the first square that is surely occupied."""

from __future__ import annotations

from functools import lru_cache

from qchess.geometry import ALL_AROUND, DIAGONAL, KNIGHT, ORTHOGONAL, Geometry

SLIDERS = {"B": DIAGONAL, "R": ORTHOGONAL, "Q": ALL_AROUND}


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
        #: the squares a pawn attacks: black, white
        self.pawn_attacks = (board.step_masks(((-1, -1), (1, -1))), board.step_masks(((-1, 1), (1, 1))))

    def of(self, symbol: str, square: int, full: int) -> int:
        """The squares that a piece other than a pawn reaches, as a mask; `full` are those that stop a ray."""
        steps = self._steps.get(symbol)
        if steps is not None:
            return steps[square]
        reached = 0
        for masks, upwards in self._rays[symbol]:
            ray = masks[square]
            blockers = ray & full
            if blockers:
                first = (blockers & -blockers).bit_length() if upwards else blockers.bit_length()
                ray ^= masks[first - 1]
            reached |= ray
        return reached


@lru_cache(maxsize=64)
def reach(board: Geometry) -> Reach:
    """The tables of a board; the same object each time."""
    return Reach(board)
