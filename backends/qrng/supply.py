"""A supply of random bits: from a pool, or fresh from a machine, and what happens when it fails."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from qchess.backends.devices.sampler import Sampler
from qchess.backends.qrng.harvest import harvest
from qchess.backends.qrng.health import Bits
from qchess.backends.qrng.pool import Pool
from qchess.circuits.errors import BackendError

ON_FAILURE = ("raise", "wait", "os")
#: bits are taken from a pool in blocks of this size; what a program has not used when it ends is lost
BLOCK = 1024
#: how long `wait` waits between two tries, and how long in all, in seconds
PAUSE, PATIENCE = 5.0, 3600.0


class Stock(Protocol):
    """Where a supply gets its blocks."""

    name: str

    def block(self) -> list[tuple[Bits, Mapping[str, Any]]]:
        """Some bits, each run of them with where it came from."""


class PoolStock:
    """Blocks from a pool on disk; a machine, if one is named, fills it when it is empty."""

    def __init__(self, pool: Pool, sampler: Sampler | None = None, *, refill: int = 2**16, **options: Any) -> None:
        self.pool, self.sampler, self.refill, self.options = pool, sampler, refill, options
        self.name = f"pool {pool.path.name}"

    def block(self) -> list[tuple[Bits, Mapping[str, Any]]]:
        """One block that nobody has had."""
        if self.sampler is not None and not self.pool.available():
            self.pool.add(harvest(self.sampler, self.refill, **self.options))
        parts = self.pool.take(BLOCK, partly=True)
        return [(p.bits, {**p.provenance, "pool": str(self.pool.path), "batch": p.batch, "start": p.start})
                for p in parts]  # fmt: skip


class MachineStock:
    """Blocks straight from a machine, a harvest at a time."""

    def __init__(self, sampler: Sampler, *, seed: int | None = None, size: int = 2**14, **options: Any) -> None:
        self.sampler, self.seed, self.size, self.options = sampler, seed, size, options
        self.name = sampler.name
        self._harvests = 0

    def block(self) -> list[tuple[Bits, Mapping[str, Any]]]:
        """One harvest."""
        seed = None if self.seed is None else self.seed + 1_000_003_000 * self._harvests
        self._harvests += 1
        found = harvest(self.sampler, self.size, seed=seed, **self.options)
        return [(found.bits, {**found.provenance, "start": 0})]


class Supply:
    """Hands out bits one after the other, each once, and knows where the latest came from.

    `on_failure` says what happens when there are none: ``"raise"`` an error, ``"wait"`` and try again, or take
    the operating system's random bits (``"os"``), which the provenance then says.
    """

    def __init__(
        self, stock: Stock, *, on_failure: str = "raise", pause: float = PAUSE, patience: float = PATIENCE,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:  # fmt: skip
        if on_failure not in ON_FAILURE:
            raise BackendError(f"on failure a supply does one of {', '.join(ON_FAILURE)}, got {on_failure!r}")
        self.stock, self.on_failure = stock, on_failure
        self.pause, self.patience, self._sleep = pause, patience, sleep
        self._runs: list[tuple[Bits, Mapping[str, Any]]] = []
        self._at = 0
        self.drawn = 0
        #: where the last bits came from
        self.latest: Mapping[str, Any] = {}
        #: what was remarked of the harvests from which bits came, each once
        self.remarks: list[str] = []

    @property
    def name(self) -> str:
        """Where bits come from."""
        return self.stock.name

    def bits(self, count: int) -> Bits:
        """The next so many bits."""
        return np.concatenate([run for run, _ in self.runs(count)] or [np.zeros(0, dtype=np.uint8)])

    def runs(self, count: int) -> list[tuple[Bits, Mapping[str, Any]]]:
        """The next so many bits, each run of them with where it came from and where it began there."""
        found: list[tuple[Bits, Mapping[str, Any]]] = []
        while count > 0:
            if not self._runs:
                self._runs, self._at = self._block(), 0
            bits, self.latest = self._runs[0]
            origin = self.latest
            if (remark := origin.get("remark")) is not None and remark not in self.remarks:
                self.remarks.append(remark)
            here = bits[self._at : self._at + count]
            found.append((here, {**origin, "start": origin.get("start", 0) + self._at}))
            self._at += len(here)
            count -= len(here)
            self.drawn += len(here)
            if self._at >= len(bits):
                self._runs, self._at = self._runs[1:], 0
        return found

    def integer(self, count: int) -> int:
        """The next bits as a whole number, the first the highest."""
        if not count:
            return 0
        return int("".join(map(str, self.bits(count).tolist())), 2)

    def _block(self) -> list[tuple[Bits, Mapping[str, Any]]]:
        waited = 0.0
        while True:
            try:
                return self.stock.block()
            except BackendError as error:
                if self.on_failure == "os":
                    return [_system_bits(error)]
                if self.on_failure == "raise" or waited >= self.patience:
                    raise
                self._sleep(self.pause)
                waited += self.pause


def _system_bits(why: Exception) -> tuple[Bits, Mapping[str, Any]]:
    """A block of the operating system's bits, and the reason for it."""
    drawn = np.unpackbits(np.frombuffer(secrets.token_bytes(BLOCK // 8), dtype=np.uint8))
    return drawn, {"source": "the operating system", "quantum": False, "instead": str(why), "start": 0}
