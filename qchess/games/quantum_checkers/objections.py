"""Why a move is not legal, in words."""

from __future__ import annotations

from qchess.games.quantum_checkers.book import Book
from qchess.games.quantum_checkers.legal import captures, captures_from, meeting_points, moves, steps_from
from qchess.games.quantum_checkers.move import Move, is_jump
from qchess.games.quantum_checkers.notation import write
from qchess.games.quantum_checkers.position import Position


def objection(book: Book, position: Position, move: Move) -> str | None:
    """Return why a move is not legal, or None if it is."""
    if move in moves(book, position):
        return None
    text = write(book.board, move)
    return f"{text}: {_reason(book, position, move)}; {position.player} to move, ply {position.ply}"


def _reason(book: Book, position: Position, move: Move) -> str:
    names = book.board.names
    if not all(0 <= square < len(names) for square in move.sources + move.targets):
        return f"the board has the squares a1 to {names[-1]}"
    if position.chain is not None and move.sources != (position.chain,):
        return f"the part on {names[position.chain]} must go on capturing"
    for square in move.sources:
        if position.colour(square) != position.player:
            stands = position.colour(square)
            return f"on {names[square]} stands {'nothing' if stands is None else f'a piece of {stands}'}"
    for square in move.targets:
        if square in position.owner:
            return f"{names[square]} is not empty"
    return _reason_between(book, position, move)


def _reason_between(book: Book, position: Position, move: Move) -> str:
    """Return what is wrong with a move of own parts to empty squares."""
    names = book.board.names
    forced = next(iter(captures(position)), None)
    if is_jump(move, book.board.size) and move not in captures_from(position, move.sources[0]):
        return f"from {names[move.sources[0]]} there is no such capture"
    if forced:
        return f"a capture is possible, such as {write(book.board, forced)}, so one must be made"
    if move != move.in_order():
        return "the lower square of a pair comes first"
    if move.is_split and not book.splits:
        return f"at level {book.level} nothing splits"
    if move.is_merge and not book.merges:
        return f"at level {book.level} nothing merges"
    if move.is_merge:
        return _why_no_merge(position, move)
    reached = ", ".join(names[to] for to in steps_from(position, move.sources[0])) or "nowhere"
    return f"{names[move.sources[0]]} steps to {reached}"


def _why_no_merge(position: Position, move: Move) -> str:
    names, (a, b) = position.board.names, move.sources
    if a == b or position.owner[a] != position.owner[b]:
        return f"{names[a]} and {names[b]} are not two parts of one piece"
    if (a in position.kings) != (b in position.kings):
        return f"of {names[a]} and {names[b]} one is a king"
    reached = ", ".join(names[to] for to in meeting_points(position, a, b)) or "nowhere"
    return f"{names[a]} and {names[b]} meet on {reached}"
