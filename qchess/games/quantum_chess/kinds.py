"""The kinds of moves of `qchess.games.quantum_chess.move`, by their former place."""

from qchess.games.quantum_chess.move import Kind, MoveType, MoveVariant, kind

__all__ = ["Kind", "MoveType", "MoveVariant", "kind"]
