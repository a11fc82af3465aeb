"""Quantum Chess after Cantwell: chess whose pieces split, merge and block each other.

The modules: moves in `move` and `notation`, legal moves in `legal`, reasons of illegal ones in `objections`, kinds of
moves in `kinds`, programs in `turn`, and the next position in `settle`.
"""

from qchess.games.quantum_chess.fen import START
from qchess.games.quantum_chess.kinds import Kind, MoveType, MoveVariant
from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.rules import QuantumChess

__all__ = ["START", "Kind", "Move", "MoveType", "MoveVariant", "Position", "QuantumChess"]
