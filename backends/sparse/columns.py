"""The sorted columns that hold a state for the compiled kernels, and a thread's workspace."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse.arena import copied, empty, empty_like
from qchess.backends.sparse.clear import Table

WORD = (1 << 64) - 1
#: the possible numbers of 64-bit words in a key
WORDS = (1, 2, 4, 8, 20)
#: the widest key of columns; wider states stay in dict form
WIDTH = 64 * WORDS[-1]
#: the words of keys in a workspace lie so much further apart, or the cache would put all of them in the same few places
APART = 72

Keys = NDArray[np.uint64]
Amplitudes = NDArray[np.complex128]


class Columns(NamedTuple):
    """Keys in ascending order, one row per 64-bit word (word 0 the lowest), and their amplitudes.

    Pass the two by name: unpacking with a star allocates as much as `len` says.
    """

    keys: Keys
    amplitude: Amplitudes

    def __len__(self) -> int:
        return len(self.amplitude)

    @property
    def words(self) -> int:
        """Return how many words a key has."""
        return len(self.keys)


def words_for(width: int) -> int:
    """Return how many words hold keys of this many bits."""
    return 1 if width <= 64 else next(words for words in WORDS if width <= 64 * words)


def split_words(number: int, words: int) -> list[int]:
    """Return the words of a number, lowest first."""
    return [number >> 64 * w & WORD for w in range(words)]


def from_table(table: Table, width: int) -> Columns:
    """Return the columns of a dict whose keys have this many bits."""
    words, ordered = words_for(width), sorted(table)
    keys = np.empty((words, len(ordered)), np.uint64)
    for w in range(words):
        keys[w] = [key >> 64 * w & WORD for key in ordered] if words > 1 else ordered
    return Columns(keys, np.array([table[key] for key in ordered], np.complex128))


def to_table(columns: Columns) -> Table:
    """Return columns as a dict."""
    return dict(zip(numbers(columns.keys), columns.amplitude.tolist(), strict=True))


def numbers(keys: Keys) -> list[int]:
    """Return the keys as integers."""
    lists = keys.tolist()
    found: list[int] = lists[0]
    for w in range(1, len(lists)):
        if any(lists[w]):
            found = [low | high << 64 * w for low, high in zip(found, lists[w], strict=True)]
    return found


def widened(columns: Columns, words: int) -> Columns:
    """Return the columns with keys of this many words."""
    if words <= columns.words:
        return columns
    keys = empty((words, len(columns)), np.uint64)
    keys[: columns.words], keys[columns.words :] = columns.keys, 0
    return Columns(keys, columns.amplitude)


def with_ones(columns: Columns, ones: int) -> Columns:
    """Return the columns with some constant bits set in all keys; the order stays the same."""
    if not ones:
        return columns
    mask = np.array([split_words(ones, columns.words)], np.uint64).T
    return Columns(np.bitwise_or(columns.keys, mask, empty_like(columns.keys)), columns.amplitude)


def masked(columns: Columns, care: int) -> Columns:
    """Return the columns with all other bits cleared; valid only if those bits are constant."""
    mask = np.array([split_words(care, columns.words)], np.uint64).T
    return Columns(np.bitwise_and(columns.keys, mask, empty_like(columns.keys)), columns.amplitude)


def rearranged(columns: Columns, positions: Sequence[int]) -> Columns:
    """Return the columns with their bits gathered: bit k is the old bit at ``positions[k]``; the positions ascend."""
    from qchess.backends.sparse.reading_kernels import gather

    keys = empty((words_for(len(positions)), len(columns)), np.uint64)
    gather(columns.keys, np.array(positions, np.int64), np.arange(len(positions)), keys)
    return Columns(keys, columns.amplitude)


def product(first: Columns, second: Columns, width: int, above: int) -> Columns:
    """Return the product state, the second one's `above` bits placed above the first one's `width` bits."""
    from qchess.backends.sparse.reading_kernels import multiply

    size = len(first) * len(second)
    made = Columns(empty((words_for(width + above), size), np.uint64), empty((size,), np.complex128))
    multiply(first.keys, first.amplitude, second.keys, second.amplitude, width, made.keys, made.amplitude)
    return made


def in_order(columns: Columns) -> Columns:
    """Return the columns sorted by key."""
    order = np.lexsort(tuple(columns.keys))
    return Columns(np.ascontiguousarray(columns.keys[:, order]), columns.amplitude[order])


def trimmed(keys: Keys, amplitude: Amplitudes, count: int) -> Columns:
    """Return the first rows as separate columns."""
    return Columns(copied(keys[:, :count]), copied(amplitude[:count]))


class PerThread(threading.local):
    """What each thread makes once for itself: kernels bound to workspace."""

    def __init__(self) -> None:
        self.made: dict[object, object] = {}
