"""Dice and coins from random bits: exact, by throwing away what does not fit.

A die of n sides takes the fewest bits that can say n numbers, and throws again where they say more: each
side is then exactly as likely as every other, if the bits are fair. The coins are for teaching: RY turns a
qubit so that it shows 1 with a chosen probability, without any bit thrown away.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qchess.backends.budget import Budget
from qchess.backends.devices.sampler import Sampler, shots_given
from qchess.backends.devices.trust import trusted
from qchess.backends.qrng.health import Bits
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import ry
from qchess.circuits.program import Program, read

#: no die has more sides; a number of so many bits is not a die
MOST_SIDES = 2**32


def die(integer: Callable[[int], int], sides: int = 6) -> int:
    """One throw, 1 to `sides`; ``integer(k)`` gives k fresh bits as a number."""
    width = _width(sides)
    while (thrown := integer(width)) >= sides:
        continue
    return thrown + 1


def dice(bits: Callable[[int], Bits], count: int, sides: int = 6) -> NDArray[np.int64]:
    """So many throws at once; ``bits(k)`` gives k fresh bits."""
    width = _width(sides)
    weights = 1 << np.arange(width - 1, -1, -1, dtype=np.int64)
    thrown = np.zeros(0, dtype=np.int64)
    while len(thrown) < count:
        tries = math.ceil((count - len(thrown)) * 2**width / sides)
        numbers = bits(tries * width).reshape(tries, width).astype(np.int64) @ weights if width else np.zeros(tries)
        thrown = np.concatenate([thrown, numbers[numbers < sides].astype(np.int64) + 1])
    return thrown[:count]


def _width(sides: int) -> int:
    if not isinstance(sides, int) or not 1 <= sides <= MOST_SIDES:
        raise BackendError(f"expected a whole number of sides from 1 to {MOST_SIDES}, got {sides!r}")
    return (sides - 1).bit_length()


def coin_circuit(probability: float) -> Program:
    """RY(2 asin sqrt p) on one qubit: it shows 1 with the probability p."""
    if not 0 <= probability <= 1:
        raise BackendError(f"a probability lies between 0 and 1, got {probability!r}")
    return Program(ry("coin", 2 * math.asin(math.sqrt(probability))), read("coin", "coin"))


def coin(
    sampler: Sampler, probability: float, count: int = 1, *, seed: int | None = None, budget: Budget | None = None
) -> list[int]:
    """So many throws of a coin that a machine prepared to show 1 with this probability; a `budget` has to cover them.

    `remark` says whether the ones among them are further off than chance goes.
    """
    circuit = coin_circuit(probability)
    if count < 1:
        raise BackendError(f"expected at least one throw, got {count!r}")
    with (budget or Budget(sampler.name)).spending(shots_given(sampler, count)) as held:
        [told] = trusted(sampler.run([circuit], count, seed), [circuit])
        held.used = told.total
    if told.sequence is None:
        raise BackendError(f"{sampler.name} only counts its shots, but coins need them one by one")
    return [outcome[0] for outcome in told.sequence[:count]]
