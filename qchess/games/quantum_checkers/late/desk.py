"""A position of the core as bytes, and the arrays of one thread on which plies are played."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from qchess.boards.moves import named
from qchess.games.quantum_checkers.core import layout as at
from qchess.games.quantum_checkers.core.layout import Floats, Ints, Longs
from qchess.games.quantum_checkers.core.packing import Packed
from qchess.games.quantum_checkers.late.finding import CODES, GIVEN, MOVE
from qchess.games.quantum_checkers.late.kernels import ALL, BITS, play_ply
from qchess.games.quantum_checkers.move import Move
from qchess.rules import Result

#: bytes of a component's row, of an entry's places, and of its amplitude
ROW, PLACES, AMPLITUDE = 4 * at.WIDTH, 8, 16


class Snapshot(NamedTuple):
    """A position of the core, with the codes of its moves."""

    board: bytes
    components: bytes
    places: bytes
    amplitudes: bytes
    moves: bytes
    #: how the game ended, or None while it goes on
    result: Result | None
    #: whose position it is
    owner: object

    @property
    def codes(self) -> memoryview:
        """Return the codes of the moves, as numbers."""
        return memoryview(self.moves).cast("q")


class Coded(dict[int, Move]):
    """The moves of a board by their codes, each made once; and the codes of those that were made."""

    def __init__(self, files: int) -> None:
        self.files = files
        self.codes: dict[Move, int] = {}

    def __missing__(self, code: int) -> Move:
        a, b, c, d = code & ALL, (code >> BITS & ALL) - 1, code >> 2 * BITS & ALL, (code >> 3 * BITS) - 1
        move = self[code] = named(Move((a,) if b < 0 else (a, b), (c,) if d < 0 else (c, d)), self.files)
        self.codes[move] = code
        return move

    def of(self, position: Snapshot) -> list[Move]:
        """Return the moves of a position."""
        return list(map(self.__getitem__, position.codes.tolist()))

    def code(self, move: Move, position: Snapshot) -> int | None:
        """Return the code of a move of a position, or None if it is not one of them."""
        try:
            code = self.codes.get(move)
        except TypeError:  # squares that are no tuple
            return None
        if code is None:
            self.of(position)
            code = self.codes.get(move)
        return code if code in position.codes.tolist() else None


@lru_cache(maxsize=32)
def coded_moves(files: int) -> Coded:
    """Return the moves of a board; the same each time."""
    return Coded(files)


class Desk:
    """Room for one position under change, with the kernel bound to it."""

    def __init__(self) -> None:
        self.book: Ints = np.zeros(at.BOOK, np.int32)
        self.components: Ints = np.zeros((at.MOST_COMPONENTS, at.WIDTH), np.int32)
        self.places: Ints = np.zeros((at.MOST_ENTRIES, 2), np.int32)
        self.amplitudes = np.zeros(at.MOST_ENTRIES, np.complex128)
        self.ply: Longs = np.zeros(CODES + at.MOST_MOVES, np.int64)
        self.numbers: Floats = np.zeros(2)
        self._fit(at.CELLS)
        told, dice, moves = np.zeros(4, np.int32), np.zeros(1, np.uint64), np.zeros((at.MOST_MOVES, 4), np.int32)
        self.play = play_ply.bind(
            self.book, self.board, self.components, self.places, self.amplitudes, moves, told, dice, self.ply,
            self.numbers,
        )  # fmt: skip
        #: the position that is loaded, if nothing was done to it since
        self.loaded: Snapshot | None = None
        #: the same memory as bytes and as numbers
        self.columns = [array.data.cast("B") for array in (self.components, self.places, self.amplitudes)]
        self.whole = self.ply.data

    def _fit(self, size: int) -> None:
        """Make a board of so many numbers."""
        self.board: Ints = np.zeros(size, np.int32)
        self.bytes, self.head = self.board.data.cast("B"), self.board.data

    def put(self, position: Snapshot, book: Ints) -> None:
        """Load a position of a book."""
        if position is self.loaded:
            return
        self.loaded = None
        board, components, places, amplitudes, _, _, _ = position
        if len(board) != len(self.bytes):
            self._fit(len(board) // 4)
            self.play.set(1, self.board)
        self.play.set(0, book)
        self.bytes[:] = board
        if components:
            columns = self.columns
            columns[0][: len(components)] = components
            columns[1][: len(places)] = places
            columns[2][: len(amplitudes)] = amplitudes

    def take(self, moves: int, result: Result | None, owner: object) -> Snapshot:
        """Return the position that is there now, with so many moves."""
        components = places = amplitudes = b""
        if rows := self.head[at.COMPONENTS]:
            entries, columns = self.head[at.ENTRIES], self.columns
            components = bytes(columns[0][: ROW * rows])
            places, amplitudes = bytes(columns[1][: PLACES * entries]), bytes(columns[2][: AMPLITUDE * entries])
        codes = bytes(self.whole[CODES : CODES + moves])
        self.loaded = Snapshot(bytes(self.bytes), components, places, amplitudes, codes, result, owner)
        return self.loaded

    def run(self, move: int, given: int) -> int:
        """Play a move on the loaded position, with so many numbers for its questions; gives what the kernel gives."""
        self.loaded = None
        self.whole[MOVE] = move
        self.whole[GIVEN] = given
        count: int = self.play()
        return count


class Desks(threading.local):
    """The desk of each thread, as `own`."""

    def __init__(self) -> None:
        self.own = Desk()


def snapshot_of(packed: Packed) -> Snapshot:
    """Return a packed position, without its moves."""
    columns = (packed.board, packed.components, packed.places, packed.amplitudes)
    board, components, places, amplitudes = [column.tobytes() for column in columns]
    return Snapshot(board, components, places, amplitudes, b"", None, None)
