"""The legal moves from one kernel call, as numbers that become moves on demand."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from qchess.circuits.kernels import Bound
from qchess.games.quantum_chess.core.layout import CHOICES, GAME, SYMBOLS, Whole
from qchess.games.quantum_chess.core.list_kernels import list_of_masks
from qchess.games.quantum_chess.core.packing import BOARD_OF_CHESS, MOVES, code_of, switches
from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.position import Position, held
from qchess.games.quantum_chess.profile import Book

#: the first places of `layout`: ply, rights, en passant square, book, held squares, and the symbols' masks
_GAME = struct.Struct("=3q8xq16xQ24x12Q")
_MEN = SYMBOLS[1:]
#: the longest list made here
ROOM = 2**14


class Moves(Sequence[Move]):
    """Legal moves in order; each is made on demand."""

    __slots__ = ("_codes",)

    def __init__(self, codes: Whole) -> None:
        self._codes = codes

    def __len__(self) -> int:
        return len(self._codes)

    @overload
    def __getitem__(self, k: int) -> Move: ...

    @overload
    def __getitem__(self, k: slice) -> list[Move]: ...

    def __getitem__(self, k: int | slice) -> Move | list[Move]:
        if isinstance(k, slice):
            return list(map(MOVES.__getitem__, self._codes[k].tolist()))
        return MOVES[self._codes.item(k)]

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move) or move.promotion not in CHOICES or not move.squares:
            return False
        code = code_of(move)
        return code in self._codes and MOVES[code] == move  # squares of no board may come to a listed number

    def __iter__(self) -> Iterator[Move]:
        return map(MOVES.__getitem__, self._codes.tolist())

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    def __repr__(self) -> str:
        return repr(list(self))


class _Desk(threading.local):
    """The kernel's arrays: one set per thread, made at its first list."""

    @cached_property
    def game(self) -> Whole:
        return np.zeros(GAME, np.int64)

    @cached_property
    def bytes(self) -> memoryview:
        return self.game.data.cast("B")

    @cached_property
    def found(self) -> Whole:
        return np.zeros(ROOM, np.int64)

    @cached_property
    def list(self) -> Bound:
        return list_of_masks.bind(self.game, self.found)


_DESK = _Desk()


class Listing:
    """Lists moves by a book, on the usual board; without machine code the rules are faster."""

    def __init__(self, book: Book) -> None:
        self._switches = switches(book)

    def moves(self, position: Position) -> Moves | None:
        """Return every legal move in the order of the rules; None if the rules must list them."""
        if position.geometry is not BOARD_OF_CHESS:
            return None
        of, target = position.of.get, position.en_passant
        _GAME.pack_into(
            _DESK.bytes, 0, position.ply, position.rights, -1 if target is None else target, self._switches,
            held(position.registers, BOARD_OF_CHESS), *[of(symbol, 0) for symbol in _MEN],
        )  # fmt: skip
        count = _DESK.list()
        return Moves(_DESK.found[:count].copy()) if count <= ROOM else None
