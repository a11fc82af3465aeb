"""The legal moves of a position, as fast as this machine lists them.

`legal` says which moves are legal. On the board of chess, and where machine code serves, one call of a kernel writes
them all as numbers, of which each becomes a move when somebody asks for it. Both lists are one: the game's own law.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from qchess.boards.geometry import geometry
from qchess.circuits.kernels import Bound
from qchess.games.quantum_chess.core.layout import GAME, SYMBOLS, Whole
from qchess.games.quantum_chess.core.list_kernels import list_of_masks
from qchess.games.quantum_chess.core.packed import MOVES
from qchess.games.quantum_chess.core.packing import switches
from qchess.games.quantum_chess.legal import legal_moves, some_move
from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.odds import held
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.profile import Book

BOARD_OF_CHESS = geometry(8, 8)
#: the first places of `core.layout`: ply, rights, square to take in passing, book, held squares, and the symbols' masks
_GAME = struct.Struct("=3q8xq16xQ24x12Q")
_MEN = SYMBOLS[1:]
#: room for so many moves; a longer list is made by the rules themselves
ROOM = 2**14


class Moves(Sequence[Move]):
    """Legal moves in their order; each is made when somebody asks for it."""

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

    def __iter__(self) -> Iterator[Move]:
        return map(MOVES.__getitem__, self._codes.tolist())

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    def __repr__(self) -> str:
        return repr(list(self))


class _Desk(threading.local):
    """The arrays in which the kernel works: a thread's own, made when it lists for the first time."""

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


class Lists:
    """Lists moves by a book. The kernel's last list is kept, for whoever asks once more about the same position."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._switches = switches(book)
        self._last: tuple[Position, Moves] | None = None

    def moves(self, position: Position) -> Sequence[Move]:
        """Every legal move once: standard moves, splits, merges; pairs of squares ascending."""
        last = self._last
        if last is not None and last[0] is position:
            return last[1]
        moves = self.listed(position)
        if isinstance(moves, Moves):  # a plain list is its reader's own, who may change it
            self._last = position, moves
        return moves

    def some_move(self, position: Position) -> Move | None:
        """Some legal move, if there is one."""
        if position.geometry is BOARD_OF_CHESS and list_of_masks.compiled:
            moves = self.moves(position)
            return moves[0] if moves else None
        return some_move(self.book, position)

    def listed(self, position: Position) -> Sequence[Move]:
        """The list, made anew."""
        if position.geometry is not BOARD_OF_CHESS or not list_of_masks.compiled:
            return legal_moves(self.book, position)
        of, target = position.of.get, position.en_passant
        _GAME.pack_into(
            _DESK.bytes, 0, position.ply, position.rights, -1 if target is None else target, self._switches,
            held(position.registers, BOARD_OF_CHESS), *[of(symbol, 0) for symbol in _MEN],
        )  # fmt: skip
        count = _DESK.list()
        return Moves(_DESK.found[:count].copy()) if count <= ROOM else legal_moves(self.book, position)

    def __reduce__(self) -> tuple[type[Lists], tuple[Book]]:
        return Lists, (self.book,)
