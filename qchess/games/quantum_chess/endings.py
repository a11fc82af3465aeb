"""How a game ends: a king gone in every branch, a clock run out, or nothing left to move."""

from __future__ import annotations

from qchess.games.quantum_chess.legal import some_move
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.profile import Law
from qchess.rules import Result

#: half-moves without a whole capture that end the game
FIFTY_MOVES = 100


def result(law: Law, position: Position) -> Result | None:
    """How the game ended, or None while it goes on; the first reason that applies counts."""
    if law.sandbox:
        return None
    return _kings(position) or _clocks(law, position) or _stalemate(law, position)


def waits_for_kings(law: Law, position: Position) -> bool:
    """Whether the only move left is the last question: which kings are there?"""
    return law.fifty_end == "measure" and position.clock >= FIFTY_MOVES and not position.judged and not law.sandbox


def _kings(position: Position) -> Result | None:
    white, black = "K" in position.of, "k" in position.of
    if white and black:
        return None
    if not white and not black:
        return Result(None, "annihilation")
    return Result("white" if white else "black", "king_captured")


def _clocks(law: Law, position: Position) -> Result | None:
    if waits_for_kings(law, position):
        return None
    if position.judged or position.clock >= FIFTY_MOVES:
        return Result(None, "fifty_moves")
    if law.repetition and _occurrences(position) >= law.repetition:
        return Result(None, "repetition")
    return Result(None, "max_ply") if position.ply >= law.max_ply else None


def _stalemate(law: Law, position: Position) -> Result | None:
    if waits_for_kings(law, position) or some_move(law, position) is not None:
        return None
    return Result(None, "stalemate")


def _occurrences(position: Position) -> int:
    """How often this position has occurred, now included."""
    return 1 + sum(position.repeats(earlier) for earlier in position.seen)
