"""Settle a turn: the next position, after the turn's program was run."""

from __future__ import annotations

from dataclasses import replace

from qchess.circuits import Registers
from qchess.games.piece_qubit_chess.movement import Board
from qchess.games.piece_qubit_chess.notation import Move
from qchess.games.piece_qubit_chess.pieces import OTHER
from qchess.games.piece_qubit_chess.position import Position
from qchess.games.piece_qubit_chess.systems import Systems, joined, without
from qchess.games.piece_qubit_chess.turn import Turn, promotes
from qchess.games.piece_qubit_chess.verdict import verdict


def settle(position: Position, turn: Turn, registers: Registers) -> Position:
    """Return the position after a turn, with its verdict."""
    move = turn.move
    board = _moved(position.board, move, turn, registers)
    systems = _regrouped(position, move, turn, registers)
    after = Position(registers, board, OTHER[position.player], position.ply + 1, systems)
    ended = verdict(position, after)
    return replace(after, ended=ended) if ended else after


def _moved(board: Board, move: Move, turn: Turn, registers: Registers) -> Board:
    """Return the board with the mover on its new square; a capturer is determined, unless it was promoted."""
    after = dict(board)
    mover = after.pop(move.start)
    crowned = turn.promotes
    if promotes(mover, move) and move.end in after:
        crowned = registers.known(mover.id) is None
    after[move.end] = mover.crowned() if crowned else mover if mover.moved else mover._replace(moved=True)
    return after


def _regrouped(position: Position, move: Move, turn: Turn, registers: Registers) -> Systems:
    """Return the systems after the turn, without pieces that are captured, promoted, set apart or determined."""
    systems = without(position.systems, turn.apart)
    if turn.system:
        systems = joined(systems, turn.system)
    if not systems:
        return systems
    known = registers.known
    leaving = {piece for system in systems for piece in system if known(piece) is not None}
    if turn.promotes:
        leaving.add(position.board[move.start].id)
    if target := position.board.get(move.end):
        leaving |= {position.board[move.start].id, target.id}
    return without(systems, leaving)
