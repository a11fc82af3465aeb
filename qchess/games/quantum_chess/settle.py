"""What a move leaves behind: symbols, rights, en passant square and clock, once its program was run."""

from __future__ import annotations

from collections.abc import Mapping

from qchess.circuits.errors import StateTooLargeError
from qchess.circuits.registers import Registers, Run
from qchess.games.quantum_chess.castling import rights_left
from qchess.games.quantum_chess.kinds import CAPTURE, castling_of, kind
from qchess.games.quantum_chess.legal import last_rank
from qchess.games.quantum_chess.move import KINGS, Move
from qchess.games.quantum_chess.odds import shares
from qchess.games.quantum_chess.position import EMPTY, PAWNS, Position, pieces_left
from qchess.games.quantum_chess.profile import Law

#: a change of the expected number of pieces by this much is a whole capture
WHOLE = 0.9999


def after(law: Law, before: Position, move: Move, run: Run) -> Position:
    """The position after a move that was applied, or that failed."""
    registers = run.registers
    applied = move != KINGS and (not run.answers or run.answers[0].value == 1)
    known = shares(registers, before.geometry, before.shares)
    _refuse_if_too_large(law, registers, known)
    board, of = _board(before, _written(law, before, move) if applied else {}, registers)
    pieces = pieces_left(registers, known)
    reset = _resets(law, before, move, pieces, applied)
    return Position(
        registers,
        before.geometry,
        board,
        of,
        before.ply + 1,
        rights_left(before.rights, move.squares) if applied and before.rights else before.rights,
        _en_passant_square(law, before, move, board) if applied else None,
        0 if reset else before.clock + 1,
        pieces if reset else before.mass,
        move == KINGS,
        before if law.repetition else None,
        known,
    )


def promoted(law: Law, before: Position, move: Move) -> str:
    """What a pawn becomes with this move, as a symbol; "" if it stays a pawn or is none."""
    pawn = before.board[move.sources[0]]
    if pawn not in PAWNS or not law.promotion or not last_rank(before) >> move.targets[0] & 1:
        return ""
    letter = move.promotion or law.profile.promotion_omitted
    return letter.upper() if pawn == "P" else letter


def _board(
    before: Position, written: Mapping[int, str], registers: Registers
) -> tuple[tuple[str, ...], Mapping[str, int]]:
    """The symbols of the squares that some branch occupies, and their masks."""
    names, numbers, place = before.geometry.names, before.geometry.numbers, registers.place
    # nothing came to squares that were not written, but any square may have become empty
    news = {square: symbol if names[square] in place else EMPTY for square, symbol in written.items()}
    for name in before.registers.place.keys() - place.keys():
        if name in numbers:
            news[numbers[name]] = EMPTY
    board, of = list(before.board), dict(before.of)
    for square, symbol in news.items():
        old, bit = board[square], 1 << square
        if old != EMPTY:
            of[old] ^= bit
        if symbol != EMPTY:
            of[symbol] = of.get(symbol, 0) | bit
        board[square] = symbol
        if old != EMPTY and not of[old]:
            del of[old]
    return tuple(board), of


def _written(law: Law, before: Position, move: Move) -> dict[int, str]:
    """The symbols that the move writes on the squares that it names."""
    mover = before.board[move.sources[0]]
    written = dict.fromkeys(move.squares, mover)
    if mover in PAWNS:
        written[move.targets[0]] = promoted(law, before, move) or mover
    elif mover in "Kk" and (castling := castling_of(before, move)):
        written.update(dict.fromkeys(castling.rook, before.board[castling.rook[0]]))
    return written


def _en_passant_square(law: Law, before: Position, move: Move, board: tuple[str, ...]) -> int | None:
    s, t = move.sources[0], move.targets[0]
    two_step = before.board[s] in PAWNS and abs(t - s) == 2 * before.geometry.width
    if law.en_passant and two_step and (board[t] != EMPTY or law.profile.en_passant_always):
        return (s + t) // 2
    return None


def _resets(law: Law, before: Position, move: Move, pieces: float, applied: bool) -> bool:
    """Whether the half-move clock starts again."""
    if law.halfmove_clock == "mass":
        return abs(pieces - before.mass) > WHOLE
    return applied and (before.board[move.sources[0]] in PAWNS or kind(before, move).variant is CAPTURE)


def _refuse_if_too_large(law: Law, registers: Registers, known: object) -> None:
    if law.max_branches is None or not known:
        return
    branches = max(registers.branches())
    if branches > law.max_branches:
        raise StateTooLargeError(
            f"the move is too large: a register would have {branches} branches, the game allows {law.max_branches}"
        )
