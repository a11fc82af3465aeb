"""Devices as sources of answers: the register's circuit runs on a sampler, and one valid shot answers.

Shots are checked against the exact state. Those with a wrong number of pieces, of probability 0, or from another
history are dropped, and the record of the answer says how many. If a device fails, an error is raised or a fallback
answers with a warning, as the player chose.
"""

from __future__ import annotations

import math
import random
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any

from qchess.backends.budget import Budget, BudgetError, budget_of
from qchess.backends.deadline import Clock, Worker, in_time
from qchess.backends.devices.circuitbatch import CircuitBatch, Foreseen, circuit_batch, previewed
from qchess.backends.devices.postselection import answer, likeness, odds_told, read
from qchess.backends.devices.readout import both, errors_told, machine, mitigated, mixed, symmetric
from qchess.backends.devices.recipes import STRATEGIES
from qchess.backends.devices.sampler import UNTIMED, BaseSampler, Sampler, Shots, check_circuits, complete
from qchess.backends.devices.validation import trusted, words_of
from qchess.circuits.compiling.compiler import LEVELS
from qchess.circuits.engine import AnswerSource, Sample, Source
from qchess.circuits.errors import BackendError, LostJobError
from qchess.circuits.program import Program
from qchess.circuits.running import Pause
from qchess.circuits.sources import Seeded

#: settings with a fixed choice of words
WORDS = {
    "strategy": STRATEGIES,
    "level": LEVELS,
    "on_failure": ("raise", "fallback"),
    "surplus": ("keep", "refuse"),
    "parts": ("allow", "refuse"),
    "coins": ("allow", "refuse"),
}
#: the most circuits of a preflight under a budget
MOST_TRIED = 36


class DeviceError(BackendError):
    """The device gave no valid answer; `details` says what it gave."""

    def __init__(self, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.details: dict[str, Any] = dict(details or {})


class LostError(DeviceError, LostJobError):
    """The job of a question ended without shots; the question may be submitted again."""


class FallbackWarning(UserWarning):
    """The device failed, and another source answered in its place."""


class DeviceSource(AnswerSource):
    """Answers questions by running circuits on a sampler.

    `strategy` is ``"reprepare"`` (the circuit prepares the present, known state) or ``"replay"`` (the whole history
    runs; each past question costs about half of the shots).
    `on_failure` is ``"raise"`` or ``"fallback"``: then `fallback` answers, with a `FallbackWarning` and the
    reason in the answer's details. Machines may return more shots than asked; `surplus` says whether to
    ``"keep"`` them or to ``"refuse"`` such a run as failed. `timeout` is in seconds, None for no limit, and
    covers everything from the first gate to the last shot; of a question in a queue only the making of its circuits.

    If a register is too large, or the expected fidelity of its circuit is below `least_fidelity`, a circuit of only the
    qubits asked about is sent, unless `parts` is ``"refuse"``. If that is below too, it is refused before sending.
    Shots that are no better than coin flips (`postselection`) are refused, unless `coins` is ``"allow"``.

    `preflight` is the number of shots that test qubits before their first use; bad ones are not used. `mitigation` is
    the number of shots that measure read-out errors; the corrected odds are then reported beside the observed.

    `budget_shots` and `budget_seconds` (of use, if the device can limit its jobs) are the most that all games and
    processes with one state folder may spend on the device, tests included; more is refused before sending.
    With `readout_twirling` half of the shots are read with every bit flipped (`readout`); None means on for a physical
    machine with an even number of shots.
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
        least_fidelity: float = 0.05,
        parts: str = "allow",
        coins: str = "refuse",
        preflight: int = 0,
        mitigation: int = 0,
        budget_shots: int | None = None,
        budget_seconds: float | None = None,
        readout_twirling: bool | None = None,
        fallback: Source | None = None,
        seed: int | str | None = None,
    ) -> None:
        check_settings({
            "strategy": strategy, "shots": shots, "level": level, "on_failure": on_failure, "surplus": surplus,
            "timeout": timeout, "least_fidelity": least_fidelity, "parts": parts, "coins": coins,
            "preflight": preflight, "mitigation": mitigation, "readout_twirling": readout_twirling,
            "fallback": fallback,
        })  # fmt: skip
        self.sampler: BaseSampler = complete(sampler)
        self.strategy, self.shots, self.level = strategy, shots, level
        self.on_failure, self.surplus, self.least_fidelity = on_failure, surplus, least_fidelity
        self.parts, self.coins = parts, coins
        self.timeout, self.preflight, self.mitigation = timeout, preflight, mitigation
        self.budget = budget_of(self.sampler, budget_shots, budget_seconds, trials=bool(preflight or mitigation))
        self.readout_twirling = readout_twirling
        fake = self.sampler.on_a_fake
        untimed = {"budget_seconds": UNTIMED} if fake is not None and budget_seconds is not None else {}
        #: what a fake does with the settings of its device
        self.on_a_fake = {**(fake or {}), **untimed}
        #: the seed of all random choices of this source
        self.root: int | str = seed if seed is not None else random.SystemRandom().getrandbits(64)
        self.rng = random.Random(self.root)
        self.fallback = fallback or Seeded(seed)
        self.name = f"device {sampler.name}"
        self._worker: Worker[Any] = Worker(timeout, self.sampler.stop)

    def at(self, line: str) -> DeviceSource:
        """Return the same source at a named point of a game: the same point has the same seeds."""
        there = copy(self)
        there.rng = random.Random(f"{self.root} {line}")
        return there

    def draw(self, pause: Pause) -> Sample:
        """Return one valid shot's answer."""
        try:
            return self._measured(pause)
        except DeviceError as failure:
            if self.on_failure == "raise":
                raise
            return self._replaced(pause, failure)

    def _measured(self, pause: Pause) -> Sample:
        """Return an answer from the device, in time."""
        details = self._plan(pause)
        seed = self.rng.getrandbits(31)
        with self._failing(details):
            self.sampler.ready()  # before its time counts
            began, clock = time.monotonic(), Clock(self.timeout)
            batch, runs = self._worker.call(lambda: self._run(pause, clock, seed, details))
        details["seconds"] = round(time.monotonic() - began, 3)
        details["shots_run"] = details.get("shots_run", 0) + sum(shots.total for shots in runs)
        return self._believed(pause, batch, runs, details)

    def preview(self, pause: Pause) -> Foreseen:
        """Return what would be sent for a question, in the form of its record; sends nothing and tests no qubit."""
        there, details = copy(self), self._plan(pause)
        there.preflight = there.mitigation = 0
        with self._failing(details):
            self.sampler.ready()  # before its time counts
            batch = there._batch(pause, Clock(self.timeout), details)
            reserves = self.budget.foreseen(self._takes(*self._sent(batch, self.twirled)))
            return previewed(self.sampler, batch, details, reserves)

    @property
    def twirled(self) -> bool:
        """Tell whether half of the shots are read with every bit flipped."""
        if self.readout_twirling is not None:
            return self.readout_twirling
        return self.sampler.capabilities.quantum and self.shots % 2 == 0

    def _plan(self, pause: Pause) -> dict[str, Any]:
        """Return what is known of a run before it begins."""
        told = {"on_a_fake": dict(self.on_a_fake)} if self.on_a_fake else {}
        return {
            "backend": self.sampler.runs_on or self.sampler.name,
            "strategy": self.strategy,
            "level": self.level,
            "asked": self.shots,
            "odds": odds_told(pause.odds),
            **told,
        }

    def _run(self, pause: Pause, clock: Clock, seed: int, details: dict[str, Any]) -> tuple[CircuitBatch, list[Shots]]:
        """Prepare the circuits and run them, within the time limit."""
        batch = self._batch(pause, clock, details)
        circuits, shots = self._sent(batch, bool(details.get("readout_twirling")))
        with self.budget.spending(self._takes(circuits, shots)) as held:
            runs = trusted(self.sampler.run(circuits, shots, seed, **held.bound), circuits)
            held.used = sum(run.total for run in runs)
        details.update(self._left())
        return batch, runs

    def _sent(self, batch: CircuitBatch, twirled: bool) -> tuple[list[Program], int]:
        """Return the circuits as sent, and the shots of each."""
        return (both(batch.circuits), self.shots // 2) if twirled else (batch.circuits, self.shots)

    def _takes(self, circuits: Sequence[Program], shots: int) -> int:
        """Return how many shots these circuits will give."""
        return self.sampler.shots_given(shots) * len(circuits)

    def _left(self) -> dict[str, Any]:
        """Return the budget and what is left, for a record; empty without a budget."""
        told = self.budget.told()
        return {"budget": told} if told else {}

    def _batch(self, pause: Pause, clock: Clock, details: dict[str, Any]) -> CircuitBatch:
        """Return the circuits, checked against the machine's capabilities and expected fidelity.

        If the whole register would be lost in noise, re-preparing uses only the part asked about, if allowed.
        """
        batch = self._weighed(pause, clock, details, part=False)
        hopeless = details.get("expected_fidelity", 1.0) < self.least_fidelity
        if hopeless and self.strategy == "reprepare" and self.parts == "allow":
            batch = self._weighed(pause, clock, details, part=True)
            hopeless = details["expected_fidelity"] < self.least_fidelity
        if hopeless:
            raise BackendError(
                f"expected fidelity {details['expected_fidelity']} is below the limit "
                f"least_fidelity={self.least_fidelity} "
                f"(circuits: {details['circuits']}, two-qubit gates: {details['two_qubit_gates']})"
            )
        self._tried(batch, details)
        clock.check()
        return batch

    def _tried(self, batch: CircuitBatch, details: dict[str, Any]) -> None:
        """Test the qubits that the circuits would use, as requested; the results go into the details."""
        seed = random.Random(f"{self.root} tries").getrandbits(31)
        if self.preflight:
            given = self.sampler.shots_given(self.preflight)
            with self.budget.spending(MOST_TRIED * given, least=0) as held:
                capped = () if held.shots is None else (held.shots,)
                told = self.sampler.preflight(batch.circuits, self.preflight, seed, *capped)
                details["preflight"] = self._of_qubits(told)
                held.used = details["preflight"].get("shots", 0)
            details["shots_run"] = details["preflight"].get("shots", 0)
            details.update(self._expected(batch))
        if self.mitigation:
            with self.budget.spending(2 * self.sampler.shots_given(self.mitigation)) as held:
                found = self._of_qubits(self.sampler.read_out_errors(batch.circuits, self.mitigation, seed))
                held.used = held.shots
            details["read_out_errors"] = errors_told(found)
            details["shots_run"] = details.get("shots_run", 0) + 2 * self.mitigation  # of two circuits

    def _of_qubits(self, found: Any) -> Any:
        """Return what a sampler found out about its qubits; raises if it knows of none."""
        if found is None:
            raise BackendError(f"{self.sampler.name} does not report which qubits it uses, so none can be tested first")
        return found

    def _weighed(self, pause: Pause, clock: Clock, details: dict[str, Any], *, part: bool) -> CircuitBatch:
        """Return the circuits, with their size and expected fidelity in the details."""
        batch = self._recipes(pause, clock, part=part)
        details.update(batch.details)
        details["asked"] = self.shots * len(batch.circuits)
        check_circuits(self.sampler, batch.circuits, self.shots)
        details.update(self._expected(batch))
        if self.twirled:
            details["readout_twirling"] = True
        return batch

    def _expected(self, batch: CircuitBatch) -> dict[str, Any]:
        """Return the expected fidelity, in total and by circuit, and the seconds of use, if known."""
        told: dict[str, Any] = {}
        if (expected := self.sampler.expected_fidelity(batch.circuits)) is not None:
            told["expected_fidelity"] = round(math.prod(expected), 4)
            told["expected_fidelities"] = [round(float(each), 4) for each in expected]
        sent = self._sent(batch, self.twirled)
        if seconds := self.sampler.expected_seconds(*sent):
            told["expected_seconds"], told["expected_overhead"] = (round(each, 4) for each in seconds)
        return told

    def _recipes(self, pause: Pause, clock: Clock, *, part: bool) -> CircuitBatch:
        """Return the circuits; with `part`, only of the qubits asked about."""
        return circuit_batch(pause, self.sampler.capabilities, strategy=self.strategy, level=self.level,
                     shots=self.shots, clock=clock, part=part, parts=self.parts == "allow")  # fmt: skip

    def _believed(self, pause: Pause, batch: CircuitBatch, runs: list[Shots], details: dict[str, Any]) -> Sample:
        """Return the answer of the first valid shot."""
        twirled = bool(details.get("readout_twirling"))
        details.update(_origin(runs, twirled))
        if twirled:
            runs = mixed(batch.circuits, runs, self.rng)
        surplus = [shots.total for shots in runs if shots.total > self.shots]
        if surplus and self.surplus == "refuse":
            raise DeviceError(f"{self.name} returned {surplus[0]} shots instead of {self.shots}", details)
        reading = read(batch.recipes, runs, details.get("expected_fidelities"))
        details.update(reading.tally())
        if reading.empty:
            raise DeviceError(f"{self.name} returned no valid shot: dropped {details['dropped']}", details)
        if self.coins == "refuse" and (told := reading.like_coins()):
            like = f"{self.name} is no better than coin flips: {likeness(told)}"
            raise DeviceError(f"{like}; coins=allow accepts the answer anyway", details)
        value, how = answer(pause, batch.recipes, reading, self.rng)
        details.update(how)
        if twirled and reading.ordered:
            details["picked"] = "the first valid shot of both halves, mixed by pseudo-random numbers"
        if errors := details.get("read_out_errors"):
            odds = mitigated(pause, batch.recipes, runs, symmetric(errors) if twirled else errors)
            details.update({} if odds is None else {"mitigated": odds})
        if value not in pause.odds:
            raise DeviceError(f"{self.name} answered {value}, which has probability 0 in the exact state", details)
        return Sample(value, self.name, details)

    @contextmanager
    def _failing(self, details: dict[str, Any]) -> Iterator[None]:
        """Turn any error inside into a `DeviceError` that keeps its cause."""
        try:
            yield
        except Exception as error:
            # A vendor may raise anything; whatever it is, the device has failed and the cause goes along.
            if isinstance(error, BudgetError):
                raise DeviceError(str(error), details) from None
            kind = LostError if isinstance(error, LostJobError) else DeviceError
            raise kind(f"{self.name} failed ({words_of(error)})", details) from error

    def _replaced(self, pause: Pause, failure: DeviceError) -> Sample:
        """Return the fallback's answer, with a warning and a record."""
        draw = self.fallback.draw(pause)
        warnings.warn(FallbackWarning(f"{failure}; {draw.source} answered {pause.step.name!r} instead"))
        details = {**failure.details, **draw.details, "fallback": str(failure)}
        return Sample(draw.value, f"{draw.source}, instead of {self.name}", details)


def _origin(runs: Sequence[Shots], twirled: bool) -> dict[str, Any]:
    """Return the origin of the shots, and how many, over all circuits."""
    origins = [shots.provenance for shots in runs]
    placed = origins[: len(origins) // 2] if twirled else origins  # both halves are at one place
    origin: dict[str, Any] = {
        "backend": origins[0].backend,
        "returned": sum(shots.total for shots in runs),
        "jobs": list(dict.fromkeys(one.job for one in origins if one.job is not None)),
        "calibrated": origins[0].calibrated,
        "seed": origins[0].seed,
        "versions": dict(origins[0].versions),
        "machine": [told for one in placed if (told := machine(one.details, twirled))],
    }
    return {key: value for key, value in origin.items() if value not in (None, [])}


def check_settings(given: Mapping[str, Any]) -> None:
    """Refuse values that no device takes; missing ones keep their defaults."""
    for name, known in WORDS.items():
        if name in given and given[name] not in known:
            raise BackendError(f"a device's {name} is one of {', '.join(known)}, got {given[name]!r}")
    shots = given.get("shots", 100)
    if type(shots) is not int or shots < 1:
        raise BackendError(f"a device needs a whole number of shots for each question, 1 or more; got {shots!r}")
    timeout = given.get("timeout")
    if timeout is not None and not in_time(timeout):
        raise BackendError(f"a device's timeout is a number of seconds or None, got {timeout!r}")
    for name in ("preflight", "mitigation"):
        wanted = given.get(name, 0)
        if type(wanted) is not int or wanted < 0:
            raise BackendError(f"a device's {name} is a number of shots, or 0 for none; got {wanted!r}")
    twirled = given.get("readout_twirling")
    if twirled not in (True, False, None):
        raise BackendError(f"read-out twirling is True, False, or None for the usual; got {twirled!r}")
    if twirled and shots % 2:
        raise BackendError(f"read-out twirling halves the shots, so their number is even; got {shots!r}")
    least = given.get("least_fidelity", 0)
    if not (isinstance(least, int | float) and 0 <= least < 1):
        raise BackendError(f"the least expected fidelity is a number from 0 to below 1, got {least!r}")
    fallback = given.get("fallback")
    if fallback is not None and not callable(getattr(fallback, "draw", None)):
        raise BackendError(f"a device's fallback is a source of answers, with draw(pause); got {fallback!r}")
    Budget("", given.get("budget_shots"), seconds=given.get("budget_seconds"))
