"""How games end: who cannot move has lost (CQ-7), and too many plies without a capture are a draw (CQ-5)."""

from __future__ import annotations

from qchess.games.quantum_checkers.book import OTHER, Book
from qchess.games.quantum_checkers.legal import any_move
from qchess.games.quantum_checkers.position import Position
from qchess.rules import Result


def result(book: Book, position: Position) -> Result | None:
    """How the game ended, or None while it goes on."""
    limit = book.options.draw_plies
    is_drawn = limit is not None and position.quiet >= limit
    if is_drawn and book.options.draw_first:
        return draw(book)
    if any_move(position) is None:
        return loss(position.player, bool(position.squares(position.player)))
    return draw(book) if is_drawn else None


def draw(book: Book) -> Result:
    """The draw after too many plies without a capture."""
    return Result(None, f"{book.options.draw_plies} plies without a capture")


def loss(player: str, has_parts: bool) -> Result:
    """The loss of a player who cannot move."""
    return Result(OTHER[player], f"{player} has no {'legal move' if has_parts else 'piece left'}")
