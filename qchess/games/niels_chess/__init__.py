"""Niel's Chess and Niel's Xiangqi: quantum chess for a wooden board, two marks and a die.

The modules: the board in `units`, `variant`, `book`; piece movement in `pieces`, `xiangqi`; legal moves in `listing`
(fast) and `objections` (in words); effects of moves in `effects`, `attempts`, `coins`; circuits in `programs`; text in
`nfen`, `notation`; displays in `scene`, `rolls`, `referee`.
"""

from qchess.games.niels_chess.coins import odds
from qchess.games.niels_chess.effects import outcomes
from qchess.games.niels_chess.move import Move
from qchess.games.niels_chess.position import Position
from qchess.games.niels_chess.rules import NielsChess, NielsXiangqi
from qchess.games.niels_chess.units import State, Unit
from qchess.games.niels_chess.variant import BOARDS, Variant

__all__ = ["BOARDS", "Move", "NielsChess", "NielsXiangqi", "Position", "State", "Unit", "Variant", "odds", "outcomes"]
