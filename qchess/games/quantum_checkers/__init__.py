"""Quantum checkers: pieces split over squares, capture by measurement or entanglement, and merge.

One idea a module: `options` and `book` say which rules are played, `board` where, `legal` which moves there are and
`objections` why not, `turn` what program a move becomes, `settle` what it leaves behind.
"""

from qchess.games.quantum_checkers.move import Move
from qchess.games.quantum_checkers.options import Options
from qchess.games.quantum_checkers.position import Piece, Position
from qchess.games.quantum_checkers.rules import QuantumCheckers
from qchess.games.quantum_checkers.turn import Kind, Turn

__all__ = ["Kind", "Move", "Options", "Piece", "Position", "QuantumCheckers", "Turn"]
