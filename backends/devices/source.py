"""Devices as sources of answers: the register's circuit runs on a sampler, and one valid shot answers.

The exact state stays the judge. Shots that break the number of pieces, that the exact state gives
probability 0, or that belong to another history are dropped before any is believed, and the record of the
answer says how many. A device that fails raises, or is replaced with a warning, as the player chose.
"""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from qchess.backends.catalogue import Backend, check_options
from qchess.backends.devices.deadline import Worker
from qchess.backends.devices.recipes import STRATEGIES, Recipe, recipe
from qchess.backends.devices.sampler import Sampler, Shots, check_circuits
from qchess.backends.devices.sifting import Sifted, sift
from qchess.circuits.compiling.compiler import LEVELS, Compiled, compile_program
from qchess.circuits.engine import Draw, Source
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program, Question
from qchess.circuits.running import Pause
from qchess.circuits.sources import Seeded

ON_FAILURE = ("raise", "fallback")
SURPLUS = ("keep", "refuse")


class DeviceError(BackendError):
    """The device gave no answer that can be believed; `details` says what it did give."""

    def __init__(self, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.details: dict[str, Any] = dict(details or {})


class FallbackWarning(UserWarning):
    """The device failed, and another source answered in its place."""


class DeviceSource:
    """Answers questions by running circuits on a sampler.

    `strategy` is ``"reprepare"`` (the present state is prepared; the device samples a state that is known)
    or ``"replay"`` (the whole history runs; each past question costs about half of the shots).
    `on_failure` is ``"raise"`` or ``"fallback"``: then `fallback` answers, with a `FallbackWarning` and the
    reason in the answer's details. Machines may return more shots than asked; `surplus` says whether to
    ``"keep"`` them or to ``"refuse"`` such a run as failed. `timeout` is in seconds, None for no limit.
    """

    def __init__(
        self,
        sampler: Sampler,
        *,
        strategy: str = "reprepare",
        shots: int = 100,
        level: str = "aware",
        on_failure: str = "raise",
        surplus: str = "keep",
        timeout: float | None = 60.0,
        fallback: Source | None = None,
        seed: int | None = None,
    ) -> None:
        _one_of("strategy", strategy, STRATEGIES)
        _one_of("level", level, LEVELS)
        _one_of("on_failure", on_failure, ON_FAILURE)
        _one_of("surplus", surplus, SURPLUS)
        if not isinstance(shots, int) or shots < 1:
            raise BackendError(f"a device needs at least one shot a question, got {shots!r}")
        if timeout is not None and not timeout > 0:
            raise BackendError(f"a device's timeout is a number of seconds or None, got {timeout!r}")
        self.sampler, self.strategy, self.shots, self.level = sampler, strategy, shots, level
        self.on_failure, self.surplus = on_failure, surplus
        self.rng = random.Random(seed)
        self.fallback = fallback or Seeded(seed)
        self.name = f"device {sampler.name}"
        self._worker: Worker[Sequence[Shots]] = Worker(timeout)

    def draw(self, ask: Pause) -> Draw:
        """One valid shot's answer."""
        try:
            return self._measured(ask)
        except DeviceError as failure:
            if self.on_failure == "raise":
                raise
            return self._replaced(ask, failure)

    def _measured(self, ask: Pause) -> Draw:
        """An answer from the device: one circuit for each register that is asked, one shot of each."""
        registers = ask.registers
        details: dict[str, Any] = {"backend": self.sampler.name, "strategy": self.strategy, "level": self.level}
        members = dict.fromkeys(registers.register_of(q) for q in ask.step.qubits if registers.known(q) is None)
        recipes = [self._recipe(ask, qubits, details) for qubits in members]
        runs = self._run([_compiled(r.program, self.level, self._basis) for r in recipes], details)
        sifted = [_sifted(r, shots, details) for r, shots in zip(recipes, runs, strict=True)]
        details.update(_tally(sifted))
        if not all(part.kept for part in sifted):
            raise DeviceError(f"{self.name} returned no valid shot: dropped {details['dropped']}", details)
        value = self._read(ask, recipes, sifted)
        if value not in ask.odds:
            raise DeviceError(f"{self.name} answered {value}, which the exact state gives probability 0", details)
        return Draw(value, self.name, details)

    @property
    def _basis(self) -> str:
        return self.sampler.capabilities.native_2q

    def _recipe(self, ask: Pause, qubits: tuple[Qubit, ...], details: dict[str, Any]) -> Recipe:
        try:
            return recipe(ask.registers, qubits, self.strategy)
        except BackendError as error:
            raise DeviceError(f"{self.name} cannot be given this register: {error}", details) from error

    def _run(self, compiled: list[Compiled], details: dict[str, Any]) -> Sequence[Shots]:
        """The shots of each circuit, in time and as many as there are circuits."""
        seed = self.rng.getrandbits(31)
        circuits = [each.program for each in compiled]
        details["circuits"] = len(circuits)
        details["two_qubit_gates"] = sum(each.two_qubit_count() for each in compiled)
        details["asked"] = self.shots * len(circuits)
        try:
            check_circuits(self.sampler, circuits, self.shots)
            runs = self._worker.call(lambda: self.sampler.run(circuits, self.shots, seed))
        except Exception as error:
            # A vendor may raise anything; whatever it is, the device has failed and the cause goes along.
            reason = f"{type(error).__name__}: {error}"
            raise DeviceError(f"{self.name} failed ({reason})", details) from error
        if len(runs) != len(circuits):
            raise DeviceError(f"{self.name} ran {len(runs)} circuits instead of {len(circuits)}", details)
        details.update(_origin(runs))
        surplus = [shots.total for shots in runs if shots.total > self.shots]
        if surplus and self.surplus == "refuse":
            raise DeviceError(f"{self.name} returned {surplus[0]} shots instead of {self.shots}", details)
        return runs

    def _read(self, ask: Pause, recipes: list[Recipe], sifted: list[Sifted]) -> int:
        """The answer that one valid shot gives, drawn evenly: counts no longer say which came first."""
        bits: dict[Qubit, int] = {}
        for made, part in zip(recipes, sifted, strict=True):
            outcomes = sorted(part.kept)
            key = self.rng.choices(outcomes, [part.kept[outcome] for outcome in outcomes])[0]
            bits.update((q, key >> k & 1) for k, q in enumerate(made.qubits))

        def value(qubit: Qubit) -> int:
            return bits[qubit] if qubit in bits else int(ask.registers.known(qubit) == 1)

        if isinstance(ask.step, Question):
            return int(ask.step.predicate.holds(value))
        return sum(value(q) << k for k, q in enumerate(ask.step.qubits))

    def _replaced(self, ask: Pause, failure: DeviceError) -> Draw:
        """The fallback's answer, announced and on record."""
        draw = self.fallback.draw(ask)
        warnings.warn(FallbackWarning(f"{failure}; {draw.source} answered {ask.step.name!r} instead"))
        details = {**failure.details, **draw.details, "fallback": str(failure)}
        return Draw(draw.value, f"{draw.source}, instead of {self.name}", details)


@lru_cache(maxsize=64)
def _compiled(program: Program, level: str, basis: str) -> Compiled:
    return compile_program(program, level=level, basis=basis, known=dict.fromkeys(program.qubits, 0))


def _sifted(made: Recipe, shots: Shots, details: dict[str, Any]) -> Sifted:
    try:
        return sift(made, shots)
    except BackendError as error:
        raise DeviceError(f"the shots of this device cannot be read: {error}", details) from error


def _tally(sifted: Sequence[Sifted]) -> dict[str, Any]:
    """What was kept and dropped, all circuits together."""
    dropped: Counter[str] = Counter()
    for part in sifted:
        dropped.update(part.dropped)
    return {"kept": sum(part.kept.total() for part in sifted), "dropped": dict(dropped)}


def _origin(runs: Sequence[Shots]) -> dict[str, Any]:
    """Where the shots came from, and how many, all circuits together."""
    told = [shots.provenance for shots in runs]
    origin: dict[str, Any] = {
        "backend": told[0].backend,
        "returned": sum(shots.total for shots in runs),
        "jobs": list(dict.fromkeys(one.job for one in told if one.job is not None)),
        "calibrated": told[0].calibrated,
        "seed": told[0].seed,
        "versions": dict(told[0].versions),
    }
    return {key: value for key, value in origin.items() if value not in (None, [])}


def _one_of(name: str, given: str, known: Sequence[str]) -> None:
    if given not in known:
        raise BackendError(f"a device's {name} is one of {', '.join(known)}, got {given!r}")


def aer_device(noisy: bool = True, branch_limit: int = 2**20, **options: Any) -> Backend:
    """Our exact engine, with answers from shots of Aer; options go to the `DeviceSource`."""
    from qchess.backends.devices.qiskit_sampler import ChipNoise, aer_sampler
    from qchess.backends.sparse.engine import SparseEngine

    sampler = aer_sampler(ChipNoise() if noisy else None)
    check_options(sampler.name, DeviceSource, options, ("sampler", "seed"))

    def source(seed: int | None) -> DeviceSource:
        return DeviceSource(sampler, seed=seed, **options)

    source(None)  # wrong options are reported now, not in the middle of a game
    return Backend(sampler.name, SparseEngine(branch_limit), source)
