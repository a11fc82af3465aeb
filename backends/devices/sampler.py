"""Samplers: the interface to anything that runs circuits shot by shot and returns counts.

A sampler gets compiled programs, made of one-qubit gates, its own two-qubit gate and read-outs, and returns how often
each outcome came and where it came from. A new vendor is one file with one such class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

from qchess.circuits.engine import Completed
from qchess.circuits.errors import BackendError
from qchess.circuits.program import Program


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a sampler's machine can do: flags for the code that builds its circuits.

    `native_2q` is the two-qubit gate to compile to: ``"cx"``, ``"cz"`` or ``"sqrt_iswap"``. `quantum` is True for a
    physical machine only; simulated answers are never called quantum.
    """

    mid_measure: bool = False
    reset: bool = False
    feed_forward: bool = False
    native_2q: str = "cz"
    max_qubits: int | None = None
    #: True: shots come in the order in which the machine took them
    ordered: bool = False
    quantum: bool = False
    #: True: each circuit of a question is a job of its own, if runs are jobs
    job_each: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of shots: enough to find the job again and to know what was requested."""

    backend: str
    asked: int
    returned: int
    #: the vendor's name of the job, and the time of the last calibration, if there is one
    job: str | None = None
    calibrated: str | None = None
    #: the seed used; None if the shots cannot be repeated
    seed: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    #: other details, in JSON values: the physical qubits, an expected fidelity
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shots:
    """The outcomes of one circuit: how often each combination of answers came.

    A key of `counts` has one number for each name in `answers`, in that order: the value of that read-out, whose bit k
    is its k-th qubit. `sequence` has the same outcomes one by one, in the order in which the machine took them, if
    known.
    """

    answers: tuple[str, ...]
    counts: Mapping[tuple[int, ...], int]
    provenance: Provenance
    sequence: tuple[tuple[int, ...], ...] | None = None

    @property
    def total(self) -> int:
        """Return the number of shots."""
        return sum(self.counts.values())

    @classmethod
    def in_order(cls, answers: tuple[str, ...], outcomes: Iterable[tuple[int, ...]], provenance: Provenance) -> Shots:
        """Return shots given one by one."""
        sequence = tuple(outcomes)
        return cls(answers, Counter(sequence), provenance, sequence)


class Sampler(Protocol):
    """Runs circuits on a machine, real or simulated."""

    @property
    def name(self) -> str:
        """Return the machine's name for players."""

    @property
    def capabilities(self) -> Capabilities:
        """Return what the machine can do."""

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Sequence[Shots]:
        """Return the shots of each circuit, in order. There may be more or fewer than requested."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A circuit as its machine gets it: in the form of the vendor's library, or as the program itself."""

    circuit: Any
    #: for each answer the machine's qubits that are read for it, bit by bit, if known
    reads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: the record's data on how the circuit was sent and where it went
    details: Mapping[str, Any] = field(default_factory=dict)


class BaseSampler:
    """Everything that a sampler may offer; the defaults are true of one with `name`, `capabilities` and `run` alone.

    Derive from it, or have any of its methods: `complete` adds the others.
    """

    name: str
    capabilities: Capabilities
    #: the name of the device to which circuits are passed on, as its shots give it; None if they are run here
    runs_on: str | None = None
    #: the options that change what runs, by name
    settings: Mapping[str, Any] = MappingProxyType({})
    #: for a sampler that stands for a fake, and takes the settings of its device: what the fake does not do of those
    #: given, or what does not help it. None for other samplers
    on_a_fake: Mapping[str, str] | None = None
    #: the smallest and largest limit of a job, in whole seconds of use; None if the vendor ends no job in time. With it
    #: `run` and `submit` take `seconds`, the limit, and `seconds` of `job_status` are those of use
    job_seconds: tuple[int, int] | None = None
    #: ends what runs; None if nothing can
    stop: Callable[[], object] | None = None

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Sequence[Shots]:
        """Return the shots of each circuit, in order. There may be more or fewer than requested."""
        raise BackendError(f"{type(self).__name__} needs a method run(circuits, shots, seed)")

    def ready(self) -> object:
        """Wait until a run can begin."""

    def show(self, circuits: Sequence[Program]) -> Sequence[Shown] | None:
        """Return the circuits as a run would send them; sends nothing. None if unknown."""

    def shots_given(self, shots: int) -> int:
        """Return how many shots of a circuit come if this many are requested."""
        return shots

    def expected_fidelity(self, circuits: Sequence[Program]) -> Sequence[float] | None:
        """Return the expected fidelity of each circuit; None if unknown."""

    def expected_seconds(self, circuits: Sequence[Program], shots: int) -> tuple[float, float] | None:
        """Return the expected seconds of use of a job, and the fixed part of them; None if unknown."""

    def preflight(
        self, circuits: Sequence[Program], shots: int, seed: int | None, most: int | None = None
    ) -> Mapping[str, Any] | None:
        """Move the circuits away from bad qubits, with at most `most` shots; None if there are no qubits to test."""

    def read_out_errors(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Any:
        """Return how often each bit of each answer is misread; None if there are no qubits to test."""

    # -- jobs: runs that outlive the process ----------------------------------------------------------------

    @property
    def queued(self) -> bool:
        """Tell whether runs can be jobs, which `submit`, `collect` and `cancel` need."""
        return type(self).submit is not BaseSampler.submit

    def submit(self, circuits: Sequence[Program], shots: int, seed: int | None, key: str) -> Mapping[str, Any]:
        """Submit a job and return how to find it, in JSON values.

        If the key is known, its job is found, and ``found`` is True.
        """
        raise BackendError(f"{self.name} has no jobs")

    def collect(self, ticket: Mapping[str, Any], circuits: Sequence[Program], shots: int) -> Sequence[Shots] | None:
        """Return the shots of a job, or None while it waits or runs."""
        raise BackendError(f"{self.name} has no jobs")

    def cancel(self, ticket: Mapping[str, Any]) -> None:
        """Cancel a job that is no longer needed."""
        raise BackendError(f"{self.name} has no jobs")

    def job_status(self, ticket: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the status of a job, in JSON values; changes nothing.

        `state` is one of `STATES`. If the vendor gives them, there are also `position` in the queue, `starts` (the
        expected start time), `why` it failed, its `tags`, and `seconds` of use once it is done.
        """
        return {"state": "waits"}

    def known(self, key: str) -> bool:
        """Tell whether there is a job of this key that may still give shots."""
        return False

    def ended(self, key: str) -> Sequence[str]:
        """Return the jobs of this key that ended without shots; asking again sends another."""
        return ()


#: the states of a job; `gone` is one that the device does not know
STATES = ("waits", "runs", "done", "failed", "cancelled", "gone")


class CompletedSampler(Completed, BaseSampler):
    """A sampler made elsewhere."""

    @property
    def queued(self) -> bool:
        """Tell whether runs can be jobs."""
        return hasattr(self.given, "submit")


def complete(sampler: Any) -> BaseSampler:
    """Return the sampler with everything that a `BaseSampler` has."""
    return sampler if isinstance(sampler, BaseSampler) else CompletedSampler(sampler)


#: what a fake does with a limit to the seconds of use
UNTIMED = "not done: a fake has no limit on seconds of use"


def fake_line(told: Mapping[str, str]) -> str:
    """Return the same in one line; settings with the same remark are grouped.

    >>> fake_line({"mode": "not done: a fake has no other users"})
    'on a fake: mode (not done: a fake has no other users)'
    """
    groups: dict[str, list[str]] = {}
    for name, said in told.items():
        groups.setdefault(said, []).append(name)
    return "on a fake: " + "; ".join(f"{', '.join(names)} ({said})" for said, names in groups.items())


def check_circuits(sampler: Sampler, circuits: Sequence[Program], shots: int) -> None:
    """Refuse what no sampler can run: no shots, a circuit without read-out, or one too wide."""
    if shots < 1:
        raise BackendError(f"{sampler.name} needs at least one shot, got {shots!r}")
    most = sampler.capabilities.max_qubits
    for circuit in circuits:
        if not circuit.answers:
            raise BackendError(f"{sampler.name} got a circuit without a read-out: {circuit!r}")
        if most is not None and len(circuit.qubits) > most:
            raise BackendError(f"{sampler.name} has {most} qubits, and the circuit needs {len(circuit.qubits)}")
