"""How a game ends: a king gone in every branch, a clock run out, or nothing left to move."""

from __future__ import annotations

from collections.abc import Callable

from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.profile import Book
from qchess.rules import Result

#: finds a legal move, if there is one
SomeMove = Callable[[Position], Move | None]
#: half-moves without a whole capture that end the game
FIFTY_MOVES = 100


def result(book: Book, position: Position, some_move: SomeMove) -> Result | None:
    """How the game ended, or None while it goes on; the first reason that applies counts."""
    if book.sandbox:
        return None
    return _kings(position) or _clocks(book, position) or _stalemate(book, position, some_move)


def waits_for_kings(book: Book, position: Position) -> bool:
    """Whether the only move left is the last question: which kings are there?"""
    return book.fifty_end == "measure" and position.clock >= FIFTY_MOVES and not position.judged and not book.sandbox


def _kings(position: Position) -> Result | None:
    white, black = "K" in position.of, "k" in position.of
    if white and black:
        return None
    if not white and not black:
        return Result(None, "annihilation")
    return Result("white" if white else "black", "king_captured")


def _clocks(book: Book, position: Position) -> Result | None:
    if waits_for_kings(book, position):
        return None
    if position.judged or position.clock >= FIFTY_MOVES:
        return Result(None, "fifty_moves")
    if book.repetition and _occurrences(position) >= book.repetition:
        return Result(None, "repetition")
    return Result(None, "max_ply") if position.ply >= book.max_ply else None


def _stalemate(book: Book, position: Position, some_move: SomeMove) -> Result | None:
    if waits_for_kings(book, position) or some_move(position) is not None:
        return None
    return Result(None, "stalemate")


def _occurrences(position: Position) -> int:
    """How often this position has occurred, now included."""
    return 1 + sum(position.repeats(earlier) for earlier in position.seen)
