"""The kernel behind `qchess.games.quantum_chess.late.plies`: a listed move played, and the list of the next moves."""

from __future__ import annotations

from qchess.circuits.kernels import helper, kernel
from qchess.games.quantum_chess.core.layout import (
    BOARD,
    CARE,
    GAME,
    GOES,
    MERGE_SHAPE,
    MERGES,
    OPEN,
    PAWN,
    PLY,
    SIDE,
    SPLIT_SHAPE,
    SPLITS,
    SUMS,
    Real,
    State,
    Whole,
)
from qchess.games.quantum_chess.core.lists import choices, men_of, write_moves
from qchess.games.quantum_chess.core.measuring import odds
from qchess.games.quantum_chess.core.moves import recognise
from qchess.games.quantum_chess.core.playing import ending, play

#: more places in `game`: the move to be played (-1: none), and how the game then ended
MOVE, ENDED = GAME, GAME + 1
#: one more place in `sums`: the number that answers the move's question, yes if it is below the odds
NUMBER = SUMS
#: what is longer than any number: no answer is given
NOT_THROWN = 2.0
#: why nothing was played: the move is not in the list, its question is open, or its odds are too close to a border
NOT_LISTED, ASKS, TOO_CLOSE = -1, -2, -3
#: the odds of the rules and of the core differ by less than this
CLOSE = 1e-6


@kernel("int64(int64[::1], float64[::1], int64[::1], int64[::1], float64[::1], float64[::1], int64[::1], int64[::1])")
def play_ply(
    game: Whole, sums: Real, squares: Whole, captured: Whole, re: Real, im: Real, slots: Whole, found: Whole
) -> int:
    """Plays a move in place, and writes the next list of moves; gives how many there are, or why nothing was played."""
    state = State(game, sums, squares, captured, re, im, slots)
    if game[MOVE] >= 0:
        if not is_listed(game, game[MOVE]):
            return NOT_LISTED
        recognise(game, game[MOVE])
        yes, number = odds(state) if game[CARE] != 0 else 1.0, sums[NUMBER]
        if 0.0 < yes < 1.0:
            if yes < CLOSE or yes > 1 - CLOSE or abs(yes - number) < CLOSE:
                return TOO_CLOSE
            if number == NOT_THROWN:
                return ASKS
        play(state, game[MOVE], int(number < yes))
    moves = write_moves(game, found)
    game[ENDED] = ending(game, moves)
    return moves


@helper
def is_listed(game: Whole, move: int) -> bool:
    """Whether a move is in the list that was written last."""
    first, second, third, choice = move & 63, move >> 6 & 63, move >> 12 & 63, move >> 18 & 7
    side, shape = game[PLY] & 1, move >> 21
    if men_of(game, side) >> first & 1 == 0:
        return False
    goes, near = game[GOES + first], game[OPEN + first]
    if shape == SPLIT_SHAPE:
        return bool(game[SPLITS] != 0 and second < third and near >> second & near >> third & 1 != 0)
    if shape == MERGE_SHAPE:
        alike = first < second and game[BOARD + first] == game[BOARD + second]
        return bool(game[MERGES] != 0 and alike and (near & game[OPEN + second]) >> third & 1 != 0)
    if goes >> second & 1 == 0:
        return False
    ways = choices(game, goes) if game[BOARD + first] - SIDE * side == PAWN else 1
    return bool(choice == 0 if ways == 1 else choice > 0 or ways == 5)
