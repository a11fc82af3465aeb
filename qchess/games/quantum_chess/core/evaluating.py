"""The odds of single squares, and what a position is worth: expected material."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import COUNT, FULL, MEN, SIDE, SOME, Real, State
from qchess.games.quantum_chess.core.masks import count, lowest


@helper
def odds_of_squares(state: State, found: Real) -> None:
    """Writes how likely each square is occupied."""
    game, squares, re, im = state.game, state.squares, state.re, state.im
    for square in range(64):
        found[square] = float(game[FULL] >> square & 1)
    left = game[SOME] & ~game[FULL]
    while left != 0:
        square = lowest(left)
        left &= left - 1
        odds = total = 0.0
        for k in range(game[COUNT]):
            weight = re[k] * re[k] + im[k] * im[k]
            odds += weight * (squares[k] >> square & 1)
            total += weight
        found[square] = odds / total


@helper
def material(state: State, values: Real) -> float:
    """White's expected material, black's taken off; `values` by the codes of white's symbols."""
    game = state.game
    worth = 0.0
    for code in range(1, SIDE + 1):
        for side in range(2):
            men = game[MEN + SIDE * side + code]
            found = count(men & game[FULL]) + _expected(state, men & ~game[FULL])
            worth += found * values[code] * (1 - 2 * side)
    return worth


@helper
def _expected(state: State, men: int) -> float:
    """How many of these squares are occupied, expected."""
    if men == 0:
        return 0.0
    squares, re, im = state.squares, state.re, state.im
    found = total = 0.0
    for k in range(state.game[COUNT]):
        weight = re[k] * re[k] + im[k] * im[k]
        found += weight * count(squares[k] & men)
        total += weight
    return found / total
