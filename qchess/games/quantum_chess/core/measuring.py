"""The question of a move: how likely a yes is, the answer, what it leaves of the branches, and the dice that draw it.

The dice are splitmix64, one stream for each game of a batch: Steele, Lea and Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014; the mixing is Stafford's 13th.
"""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.circuits.precision import CERTAIN
from qchess.games.quantum_chess.core.layout import (
    CARE,
    COUNT,
    DICE,
    FULL,
    NO_WEIGHT,
    PIECES,
    SOME,
    WANT,
    YES,
    YES_WEIGHT,
    State,
    Whole,
)
from qchess.games.quantum_chess.core.masks import count

#: let the dice answer
DRAW = -1
# of the dice, as signed numbers: 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
GOLDEN = -0x61C8864680B583EB
FIRST_MIX = -0x40A7B892E31B1A47
SECOND_MIX = -0x6B2FB644ECCEEE15


@helper
def odds(state: State) -> float:
    """How likely the answer to the move's question is yes; 1 where it asks nothing."""
    game = state.game
    care, want = game[CARE], game[WANT]
    if care & (game[SOME] ^ game[FULL]) == 0:  # every square that it looks at is certain
        return 1.0 if game[FULL] & care == want else 0.0
    squares, re, im = state.squares, state.re, state.im
    yes = no = 0.0
    for k in range(game[COUNT]):
        weight = re[k] * re[k] + im[k] * im[k]
        if squares[k] & care == want:
            yes += weight
        else:
            no += weight
    state.sums[YES_WEIGHT], state.sums[NO_WEIGHT] = yes, no
    return yes / (yes + no)


@helper
def ask(state: State, answer: int) -> int:
    """Puts the move's question; gives the answer, drawn or as told, and keeps only the branches that show it.

    An answer that is certain is given whatever was told.
    """
    yes = odds(state)
    state.sums[YES] = yes
    if yes <= CERTAIN or yes >= 1 - CERTAIN:
        return int(yes > CERTAIN)
    if answer == DRAW:
        answer = int(chance(state.game) < yes)
    _keep(state, answer, _scale(state.sums[YES_WEIGHT] if answer else state.sums[NO_WEIGHT]))
    return answer


@helper
def _scale(weight: float) -> float:
    """A power of two that brings a weight near 1: amplitudes need no exact norm, and so nothing is rounded."""
    scale = 1.0
    while weight * scale * scale < 0.25:
        scale *= 2.0
    return scale


@helper
def _keep(state: State, answer: int, scale: float) -> None:
    """Keeps the branches that give this answer, scaled."""
    game, squares, captured, re, im = state.game, state.squares, state.captured, state.re, state.im
    care, want = game[CARE], game[WANT]
    end = 0
    for k in range(game[COUNT]):
        if (squares[k] & care == want) == (answer == 1):
            squares[end], captured[end] = squares[k], captured[k]
            re[end], im[end] = scale * re[k], scale * im[k]
            end += 1
    game[COUNT] = end


@helper
def count_pieces(state: State) -> None:
    """Notes the expected number of pieces on the board."""
    squares, re, im = state.squares, state.re, state.im
    pieces = total = 0.0
    for k in range(state.game[COUNT]):
        weight = re[k] * re[k] + im[k] * im[k]
        pieces += weight * count(squares[k])
        total += weight
    state.sums[PIECES] = pieces / total


@helper
def mixed(z: int) -> int:
    """A number whose bits all depend on all bits of z."""
    z = (z ^ (z >> 30 & (1 << 34) - 1)) * FIRST_MIX
    z = (z ^ (z >> 27 & (1 << 37) - 1)) * SECOND_MIX
    return z ^ (z >> 31 & (1 << 33) - 1)


@helper
def seeded(game: Whole, seed: int, number: int) -> None:
    """Starts the stream of one game: the same seed and number give the same game."""
    game[DICE] = mixed(mixed(seed) + number * GOLDEN)


@helper
def chance(game: Whole) -> float:
    """A number in [0, 1)."""
    game[DICE] += GOLDEN
    return float(mixed(game[DICE]) >> 11 & (1 << 53) - 1) * 2.0**-53


@helper
def below(game: Whole, n: int) -> int:
    """A whole number from 0 to n - 1."""
    return int(chance(game) * n)
