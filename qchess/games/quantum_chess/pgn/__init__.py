"""Quantum PGN: whole games of Quantum Chess as text, read and written without loss.

>>> import qchess
>>> from qchess.games.quantum_chess import pgn
>>> game = qchess.new('quantum-chess')
>>> played = game.play('b1^a3c3')
>>> print(pgn.dumps(game).splitlines()[-1])
1. b1^a3c3 *
>>> pgn.loads(pgn.dumps(game)) == [game.record()]
True
"""

from qchess.games.quantum_chess.pgn.reading import loads
from qchess.games.quantum_chess.pgn.writing import dumps

__all__ = ["dumps", "loads"]
