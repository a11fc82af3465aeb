"""Where pieces step, see and stand in between, on the board of 8 by 8: the boards' own masks as signed numbers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from qchess.boards.geometry import ALL_AROUND, KNIGHT, geometry, mask
from qchess.games.quantum_chess.core.layout import Whole
from qchess.games.quantum_chess.reach import reach

_BOARD = geometry(8, 8)


def signed(number: int) -> int:
    """A 64-bit mask as the signed number that the arrays hold."""
    return number - (number >> 63 << 64)


def _table(masks: Iterable[int]) -> Whole:
    return np.array([signed(of) for of in masks], np.int64)


KNIGHT_STEPS = _table(_BOARD.step_masks(KNIGHT))
KING_STEPS = _table(_BOARD.step_masks(ALL_AROUND))
#: the rays to higher squares: two diagonals, then file and rank; 64 squares each
RAYS = _table(ray for step in ((1, 1), (-1, 1), (0, 1), (1, 0)) for ray in _BOARD.ray_masks(step))
#: what lies strictly between two squares of a line, at 64 * one + other
BETWEEN = _table(mask(_BOARD.between(a, b)) for a in range(64) for b in range(64))
#: the ways of white's pawns, then of black's: one step, two steps, what they attack
ONE_STEP = _table(ways.one for white in (1, 0) for ways in reach(_BOARD).pawns[white])
TWO_STEPS = _table(ways.two for white in (1, 0) for ways in reach(_BOARD).pawns[white])
ATTACKS = _table(ways.attacks for white in (1, 0) for ways in reach(_BOARD).pawns[white])
