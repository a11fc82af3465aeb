"""The kernel behind `qchess.games.quantum_chess.core.listing`: a list of moves from masks alone."""

from __future__ import annotations

from qchess.circuits.kernels import helper, kernel
from qchess.games.quantum_chess.core.layout import BOARD, FULL, MEN, SIDE, SOME, Whole
from qchess.games.quantum_chess.core.lists import write_moves
from qchess.games.quantum_chess.core.masks import lowest

#: where a list is made from masks, here stand the squares that registers hold
HELD = SOME


@helper
def put_men(game: Whole) -> None:
    """Sets up the board of a position of which only the masks are known, and finds what is certainly full."""
    for square in range(64):
        game[BOARD + square] = 0
    men = 0
    for code in range(1, 2 * SIDE + 1):
        left = game[MEN + code]
        men |= left
        while left != 0:
            game[BOARD + lowest(left)] = code
            left &= left - 1
    game[FULL] = men & ~game[HELD]


@kernel("int64(int64[::1], int64[::1])")
def list_of_masks(game: Whole, found: Whole) -> int:
    """Writes the legal moves if there is room for all; gives how many there are."""
    put_men(game)
    return write_moves(game, found)
