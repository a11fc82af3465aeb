"""Piece-qubit chess: Lamarre's Quantum Chess, where the type of each piece is a qubit.

Squares are classical. A piece may be one of two types, and a moving piece acts with its gate on the pieces in its area
of influence; entangled systems of eight collapse.
"""

from qchess.games.piece_qubit_chess.game_records import replay, write_replay
from qchess.games.piece_qubit_chess.notation import Move
from qchess.games.piece_qubit_chess.pieces import Piece
from qchess.games.piece_qubit_chess.position import Position
from qchess.games.piece_qubit_chess.profile import CODE, TEXT, Profile
from qchess.games.piece_qubit_chess.rules import PieceQubitChess

__all__ = ["CODE", "TEXT", "Move", "Piece", "PieceQubitChess", "Position", "Profile", "replay", "write_replay"]
