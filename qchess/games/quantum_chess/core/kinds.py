"""What kind a move is, and the question it asks: `qchess.games.quantum_chess.kinds`, on codes of symbols."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import (
    BOARD,
    CARE,
    CHOICE,
    EN_PASSANT,
    FIRST,
    KIND,
    KING,
    MERGE_SHAPE,
    MOVER,
    PAWN,
    PLY,
    RIGHTS,
    SECOND,
    SIDE,
    SPLIT_SHAPE,
    THIRD,
    VARIANT,
    WANT,
    Whole,
)
from qchess.games.quantum_chess.core.masks import BETWEEN

# the numbers of the rules' MoveType and MoveVariant
JUMP, SLIDE, SPLIT_JUMP, SPLIT_SLIDE, MERGE_JUMP, MERGE_SLIDE = 2, 3, 4, 5, 6, 7
PAWN_STEP, PAWN_TWO_STEP, PAWN_CAPTURE, PAWN_EP, KS_CASTLE, QS_CASTLE = 8, 9, 10, 11, 12, 13
BASIC, EXCLUDED, CAPTURE = 1, 2, 3


@helper
def recognise(game: Whole, move: int) -> None:
    """Notes what a legal move is here: its squares, kind, variant and question."""
    first, second, third = move & 63, move >> 6 & 63, move >> 12 & 63
    shape = move >> 21
    game[FIRST], game[SECOND], game[THIRD] = first, second, third
    game[CHOICE], game[MOVER] = move >> 18 & 7, game[BOARD + first]
    game[VARIANT], game[CARE], game[WANT] = BASIC, 0, 0
    if shape == SPLIT_SHAPE:
        slides = BETWEEN[64 * first + second] | BETWEEN[64 * first + third] != 0
        game[KIND] = SPLIT_SLIDE if slides else SPLIT_JUMP
    elif shape == MERGE_SHAPE:
        slides = BETWEEN[64 * first + third] | BETWEEN[64 * second + third] != 0
        game[KIND] = MERGE_SLIDE if slides else MERGE_JUMP
    else:
        game[KIND] = _standard_kind(game, first, second)
        game[VARIANT] = _variant(game, game[KIND], first, second)
        _note_question(game, first, second)


@helper
def _standard_kind(game: Whole, s: int, t: int) -> int:
    mover = game[MOVER] - SIDE * (game[PLY] & 1)
    if mover == PAWN:
        if (t - s) % 8 != 0:
            return PAWN_EP if t == game[EN_PASSANT] else PAWN_CAPTURE
        return PAWN_STEP if abs(t - s) == 8 else PAWN_TWO_STEP
    if mover == KING:
        rights, home = game[RIGHTS] >> 2 * (game[PLY] & 1), 60 if game[PLY] & 1 else 4
        if s == home and t == home + 2 and rights & 1:
            return KS_CASTLE
        if s == home and t == home - 2 and rights & 2:
            return QS_CASTLE
    return JUMP if BETWEEN[64 * s + t] == 0 else SLIDE


@helper
def _variant(game: Whole, kind: int, s: int, t: int) -> int:
    """What stands in the way of whom."""
    mover, there = game[MOVER], game[BOARD + t]
    if kind == PAWN_CAPTURE:
        return CAPTURE
    if kind in (KS_CASTLE, QS_CASTLE):
        rook, beside = game[BOARD + rook_home(kind, s)], game[BOARD + (s + t) // 2]
        return BASIC if there == 0 and (beside == 0 or beside == rook) else EXCLUDED
    if there == 0 or there == mover:
        return BASIC
    if kind in (PAWN_STEP, PAWN_TWO_STEP) or (there > SIDE) == (mover > SIDE):
        return EXCLUDED
    return CAPTURE


@helper
def _note_question(game: Whole, s: int, t: int) -> None:
    """The squares that the question looks at, and those of them that must be occupied for a yes."""
    kind, variant = game[KIND], game[VARIANT]
    if variant == EXCLUDED:
        game[CARE] = 1 << t
        if kind in (KS_CASTLE, QS_CASTLE):
            game[CARE] |= 1 << (s + t) // 2
    elif variant == CAPTURE:
        game[CARE] = game[WANT] = 1 << s
        if kind == SLIDE:
            game[CARE] |= BETWEEN[64 * s + t]


@helper
def rook_home(kind: int, king: int) -> int:
    """Where the rook of a castling stands."""
    return king + 3 if kind == KS_CASTLE else king - 4
