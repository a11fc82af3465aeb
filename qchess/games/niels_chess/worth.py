"""The value of a position to each player, for the greedy agent."""

from __future__ import annotations

from collections.abc import Sequence

from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.fast.values import worths
from qchess.games.niels_chess.listing import any_legal_move
from qchess.games.niels_chess.units import State

#: the values of a king under attack, and of a won game
CHECK, WON = 0.5, 1000.0


def worth(
    book: Book,
    state: State,
    players: Sequence[str],
    checked: bool | None = None,
    movable: bool | None = None,
    material: tuple[float, float] | None = None,
) -> dict[str, float]:
    """Return material and a little progress; check costs a little, mate decides.

    Whoever knows already whether there is check, and a legal move, and the material of each colour, says so.
    """
    white, black = material_of(book, state) if material is None else material
    turn = state.turn
    lead = black - white if turn else white - black
    if state.suicide >= 0:
        lead = WON if state.suicide != turn else -WON
    elif state.pending < 0 and state.offer is None and (book.in_check(state.men, turn) if checked is None else checked):
        lead -= CHECK if movable or any_legal_move(book, state) is not None else WON
    return {players[turn]: lead, players[1 - turn]: -lead}


def material_of(book: Book, state: State) -> tuple[float, float]:
    """Return what the units of each colour are worth, a pair as a piece on its better half."""
    whites, blacks = worths(book.board, book.variant.xiangqi)
    white = black = 0.0
    for square, unit in enumerate(state.men):
        if unit is not None and unit.at == square:
            if unit.colour:
                black += blacks[unit.kind][unit.second if unit.x else square]
            else:
                white += whites[unit.kind][unit.second if unit.x else square]
    return white, black
