"""The legal moves: captures, or if there are none, steps, splits and merges.

The order of a list is fixed: by kind, then by the squares a move leaves, then by those it reaches.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from qchess.games.quantum_checkers.book import OTHER, Book
from qchess.games.quantum_checkers.move import Move
from qchess.games.quantum_checkers.position import Position


def moves(book: Book, position: Position) -> list[Move]:
    """Return every legal move."""
    if found := captures(position):
        return found
    reached = steps(position)
    found = [Move((start,), (to,)) for start, squares in reached.items() for to in squares]
    if book.splits:  # two plain moves of one part at once
        found += [Move((start,), pair) for start, squares in reached.items() for pair in combinations(squares, 2)]
    if book.merges:
        found += merges(position, reached)
    return found


def any_move(position: Position) -> Move | None:
    """Return a legal move without listing all; splits and merges need a step, so none is missed."""
    if found := captures(position):
        return found[0]
    for start in position.squares(position.player):
        for to in steps_from(position, start):
            return Move((start,), (to,))
    return None


def captures(position: Position) -> list[Move]:
    """Return the captures of the side to move, or in a chain those of the part that must go on."""
    owner, kings, player = position.owner, position.kings, position.player
    of_men, of_kings = position.board.jumps[player, False], position.board.jumps[player, True]
    enemies = {*position.squares(OTHER[player])}
    starts = position.squares(player) if position.chain is None else (position.chain,)
    return [
        Move((start,), (to,))
        for start in starts
        for over, to in (of_kings if start in kings else of_men)[start]
        if over in enemies and to not in owner
    ]


def steps(position: Position) -> dict[int, list[int]]:
    """Return for each part of the side to move the empty squares one step away."""
    owner, kings, player = position.owner, position.kings, position.player
    of_men, of_kings = position.board.steps[player, False], position.board.steps[player, True]
    return {
        start: [to for to in (of_kings if start in kings else of_men)[start] if to not in owner]
        for start in position.squares(player)
    }


def captures_from(position: Position, start: int) -> list[Move]:
    """Return the captures of one part: an adjacent enemy part with an empty square behind."""
    owner, colour = position.owner, position.colour(start)
    return [
        Move((start,), (to,))
        for over, to in position.board.jumps[str(colour), start in position.kings][start]
        if to not in owner and over in owner and position.colour(over) != colour
    ]


def steps_from(position: Position, start: int) -> list[int]:
    """Return the empty squares one step away from a part."""
    owner = position.owner
    colour = position.pieces[owner[start]].colour
    return [to for to in position.board.steps[colour, start in position.kings][start] if to not in owner]


def merges(position: Position, reached: Mapping[int, list[int]]) -> list[Move]:
    """Return merges: two parts of one piece, both kings or both men, to a square that either can step to."""
    found, kings = [], position.kings
    for piece in position.pieces.values():
        if len(piece.squares) > 1 and piece.colour == position.player:
            for a, b in combinations(piece.squares, 2):
                if (a in kings) == (b in kings):
                    found += [Move((a, b), (to,)) for to in reached[a] if to in reached[b]]
    return sorted(found)


def meeting_points(position: Position, a: int, b: int) -> list[int]:
    """Return the squares on which two parts of a piece can merge."""
    if (a in position.kings) != (b in position.kings):
        return []
    others = steps_from(position, b)
    return [to for to in steps_from(position, a) if to in others]
