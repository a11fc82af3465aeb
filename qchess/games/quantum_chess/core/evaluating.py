"""The odds of single squares, what a position is worth (expected material), and how each move of a list can end."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.circuits.precision import CERTAIN
from qchess.games.quantum_chess.core.layout import CARE, COUNT, FULL, MEN, SIDE, SOME, Real, State, Whole
from qchess.games.quantum_chess.core.lists import survey
from qchess.games.quantum_chess.core.masks import count, lowest
from qchess.games.quantum_chess.core.measuring import odds
from qchess.games.quantum_chess.core.moves import recognise
from qchess.games.quantum_chess.core.playing import ending, play
from qchess.games.quantum_chess.core.playouts import restore

#: what stands for a way that a move cannot end in
NO_WAY = -1


@helper
def odds_of_squares(state: State, found: Real) -> None:
    """Writes how likely each square is occupied."""
    game, squares, re, im = state.game, state.squares, state.re, state.im
    for square in range(64):
        found[square] = float(game[FULL] >> square & 1)
    left = game[SOME] & ~game[FULL]
    while left != 0:
        square = lowest(left)
        left &= left - 1
        held = total = 0.0
        for k in range(game[COUNT]):
            weight = re[k] * re[k] + im[k] * im[k]
            held += weight * (squares[k] >> square & 1)
            total += weight
        found[square] = held / total


@helper
def material(state: State, values: Real) -> float:
    """White's expected material, black's taken off; `values` by the codes of white's symbols."""
    game = state.game
    worth = 0.0
    for code in range(1, SIDE + 1):
        for side in range(2):
            men = game[MEN + SIDE * side + code]
            found = count(men & game[FULL]) + _expected(state, men & ~game[FULL])
            worth += found * values[code] * (1 - 2 * side)
    return worth


@helper
def _expected(state: State, men: int) -> float:
    """How many of these squares are occupied, expected."""
    if men == 0:
        return 0.0
    squares, re, im = state.squares, state.re, state.im
    found = total = 0.0
    for k in range(state.game[COUNT]):
        weight = re[k] * re[k] + im[k] * im[k]
        found += weight * count(squares[k] & men)
        total += weight
    return found / total


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
