"""The legal moves: captures, or if there are none, steps, splits and merges.

The order of a list is fixed: by kind, then by the squares a move leaves, then by those it reaches.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from qchess.games.quantum_checkers.book import Book
from qchess.games.quantum_checkers.move import Move
from qchess.games.quantum_checkers.position import Position


def moves(book: Book, position: Position) -> list[Move]:
    """Return every legal move."""
    found = list(captures(position))
    if found:
        return found
    found = list(steps(position))
    if book.splits:
        found += splits(position)
    if book.merges:
        found += merges(position)
    return found


def any_move(book: Book, position: Position) -> Move | None:
    """Return a legal move without listing all; splits and merges need a step, so none is missed."""
    return next(captures(position), None) or next(steps(position), None)


def captures(position: Position) -> Iterator[Move]:
    """Yield the captures of the side to move, or in a chain those of the part that must go on."""
    starts = position.squares(position.player) if position.chain is None else iter((position.chain,))
    return (move for start in starts for move in captures_from(position, start))


def captures_from(position: Position, start: int) -> Iterator[Move]:
    """Yield the captures of one part: an adjacent enemy part with an empty square behind."""
    pieces, owner = position.pieces, position.owner
    colour = pieces[owner[start]].colour
    for over, to in position.board.jumps[colour, start in position.kings][start]:
        enemy = owner.get(over)
        if enemy is not None and to not in owner and pieces[enemy].colour != colour:
            yield Move((start,), (to,))


def steps_from(position: Position, start: int) -> list[int]:
    """Return the empty squares one step away from a part."""
    owner = position.owner
    colour = position.pieces[owner[start]].colour
    return [to for to in position.board.steps[colour, start in position.kings][start] if to not in owner]


def steps(position: Position) -> Iterator[Move]:
    """Yield the plain moves of the side to move."""
    return (Move((s,), (to,)) for s in position.squares(position.player) for to in steps_from(position, s))


def splits(position: Position) -> Iterator[Move]:
    """Yield splits: two plain moves of one part at once."""
    for start in position.squares(position.player):
        for pair in combinations(steps_from(position, start), 2):
            yield Move((start,), pair)


def merges(position: Position) -> list[Move]:
    """Return merges: two parts of one piece, both kings or both men, to a square that either can step to."""
    found = []
    for piece in position.pieces.values():
        if piece.colour == position.player and len(piece.squares) > 1:
            for pair in combinations(piece.squares, 2):
                found += [Move(pair, (to,)) for to in meeting_points(position, *pair)]
    return sorted(found)


def meeting_points(position: Position, a: int, b: int) -> list[int]:
    """Return the squares on which two parts of a piece can merge."""
    if (a in position.kings) != (b in position.kings):
        return []
    others = steps_from(position, b)
    return [to for to in steps_from(position, a) if to in others]
