"""A position of the core as bytes, and the arrays of one thread on which plies are played."""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np

from qchess.games.quantum_chess.core.layout import (
    BOARD,
    CLOCK,
    COUNT,
    EN_PASSANT,
    LEAST_SLOTS,
    MEN,
    POSITION,
    RIGHTS,
    SUMS,
    SYMBOLS,
    Real,
    Whole,
)
from qchess.games.quantum_chess.core.packed import Packed
from qchess.games.quantum_chess.late.kernels import ENDED, MOVE, NOT_THROWN, NUMBER, play_ply

#: a position of more branches is played on by the rules; and one of more than `FEW` is not taken in from them
MOST, FEW = 2**12, 2**8
#: the longest list made here
ROOM = 2**14
#: how many numbers come before `game` in the head
BEFORE = SUMS + 1


class Snapshot(NamedTuple):
    """A position of the core: `sums` and `game` as bytes, with what is scratch elsewhere; and the branches' columns."""

    head: bytes
    squares: bytes
    captured: bytes
    re: bytes
    im: bytes
    #: whose position it is
    owner: object

    @property
    def ended(self) -> int:
        """Return how the game ended, by the kernels' number."""
        return memoryview(self.head).cast("q")[BEFORE + ENDED]

    def classical(self) -> dict[str, object]:
        """Return what the board shows without odds, by the names of `Position`."""
        game = memoryview(self.head).cast("q")[BEFORE:]
        target, masks = game[EN_PASSANT], game[MEN : MEN + len(SYMBOLS)]
        return {
            "board": tuple([SYMBOLS[code] for code in game[BOARD : BOARD + 64]]),
            "of": {symbol: men % 2**64 for symbol, men in zip(SYMBOLS[1:], masks[1:], strict=True) if men},
            "rights": game[RIGHTS],
            "en_passant": None if target < 0 else target,
            "clock": game[CLOCK],
        }


class Desk(threading.local):
    """Room for one position under change, with the kernel bound to it."""

    def __init__(self) -> None:
        self.head = bytearray(8 * (BEFORE + MOVE + 2))
        self.columns = [bytearray(16 * MOST) for _ in range(4)]
        self.sums: Real = np.frombuffer(self.head, np.float64, BEFORE)
        self.game: Whole = np.frombuffer(self.head, np.int64, offset=8 * BEFORE)
        squares, captured = (np.frombuffer(column, np.int64) for column in self.columns[:2])
        re, im = (np.frombuffer(column, np.float64) for column in self.columns[2:])
        slots, self.found = np.zeros(6 * MOST + 2 * LEAST_SLOTS, np.int64), np.zeros(ROOM, np.int64)
        self.play = play_ply.bind(self.game, self.sums, squares, captured, re, im, slots, self.found)
        #: the same bytes as numbers
        self.whole = memoryview(self.head).cast("q")[BEFORE:]
        self.real = memoryview(self.head).cast("d")[:BEFORE]

    def put(self, position: Snapshot) -> None:
        """Load a position."""
        head, squares, captured, re, im, _ = position
        size, columns = len(squares), self.columns
        self.head[:] = head
        columns[0][:size] = squares
        columns[1][:size] = captured
        columns[2][:size] = re
        columns[3][:size] = im

    def put_packed(self, packed: Packed) -> None:
        """Load a packed position."""
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
        return Snapshot(
            bytes(self.head), bytes(squares[:size]), bytes(captured[:size]), bytes(re[:size]), bytes(im[:size]), owner
        )

    def run(self, move: int, number: float = NOT_THROWN) -> int:
        """Play a move on the loaded position, its question answered by a number; gives what the kernel gives."""
        self.whole[MOVE] = move
        self.real[NUMBER] = number
        count: int = self.play()
        return count
