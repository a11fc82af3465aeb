"""The legal moves of a position, as fast as this machine can list them.

`legal` defines the legal moves; if a kernel serves, `core.listing` lists the same ones, which a law checks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import ref

from qchess.games.quantum_chess.legal import legal_moves, some_move
from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.profile import Book

if TYPE_CHECKING:
    from qchess.games.quantum_chess.core.listing import Moves


class Lists:
    """Lists moves by a book. The last list is kept for further questions about the same position."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._last: tuple[ref[Position], Moves | None] | None = None

    def moves(self, position: Position) -> Sequence[Move]:
        """Return every legal move once: standard moves, splits, merges; pairs of squares ascending."""
        found = self._kept(position)
        return legal_moves(self.book, position) if found is None else found

    def some_move(self, position: Position) -> Move | None:
        """Return some legal move, if there is one."""
        found = self._kept(position)
        if found is None:
            return some_move(self.book, position)
        return found[0] if found else None

    def has(self, position: Position, move: Move) -> bool:
        """Tell whether a move is in the list, if a kernel lists it; if none does, the rules must be asked."""
        found = self._kept(position)
        return found is not None and move in found

    def keep(self, position: Position, moves: Moves) -> None:
        """Keep the list of a position that the core has just made."""
        self._last = ref(position), moves

    def listed(self, position: Position) -> Sequence[Move]:
        """Return a newly made list."""
        found = self._by_kernel(position)
        return legal_moves(self.book, position) if found is None else found

    def _kept(self, position: Position) -> Moves | None:
        last = self._last
        if last is None or last[0]() is not position:
            self._last = last = ref(position), self._by_kernel(position)
        return last[1]

    @cached_property
    def _by_kernel(self) -> Callable[[Position], Moves | None]:
        # opened at the first list, so that whoever only reads rules need not wait for numpy
        from qchess.games.quantum_chess.core.list_kernels import list_of_masks
        from qchess.games.quantum_chess.core.listing import Listing

        return Listing(self.book).moves if list_of_masks.compiled else lambda _: None

    def __reduce__(self) -> tuple[type[Lists], tuple[Book]]:
        return Lists, (self.book,)
