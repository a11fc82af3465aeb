"""The arrays in which kernels work: one set a thread, grown as needed."""

from __future__ import annotations

import threading

import numpy as np

from qchess.games.quantum_chess.core.layout import COUNT, GAME, LEAST_SLOTS, POSITION, SUMS, Real, Whole
from qchess.games.quantum_chess.core.packed import Packed

Arrays = tuple[Whole, Real, Whole, Whole, Real, Real, Whole]


class Workspace(threading.local):
    """Room for one position under change."""

    def __init__(self) -> None:
        self.game = np.zeros(GAME, np.int64)
        self.sums = np.zeros(SUMS)
        self.moves = np.zeros(4096, np.int64)
        self.capacity = 0
        self._grow(1024)

    def _grow(self, capacity: int) -> None:
        self.capacity = capacity
        self.squares, self.captured = np.zeros(capacity, np.int64), np.zeros(capacity, np.int64)
        self.re, self.im = np.zeros(capacity), np.zeros(capacity)
        self.slots = np.zeros(3 * capacity + 2 * LEAST_SLOTS, np.int64)

    def reserve(self, branches: int) -> Arrays:
        """The arrays, with room for positions of so many branches and one move more, which at most doubles them."""
        if 2 * branches > self.capacity:
            self._grow(1 << (2 * branches - 1).bit_length())
        return self.game, self.sums, self.squares, self.captured, self.re, self.im, self.slots

    def put(self, position: Packed) -> Arrays:
        """The arrays, holding this position."""
        n = position.branches
        arrays = self.reserve(n)
        self.game[:POSITION] = position.game
        self.sums[:] = position.sums
        self.squares[:n], self.captured[:n] = position.squares, position.captured
        self.re[:n], self.im[:n] = position.re, position.im
        return arrays

    def taken(self) -> Packed:
        """A copy of the position that the arrays hold."""
        n = int(self.game[COUNT])
        columns = (column[:n].copy() for column in (self.squares, self.captured, self.re, self.im))
        return Packed(self.game[:POSITION].copy(), self.sums.copy(), *columns)
