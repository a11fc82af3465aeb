"""The kernels: what Python calls, on plain arrays. Nothing is allocated inside, and all return a whole number."""

from __future__ import annotations

from qchess.circuits.kernels import kernel
from qchess.games.quantum_chess.core.evaluating import material, odds_of_squares, weigh
from qchess.games.quantum_chess.core.layout import CARE, YES, Real, State, Whole
from qchess.games.quantum_chess.core.lists import survey, write_moves
from qchess.games.quantum_chess.core.measuring import odds
from qchess.games.quantum_chess.core.moves import recognise
from qchess.games.quantum_chess.core.playing import ending, play
from qchess.games.quantum_chess.core.playouts import play_games

STATE = "int64[::1], float64[::1], int64[::1], int64[::1], float64[::1], float64[::1], int64[::1]"
ROOT = "int64[::1], float64[::1], int64[::1], int64[::1], float64[::1], float64[::1]"
ENDS = "int64[::1], float64[::1], int64[::1], float64[::1], float64[::1]"
LOGS = "int64[::1], int64[::1], int64[::1]"


@kernel("int64(int64[::1], int64[::1])")
def list_moves(game: Whole, found: Whole) -> int:
    """Writes the legal moves if there is room for all; gives how many there are."""
    return write_moves(game, found)


@kernel("int64(int64[::1])")
def ending_of(game: Whole) -> int:
    """How the game ended, as a number; 0 while it goes on."""
    return ending(game, survey(game))


@kernel(f"int64({STATE}, int64)")
def odds_of_move(
    game: Whole, sums: Real, squares: Whole, captured: Whole, re: Real, im: Real, slots: Whole, move: int
) -> int:
    """Notes how likely the move's question is answered yes; gives whether it asks one."""
    state = State(game, sums, squares, captured, re, im, slots)
    recognise(game, move)
    sums[YES] = odds(state) if game[CARE] != 0 else 1.0
    return int(game[CARE] != 0)


@kernel(f"int64({STATE}, int64, int64)")
def play_move(
    game: Whole, sums: Real, squares: Whole, captured: Whole, re: Real, im: Real, slots: Whole, move: int, answer: int
) -> int:
    """Plays a move in place, its question answered as told (by the dice if -1); gives the answer."""
    return play(State(game, sums, squares, captured, re, im, slots), move, answer)


@kernel(f"int64({STATE}, float64[::1])")
def square_odds(
    game: Whole, sums: Real, squares: Whole, captured: Whole, re: Real, im: Real, slots: Whole, found: Real
) -> int:
    """Writes how likely each square is occupied."""
    odds_of_squares(State(game, sums, squares, captured, re, im, slots), found)
    return 0


@kernel(f"int64({STATE}, float64[::1])")
def worth(
    game: Whole, sums: Real, squares: Whole, captured: Whole, re: Real, im: Real, slots: Whole, values: Real
) -> int:
    """Writes white's expected material, black's taken off, in the first place of the values."""
    values[0] = material(State(game, sums, squares, captured, re, im, slots), values)
    return 0


@kernel(f"int64({STATE}, {ROOT}, {ENDS}, int64)")
def weigh_moves(
    game: Whole,
    sums: Real,
    squares: Whole,
    captured: Whole,
    re: Real,
    im: Real,
    slots: Whole,
    root_game: Whole,
    root_sums: Real,
    root_squares: Whole,
    root_captured: Whole,
    root_re: Real,
    root_im: Real,
    moves: Whole,
    values: Real,
    endings: Whole,
    chances: Real,
    worths: Real,
    count: int,
) -> int:
    """Writes how each of so many moves of the root can end, two ways a move; gives their number."""
    state = State(game, sums, squares, captured, re, im, slots)
    root = State(root_game, root_sums, root_squares, root_captured, root_re, root_im, slots)
    for number in range(count):
        here = slice(2 * number, 2 * number + 2)
        weigh(state, root, moves[number], values, endings[here], chances[here], worths[here])
    return count


@kernel(f"int64({STATE}, {ROOT}, {LOGS})")
def run_playouts(
    game: Whole,
    sums: Real,
    squares: Whole,
    captured: Whole,
    re: Real,
    im: Real,
    slots: Whole,
    root_game: Whole,
    root_sums: Real,
    root_squares: Whole,
    root_captured: Whole,
    root_re: Real,
    root_im: Real,
    batch: Whole,
    lengths: Whole,
    endings: Whole,
) -> int:
    """Plays random games from the root until all are done or the work is; gives why it returned."""
    state = State(game, sums, squares, captured, re, im, slots)
    root = State(root_game, root_sums, root_squares, root_captured, root_re, root_im, slots)
    return play_games(state, root, batch, lengths, endings)
