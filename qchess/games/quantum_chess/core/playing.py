"""One turn: a move recognised, asked, applied and settled; and whether the game is over.

What settling leaves is what `qchess.games.quantum_chess.settle` leaves: symbols, rights, en passant square and clock.
"""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.branches import support
from qchess.games.quantum_chess.core.layout import (
    ANSWER,
    BOARD,
    BOOK,
    CARE,
    CHOICE,
    CLOCK,
    EN_PASSANT,
    EN_PASSANT_ALWAYS,
    EN_PASSANT_RULE,
    FIDE_CLOCK,
    FIRST,
    KIND,
    KING,
    LAST_RANKS,
    MASS,
    MAX_PLY,
    MEN,
    MOVER,
    OMITTED_STAYS,
    PAWN,
    PIECES,
    PLY,
    PROMOTION,
    QUEEN,
    RIGHTS,
    SANDBOX,
    SECOND,
    SIDE,
    SOME,
    THIRD,
    VARIANT,
    YES,
    State,
    Whole,
)
from qchess.games.quantum_chess.core.masks import lowest
from qchess.games.quantum_chess.core.measuring import ask, count_pieces
from qchess.games.quantum_chess.core.moves import (
    BASIC,
    CAPTURE,
    KS_CASTLE,
    PAWN_EP,
    PAWN_TWO_STEP,
    QS_CASTLE,
    SPLIT_JUMP,
    apply,
    recognise,
    rook_home,
)

#: half-moves without a whole capture that end the game
FIFTY_MOVES = 100
GOING_ON, WHITE_WINS, BLACK_WINS, ANNIHILATION, FIFTY, LAST_PLY, STALEMATE = 0, 1, 2, 3, 4, 5, 6
#: a change of the expected number of pieces by this much is a whole capture
WHOLE_PIECE = 0.9999
A1, E1, H1 = 0, 4, 7


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


@helper
def settle(state: State) -> None:
    """Works out the classical part after the branches were changed, or after a failed question."""
    game = state.game
    support(state)
    if game[ANSWER]:
        _write_symbols(game)
    _clear_symbols(game)
    kind = game[KIND]
    if game[VARIANT] != BASIC or kind == PAWN_EP:  # nothing else changes the number of pieces
        count_pieces(state)
    _set_clock(state)
    _set_en_passant(game, kind)
    if game[ANSWER] and game[RIGHTS] != 0:
        game[RIGHTS] &= ~_rights_lost(game, kind)
    game[PLY] += 1


@helper
def put(game: Whole, square: int, code: int) -> None:
    """Writes a symbol on a square."""
    bit = 1 << square
    game[MEN + game[BOARD + square]] &= ~bit
    game[MEN + code] |= bit
    game[BOARD + square] = code


@helper
def _write_symbols(game: Whole) -> None:
    """The mover's symbol on every square that the move names."""
    mover, kind, s, t = game[MOVER], game[KIND], game[FIRST], game[SECOND]
    put(game, s, mover)
    put(game, t, mover)
    if SPLIT_JUMP <= kind < SPLIT_JUMP + 4:
        put(game, game[THIRD], mover)
    elif kind in (KS_CASTLE, QS_CASTLE):
        home = rook_home(kind, s)
        put(game, (s + t) // 2, game[BOARD + home])
    elif 1 << t & LAST_RANKS and mover - SIDE * (game[PLY] & 1) == PAWN:
        put(game, t, _promoted(game, mover))


@helper
def _promoted(game: Whole, pawn: int) -> int:
    """What a pawn on the last rank becomes."""
    choice = game[CHOICE]
    if game[BOOK] & PROMOTION == 0 or (choice == 0 and game[BOOK] & OMITTED_STAYS):
        return pawn
    # queen, rook, bishop and knight are numbered downwards
    return pawn - PAWN + QUEEN - (choice - 1 if choice else 0)


@helper
def _clear_symbols(game: Whole) -> None:
    """No symbol where every branch is empty."""
    gone = ~game[MEN] & ~game[SOME]
    while gone != 0:
        put(game, lowest(gone), 0)
        gone &= gone - 1


@helper
def _set_clock(state: State) -> None:
    game, sums = state.game, state.sums
    if game[BOOK] & FIDE_CLOCK:
        pawn = game[MOVER] - SIDE * (game[PLY] & 1) == PAWN
        reset = game[ANSWER] != 0 and (pawn or game[VARIANT] == CAPTURE)
    else:
        reset = abs(sums[PIECES] - sums[MASS]) > WHOLE_PIECE
    if reset:
        game[CLOCK] = 0
        sums[MASS] = sums[PIECES]
    else:
        game[CLOCK] += 1


@helper
def _set_en_passant(game: Whole, kind: int) -> None:
    s, t, book = game[FIRST], game[SECOND], game[BOOK]
    set_now = kind == PAWN_TWO_STEP and game[ANSWER] != 0 and book & EN_PASSANT_RULE
    if set_now and (game[BOARD + t] != 0 or book & EN_PASSANT_ALWAYS):
        game[EN_PASSANT] = (s + t) // 2
    else:
        game[EN_PASSANT] = -1


@helper
def _rights_lost(game: Whole, kind: int) -> int:
    """The castling rights tied to the squares that the move names."""
    lost = _right_of(game[FIRST]) | _right_of(game[SECOND])
    if SPLIT_JUMP <= kind < SPLIT_JUMP + 4:
        lost |= _right_of(game[THIRD])
    return lost


@helper
def _right_of(square: int) -> int:
    side = 2 if square >= 56 else 0
    corner = square - 56 if square >= 56 else square
    if corner == E1:
        return 3 << side
    if corner == H1:
        return 1 << side
    return 2 << side if corner == A1 else 0
