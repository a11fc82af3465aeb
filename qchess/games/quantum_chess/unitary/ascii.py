"""A board as text that remembers which piece stands where; it checks no rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from qchess.boards import placement
from qchess.boards.geometry import geometry
from qchess.games.quantum_chess.move import MoveType, MoveVariant
from qchess.games.quantum_chess.unitary.bits import to_square, x_of, xy_to_bit, y_of
from qchess.games.quantum_chess.unitary.board import CirqBoard
from qchess.games.quantum_chess.unitary.moves import Move
from qchess.games.quantum_chess.unitary.pieces import EMPTY, KING, PAWN, PIECES, REV_PIECES, ROOK
from qchess.games.quantum_chess.unitary.programs import path

#: a blank and a dot are empty squares
_MAN = re.compile("[PNBRQKpnbrqk. ]")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
#: castling -> the files from and to which the rook goes
ROOK_FILES = {MoveType.KS_CASTLE: "hf", MoveType.QS_CASTLE: "ad"}
#: a square whose king or rook move ends a right -> the rights, white in capitals
RIGHTS = {"e1": ("O-O", "O-O-O"), "h1": ("O-O",), "a1": ("O-O-O",), "e8": ("o-o", "o-o-o"), "h8": ("o-o",),
          "a8": ("o-o-o",)}  # fmt: skip


class AsciiBoard:
    """Pieces on top of any board with ``with_state``, ``do_move`` and ``get_probability_distribution``."""

    def __init__(self, size: int = 8, reps: int = 1000, board: Any = None) -> None:
        self.size, self.reps = size, reps
        self.board: Any = CirqBoard(0) if board is None else board
        self._clear()

    def _clear(self) -> None:
        self._pieces = {to_square(x, y): EMPTY for y in range(self.size) for x in range(self.size)}
        self._probs: Sequence[float] = (0.0,) * 64
        self.ep_flag: int | None = None
        self.white_moves = True
        self.castling_flags = dict.fromkeys(("o-o", "o-o-o", "O-O", "O-O-O"), True)

    def load_fen(self, fen: str) -> None:
        """Set up a position from the first field of a FEN; the old one is forgotten."""
        board, men = placement.read(fen, _MAN, "PNBRQK or pnbrqk")
        placement.require(board, geometry(self.size, self.size), fen)
        self._clear()
        self._pieces |= {board.names[square]: REV_PIECES[man] for square, man in men.items()}
        self.board.with_state(sum(1 << _bit(square) for square, piece in self._pieces.items() if piece))
        self._look()

    def reset(self) -> None:
        """Set up the start of chess."""
        self.load_fen(START)

    def piece(self, square: str) -> int:
        """Return the number of the piece on a square, certain or not."""
        return self._pieces[square]

    def apply(self, move: Any) -> bool:
        """Play a move on the board (by default a basic jump) and move the pieces with it."""
        told = Move.of(move)
        played = replace(
            told, move_type=told.move_type or MoveType.JUMP, move_variant=told.move_variant or MoveVariant.BASIC
        )
        moved = bool(self.board.do_move(move if played == told else played))
        self._look()
        self.white_moves = not self.white_moves
        if moved:
            self._move_pieces(played)
        return moved

    def blocked_squares(self, source: str, target: str) -> list[str]:
        """Return the squares strictly between two squares on a line that hold a piece, certain or not."""
        return [square for square in path(source, target) if self._pieces[square] != EMPTY]

    def _move_pieces(self, move: Move) -> None:
        piece = self._pieces[move.source]
        for square in _left(move):
            if self._probs[_bit(square)] == 0:
                self._pieces[square] = EMPTY
        self._pieces[move.target] = move.promotion_piece or piece
        if move.target2:
            self._pieces[move.target2] = piece
        if move.move_type in ROOK_FILES:
            self._pieces[ROOK_FILES[move.move_type][1] + move.source[1]] = ROOK if piece > 0 else -ROOK
        self.ep_flag = self._ep_flag(move, piece)
        touched = [move.source, move.target, "e1" if piece == KING else "", "e8" if piece == -KING else ""]
        for right in (right for square in touched for right in RIGHTS.get(square, ())):
            self.castling_flags[right] = False

    @staticmethod
    def _ep_flag(move: Move, piece: int) -> int | None:
        """Return the file of a pawn that has just moved two steps, else None."""
        two = abs(piece) == PAWN and abs(y_of(move.target) - y_of(move.source)) == 2
        return x_of(move.target) if two else None

    def _look(self) -> None:
        self._probs = self.board.get_probability_distribution(self.reps)

    def __str__(self) -> str:
        """Return the pieces, rank by rank from the top; under each uncertain one its per cent."""
        edge = " +" + "-" * (3 * self.size + 1) + "+"
        lines = [edge]
        for y in reversed(range(self.size)):
            squares = [to_square(x, y) for x in range(self.size)]
            lines.append(f"{y + 1}| " + "".join(f"{self._letter(square)}  " for square in squares) + "|")
            lines.append(" |" + "".join(self._per_cent(square) for square in squares) + " |")
        return "\n".join([*lines, edge, "   " + "".join(f"{to_square(x, 0)[0]}  " for x in range(self.size))])

    def _letter(self, square: str) -> str:
        return PIECES[self._pieces[square]] if self._probs[_bit(square)] else "."

    def _per_cent(self, square: str) -> str:
        p = self._probs[_bit(square)]
        return f"{int(100 * p):3}" if 0 < p < 1 else "   "


def _bit(square: str) -> int:
    return xy_to_bit(x_of(square), y_of(square))


def _left(move: Move) -> list[str]:
    """Return the squares that a move may empty: its sources, the rook's, and that of a pawn taken in passing."""
    squares = [square for square in (move.source, move.source2) if square]
    if move.move_type in ROOK_FILES:
        squares.append(ROOK_FILES[move.move_type][0] + move.source[1])
    if move.move_type == MoveType.PAWN_EP:
        squares.append(move.target[0] + move.source[1])
    return squares
