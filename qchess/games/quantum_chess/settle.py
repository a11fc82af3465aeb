"""What a move leaves behind: symbols, rights, en passant square and clock, once its program was run."""

from __future__ import annotations

from qchess.circuits.errors import StateTooLargeError
from qchess.circuits.registers import Registers, Run
from qchess.games.quantum_chess.castling import rights_left
from qchess.games.quantum_chess.kinds import CAPTURE, castling_of, kind
from qchess.games.quantum_chess.legal import last_rank
from qchess.games.quantum_chess.move import KINGS, Move
from qchess.games.quantum_chess.odds import shares
from qchess.games.quantum_chess.position import EMPTY, Position, pieces_left
from qchess.games.quantum_chess.profile import Law
from qchess.geometry import Geometry

#: a change of the expected number of pieces by this much is a whole capture
WHOLE = 0.9999


def after(law: Law, before: Position, move: Move, run: Run) -> Position:
    """The position after a move that was applied, or that failed."""
    registers = run.registers
    applied = move != KINGS and (not run.answers or run.answers[0].value == 1)
    known = shares(registers, before.geometry, before.shares)
    _refuse_if_too_large(law, registers, known)
    board = _board(law, before, move) if applied else before.board
    board = _without_ghosts(board, registers, before.geometry)
    pieces = pieces_left(registers, known)
    reset = _resets(law, before, move, pieces, applied)
    return Position(
        registers,
        before.geometry,
        board,
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
    if pawn not in "Pp" or not law.promotion or not last_rank(before) >> move.targets[0] & 1:
        return ""
    letter = move.promotion or law.profile.promotion_omitted
    return letter.upper() if pawn == "P" else letter


def _board(law: Law, before: Position, move: Move) -> tuple[str, ...]:
    """The symbols where the move names them; squares that came out empty are cleared later."""
    board = list(before.board)
    mover = board[move.sources[0]]
    castling = castling_of(before, move) if mover in "Kk" else None
    if castling:
        board[castling.rook[1]] = board[castling.rook[0]]
    for square in move.squares:
        board[square] = mover
    if mover in "Pp":
        board[move.targets[0]] = promoted(law, before, move) or mover
    return tuple(board)


def _without_ghosts(board: tuple[str, ...], registers: Registers, on: Geometry) -> tuple[str, ...]:
    """The symbols of the squares that some branch occupies."""
    kept = [EMPTY] * on.size
    numbers = on.numbers
    for name in registers.place:
        square = numbers.get(name)
        if square is not None:
            kept[square] = board[square]
    return tuple(kept)


def _en_passant_square(law: Law, before: Position, move: Move, board: tuple[str, ...]) -> int | None:
    s, t = move.sources[0], move.targets[0]
    two_step = before.board[s] in "Pp" and abs(t - s) == 2 * before.geometry.width
    if law.en_passant and two_step and (board[t] != EMPTY or law.profile.en_passant_always):
        return (s + t) // 2
    return None


def _resets(law: Law, before: Position, move: Move, pieces: float, applied: bool) -> bool:
    """Whether the half-move clock starts again."""
    if law.halfmove_clock == "mass":
        return abs(pieces - before.mass) > WHOLE
    return applied and (before.board[move.sources[0]] in "Pp" or kind(before, move).variant is CAPTURE)


def _refuse_if_too_large(law: Law, registers: Registers, known: object) -> None:
    if law.max_branches is None or not known:
        return
    branches = max(registers.branches())
    if branches > law.max_branches:
        raise StateTooLargeError(
            f"the move is too large: a register would have {branches} branches, the game allows {law.max_branches}"
        )
