"""The value of a position to each player, for the greedy agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from qchess.boards.geometry import Geometry
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.listing import any_legal_move
from qchess.games.niels_chess.units import State

#: the values of pieces; kings count nothing here
CHESS = {"P": 1.0, "N": 3.0, "B": 3.0, "R": 5.0, "Q": 9.0, "K": 0.0}
XIANGQI = {"P": 1.0, "A": 2.0, "B": 2.0, "N": 4.0, "C": 4.5, "R": 9.0, "K": 0.0}
#: the values of a king under attack, and of a won game
CHECK, WON = 0.5, 1000.0
#: the value of a pawn's step, so that going on always gains something
STEP = 0.02


def worth(
    book: Book, state: State, players: Sequence[str], checked: bool | None = None, movable: bool | None = None
) -> dict[str, float]:
    """Return material and a little progress; check costs a little, mate decides.

    Whoever knows already whether there is check, and a legal move, says so.
    """
    whites, blacks = worths(book.board, book.variant.xiangqi)
    white = black = 0.0
    for square, unit in enumerate(state.men):
        if unit is not None and unit.at == square:
            if unit.colour:
                black += blacks[unit.kind][unit.second if unit.x else square]
            else:
                white += whites[unit.kind][unit.second if unit.x else square]
    turn = state.turn
    lead = black - white if turn else white - black
    if state.suicide >= 0:
        lead = WON if state.suicide != turn else -WON
    elif state.pending < 0 and state.offer is None and (book.in_check(state.men, turn) if checked is None else checked):
        lead -= CHECK if movable or any_legal_move(book, state) is not None else WON
    return {players[turn]: lead, players[1 - turn]: -lead}


@lru_cache(maxsize=16)
def worths(board: Geometry, xiangqi: bool) -> Sequence[Mapping[str, Sequence[float]]]:
    """Return by colour, kind and square (of a pair its better half) what a unit is worth."""
    values, last = XIANGQI if xiangqi else CHESS, board.height - 1
    ranks = [board.rank(square) for square in range(board.size)]
    gone = ranks, [last - rank for rank in ranks]
    return tuple(
        {kind: [value + (STEP * steps if kind == "P" else 0.0) for steps in ways] for kind, value in values.items()}
        for ways in gone
    )
