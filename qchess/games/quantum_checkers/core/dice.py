"""The core's own random numbers: splitmix64, one word of state."""

from __future__ import annotations

import numpy as np

from qchess.circuits.kernels import helper
from qchess.games.quantum_checkers.core.layout import Dice

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@helper
def mixed(value: np.uint64) -> np.uint64:
    """A word whose bits all depend on all bits of the value."""
    value = (value ^ (value >> np.uint64(30))) * FIRST
    value = (value ^ (value >> np.uint64(27))) * SECOND
    return value ^ (value >> np.uint64(31))


@helper
def draw(dice: Dice) -> np.uint64:
    """The next random word."""
    dice[0] = dice[0] + STEP
    return mixed(dice[0])


@helper
def fraction(dice: Dice) -> float:
    """A number from 0 up to 1."""
    return float(draw(dice) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@helper
def below(dice: Dice, limit: int) -> int:
    """A whole number from 0 up to the limit, each as likely."""
    return int(((draw(dice) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@helper
def reseed(dice: Dice, seed: np.uint64, number: int) -> None:
    """Starts the dice of one game of a batch."""
    dice[0] = mixed(mixed(seed) + np.uint64(number) * STEP)
