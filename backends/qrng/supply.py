"""A supply of random bits from a pool or from a machine, and what happens when it fails."""

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
#: the block of bits taken from a pool; bits left when the program ends are lost
BLOCK = 1024
#: the pause between two tries with `wait`, and the total, in seconds
PAUSE, PATIENCE = 5.0, 3600.0


class Stock(Protocol):
    """Where a supply gets its blocks."""

    name: str

    def block(self) -> list[tuple[Bits, Mapping[str, Any]]]:
        """Return some bits, each part with its provenance."""


class PoolStock:
    """Blocks from a pool on disk; if a machine is named, it fills the pool when empty."""

    def __init__(self, pool: Pool, sampler: Sampler | None = None, *, refill: int = 2**16, **options: Any) -> None:
        self.pool, self.sampler, self.refill, self.options = pool, sampler, refill, options
        self.name = f"pool {pool.path.name}"

    def block(self) -> list[tuple[Bits, Mapping[str, Any]]]:
        """Return one unused block."""
        if self.sampler is not None and not self.pool.available():
            self.pool.add(harvest(self.sampler, self.refill, **self.options))
        parts = self.pool.take(BLOCK, partly=True)
        return [(p.bits, {**p.provenance, "pool": str(self.pool.path), "batch": p.batch, "start": p.start})
                for p in parts]  # fmt: skip


class MachineStock:
    """Blocks straight from a machine, one harvest at a time."""

    def __init__(self, sampler: Sampler, *, seed: int | None = None, size: int = 2**14, **options: Any) -> None:
        self.sampler, self.seed, self.size, self.options = sampler, seed, size, options
        self.name = sampler.name
        self._harvests = 0

    def block(self) -> list[tuple[Bits, Mapping[str, Any]]]:
        """Return one harvest."""
        seed = None if self.seed is None else self.seed + 1_000_003_000 * self._harvests
        self._harvests += 1
        found = harvest(self.sampler, self.size, seed=seed, **self.options)
        return [(found.bits, {**found.provenance, "start": 0})]


class Supply:
    """Gives out each bit once, and knows where the latest came from.

    `on_failure` says what happens if there are none: ``"raise"`` an error, ``"wait"`` and try again, or use the
    operating system's random bits (``"os"``), which the provenance then says.
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
        #: the provenance of the last bits
        self.latest: Mapping[str, Any] = {}
        #: the remarks on the harvests used, each once
        self.remarks: list[str] = []

    @property
    def name(self) -> str:
        """Return where bits come from."""
        return self.stock.name

    def bits(self, count: int) -> Bits:
        """Return the next `count` bits."""
        return np.concatenate([run for run, _ in self.runs(count)] or [np.zeros(0, dtype=np.uint8)])

    def runs(self, count: int) -> list[tuple[Bits, Mapping[str, Any]]]:
        """Return the next `count` bits, each part with its provenance and its position there."""
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
        """Return the next bits as an integer, the first bit the highest."""
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
    """Return a block of the operating system's bits, with the reason."""
    drawn = np.unpackbits(np.frombuffer(secrets.token_bytes(BLOCK // 8), dtype=np.uint8))
    return drawn, {"source": "the operating system", "quantum": False, "instead": str(why), "start": 0}
