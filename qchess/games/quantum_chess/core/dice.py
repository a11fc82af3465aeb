"""The core's own random numbers: splitmix64, one stream for each game of a batch.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the mixing is Stafford's 13th.
"""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import DICE, Whole

# as signed numbers: 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
GOLDEN = -0x61C8864680B583EB
FIRST_MIX = -0x40A7B892E31B1A47
SECOND_MIX = -0x6B2FB644ECCEEE15


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
