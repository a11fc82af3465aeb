"""The compiled core of quantum checkers, tested against `rules` position by position."""

from qchess.games.quantum_checkers.core.core import CheckersCore
from qchess.games.quantum_checkers.core.packing import Packed

__all__ = ["CheckersCore", "Packed"]
