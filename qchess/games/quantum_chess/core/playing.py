"""One turn: a move recognised, asked, applied and settled; and whether the game is over."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import (
    ANSWER,
    BOOK,
    CARE,
    CLOCK,
    KING,
    MAX_PLY,
    MEN,
    PLY,
    SANDBOX,
    SIDE,
    YES,
    State,
    Whole,
)
from qchess.games.quantum_chess.core.measuring import ask
from qchess.games.quantum_chess.core.moves import apply, recognise
from qchess.games.quantum_chess.core.settling import settle

#: half-moves without a whole capture that end the game
FIFTY_MOVES = 100
GOING_ON, WHITE_WINS, BLACK_WINS, ANNIHILATION, FIFTY, LAST_PLY, STALEMATE = 0, 1, 2, 3, 4, 5, 6


@helper
def play(state: State, move: int, answer: int) -> int:
    """Plays a legal move; its question is answered as told, or by the dice. Gives the answer, 1 where none is asked."""
    game = state.game
    recognise(game, move)
    state.sums[YES] = 1.0
    game[ANSWER] = ask(state, answer) if game[CARE] != 0 else 1
    if game[ANSWER]:
        apply(state)
    settle(state)
    return int(game[ANSWER])


@helper
def ending(game: Whole, moves: int) -> int:
    """How the game ended, given the number of legal moves; the first reason that applies counts."""
    if game[BOOK] & SANDBOX:
        return GOING_ON
    white, black = game[MEN + KING] != 0, game[MEN + KING + SIDE] != 0
    if not (white and black):
        return ANNIHILATION if not white and not black else WHITE_WINS if white else BLACK_WINS
    if game[CLOCK] >= FIFTY_MOVES:
        return FIFTY
    if game[PLY] >= game[MAX_PLY]:
        return LAST_PLY
    return GOING_ON if moves else STALEMATE
