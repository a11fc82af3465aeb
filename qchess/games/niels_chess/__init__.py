"""Niel's Chess and Niel's Xiangqi: quantum chess for a wooden board, two marks and a die.

One idea a module. What stands on the board: `units`, `variant`, `book`; how pieces go: `pieces`, `xiangqi`; what is
legal: `listing` quickly, `objections` in words; what moves do: `effects`, `attempts`, `coins`; what they are as
circuits: `programs`; as text: `nfen`, `notation`; for people: `scene`, `rolls`, `referee`.
"""

from qchess.games.niels_chess.coins import odds
from qchess.games.niels_chess.effects import outcomes
from qchess.games.niels_chess.move import Move
from qchess.games.niels_chess.position import Position
from qchess.games.niels_chess.rules import NielsChess, NielsXiangqi
from qchess.games.niels_chess.units import State, Unit
from qchess.games.niels_chess.variant import BOARDS, Variant

__all__ = ["BOARDS", "Move", "NielsChess", "NielsXiangqi", "Position", "State", "Unit", "Variant", "odds", "outcomes"]
