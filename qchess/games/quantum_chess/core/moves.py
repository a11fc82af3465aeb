"""A move: its kind and question, as in `qchess.games.quantum_chess.kinds`; and what a yes does to the branches."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.branches import exchange, fresh, make_room, merge, split
from qchess.games.quantum_chess.core.layout import (
    BOARD,
    BOOK,
    CARE,
    CHOICE,
    COUNT,
    EN_PASSANT,
    FIRST,
    FULL,
    KIND,
    KING,
    MERGE_SHAPE,
    MOVER,
    PATH_RECORD,
    PAWN,
    PLY,
    RIGHTS,
    SECOND,
    SIDE,
    SOME,
    SPLIT_SHAPE,
    THIRD,
    VARIANT,
    WANT,
    State,
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


@helper
def apply(state: State) -> None:
    """Applies the operations of the move that was recognised."""
    game = state.game
    kind, s, t = game[KIND], game[FIRST], game[SECOND]
    make_room(state)
    if SPLIT_JUMP <= kind < PAWN_STEP:
        _split_or_merge(state, kind)
    elif kind == PAWN_CAPTURE:
        _take_with_pawn(state, s, t)
    elif kind == PAWN_EP:
        _en_passant(state, s, t)
    elif kind in (KS_CASTLE, QS_CASTLE):
        path = 1 << s - 3 if kind == QS_CASTLE else 0
        exchange(state, s, t, path, 1.0)
        exchange(state, rook_home(kind, s), (s + t) // 2, path, 1.0)
    elif game[VARIANT] == CAPTURE:
        _take(state, s, t)
    else:
        _go(state, s, t, BETWEEN[64 * s + t])


@helper
def _go(state: State, s: int, t: int, path: int) -> None:
    """The piece goes where its path is clear. One that is certain to go needs no phase: it would be that of all."""
    game, squares = state.game, state.squares
    if game[FULL] >> s & 1 and game[SOME] & (path | 1 << t) == 0:
        flip = 1 << s | 1 << t
        for k in range(game[COUNT]):
            squares[k] ^= flip
    else:
        exchange(state, s, t, path, 1.0)


@helper
def _take(state: State, s: int, t: int) -> None:
    """What stands on t is remembered, and the attacker, which every branch has on s, goes there."""
    squares, captured, re, im = state.squares, state.captured, state.re, state.im
    bit = fresh(state)
    for k in range(state.game[COUNT]):
        if squares[k] >> t & 1:
            captured[k] |= bit
        squares[k] = (squares[k] | 1 << t) & ~(1 << s)
        re[k], im[k] = -im[k], re[k]


@helper
def _take_with_pawn(state: State, s: int, t: int) -> None:
    """Where t is full, the victim's bit becomes the pawn's."""
    squares = state.squares
    for k in range(state.game[COUNT]):
        squares[k] &= ~((squares[k] >> t & 1) << s)


@helper
def _en_passant(state: State, s: int, t: int) -> None:
    """Takes in passing where t is empty; as a capture, also what stands on t, and with the phase -1."""
    game, squares, captured, re, im = state.game, state.squares, state.captured, state.re, state.im
    victim = (s & 56) | (t & 7)
    takes, from_t, passing = game[VARIANT] == CAPTURE, fresh(state), fresh(state)
    for k in range(game[COUNT]):
        key = squares[k]
        if key >> s & 1 == 0 or (key >> t | key >> victim) & 1 == 0 or (key >> t & 1 and not takes):
            continue
        if key >> t & 1:
            squares[k], captured[k] = key ^ 1 << s, captured[k] | from_t
        else:
            squares[k], captured[k] = key ^ (1 << s | 1 << t | 1 << victim), captured[k] | passing
        if takes:
            re[k], im[k] = -re[k], -im[k]


@helper
def _split_or_merge(state: State, kind: int) -> None:
    """Paths leave out the squares of the move itself; some books remember whether each was clear."""
    game = state.game
    a, b, c = game[FIRST], game[SECOND], game[THIRD]
    named = 1 << a | 1 << b | 1 << c
    if kind < MERGE_JUMP:
        path1, path2 = BETWEEN[64 * a + b] & ~named, BETWEEN[64 * a + c] & ~named
        record_paths(state, path1, path2)
        split(state, a, b, c, path1, path2)
    else:
        path1, path2 = BETWEEN[64 * a + c] & ~named, BETWEEN[64 * b + c] & ~named
        record_paths(state, path1, path2)
        merge(state, a, b, c, path1, path2)


@helper
def record_paths(state: State, path1: int, path2: int) -> None:
    """Remembers the clearness of each path that has squares, where the book wants it."""
    if state.game[BOOK] & PATH_RECORD:
        if path1 != 0:
            _record_path(state, path1)
        if path2 != 0:
            _record_path(state, path2)


@helper
def _record_path(state: State, path: int) -> None:
    squares, captured = state.squares, state.captured
    if state.game[SOME] & path == 0:  # clear in every branch
        return
    bit = fresh(state)
    for k in range(state.game[COUNT]):
        if squares[k] & path == 0:
            captured[k] |= bit
