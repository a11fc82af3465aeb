"""Samplers: the interface to anything that runs circuits shot by shot and returns counts.

A sampler gets compiled programs, made of one-qubit gates, its own two-qubit gate and read-outs, and returns how often
each outcome came and where it came from. A new vendor is one file with one such class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

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


@runtime_checkable
class ShowingSampler(Sampler, Protocol):
    """A sampler that shows circuits as its machine would get them."""

    def show(self, circuits: Sequence[Program]) -> Sequence[Shown] | None:
        """Return the circuits as a run would send them; sends nothing. None if unknown."""


@runtime_checkable
class PacedSampler(Sampler, Protocol):
    """A sampler that predicts how long its machine will be in use."""

    def expected_seconds(self, circuits: Sequence[Program], shots: int) -> tuple[float, float] | None:
        """Return the expected seconds of use of a job, and the fixed part of them; None if unknown."""


@runtime_checkable
class FrontingSampler(Sampler, Protocol):
    """A sampler that passes circuits on to another device."""

    @property
    def runs_on(self) -> str:
        """Return the name of that device, as its shots give it."""


@runtime_checkable
class Generous(Protocol):
    """A sampler whose machine gives more shots than requested, and which knows how many."""

    def shots_given(self, shots: int) -> int:
        """Return how many shots of a circuit come if this many are requested."""


def shots_given(sampler: object, shots: int) -> int:
    """Return how many shots of a circuit come if this many are requested."""
    return sampler.shots_given(shots) if isinstance(sampler, Generous) else shots


@runtime_checkable
class Rehearsing(Protocol):
    """A sampler that stands for a fake: it takes the settings of its device, even those it cannot do.

    `on_a_fake` explains, for the settings given, what a fake does not do or what does not help it. It is None if a
    wrapped sampler is not a fake.
    """

    on_a_fake: Mapping[str, str] | None


#: what a fake does with a limit to the seconds of use
UNTIMED = "not done: a fake has no limit on seconds of use"


def on_a_fake(sampler: object) -> Mapping[str, str] | None:
    """Return what a fake does with the settings of its device; None for other samplers."""
    return sampler.on_a_fake if isinstance(sampler, Rehearsing) else None


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
