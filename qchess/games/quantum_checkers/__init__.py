"""Quantum checkers: pieces split over squares, capture by measurement or entanglement, and merge.

The modules: the board and the rules in use in `book`, the legal moves in `legal`, reasons of illegal ones in
`objections`, programs of moves in `turn`, and their results in `settle`.
"""

from qchess.games.quantum_checkers.book import Options
from qchess.games.quantum_checkers.move import Move
from qchess.games.quantum_checkers.position import Piece, Position
from qchess.games.quantum_checkers.rules import QuantumCheckers
from qchess.games.quantum_checkers.turn import Kind, Turn

__all__ = ["Kind", "Move", "Options", "Piece", "Position", "QuantumCheckers", "Turn"]
