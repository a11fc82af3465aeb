"""Quantum Chess after Cantwell: chess whose pieces split, merge and stand in each other's way.

One idea a module: `move` and `notation` say what a move is, `legal` which are allowed and `objections`
why not, `kinds` what kind one is, `compile` what program it becomes, `settle` what it leaves behind.
"""

from qchess.games.quantum_chess.fen import START
from qchess.games.quantum_chess.kinds import Kind, MoveType, MoveVariant
from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.position import Position
from qchess.games.quantum_chess.rules import QuantumChess

__all__ = ["START", "Kind", "Move", "MoveType", "MoveVariant", "Position", "QuantumChess"]
