"""A replacement for Unitary's `CirqBoard`: code written for that runs here by changing one import.

>>> from qchess.compat import CirqBoard, squares_to_bitboard
>>> board = CirqBoard(squares_to_bitboard(['a1']))
>>> board.perform_moves('a1^a3c1:SPLIT_SLIDE:BASIC', 'a3c1^a1:MERGE_SLIDE:BASIC')
True
>>> board.is_classical(), board.get_full_squares_bitboard()
(True, 1)
"""

from qchess.games.quantum_chess.move import MoveType, MoveVariant
from qchess.games.quantum_chess.unitary.ascii import AsciiBoard
from qchess.games.quantum_chess.unitary.bits import (
    CLASSICAL_BITBOARD,
    DEFAULT_CHESS_INIT_STATE,
    bit_ones,
    bit_to_qubit,
    bit_to_square,
    bitboard_to_squares,
    nth_bit_of,
    num_ones,
    qubit_to_bit,
    set_nth_bit,
    square_to_bit,
    squares_to_bitboard,
    to_rank,
    to_square,
    x_of,
    xy_to_bit,
    y_of,
)
from qchess.games.quantum_chess.unitary.board import CirqBoard, UnusedWarning
from qchess.games.quantum_chess.unitary.caching import CacheKey, ProbabilityHistory, cache_key_from_move
from qchess.games.quantum_chess.unitary.moves import ErrorMitigation, Move
from qchess.games.quantum_chess.unitary.pieces import BISHOP, EMPTY, KING, KNIGHT, PAWN, PIECES, QUEEN, REV_PIECES, ROOK

__all__ = [
    "BISHOP", "CLASSICAL_BITBOARD", "DEFAULT_CHESS_INIT_STATE", "EMPTY", "KING", "KNIGHT", "PAWN", "PIECES", "QUEEN",
    "REV_PIECES", "ROOK", "AsciiBoard", "CacheKey", "CirqBoard", "ErrorMitigation", "Move", "MoveType", "MoveVariant",
    "ProbabilityHistory", "UnusedWarning", "bit_ones", "bit_to_qubit", "bit_to_square", "bitboard_to_squares",
    "cache_key_from_move", "nth_bit_of", "num_ones", "qubit_to_bit", "set_nth_bit", "square_to_bit",
    "squares_to_bitboard", "to_rank", "to_square", "x_of", "xy_to_bit", "y_of",
]  # fmt: skip
