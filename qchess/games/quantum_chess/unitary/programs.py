"""From moves to programs: one small function for each type, which follows the given variant.

A board without symbols cannot distinguish a capture from an excluded move; its caller can. Splits, merges and
pawn captures have one variant only, so theirs is ignored, and a move without a variant is basic.
"""

from __future__ import annotations

from collections.abc import Callable

from qchess.circuits import patterns
from qchess.circuits.operations import Qubit
from qchess.circuits.patterns import Path
from qchess.circuits.program import Program
from qchess.errors import InvalidMoveError
from qchess.games.quantum_chess import patterns as chess
from qchess.games.quantum_chess.move import MoveType, MoveVariant
from qchess.games.quantum_chess.unitary.bits import BOARD
from qchess.games.quantum_chess.unitary.moves import Move

#: new names for what a move captures; no move needs more
Captured = tuple[Qubit, Qubit]
BASIC, EXCLUDED, CAPTURE = MoveVariant.BASIC, MoveVariant.EXCLUDED, MoveVariant.CAPTURE
#: the rank that a pawn takes to in passing -> the rank of its victim
PASSING = {"6": "5", "3": "4"}
#: king's move -> the rook's, and the other square that must be empty
KINGSIDE: dict[tuple[str, str], tuple[tuple[str, str], Path]] = {
    ("e1", "g1"): (("h1", "f1"), ()),
    ("e8", "g8"): (("h8", "f8"), ()),
}
QUEENSIDE: dict[tuple[str, str], tuple[tuple[str, str], Path]] = {
    ("e1", "c1"): (("a1", "d1"), ("b1",)),
    ("e8", "c8"): (("a8", "d8"), ("b8",)),
}


def program(move: Move, captured: Captured) -> Program:
    """Return the program of a move; an error says what is missing or does not fit."""
    make = _PROGRAMS.get(move.move_type) if move.move_type is not None else None
    if make is None:
        raise InvalidMoveError(f"expected a move with a type that can be played, got {move!r}")
    _check_squares(move)
    return make(move, captured)


def path(source: str, target: str) -> Path:
    """Return the squares strictly between two squares on a rank, file or diagonal; raises off the line."""
    a, b = BOARD.square(source), BOARD.square(target)
    if a != b and not BOARD.aligned(a, b):
        raise InvalidMoveError(f"expected two squares on a rank, file or diagonal, got {source!r} and {target!r}")
    return BOARD.path(a, b)


def _check_squares(move: Move) -> None:
    squares = [square for square in (move.source, move.source2, move.target, move.target2) if square is not None]
    if len(set(map(BOARD.square, squares))) != len(squares):
        raise InvalidMoveError(f"expected different squares, got {move!r}")
    wants = (move.move_type in (MoveType.MERGE_JUMP, MoveType.MERGE_SLIDE),
             move.move_type in (MoveType.SPLIT_JUMP, MoveType.SPLIT_SLIDE))  # fmt: skip
    if wants != (move.is_merge_move(), move.is_split_move()):
        raise InvalidMoveError(f"the squares of the move do not fit its type: {move!r}")


# -- standard moves -------------------------------------------------------------------------------------


def _jump(move: Move, captured: Captured) -> Program:
    return _go(move, captured, ())


def _slide(move: Move, captured: Captured) -> Program:
    return _go(move, captured, path(move.source, move.target))


def _go(move: Move, captured: Captured, between: Path) -> Program:
    if move.move_variant == CAPTURE:
        return patterns.capture(move.source, move.target, captured[0], between)
    pattern = patterns.excluded if move.move_variant == EXCLUDED else patterns.slide
    return pattern(move.source, move.target, between)


def _pawn_capture(move: Move, captured: Captured) -> Program:
    return chess.pawn_capture(move.source, move.target)


def _en_passant(move: Move, captured: Captured) -> Program:
    file, rank = move.target[0], move.target[1]
    if rank not in PASSING:
        raise InvalidMoveError(f"expected an en passant target on rank 3 or 6, got {move.target!r}")
    squares = move.source, move.target, file + PASSING[rank]
    if move.move_variant == CAPTURE:
        return chess.en_passant_capture(*squares, captured)
    pattern = chess.en_passant_excluded if move.move_variant == EXCLUDED else chess.en_passant
    return pattern(*squares, captured[0])


def _kingside(move: Move, captured: Captured) -> Program:
    return _castle(move, KINGSIDE)


def _queenside(move: Move, captured: Captured) -> Program:
    return _castle(move, QUEENSIDE)


def _castle(move: Move, known: dict[tuple[str, str], tuple[tuple[str, str], Path]]) -> Program:
    """Castle: basic asks nothing; excluded asks whether both target squares are empty, jointly."""
    king = move.source, move.target
    if king not in known:
        raise InvalidMoveError(f"expected the king to castle {' or '.join(s + t for s, t in known)}, got {move!r}")
    if move.move_variant == CAPTURE:
        raise InvalidMoveError(f"castling cannot capture: {move!r}")
    rook, between = known[king]
    return chess.castle(king, rook, between, (rook[1], king[1]) if move.move_variant == EXCLUDED else ())


# -- splits and merges ----------------------------------------------------------------------------------


def _split_jump(move: Move, captured: Captured) -> Program:
    return patterns.split(move.source, move.target, move.target2 or "")


def _split_slide(move: Move, captured: Captured) -> Program:
    s, t1, t2 = move.source, move.target, move.target2 or ""
    return patterns.split_slide(s, t1, t2, path(s, t1), path(s, t2))


def _merge_jump(move: Move, captured: Captured) -> Program:
    """Exchange the sources: what does not merge stays on the second one here, on the first one in `patterns`."""
    return patterns.merge(move.source2 or "", move.source, move.target)


def _merge_slide(move: Move, captured: Captured) -> Program:
    first, second, t = move.source, move.source2 or "", move.target
    return patterns.merge_slide(second, first, t, path(second, t), path(first, t))


_PROGRAMS: dict[MoveType, Callable[[Move, Captured], Program]] = {
    MoveType.JUMP: _jump,
    MoveType.SLIDE: _slide,
    MoveType.SPLIT_JUMP: _split_jump,
    MoveType.SPLIT_SLIDE: _split_slide,
    MoveType.MERGE_JUMP: _merge_jump,
    MoveType.MERGE_SLIDE: _merge_slide,
    MoveType.PAWN_STEP: _jump,
    MoveType.PAWN_TWO_STEP: _slide,
    MoveType.PAWN_CAPTURE: _pawn_capture,
    MoveType.PAWN_EP: _en_passant,
    MoveType.KS_CASTLE: _kingside,
    MoveType.QS_CASTLE: _queenside,
}
