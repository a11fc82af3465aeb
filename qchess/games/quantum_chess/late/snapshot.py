"""A position of the core as bytes, and the arrays of one thread on which plies are played."""

from __future__ import annotations

import mmap
import struct
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from qchess.games.quantum_chess.core.compiled_core import RESULTS
from qchess.games.quantum_chess.core.layout import (
    BOARD,
    CLOCK,
    COUNT,
    EN_PASSANT,
    FULL,
    LEAST_SLOTS,
    MEN,
    PLY,
    POSITION,
    RIGHTS,
    SIDE,
    SUMS,
    SYMBOLS,
    Real,
    Whole,
)
from qchess.games.quantum_chess.core.packing import Packed
from qchess.games.quantum_chess.late.kernels import ENDED, MOVE, NOT_THROWN, NUMBER, play_ply
from qchess.games.quantum_chess.position import Men
from qchess.rules import Result

#: a position of more branches is played on by the rules; and one of more than `FEW` is not taken in from them, nor
#: kept once a move was played in it
MOST, FEW = 2**18, 2**8
#: the longest list made here
ROOM = 2**14
#: the columns of a single branch after its squares: it remembers nothing, and its amplitude may be 1
SINGLE = bytes(8), struct.pack("=d", 1.0), bytes(8)
#: how many numbers come before `game` in the head
BEFORE = SUMS + 1


class Snapshot(NamedTuple):
    """A position of the core: `sums` and `game` as bytes, with what is scratch elsewhere; and the branches' columns."""

    head: bytes
    squares: bytes
    captured: bytes
    re: bytes
    im: bytes
    #: how the game ended, or None while it goes on
    result: Result | None
    #: whose position it is
    owner: object

    @property
    def branches(self) -> int:
        """Return how many branches the joint register has."""
        return len(self.squares) // 8

    @property
    def game(self) -> memoryview:
        """Return the classical part, as numbers."""
        return memoryview(self.head)[8 * BEFORE :].cast("q")


def _of(game: memoryview) -> dict[str, int]:
    masks = game[MEN + 1 : MEN + len(SYMBOLS)]
    return {symbol: men % 2**64 for symbol, men in zip(SYMBOLS[1:], masks, strict=True) if men}


def _men(game: memoryview) -> Men:
    sides = [0, 0]
    for code in range(1, len(SYMBOLS)):
        sides[code > SIDE] |= game[MEN + code]
    own, enemy = reversed(sides) if game[PLY] & 1 else sides
    return Men(own % 2**64, enemy % 2**64, game[FULL] % 2**64)


#: what can be read without the rules, by the names of `Position`
CLASSICAL: dict[str, Callable[[memoryview], Any]] = {
    "board": lambda game: tuple([SYMBOLS[code] for code in game[BOARD : BOARD + 64]]),
    "of": _of,
    "men": _men,
    "rights": lambda game: game[RIGHTS],
    "en_passant": lambda game: None if game[EN_PASSANT] < 0 else game[EN_PASSANT],
    "clock": lambda game: game[CLOCK],
}


def _zeros(count: int, dtype: type) -> Any:
    """Return an array whose pages cost nothing until they are used; numpy would ask the system for huge ones."""
    return np.frombuffer(mmap.mmap(-1, 8 * count), dtype, count)


class Desk:
    """Room for one position under change, with the kernel bound to it."""

    def __init__(self) -> None:
        self.head = bytearray(8 * (BEFORE + MOVE + 2))
        whole, real = ([_zeros(2 * MOST, dtype) for _ in range(2)] for dtype in (np.int64, np.float64))
        self.columns = [column.data.cast("B") for column in (*whole, *real)]
        self.sums: Real = np.frombuffer(self.head, np.float64, BEFORE)
        self.game: Whole = np.frombuffer(self.head, np.int64, offset=8 * BEFORE)
        slots, self.found = _zeros(6 * MOST + 2 * LEAST_SLOTS, np.int64), np.zeros(ROOM, np.int64)
        self.play = play_ply.bind(self.game, self.sums, *whole, *real, slots, self.found).call
        #: the position that is loaded, if nothing was done to it since
        self.loaded: Snapshot | None = None
        #: the same bytes as numbers
        self.whole = memoryview(self.head).cast("q")[BEFORE:]
        self.real = memoryview(self.head).cast("d")[:BEFORE]

    def put(self, position: Snapshot) -> None:
        """Load a position."""
        if position is self.loaded:
            return
        self.loaded = None
        head, squares, captured, re, im, _, _ = position
        size, columns = len(squares), self.columns
        self.head[:] = head
        columns[0][:size] = squares
        columns[1][:size] = captured
        columns[2][:size] = re
        columns[3][:size] = im

    def put_packed(self, packed: Packed) -> None:
        """Load a packed position."""
        self.loaded = None
        self.game[:POSITION] = packed.game
        self.sums[:SUMS] = packed.sums
        for column, values in zip(self.columns, (packed.squares, packed.captured, packed.re, packed.im), strict=True):
            column[: values.nbytes] = values.tobytes()

    def taken(self, owner: object) -> Snapshot | None:
        """Return the loaded position; None if it has too many branches."""
        count = self.whole[COUNT]
        if count > MOST:
            return None
        size, (squares, captured, re, im) = 8 * count, self.columns
        columns = bytes(squares[:size]), *SINGLE
        if count > 1:
            columns = columns[0], bytes(captured[:size]), bytes(re[:size]), bytes(im[:size])
        self.loaded = Snapshot(bytes(self.head), *columns, RESULTS[self.whole[ENDED]], owner)
        return self.loaded

    def run(self, move: int, number: float = NOT_THROWN) -> int:
        """Play a move on the loaded position, its question answered by a number; gives what the kernel gives."""
        self.loaded = None
        self.whole[MOVE] = move
        self.real[NUMBER] = number
        count: int = self.play()
        return count


class Desks(threading.local):
    """The desk of each thread, as `own`."""

    def __init__(self) -> None:
        self.own = Desk()
