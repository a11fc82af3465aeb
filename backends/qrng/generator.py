"""Python's `random.Random` on bits of a supply, with randint, shuffle, choice and the rest."""

from __future__ import annotations

import random
from typing import Any, NoReturn

from qchess.backends.qrng.supply import Supply
from qchess.circuits.errors import BackendError


class QuantumRandom(random.Random):
    """All methods of `random.Random`, on bits that are used once.

    It has no seed and no state to read or set, since the bits are not computed.
    """

    def __new__(cls, supply: Supply) -> QuantumRandom:
        """Return an instance; the parent class would use the supply as a seed."""
        return super().__new__(cls)

    def __init__(self, supply: Supply) -> None:
        self.supply = supply
        super().__init__()

    def random(self) -> float:
        """Return a number from 0 to below 1, with 53 bits."""
        return self.supply.integer(53) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """Return an integer of k random bits."""
        if k < 0:
            raise ValueError(f"the number of bits cannot be negative, got {k}")
        return self.supply.integer(k)

    def seed(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing: these numbers have no seed."""
        self.gauss_next = None  # the one number that the parent keeps back

    def getstate(self) -> NoReturn:
        """Raise: these numbers do not follow from a state."""
        raise BackendError("a quantum source has no state to read")

    def setstate(self, state: Any) -> NoReturn:
        """Raise, as `getstate` does."""
        raise BackendError("a quantum source has no state to set")
