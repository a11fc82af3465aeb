"""Quantum checkers: pieces split over squares, capture by measurement or entanglement, and merge.

The modules: the rules in use in `options` and `book`, the `board`, the legal moves in `legal`, reasons of illegal ones
in `objections`, programs of moves in `turn`, and their results in `settle`.
"""

from qchess.games.quantum_checkers.move import Move
from qchess.games.quantum_checkers.options import Options
from qchess.games.quantum_checkers.position import Piece, Position
from qchess.games.quantum_checkers.rules import QuantumCheckers
from qchess.games.quantum_checkers.turn import Kind, Turn

__all__ = ["Kind", "Move", "Options", "Piece", "Position", "QuantumCheckers", "Turn"]
