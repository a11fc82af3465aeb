"""Settle a move whose program was run: men on squares, rights, en passant square and clock.

The registers come as the answers left them, projected in `circuits.running`. A measured capture took place if its
answer is 1. `core.playing` does the same where the compiled core plays.
"""

from __future__ import annotations

from collections.abc import Mapping

from qchess.circuits.registers import Registers, Run
from qchess.games.quantum_chess.move import BY_KING, CAPTURE, CASTLES, Move, MoveType, rights_left
from qchess.games.quantum_chess.position import EMPTY, PAWNS, Position, Sight, pieces_left
from qchess.games.quantum_chess.profile import Book
from qchess.games.quantum_chess.turn import Turn

#: a change of the expected number of pieces by this much is a whole capture
WHOLE = 0.9999


def after(book: Book, before: Position, turn: Turn, run: Run) -> Position:
    """Return the position after a move that succeeded or failed."""
    registers, move = run.registers, turn.move
    applied = turn.kind is not None and (not run.answers or run.answers[0].value == 1)
    board, of = _board(before, _written(before, turn) if applied else {}, registers)
    pieces = pieces_left(registers, before.geometry) if _may_take(turn, run) else before.pieces
    reset = _resets(book, before, turn, pieces, applied)
    return Position(
        registers,
        before.geometry,
        board,
        of,
        before.ply + 1,
        rights_left(before.rights, move.squares) if applied and before.rights else before.rights,
        _en_passant_square(book, before, move, board) if applied else None,
        0 if reset else before.clock + 1,
        pieces if reset else before.mass,
        pieces,
        turn.kind is None,
        _seen(book, before, pieces),
    )


def _may_take(turn: Turn, run: Run) -> bool:
    """Tell whether the number of pieces may have changed; without a question or capture it has not."""
    return bool(run.answers) or turn.kind is None or turn.kind.type is MoveType.PAWN_EP


def _board(
    before: Position, written: Mapping[int, str], registers: Registers
) -> tuple[tuple[str, ...], Mapping[str, int]]:
    """Return the symbols of the squares that some branch occupies, and their masks."""
    names, numbers, home = before.geometry.names, before.geometry.numbers, registers.home
    board, of = list(before.board), dict(before.of)
    for square, symbol in written.items():
        _put(board, of, square, symbol if names[square] in home else EMPTY)
    # nothing came to squares that were not written, but any square may have become empty
    for name in before.registers.home.keys() - home.keys():
        if name in numbers:
            _put(board, of, numbers[name], EMPTY)
    return tuple(board), of


def _put(board: list[str], of: dict[str, int], square: int, symbol: str) -> None:
    """Write a symbol on a square."""
    old, bit = board[square], 1 << square
    if symbol == old:
        return
    board[square] = symbol
    if symbol != EMPTY:
        of[symbol] = of.get(symbol, 0) | bit
    if old != EMPTY:
        of[old] ^= bit
        if not of[old]:
            del of[old]


def _written(before: Position, turn: Turn) -> dict[int, str]:
    """Return the symbols that the move writes on its squares."""
    move = turn.move
    mover = before.board[move.sources[0]]
    written = dict.fromkeys(move.squares, mover)
    if turn.promoted:
        written[move.targets[0]] = turn.promoted
    elif mover in PAWNS:
        written[move.targets[0]] = mover
    elif turn.kind and turn.kind.type in CASTLES:
        castling = BY_KING[move.sources[0], move.targets[0]]
        written.update(dict.fromkeys(castling.rook, before.board[castling.rook[0]]))
    return written


def _en_passant_square(book: Book, before: Position, move: Move, board: tuple[str, ...]) -> int | None:
    s, t = move.sources[0], move.targets[0]
    two_step = before.board[s] in PAWNS and abs(t - s) == 2 * before.geometry.width
    if book.en_passant and two_step and (board[t] != EMPTY or book.profile.en_passant_always):
        return (s + t) // 2
    return None


def _resets(book: Book, before: Position, turn: Turn, pieces: float, applied: bool) -> bool:
    """Tell whether the half-move clock is reset."""
    if book.halfmove_clock == "mass":
        return abs(pieces - before.mass) > WHOLE
    pawn_moves = turn.kind is not None and before.board[turn.move.sources[0]] in PAWNS
    return applied and (pawn_moves or (turn.kind is not None and turn.kind.variant is CAPTURE))


def _seen(book: Book, before: Position, pieces: float) -> tuple[Sight, ...]:
    """Return earlier positions that can recur: those before the loss of a whole piece cannot."""
    if not book.repetition or abs(pieces - before.mass) > WHOLE:
        return ()
    return (*before.seen, before.sight)
