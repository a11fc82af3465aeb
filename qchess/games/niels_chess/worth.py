"""The value of a position to each player, for the greedy agent."""

from __future__ import annotations

from collections.abc import Sequence

from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.listing import any_legal_move
from qchess.games.niels_chess.units import State, Unit

#: the values of pieces; kings count nothing here
CHESS = {"P": 1.0, "N": 3.0, "B": 3.0, "R": 5.0, "Q": 9.0, "K": 0.0}
XIANGQI = {"P": 1.0, "A": 2.0, "B": 2.0, "N": 4.0, "C": 4.5, "R": 9.0, "K": 0.0}
#: the values of a king under attack, and of a won game
CHECK, WON = 0.5, 1000.0
#: the value of a pawn's step, so that going on always gains something
STEP = 0.02


def worth(book: Book, state: State, players: Sequence[str]) -> dict[str, float]:
    """Return material and a little progress; check costs a little, mate decides."""
    values = XIANGQI if book.variant.xiangqi else CHESS
    sums = [0.0, 0.0]
    for unit in state.units:
        sums[unit.colour] += values[unit.kind] + _progress(book, unit)
    turn = state.turn
    lead = sums[turn] - sums[1 - turn]
    if state.suicide >= 0:
        lead = WON if state.suicide != turn else -WON
    elif state.pending < 0 and state.offer is None and book.in_check(state.men, turn):
        lead -= CHECK if any_legal_move(book, state) is not None else WON
    return {players[turn]: lead, players[1 - turn]: -lead}


def _progress(book: Book, unit: Unit) -> float:
    """Return how far a pawn's better half has come."""
    if unit.kind != "P":
        return 0.0
    rank = book.board.rank(unit.major)
    return STEP * (rank if unit.colour == 0 else book.board.height - 1 - rank)
