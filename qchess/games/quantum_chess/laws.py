"""Laws of Quantum Chess alone, for `qchess.testing.check_game`; each raises `LawError` where it is broken."""

from __future__ import annotations

from qchess.circuits.precision import SAME
from qchess.games.quantum_chess.legal import legal_moves
from qchess.games.quantum_chess.lists import Lists
from qchess.games.quantum_chess.position import Position, pieces_left
from qchess.proving.laws import require


def lists_what_is_legal(lists: Lists, position: Position) -> None:
    """However fast moves are listed, they are those of the clear rules, in their order."""
    found, true = list(lists.listed(position)), legal_moves(lists.book, position)
    require(found == true, f"{len(found)} moves are listed and {len(true)} legal: {set(found) ^ set(true)}")


def counts_pieces(position: Position) -> None:
    """The expected number of pieces, which moves that take nothing hand on, is what a count finds."""
    told, found = position.pieces, pieces_left(position.registers, position.geometry)
    require(abs(told - found) < SAME * 1e3, f"the position has {told} pieces, a count finds {found}")
