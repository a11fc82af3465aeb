"""Sets of squares as whole numbers: how many, which, the board turned round; and those that the board knows.

Numbers are signed, so a shift to the right drags the sign along; each is masked where that could matter.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from qchess.boards.geometry import ALL_AROUND, KNIGHT, geometry, mask
from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import Whole
from qchess.games.quantum_chess.reach import reach


@helper
def count(mask: int) -> int:
    """How many squares a set holds."""
    mask = mask - (mask >> 1 & 0x5555555555555555)
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return mask * 0x0101010101010101 >> 56 & 127


@helper
def lowest(mask: int) -> int:
    """The first square of a set that is not empty."""
    return count(~mask & (mask - 1))


@helper
def nth(mask: int, k: int) -> int:
    """The square of a set before which it holds k others."""
    for _ in range(k):
        mask &= mask - 1
    return lowest(mask)


@helper
def turned(mask: int) -> int:
    """The set on the board turned round: square k becomes 63 - k."""
    mask = (mask >> 1 & 0x5555555555555555) | (mask & 0x5555555555555555) << 1
    mask = (mask >> 2 & 0x3333333333333333) | (mask & 0x3333333333333333) << 2
    mask = (mask >> 4 & 0x0F0F0F0F0F0F0F0F) | (mask & 0x0F0F0F0F0F0F0F0F) << 4
    mask = (mask >> 8 & 0x00FF00FF00FF00FF) | (mask & 0x00FF00FF00FF00FF) << 8
    mask = (mask >> 16 & 0x0000FFFF0000FFFF) | (mask & 0x0000FFFF0000FFFF) << 16
    return (mask >> 32 & 0x00000000FFFFFFFF) | mask << 32


# -- where pieces step, see and stand in between ---------------------------------------------------------

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
