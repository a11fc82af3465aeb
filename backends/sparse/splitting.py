"""Split columns into their finest product, in one kernel call; `factoring` says how and why."""

from __future__ import annotations

import struct
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse import factoring_kernels as kernels
from qchess.backends.sparse.arena import copied, empty
from qchess.backends.sparse.columns import WIDTH, Columns, PerThread, masked, numbers, widened
from qchess.backends.sparse.factoring import finest_product, generic_phases
from qchess.circuits.kernels import Bound

#: each thread keeps workspace for up to this many branches
KEPT = 2**16
#: up to this many branches are passed as a copy: cheaper than passing their addresses
COPIED = 2**9
_CONTROL = struct.Struct("=3q")
_KERNELS = {1: kernels.finest_1, 4: kernels.finest_4, 20: kernels.finest_20}


class Product(NamedTuple):
    """A state as ``phase * |ones, zeros> * blocks``; a block is the mask of its bits and its branches.

    If nothing splits, the one block's branches are the given ones.
    """

    ones: int
    varying: int
    phase: complex
    blocks: list[tuple[int, Columns]]


class Space:
    """Workspace for states of this many branches, with the kernel bound to it."""

    def __init__(self, words: int, capacity: int) -> None:
        self.words, self.capacity = words, capacity
        self.given = Columns(np.empty((words, COPIED), np.uint64), np.empty(COPIED, np.complex128))
        make = empty if capacity > KEPT else np.empty
        self.out = Columns(make((words, capacity), np.uint64), make((capacity,), np.complex128))
        self.rest = Columns(make((words, capacity), np.uint64), make((capacity,), np.complex128))
        self.masks, self.ends = np.empty((64 * words + 2, words), np.uint64), np.empty(64 * words + 1, np.int64)
        self.phase, self.control = np.ones(1, np.complex128), np.zeros(3, np.int64)
        self._control_bytes = self.control.data.cast("B")
        rows = [make((capacity,), np.int64) for _ in range(3)]
        sums, bits = np.empty((2, 64 * words), np.complex128), np.empty(64 * words + 1, np.int64)
        positions = np.empty(64 * words, np.int64)
        self.bound: Bound = _KERNELS[words].bind(
            *self.out, _phases(), *self.out, *self.rest, *rows, positions, sums, bits,
            self.masks, self.ends, self.phase, self.control,
        )  # fmt: skip

    def find(self, columns: Columns, *, constants_only: bool) -> bool:
        """Call the kernel; returns whether the last block's branches are the given ones."""
        count = len(columns)
        if count <= COPIED:
            self.given.keys[:, :count], self.given.amplitude[:count] = columns
            columns = self.given
        self.bound.set(0, columns.keys)
        self.bound.set(1, columns.amplitude)
        self.phase[0] = 1
        _CONTROL.pack_into(self._control_bytes, 0, count, constants_only, 0)
        return not self.bound()


@cache
def _phases() -> NDArray[np.complex128]:
    return np.array([generic_phases(attempt, WIDTH) for attempt in range(kernels.ATTEMPTS)])


_SPACES = PerThread()


def _space(words: int, capacity: int) -> Space:
    if capacity > KEPT:
        return Space(words, capacity)
    space = _SPACES.made.get(words)
    if not isinstance(space, Space):
        space = _SPACES.made[words] = Space(words, KEPT)
    return space


def split(columns: Columns, *, constants_only: bool = False) -> Product:
    """Return the finest product; with `constants_only`, only certain qubits are split off."""
    words = columns.words
    wide = widened(columns, next(served for served in _KERNELS if words <= served))
    space = _space(wide.words, len(columns))
    whole = space.find(wide, constants_only=constants_only)
    count = int(space.control[kernels.BLOCKS])
    masks = numbers(space.masks[: 2 + count].T)
    ones, varying = masks[0], masks[1]
    if whole:
        constant = len(columns) == 1
        left = columns if not ones or constant else masked(columns, varying)
        return Product(ones, varying, 1 + 0j, [] if constant else [(varying, left)])
    blocks, begin = [], 0
    for mask, end in zip(masks[2:-1], space.ends[: count - 1].tolist(), strict=True):
        blocks.append((mask, _cut(space.out, begin, end, words)))
        begin = end
    blocks.append((masks[-1], _cut(space.rest, 0, int(space.control[kernels.BRANCHES]), words)))
    return Product(ones, varying, complex(space.phase[0]), blocks)


def _cut(columns: Columns, begin: int, end: int, words: int) -> Columns:
    return Columns(copied(columns.keys[:words, begin:end]), copied(columns.amplitude[begin:end]))


def product_of(
    keys: NDArray[np.int64], amplitudes: NDArray[np.complex128]
) -> tuple[complex, list[tuple[tuple[int, ...], NDArray[np.int64], NDArray[np.complex128]]]]:
    """Return a phase and the blocks (positions, keys, amplitudes) of a state without constants, its keys ascending."""
    if kernels.finest_1.compiled:
        found = split(Columns(keys.astype(np.uint64)[None], amplitudes))
        parts = [
            (tuple(_positions(mask)), part.keys[0].astype(np.int64), part.amplitude) for mask, part in found.blocks
        ]
        return found.phase, parts
    varying = int(np.bitwise_or.reduce(keys))
    table = dict(zip(keys.tolist(), amplitudes.tolist(), strict=True))
    phase, tables = finest_product(table, tuple(_positions(varying)))
    return phase, [
        (positions, np.fromiter(part, np.int64), np.fromiter(part.values(), np.complex128))
        for positions, part in tables
    ]


def _positions(mask: int) -> list[int]:
    """Return the positions of a mask's bits."""
    return [p for p in range(mask.bit_length()) if mask >> p & 1]
