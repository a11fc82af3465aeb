"""The kernel behind `qchess.games.quantum_checkers.late.plies`: a move played, and the list of the next moves."""

from __future__ import annotations

from qchess.circuits.kernels import helper, kernel
from qchess.games.quantum_checkers.core.layout import (
    CELLS,
    FAULT,
    PLAYER,
    SIZE,
    Amplitudes,
    Dice,
    Floats,
    Ints,
    Longs,
)
from qchess.games.quantum_checkers.core.listing import colour_at, list_moves
from qchess.games.quantum_checkers.core.plies import play, status
from qchess.games.quantum_checkers.late.finding import ANSWERED, CODES, ENDED, MOVE, TOO_LARGE, find_all

#: bits of a square in a move's code; a square that is not there is 0 in the places of the second source and target
BITS = 10
ALL = (1 << BITS) - 1
#: what is added to how a game was lost, if the loser has parts on the board
WITH_PARTS = 3


@kernel(
    "int64(int32[::1], int32[::1], int32[:, ::1], int32[:, ::1], complex128[::1], int32[:, ::1], int32[::1], "
    "uint64[::1], int64[::1], float64[::1])"
)
def play_ply(
    book: Ints,
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    moves: Ints,
    told: Ints,
    dice: Dice,
    ply: Longs,
    numbers: Floats,
) -> int:
    """Plays a legal move in place, and lists the next moves; gives how many there are, or why nothing was played."""
    move = ply[MOVE]
    ply[ANSWERED] = 0
    if move >= 0:
        a, b, c, d = move & ALL, (move >> BITS & ALL) - 1, move >> 2 * BITS & ALL, (move >> 3 * BITS) - 1
        rise = c // book[SIZE] - a // book[SIZE]
        if b < 0 and d < 0 and (rise == 2 or rise == -2):
            why = find_all(book, board, comps, places, amps, a, c, told, ply, numbers)
            if why < 0:
                return why
        play(book, board, comps, places, amps, a, b, c, d, told, dice)
    count = list_moves(book, board, moves)
    if board[FAULT] != 0 or count > ply.size - CODES:
        return TOO_LARGE
    for k in range(count):
        sources = int(moves[k, 0]) + (int(moves[k, 1]) + 1 << BITS)
        targets = int(moves[k, 2]) + (int(moves[k, 3]) + 1 << BITS)
        ply[CODES + k] = sources + (targets << 2 * BITS)
    ply[ENDED] = status(book, board)
    if (ply[ENDED] == 1 or ply[ENDED] == 2) and has_parts(book, board):
        ply[ENDED] += WITH_PARTS
    return count


@helper
def has_parts(book: Ints, board: Ints) -> bool:
    """Whether the side to move has a part on the board."""
    for square in range(book[SIZE] * book[SIZE]):
        if board[CELLS + square] > 0 and colour_at(book, board, square) == board[PLAYER]:
            return True
    return False
