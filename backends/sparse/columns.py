"""The sorted columns that hold a large sparse state, and their few slow conversions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse.clear import MaskedCube, Table

WORD = (1 << 64) - 1
#: the widest key that two 64-bit columns hold; wider states stay in the clear form
WIDTH = 128


class Columns(NamedTuple):
    """Keys as high and low 64-bit words in ascending order, and their amplitudes."""

    hi: NDArray[np.uint64]
    lo: NDArray[np.uint64]
    amplitude: NDArray[np.complex128]

    def __len__(self) -> int:
        return int(self.hi.size)


def words(mask: int) -> tuple[np.uint64, np.uint64]:
    """The high and low word of a mask."""
    return np.uint64(mask >> 64 & WORD), np.uint64(mask & WORD)


def signed_words(mask: int) -> tuple[int, int]:
    """The high and low word as signed numbers, which a kernel takes at once."""
    if mask < 1 << 63:
        return 0, mask
    high, low = mask >> 64, mask & WORD
    return high - (high >> 63 << 64), low - (low >> 63 << 64)


def cube_rows(cubes: Sequence[MaskedCube]) -> NDArray[np.uint64]:
    """The cubes as rows (care_hi, care_lo, want_hi, want_lo)."""
    rows = [(*words(care), *words(want)) for care, want in cubes]
    return np.array(rows, dtype=np.uint64).reshape(-1, 4)


def from_table(table: Table) -> Columns:
    """The columns of a dict."""
    keys = sorted(table)
    return Columns(
        np.fromiter((key >> 64 for key in keys), np.uint64, len(keys)),
        np.fromiter((key & WORD for key in keys), np.uint64, len(keys)),
        np.fromiter((table[key] for key in keys), np.complex128, len(keys)),
    )


def to_table(columns: Columns) -> Table:
    """The dict of some columns."""
    highs, lows = columns.hi.tolist(), columns.lo.tolist()
    keys = lows if not any(highs) else [high << 64 | low for high, low in zip(highs, lows, strict=True)]
    return dict(zip(keys, columns.amplitude.tolist(), strict=True))


def bits_at(columns: Columns, position: int) -> NDArray[np.uint64]:
    """The bit at one position of every key."""
    word = columns.hi if position >= 64 else columns.lo
    return word >> np.uint64(position & 63) & np.uint64(1)


def rearrange(columns: Columns, positions: Sequence[int]) -> Columns:
    """The columns with their bits gathered: bit k is the old bit at ``positions[k]``."""
    hi, lo = np.zeros_like(columns.hi), np.zeros_like(columns.lo)
    for k, position in enumerate(positions):
        word = hi if k >= 64 else lo
        word |= bits_at(columns, position) << np.uint64(k & 63)
    if list(positions) == sorted(positions):  # order is kept, no sort needed
        return Columns(hi, lo, columns.amplitude)
    return in_order(hi, lo, columns.amplitude)


def in_order(hi: NDArray[np.uint64], lo: NDArray[np.uint64], amplitude: NDArray[np.complex128]) -> Columns:
    """The columns sorted by key."""
    order = np.lexsort((lo, hi))
    return Columns(hi[order], lo[order], amplitude[order])


def masked(columns: Columns, care: int) -> Columns:
    """The columns with all other bits cleared; right only where those bits are constant."""
    care_hi, care_lo = words(care)
    return Columns(columns.hi & care_hi, columns.lo & care_lo, columns.amplitude)


def where_equal(columns: Columns, care: int, want: int) -> Columns:
    """The branches that show the wanted bits."""
    (care_hi, care_lo), (want_hi, want_lo) = words(care), words(want)
    keep = (columns.hi & care_hi == want_hi) & (columns.lo & care_lo == want_lo)
    return Columns(columns.hi[keep], columns.lo[keep], columns.amplitude[keep])


def rows_equal(columns: Columns, care: int, want: int) -> Columns:
    """`where_equal`, compiled, for a few rows out of very many."""
    from qchess.backends.sparse.kernels import members

    found = members(columns.hi, columns.lo, *words(care), *words(want))
    return Columns(columns.hi[found], columns.lo[found], columns.amplitude[found])


def occupied(columns: Columns, position: int) -> NDArray[np.int64]:
    """Where the branches are whose bit at this position is 1."""
    return np.flatnonzero(bits_at(columns, position))


def key_at(columns: Columns, k: int) -> int:
    """The k-th key as one number."""
    return int(columns.hi[k]) << 64 | int(columns.lo[k])


def product(first: Columns, second: Columns, width: int) -> Columns:
    """The product state, the second one's bits placed above the first one's `width` bits."""
    high, low = _lifted(second, width)
    n, m = len(first), len(second)
    return Columns(
        np.tile(first.hi, m) | np.repeat(high, n),
        np.tile(first.lo, m) | np.repeat(low, n),
        (second.amplitude[:, None] * first.amplitude[None, :]).reshape(-1),
    )


def _lifted(columns: Columns, width: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The keys shifted left by `width` bits."""
    if width == 0:
        return columns.hi, columns.lo
    if width >= 64:
        return columns.lo << np.uint64(width - 64), np.zeros_like(columns.lo)
    up, down = np.uint64(width), np.uint64(64 - width)
    return columns.hi << up | columns.lo >> down, columns.lo << up
