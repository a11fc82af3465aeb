"""Laws of Quantum Chess alone, for `qchess.testing.check_game`; each raises `LawError` where it is broken."""

from __future__ import annotations

from qchess.circuits.precision import SAME
from qchess.games.quantum_chess.legal import legal_moves
from qchess.games.quantum_chess.lists import Lists
from qchess.games.quantum_chess.position import Position, pieces_left
from qchess.proving.laws import require


def lists_what_is_legal(lists: Lists, position: Position) -> None:
    """Check that fast lists of moves equal those of the simple rules, in order."""
    found, true = list(lists.listed(position)), legal_moves(lists.book, position)
    require(found == true, f"{len(found)} moves are listed and {len(true)} legal: {set(found) ^ set(true)}")


def counts_pieces(position: Position) -> None:
    """Check that the expected number of pieces, passed on by moves without captures, equals a count."""
    told, found = position.pieces, pieces_left(position.registers, position.geometry)
    require(abs(told - found) < SAME * 1e3, f"the position has {told} pieces, a count finds {found}")
