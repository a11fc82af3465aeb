"""The arrays that kernels write to, with the kernels bound to them; one set per thread."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

import numpy as np

from qchess.games.quantum_checkers.core import kernels
from qchess.games.quantum_checkers.core import layout as at
from qchess.games.quantum_checkers.core.layout import Amplitudes, Floats, Ints, Longs
from qchess.games.quantum_checkers.core.packing import Packed
from qchess.games.quantum_checkers.move import Move

State = tuple[Ints, Ints, Ints, Amplitudes]
#: what a move finds that asks nothing
NOTHING = (-1, -1, -1, -1)
_FOUR = Struct("=4i")


class Workspace:
    """Room for a position, and for another in which random games are played."""

    def __init__(self, book: Ints, board: int) -> None:
        self.state, self.other = _room(board), _room(board)
        self.board, self.components, self.places, self.amplitudes = self.state
        self._head = self.board.data
        self.listed = np.zeros((at.MOST_MOVES, 4), np.int32)
        self.move, self.told, dice = np.full(4, -1, np.int32), np.full(4, -1, np.int32), np.zeros(1, np.uint64)
        self.found: Ints = np.zeros((at.MOST_WAYS, 4), np.int32)
        self.odds, self.squares = np.zeros(at.MOST_WAYS), np.zeros(int(book[at.SIZE]) ** 2)
        self.list = kernels.moves_of.bind(book, self.board, self.listed).call
        self.status = kernels.status_of.bind(book, self.board).call
        self._ways = kernels.ways_of.bind(book, *self.state, 0, 0, self.found, self.odds)
        self._play = kernels.play_move.bind(book, *self.state, self.move, self.told, dice).call
        self._weigh = kernels.odds_of.bind(book, *self.state, self.squares).call
        self._rows = rows = np.zeros((0, kernels.COLUMNS), np.int64)
        self._games = kernels.random_games.bind(
            book, *self.state, *self.other, self.listed, self.told, dice, 0, 0, 0, 0, 0, rows
        )
        #: the position that is there, if nothing was done to it since
        self.loaded: Packed | None = None

    def load(self, packed: Packed) -> None:
        """Copy a position in, unless it is there."""
        if packed is self.loaded:
            return
        self.loaded = None
        rows, entries = len(packed.components), len(packed.amplitudes)
        self.board[:] = packed.board
        self.components[:rows] = packed.components
        self.places[:entries] = packed.places
        self.amplitudes[:entries] = packed.amplitudes
        self.loaded = packed

    def moves(self) -> list[list[int]]:
        """Return every legal move as a row: two sources and two targets, -1 where there is none."""
        rows: list[list[int]] = self.listed[: self.list()].tolist()
        return rows

    def ways(self, start: int, end: int) -> tuple[list[list[int]], list[float]]:
        """Return what a capture can find, each with its probability."""
        self._ways.set(5, start)
        self._ways.set(6, end)
        count: int = self._ways()
        return self.found[:count].tolist(), self.odds[:count].tolist()

    def probabilities(self) -> Floats:
        """Return the probability of each square."""
        self._weigh()
        return self.squares

    def play(self, move: Move, told: Sequence[int]) -> Packed | None:
        """Return the position after a move that finds what is told; None if there is no room for it."""
        self.loaded = None
        _FOUR.pack_into(self.move.data, 0, *(*move.sources, -1)[:2], *(*move.targets, -1)[:2])
        _FOUR.pack_into(self.told.data, 0, *told)
        try:
            fits = self._play()
        finally:
            _FOUR.pack_into(self.told.data, 0, *NOTHING)
        if fits:
            self.loaded = self._saved()
        return self.loaded

    def _saved(self) -> Packed:
        """Return a copy of the position inside."""
        rows, entries = self._head[at.COMPONENTS], self._head[at.ENTRIES]
        return Packed(
            self.board.copy(),
            self.components[:rows].copy(),
            self.places[:entries].copy(),
            self.amplitudes[:entries].copy(),
        )

    def rows_for(self, count: int) -> Longs:
        """Return rows for so many random games, until the next call."""
        if len(self._rows) != count:
            self._rows = np.zeros((count, kernels.COLUMNS), np.int64)
        return self._rows

    def games(self, rows: Longs, seed: int, plies: int, budget: int) -> None:
        """Play random games, a row each; other threads run after each part of so many plies."""
        done = 0
        while done < len(rows):
            for k, value in enumerate((seed % 2**64, done, len(rows), plies, budget, rows), 12):
                self._games.set(k, value)
            done = self._games.call()


def _room(board: int) -> State:
    return (
        np.zeros(board, np.int32),
        np.zeros((at.MOST_COMPONENTS, at.WIDTH), np.int32),
        np.zeros((at.MOST_ENTRIES, 2), np.int32),
        np.zeros(at.MOST_ENTRIES, np.complex128),
    )
