"""Turns: from a move to its program, one small function for each type of move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qchess import rules
from qchess.circuits import patterns
from qchess.circuits.operations import Qubit, x
from qchess.circuits.patterns import Path, clear
from qchess.circuits.predicates import empty
from qchess.circuits.program import Program, Question, discard
from qchess.games.quantum_chess import patterns as chess
from qchess.games.quantum_chess.legal import last_rank
from qchess.games.quantum_chess.move import (
    BASIC,
    BY_KING,
    CAPTURE,
    EXCLUDED,
    KINGS,
    Kind,
    Move,
    MoveType,
    MoveVariant,
    kind,
    victim_square,
)
from qchess.games.quantum_chess.position import PAWNS, Position
from qchess.games.quantum_chess.profile import Book


@dataclass(frozen=True, slots=True)
class Turn(rules.Turn[Move]):
    """The program of a move, its kind, and what a pawn becomes."""

    #: None for the last question, which is not a move of a piece
    kind: Kind | None
    #: the symbol that a pawn on the last rank becomes; "" if there is none
    promoted: str = ""


def turn(book: Book, position: Position, move: Move) -> Turn:
    """Return the turn of a legal move, classified once."""
    if move == KINGS:
        return Turn(move, _kings(position), None)
    what = kind(position, move)
    made = _COMPILERS[what.type](position, move, what.variant)
    if book.profile.path_record and what.type in (MoveType.SPLIT_SLIDE, MoveType.MERGE_SLIDE):
        made = _with_path_record(position, move, made)
    return Turn(move, made, what, promoted(book, position, move))


def promoted(book: Book, position: Position, move: Move) -> str:
    """Return what a pawn becomes with this move, as a symbol; "" if nothing."""
    pawn = position.board[move.sources[0]]
    if pawn not in PAWNS or not book.promotion or not last_rank(position) >> move.targets[0] & 1:
        return ""
    letter = move.promotion or book.profile.promotion_omitted
    return letter.upper() if pawn == "P" else letter


def captured(position: Position, which: str = "") -> Qubit:
    """Return a new name for what a move captures or records; x{ply}, longer only if set-up moves used it."""
    name = f"x{position.ply}{which}"
    home = position.registers.home
    while name in home:
        name += "_"
    return name


# -- standard moves -----------------------------------------------------------------------------------


def _go(position: Position, move: Move, variant: MoveVariant) -> Program:
    """Return a jump if no squares lie between, else a slide."""
    s, t = move.sources[0], move.targets[0]
    board = position.geometry
    source, target, path = board.names[s], board.names[t], board.path(s, t)
    if variant is BASIC:
        return patterns.slide(source, target, path) if path else patterns.jump(source, target)
    if variant is EXCLUDED:
        return patterns.excluded(source, target, path)
    return patterns.capture(source, target, captured(position), path)


def _pawn_capture(position: Position, move: Move, variant: MoveVariant) -> Program:
    names = position.geometry.names
    return chess.pawn_capture(names[move.sources[0]], names[move.targets[0]])


def _en_passant(position: Position, move: Move, variant: MoveVariant) -> Program:
    names = position.geometry.names
    s, t = move.sources[0], move.targets[0]
    squares = names[s], names[t], names[victim_square(position, t)]
    if variant is CAPTURE:
        return chess.en_passant_capture(*squares, (captured(position), captured(position, "b")))
    pattern = chess.en_passant if variant is BASIC else chess.en_passant_excluded
    return pattern(*squares, captured(position))


def _castle(position: Position, move: Move, variant: MoveVariant) -> Program:
    castling = BY_KING[move.sources[0], move.targets[0]]
    names = position.geometry.names
    (e, g), (h, f) = castling.king, castling.rook
    asks = (names[f], names[g]) if variant is EXCLUDED else ()
    return chess.castle((names[e], names[g]), (names[h], names[f]), castling.path, asks)


# -- splits and merges ----------------------------------------------------------------------------------


def _split(position: Position, move: Move, variant: MoveVariant) -> Program:
    names = position.geometry.names
    (s,), (t1, t2) = move.sources, move.targets
    return patterns.split_slide(names[s], names[t1], names[t2], *_paths(position, move))


def _merge(position: Position, move: Move, variant: MoveVariant) -> Program:
    names = position.geometry.names
    (a, b), (t,) = move.sources, move.targets
    return patterns.merge_slide(names[a], names[b], names[t], *_paths(position, move))


def _paths(position: Position, move: Move) -> tuple[Path, Path]:
    """Return the paths of both legs."""
    sources, targets = move.sources, move.targets
    return _path(position, move, sources[0], targets[0]), _path(position, move, sources[-1], targets[-1])


def _path(position: Position, move: Move, s: int, t: int) -> Path:
    """Return the squares between the ends of a leg; squares of the move itself never block."""
    board, own = position.geometry, move.squares
    path = board.path(s, t)
    return tuple([name for name in path if board.numbers[name] not in own]) if path else path


def _with_path_record(position: Position, move: Move, made: Program) -> Program:
    """Return the move with the clearness of each path that can be blocked recorded in the environment."""
    bits = {captured(position, which): path for which, path in zip(("", "b"), _paths(position, move), strict=True)}
    bits = {bit: path for bit, path in bits.items() if path}
    if not bits:
        return made
    flags = [x(bit).when(clear(path)) for bit, path in bits.items()]
    return Program(*flags, made, discard(*bits))


# -- the last question ------------------------------------------------------------------------------------


def _kings(position: Position) -> Program:
    """Ask whether there is a white king, and a black one."""
    names = position.geometry.names
    where = {colour: [n for n, s in zip(names, position.board, strict=True) if s == king]
             for colour, king in (("white", "K"), ("black", "k"))}  # fmt: skip
    return Program(*(Question(colour, ~empty(*squares)) for colour, squares in where.items()))


Compiler = Callable[[Position, Move, MoveVariant], Program]
_COMPILERS: dict[MoveType, Compiler] = {
    MoveType.JUMP: _go,
    MoveType.SLIDE: _go,
    MoveType.PAWN_STEP: _go,
    MoveType.PAWN_TWO_STEP: _go,
    MoveType.PAWN_CAPTURE: _pawn_capture,
    MoveType.PAWN_EP: _en_passant,
    MoveType.KS_CASTLE: _castle,
    MoveType.QS_CASTLE: _castle,
    MoveType.SPLIT_JUMP: _split,
    MoveType.SPLIT_SLIDE: _split,
    MoveType.MERGE_JUMP: _merge,
    MoveType.MERGE_SLIDE: _merge,
}
