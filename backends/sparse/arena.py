"""The memory of large arrays, used again by the thread that took it.

The allocator may give the pages of a large array back to the system when the array is freed, or keep them. If it gives
them back, the next array costs a page fault for every 4 KiB, which can take longer than the work in it. So each thread
remembers its latest blocks of memory, and takes one again when nobody else holds it: an array that lies in a block, and
every view of the array, counts as a holder. What somebody holds is never written over.
"""

from __future__ import annotations

import math
import sys
import threading
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)
#: smaller arrays are left to the allocator, which keeps their pages; larger ones are given back when they are freed
LEAST, MOST = 2**16, 2**24
#: how much a thread remembers: bytes, and blocks
BYTES, BLOCKS = 2**26, 32
_alone = [np.empty(0)]
#: how many references an item has that only its list holds
UNHELD = sys.getrefcount(_alone[0])


class Arena(threading.local):
    """The blocks that a thread remembers, the one used last at the end."""

    def __init__(self) -> None:
        self.blocks: list[NDArray[np.uint8]] = []

    def take(self, size: int) -> NDArray[np.uint8]:
        """Return a block of at least this many bytes, and of little more, that nobody holds."""
        blocks = self.blocks
        for k in range(len(blocks) - 1, -1, -1):
            if size <= blocks[k].size <= size + size // 4 and sys.getrefcount(blocks[k]) == UNHELD:
                blocks.append(blocks.pop(k))
                return blocks[-1]
        blocks.append(np.empty(size, np.uint8))
        while len(blocks) > BLOCKS or sum([block.size for block in blocks]) > BYTES:
            del blocks[0]
        return blocks[-1]


_ARENA = Arena()


def empty(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Return an array of any content, as `numpy.empty`."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    if LEAST <= size <= MOST:
        return np.ndarray(shape, dtype, _ARENA.take(size))
    return np.empty(shape, dtype)


def empty_like(array: NDArray[T]) -> NDArray[T]:
    """Return an array of this shape and type, of any content."""
    return np.empty(array.shape, array.dtype) if array.nbytes < LEAST else empty(array.shape, array.dtype)


def copied(array: NDArray[T]) -> NDArray[T]:
    """Return a copy."""
    if array.nbytes < LEAST:
        return array.copy()
    made = empty_like(array)
    made[...] = array
    return made
