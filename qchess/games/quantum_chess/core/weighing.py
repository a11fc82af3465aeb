"""A list of moves weighed: the chance of each way a move can end, how the game ended by it, and what it is worth."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.circuits.precision import CERTAIN
from qchess.games.quantum_chess.core.evaluating import material
from qchess.games.quantum_chess.core.layout import CARE, Real, State, Whole
from qchess.games.quantum_chess.core.lists import survey
from qchess.games.quantum_chess.core.measuring import odds
from qchess.games.quantum_chess.core.moves import recognise
from qchess.games.quantum_chess.core.playing import ending, play
from qchess.games.quantum_chess.core.playouts import restore

#: what stands for a way that a move cannot end in
NO_WAY = -1


@helper
def weigh(state: State, root: State, move: int, values: Real, endings: Whole, chances: Real, worths: Real) -> None:
    """Writes both ways a legal move of the root can end, yes before no; a move that asks nothing ends as by yes."""
    recognise(root.game, move)
    asks = root.game[CARE] != 0
    yes = odds(root) if asks else 1.0
    for way in range(2):
        chances[way] = 1 - yes if way else yes
        if chances[way] > CERTAIN:
            _try(state, root, move, way, values, endings, worths)
        else:
            endings[way] = NO_WAY


@helper
def _try(state: State, root: State, move: int, way: int, values: Real, endings: Whole, worths: Real) -> None:
    """Plays a move of the root with one answer; notes how the game ended by it, and what white stands better."""
    restore(state, root)
    play(state, move, 1 - way)
    endings[way] = ending(state.game, survey(state.game))
    worths[way] = material(state, values)
