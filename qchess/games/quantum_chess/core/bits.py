"""Sets of squares as whole numbers: how many, which, and the board turned round.

Numbers are signed, so a shift to the right drags the sign along; each is masked where that could matter.
"""

from __future__ import annotations

from qchess.circuits.kernels import helper


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
