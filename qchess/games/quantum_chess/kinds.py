"""The kind of a move: its type and its variant, computed from the symbols alone."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from qchess.games.quantum_chess.castling import BY_KING, Castling
from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.position import BLACK_SYMBOLS, EMPTY, WHITE_SYMBOLS, Position


class MoveType(IntEnum):
    """The types of moves, numbered as in the protocols."""

    NULL_TYPE = 0
    UNSPECIFIED_STANDARD = 1
    JUMP = 2
    SLIDE = 3
    SPLIT_JUMP = 4
    SPLIT_SLIDE = 5
    MERGE_JUMP = 6
    MERGE_SLIDE = 7
    PAWN_STEP = 8
    PAWN_TWO_STEP = 9
    PAWN_CAPTURE = 10
    PAWN_EP = 11
    KS_CASTLE = 12
    QS_CASTLE = 13


class MoveVariant(IntEnum):
    """The variants of moves, numbered as in the protocols."""

    UNSPECIFIED = 0
    BASIC = 1
    EXCLUDED = 2
    CAPTURE = 3


class Kind(NamedTuple):
    """A move's type and variant."""

    type: MoveType
    variant: MoveVariant

    @property
    def measures(self) -> bool:
        """Tell whether playing the move asks a question."""
        return self.variant is not BASIC

    @property
    def takes(self) -> bool:
        """Tell whether the move takes a piece, or may take one."""
        return self.variant is CAPTURE or self.type is MoveType.PAWN_EP


BASIC, EXCLUDED, CAPTURE = MoveVariant.BASIC, MoveVariant.EXCLUDED, MoveVariant.CAPTURE
CASTLES = (MoveType.KS_CASTLE, MoveType.QS_CASTLE)
#: the variant by the mover's and the target's symbol
_VARIANTS = {
    (mover, target): BASIC
    if target in (EMPTY, mover)
    else (EXCLUDED if (target in WHITE_SYMBOLS) == (mover in WHITE_SYMBOLS) else CAPTURE)
    for mover in WHITE_SYMBOLS + BLACK_SYMBOLS
    for target in EMPTY + WHITE_SYMBOLS + BLACK_SYMBOLS
}


def kind(position: Position, move: Move) -> Kind:
    """Return the kind of a legal move."""
    if move.is_split or move.is_merge:
        return Kind(_leg_type(position, move), BASIC)
    (s,), (t,) = move.sources, move.targets
    mover, there = position.board[s], position.board[t]
    if mover in "Pp":
        return _pawn_kind(position, s, t)
    if mover in "Kk" and (castling := castling_of(position, move)):
        return _castling_kind(position, castling)
    return Kind(MoveType.SLIDE if position.geometry.between(s, t) else MoveType.JUMP, _VARIANTS[mover, there])


def castling_of(position: Position, move: Move) -> Castling | None:
    """Return the castling of a king's move, or None."""
    ends = (move.sources[0], move.targets[0])
    castling = BY_KING.get(ends) if len(move.squares) == 2 else None
    if castling and position.rights & castling.right and position.board[ends[0]] in "Kk":
        return castling
    return None


def victim_square(position: Position, target: int) -> int:
    """Return the square of the pawn that an en passant capture onto `target` takes."""
    width = position.geometry.width
    return target - width if position.white_to_move else target + width


def is_en_passant(position: Position, s: int, t: int) -> bool:
    """Tell whether a pawn move is the diagonal one onto the en passant square."""
    return t == position.en_passant and (t - s) % position.geometry.width != 0


def _leg_type(position: Position, move: Move) -> MoveType:
    between, sources, targets = position.geometry.between, move.sources, move.targets
    slides = between(sources[0], targets[0]) or between(sources[-1], targets[-1])
    if move.is_split:
        return MoveType.SPLIT_SLIDE if slides else MoveType.SPLIT_JUMP
    return MoveType.MERGE_SLIDE if slides else MoveType.MERGE_JUMP


def _pawn_kind(position: Position, s: int, t: int) -> Kind:
    mover, there = position.board[s], position.board[t]
    width = position.geometry.width
    if is_en_passant(position, s, t):
        return Kind(MoveType.PAWN_EP, _VARIANTS[mover, there])
    if (t - s) % width:
        return Kind(MoveType.PAWN_CAPTURE, CAPTURE)
    steps = MoveType.PAWN_STEP if abs(t - s) == width else MoveType.PAWN_TWO_STEP
    return Kind(steps, BASIC if there in (EMPTY, mover) else EXCLUDED)


def _castling_kind(position: Position, castling: Castling) -> Kind:
    board = position.board
    rook = board[castling.rook[0]]
    blocked = board[castling.king[1]] != EMPTY or board[castling.rook[1]] not in (EMPTY, rook)
    side = MoveType.QS_CASTLE if castling.path else MoveType.KS_CASTLE
    return Kind(side, EXCLUDED if blocked else BASIC)
