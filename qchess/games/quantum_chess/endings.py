"""How a game ends: a king gone in every branch, a clock run out, or nothing left to move; and who threatens a king."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from qchess.boards.geometry import squares
from qchess.circuits.precision import SAME
from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.profile import Book
from qchess.rules import Result, Rules, Threat

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


def threats(rules: Rules[Position, Any], position: Position, *, every: bool = False) -> Iterator[Threat]:
    """Yield each move of the other side after which the king may be gone in every branch, with its probability.

    Moves that cannot do so are left out unless `every` move is to be tried.
    """
    king, other = ("K", "k") if position.white_to_move else ("k", "K")
    where = position.of.get(king, 0)
    if not where or other not in position.of:
        return
    names = position.geometry.names
    standing = [names[at] for at in squares(where)]
    certain = all(position.odds[square] > 1 - SAME for square in standing)
    passed = replace(position, ply=position.ply + 1, en_passant=None, clock=0)
    for move in rules.moves(passed):
        hit = next((square for square in rules.sketch(passed, move).targets if square in standing), None)
        if hit is None and certain and not every:
            continue
        turn = rules.turn(passed, move)
        if hit is None and not turn.program.answers and not every:
            continue
        gone = sum(way.probability for way in rules.outcomes(passed, turn) if _is_gone(way.position, king, other))
        if gone > SAME:
            yield Threat(hit or standing[0], rules.write(passed, turn), gone)


def _is_gone(after: Position, king: str, other: str) -> bool:
    return king not in after.of and other in after.of
