"""The kernels of quantum checkers: a list of moves, a ply, its outcomes, and whole random games.

All are plain functions on the arrays of `layout`; who calls brings the workspace.
"""

# ruff: noqa: SIM110 - kernels know loops, not generators
from __future__ import annotations

import numpy as np

from qchess.circuits.kernels import helper, kernel
from qchess.games.quantum_checkers.core.components import weight, word
from qchess.games.quantum_checkers.core.dice import below, reseed
from qchess.games.quantum_checkers.core.layout import (
    CELLS,
    COMPONENTS,
    ENTRIES,
    FAULT,
    LENGTH,
    SECOND,
    SIZE,
    START,
    Amplitudes,
    Dice,
    Floats,
    Ints,
    Longs,
)  # fmt: skip
from qchess.games.quantum_checkers.core.listing import list_moves
from qchess.games.quantum_checkers.core.plies import play, status, status_with
from qchess.games.quantum_checkers.core.ways import list_ways

#: what is told of a random game: how it ended (0: it did not), plies, captures, moves there were, plies with an
#: entangled pair on the board, and the most entries a component had
ENDED, PLIES, CAPTURES, CHOICES, ENTANGLED, LARGEST, COLUMNS = range(7)


@kernel("int64(int32[::1], int32[::1], int32[:, ::1])")
def moves_of(book: Ints, board: Ints, moves: Ints) -> int:
    """Writes the legal moves and says how many there are."""
    return list_moves(book, board, moves)


@kernel("int64(int32[::1], int32[::1])")
def status_of(book: Ints, board: Ints) -> int:
    """0 while the game goes on, 1 where White has won, 2 Black, 3 a draw."""
    return status(book, board)


@kernel(
    "int64(int32[::1], int32[::1], int32[:, ::1], int32[:, ::1], complex128[::1], int32[::1], int32[::1], uint64[::1])"
)
def play_move(
    book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, move: Ints, told: Ints, dice: Dice
) -> int:
    """Plays a legal move in place, answered by `told` or the dice; 0 if the workspace was too small."""
    play(book, board, comps, places, amps, move[0], move[1], move[2], move[3], told, dice)
    return int(1 - board[FAULT])


@kernel(
    "int64(int32[::1], int32[::1], int32[:, ::1], int32[:, ::1], complex128[::1], int64, int64, int32[:, ::1], "
    "float64[::1])"
)
def ways_of(
    book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, f: int, t: int, found: Ints, odds: Floats
) -> int:
    """Writes the ways in which a capture can be answered and says how many there are; 0 if it asks nothing."""
    return list_ways(book, board, comps, places, amps, f, t, found, odds)


@kernel("void(int32[::1], int32[::1], int32[:, ::1], int32[:, ::1], complex128[::1], float64[::1])")
def odds_of(book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, found: Floats) -> None:
    """Writes the probability of each square."""
    squares = book[SIZE] * book[SIZE]
    for s in range(squares):
        piece = (board[CELLS + s] >> 1) - 1
        found[s] = 1.0 if piece >= 0 and word(book, board, piece) < 2 else 0.0
    for c in range(board[COMPONENTS]):
        for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
            for slot in range(2):
                place = places[k, slot]
                if 0 <= place < squares:
                    found[place] += weight(amps[k])


@helper
def has_pair(board: Ints, comps: Ints) -> bool:
    """Whether two pieces are entangled."""
    for c in range(board[COMPONENTS]):
        if comps[c, SECOND] >= 0:
            return True
    return False


@helper
def copy(
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    board2: Ints,
    comps2: Ints,
    places2: Ints,
    amps2: Amplitudes,
) -> None:
    """Copies a position to a workspace."""  # fmt: skip
    for k in range(board.size):
        board2[k] = board[k]
    for c in range(board[COMPONENTS]):
        for k in range(comps.shape[1]):
            comps2[c, k] = comps[c, k]
    for k in range(board[ENTRIES]):
        places2[k, 0], places2[k, 1], amps2[k] = places[k, 0], places[k, 1], amps[k]


@helper
def one_game(
    book: Ints,
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    moves: Ints,
    told: Ints,
    dice: Dice,
    plies: int,
    rows: Longs,
    row: int,
) -> None:
    """Plays at random to the end or for so many plies, and writes what is told of it."""  # fmt: skip
    for k in range(COLUMNS):
        rows[row, k] = 0
    while rows[row, PLIES] < plies:
        count = list_moves(book, board, moves)
        ended = status_with(book, board, count > 0)
        if ended > 0:
            rows[row, ENDED] = ended
            return
        k = below(dice, count)
        lost = play(book, board, comps, places, amps, moves[k, 0], moves[k, 1], moves[k, 2], moves[k, 3], told, dice)
        if board[FAULT] != 0:
            return
        rows[row, PLIES] += 1
        rows[row, CAPTURES] += lost
        rows[row, CHOICES] += count
        rows[row, ENTANGLED] += has_pair(board, comps)
        for c in range(board[COMPONENTS]):
            rows[row, LARGEST] = max(rows[row, LARGEST], np.int64(comps[c, LENGTH]))
    rows[row, ENDED] = status(book, board)


@kernel(
    "int64(int32[::1], int32[::1], int32[:, ::1], int32[:, ::1], complex128[::1], int32[::1], int32[:, ::1], "
    "int32[:, ::1], complex128[::1], int32[:, ::1], int32[::1], uint64[::1], uint64, int64, int64, int64, int64, "
    "int64[:, ::1])"
)
def random_games(
    book: Ints,
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    board2: Ints,
    comps2: Ints,
    places2: Ints,
    amps2: Amplitudes,
    moves: Ints,
    told: Ints,
    dice: Dice,
    seed: np.uint64,
    first: int,
    last: int,
    plies: int,
    budget: int,
    rows: Longs,
) -> int:
    """Plays the random games first to last - 1 of a batch from one position; says which comes next.

    It returns early once so many plies were played in all. Each game has dice of its own, so that no game depends
    on how a batch is cut.
    """  # fmt: skip
    number, played = first, 0
    while number < last and played < budget:
        copy(board, comps, places, amps, board2, comps2, places2, amps2)
        reseed(dice, seed, number)
        one_game(book, board2, comps2, places2, amps2, moves, told, dice, plies, rows, number)
        played += rows[number, PLIES] + 1
        number += 1
    return number
