"""Exact dice and coins from random bits, by rejection.

A die of n sides takes the fewest bits that can count to n, and draws again if they exceed it: with fair bits all sides
are equally likely. The coins are for teaching: RY turns a qubit so that it shows 1 with a chosen probability, without
rejection.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qchess.backends.budget import Budget
from qchess.backends.devices.sampler import Sampler, complete
from qchess.backends.devices.validation import trusted
from qchess.backends.qrng.health import Bits
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import ry
from qchess.circuits.program import Program, read

#: the most sides of a die
MOST_SIDES = 2**32


def die(integer: Callable[[int], int], sides: int = 6) -> int:
    """Return one throw, 1 to `sides`; ``integer(k)`` gives k fresh bits as a number."""
    width = _width(sides)
    while (thrown := integer(width)) >= sides:
        continue
    return thrown + 1


def dice(bits: Callable[[int], Bits], count: int, sides: int = 6) -> NDArray[np.int64]:
    """Return `count` throws at once; ``bits(k)`` gives k fresh bits."""
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
    """Return RY(2 asin sqrt p) on one qubit: it shows 1 with probability p."""
    if not 0 <= probability <= 1:
        raise BackendError(f"a probability lies between 0 and 1, got {probability!r}")
    return Program(ry("coin", 2 * math.asin(math.sqrt(probability))), read("coin", "coin"))


def coin(
    sampler: Sampler, probability: float, count: int = 1, *, seed: int | None = None, budget: Budget | None = None
) -> list[int]:
    """Throw a coin that a machine prepares to show 1 with this probability; a `budget` must cover all throws.

    `remark` says whether the number of ones is further off than chance explains.
    """
    circuit = coin_circuit(probability)
    if count < 1:
        raise BackendError(f"expected at least one throw, got {count!r}")
    with (budget or Budget(sampler.name)).spending(complete(sampler).shots_given(count)) as held:
        [told] = trusted(sampler.run([circuit], count, seed), [circuit])
        held.used = told.total
    if told.sequence is None:
        raise BackendError(f"{sampler.name} only counts its shots, but coins need them one by one")
    return [outcome[0] for outcome in told.sequence[:count]]
