"""Samplers in a separate process that can be stopped, so that a late simulation ends at once.

The process is started with the path of a maker, ``"package.module:function"``, and its options. It makes the
sampler and runs circuits. The heavy library and memory of the sampler stay in that process.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import methodcaller
from pkgutil import resolve_name
from typing import Any

from qchess.backends.devices.sampler import BaseSampler, Capabilities, Shots, Shown, complete
from qchess.circuits.child import Child
from qchess.circuits.program import Program


class SubprocessSampler(BaseSampler):
    """A sampler whose work is done in another process, and can be stopped.

    The process starts at once, to be ready in time; after a `stop` or a crash the next call starts a new one.
    """

    def __init__(self, maker: str, options: Mapping[str, Any] | None = None) -> None:
        self._lock = threading.Lock()
        self._begin = partial(Child, f"{__name__}:sampling", maker, dict(options or {}))
        self._child = self._begin()

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the machine's name for players."""
        return self.ready()[0]

    @property
    def capabilities(self) -> Capabilities:  # type: ignore[override]
        """Return what the machine can do."""
        return self.ready()[1]

    def ready(self) -> tuple[str, Capabilities]:
        """Return name and capabilities, once the process has made its sampler; raises its error if it could not."""
        about: tuple[str, Capabilities] = self._call("", None)
        return about

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Sequence[Shots]:
        """Return the shots of each circuit, in order."""
        runs: Sequence[Shots] = self._call("run", circuits, shots, seed)
        return runs

    def expected_fidelity(self, circuits: Sequence[Program]) -> Sequence[float] | None:
        """Return the expected fidelity of each circuit; None if unknown."""
        told: Sequence[float] | None = self._call("expected_fidelity", circuits)
        return told

    def expected_seconds(self, circuits: Sequence[Program], shots: int) -> tuple[float, float] | None:
        """Return the expected seconds of use of a job, and the fixed part of them; None if unknown."""
        told: tuple[float, float] | None = self._call("expected_seconds", circuits, shots)
        return told

    def show(self, circuits: Sequence[Program]) -> Sequence[Shown] | None:
        """Return the circuits as the machine would get them; None if unknown."""
        shown: Sequence[Shown] | None = self._call("show", circuits)
        return shown

    def preflight(
        self, circuits: Sequence[Program], shots: int, seed: int | None, most: int | None = None
    ) -> Mapping[str, Any] | None:
        """Move the circuits away from bad qubits; None if the sampler has no qubits to test."""
        told: Mapping[str, Any] | None = self._call("preflight", circuits, shots, seed, most)
        return told

    def read_out_errors(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Any:
        """Return how often each bit of each answer is misread; None if the sampler has no qubits to test."""
        return self._call("read_out_errors", circuits, shots, seed)

    def shots_given(self, shots: int) -> int:
        """Return how many shots of a circuit come if this many are requested."""
        told: int = self._call("shots_given", None, shots)
        return told

    def _call(self, method: str, circuits: Sequence[Program] | None, *others: Any) -> Any:
        with self._lock:
            if self._child.ended:
                self._child = self._begin()
            return self._child.ask((method, None if circuits is None else tuple(circuits), others))

    def stop(self) -> None:
        """End the process, whatever it is doing; a new one starts at the next call."""
        self._child.kill("it was stopped")

    close = stop


#: its older name
Apart = SubprocessSampler


def sampling(maker: str, options: Mapping[str, Any]) -> Callable[[tuple[str, Any, Any]], Any]:
    """Make a sampler in the process, and return what calls its methods."""
    gc.disable()  # what a vendor's package loads is no garbage, and to look for some takes a fifth of the time
    sampler = complete(resolve_name(maker)(**options))
    gc.enable()

    def call(what: tuple[str, Any, Any]) -> Any:
        method, circuits, others = what
        if not method:
            return sampler.name, sampler.capabilities
        fresh = [] if circuits is None else [[Program(*each.steps) for each in circuits]]  # hashes do not travel
        return methodcaller(method, *fresh, *others)(sampler)

    return call
