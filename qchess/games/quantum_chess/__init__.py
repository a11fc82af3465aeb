"""Quantum Chess after Cantwell: chess whose pieces split, merge and block each other.

The modules: moves, their kinds and castling in `move`, their texts in `notation`, legal moves in `legal`, reasons of
illegal ones in `objections`, programs in `turn` (of the patterns in `circuits.patterns` and `patterns`), and the next
position in `settle`. `core` is the compiled form, which plays a ply unless somebody asks for its program; `late` makes
the position of such a ply when it is looked at.
"""

from qchess.games.quantum_chess.fen import START
from qchess.games.quantum_chess.move import Kind, Move, MoveType, MoveVariant
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.rules import QuantumChess

__all__ = ["START", "Kind", "Move", "MoveType", "MoveVariant", "Position", "QuantumChess"]
