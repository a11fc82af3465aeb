"""Quantum Chess after Cantwell: chess whose pieces split, merge and block each other.

The modules: moves, their kinds and castling in `move`, their texts in `notation`, legal moves in `legal`, reasons of
illegal ones in `objections`, programs in `turn`, and the next position in `settle`.
"""

from qchess.games.quantum_chess.fen import START
from qchess.games.quantum_chess.move import Kind, Move, MoveType, MoveVariant
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.rules import QuantumChess

__all__ = ["START", "Kind", "Move", "MoveType", "MoveVariant", "Position", "QuantumChess"]
