"""Python's `random.Random`, fed with bits of a supply: randint, shuffle, choice and the rest follow."""

from __future__ import annotations

import random
from typing import Any, NoReturn

from qchess.backends.qrng.supply import Supply
from qchess.circuits.errors import BackendError


class QuantumRandom(random.Random):
    """Every method of `random.Random`, on bits that are used once.

    It cannot be seeded, and its state can neither be read nor set: the bits are not computed.
    """

    def __new__(cls, supply: Supply) -> QuantumRandom:
        """An instance; the parent would take the supply for a seed."""
        return super().__new__(cls)

    def __init__(self, supply: Supply) -> None:
        self.supply = supply
        super().__init__()

    def random(self) -> float:
        """A number from 0 to below 1, with 53 bits."""
        return self.supply.integer(53) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """A whole number of k random bits."""
        if k < 0:
            raise ValueError(f"the number of bits cannot be negative, got {k}")
        return self.supply.integer(k)

    def seed(self, *args: Any, **kwargs: Any) -> None:
        """Does nothing: these numbers have no seed."""
        self.gauss_next = None  # the one number that the parent keeps back

    def getstate(self) -> NoReturn:
        """Refused: there is no state from which the numbers follow."""
        raise BackendError("a quantum source has no state to read")

    def setstate(self, state: Any) -> NoReturn:
        """Refused, as `getstate` is."""
        raise BackendError("a quantum source has no state to set")
