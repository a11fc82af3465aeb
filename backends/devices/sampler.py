"""Samplers: whatever runs circuits shot by shot and returns counts; the seam behind which vendors stand.

A sampler gets compiled programs, made of one-qubit gates, its own two-qubit gate and read-outs, and says
how often each outcome came and where it came from. A new vendor is one file with one such class.
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

    `native_2q` is the two-qubit gate to compile to: ``"cx"``, ``"cz"`` or ``"sqrt_iswap"``. `quantum` is
    True for a physical machine only: a simulator computes its chance, and nothing of it is ever called quantum.
    """

    mid_measure: bool = False
    reset: bool = False
    feed_forward: bool = False
    native_2q: str = "cz"
    max_qubits: int | None = None
    #: whether shots come in the order in which the machine took them
    ordered: bool = False
    quantum: bool = False
    #: whether each circuit of a question is a job of its own, where runs are jobs
    job_each: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where shots came from: enough to find the job again and to know what was asked of it."""

    backend: str
    asked: int
    returned: int
    #: the vendor's name of the job, and when the machine was last calibrated, where there is such a thing
    job: str | None = None
    calibrated: str | None = None
    #: the seed that was used; None where chance cannot be repeated
    seed: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    #: whatever else is worth recording, in JSON values: the physical qubits, an expected fidelity
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shots:
    """The outcomes of one circuit: how often each combination of answers came.

    A key of `counts` has one number for each name in `answers`, in that order: the value of that
    read-out, whose bit k is its k-th qubit. `sequence` has the same outcomes one by one, in the order in
    which the machine took them, where it tells that order.
    """

    answers: tuple[str, ...]
    counts: Mapping[tuple[int, ...], int]
    provenance: Provenance
    sequence: tuple[tuple[int, ...], ...] | None = None

    @property
    def total(self) -> int:
        """How many shots there are."""
        return sum(self.counts.values())

    @classmethod
    def in_order(cls, answers: tuple[str, ...], outcomes: Iterable[tuple[int, ...]], provenance: Provenance) -> Shots:
        """Shots that were told one by one."""
        sequence = tuple(outcomes)
        return cls(answers, Counter(sequence), provenance, sequence)


class Sampler(Protocol):
    """Runs circuits on a machine, real or simulated."""

    @property
    def name(self) -> str:
        """What players call the machine."""

    @property
    def capabilities(self) -> Capabilities:
        """What the machine can do."""

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Sequence[Shots]:
        """The shots of each circuit, in order. More or fewer than asked may come, and are counted as they are."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A circuit as its machine gets it: in the form of the vendor's library, or as the program itself."""

    circuit: Any
    #: for each answer the machine's qubits that are read for it, bit by bit, where the machine tells its qubits
    reads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: what a record will say of how the circuit was sent and where it went
    details: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class ShowingSampler(Sampler, Protocol):
    """A sampler that shows circuits as its machine would get them."""

    def show(self, circuits: Sequence[Program]) -> Sequence[Shown] | None:
        """The circuits as a run would send them; nothing is sent. None where it cannot tell."""


@runtime_checkable
class PacedSampler(Sampler, Protocol):
    """A sampler that says before how long its machine will be in use."""

    def expected_seconds(self, circuits: Sequence[Program], shots: int) -> tuple[float, float] | None:
        """The seconds of use to expect of a job, and those of them that every job takes; None where it cannot tell."""


@runtime_checkable
class FrontingSampler(Sampler, Protocol):
    """A sampler that hands circuits on to another device."""

    @property
    def runs_on(self) -> str:
        """That device, as its shots name it."""


@runtime_checkable
class Generous(Protocol):
    """A sampler whose machine gives more shots than asked, and which knows how many."""

    def shots_given(self, shots: int) -> int:
        """How many shots of a circuit come where so many are asked."""


def shots_given(sampler: object, shots: int) -> int:
    """How many shots of a circuit will come where so many are asked."""
    return sampler.shots_given(shots) if isinstance(sampler, Generous) else shots


@runtime_checkable
class Rehearsing(Protocol):
    """A sampler that stands for a fake: it takes the settings of its device, whether it does them or not.

    Of those that were chosen `on_a_fake` says what a fake makes of them, if it does not do them or they do not help it.
    It is None where a sampler that holds another holds no fake.
    """

    on_a_fake: Mapping[str, str] | None


#: what a fake makes of a limit to the seconds of use
UNTIMED = "not done: a fake has no limit on seconds of use"


def on_a_fake(sampler: object) -> Mapping[str, str] | None:
    """What a fake makes of the settings of its device; None of a sampler that stands for no fake."""
    return sampler.on_a_fake if isinstance(sampler, Rehearsing) else None


def fake_line(told: Mapping[str, str]) -> str:
    """The same in one line; settings of which the same is said stand together.

    >>> fake_line({"mode": "not done: a fake has no other users"})
    'on a fake: mode (not done: a fake has no other users)'
    """
    groups: dict[str, list[str]] = {}
    for name, said in told.items():
        groups.setdefault(said, []).append(name)
    return "on a fake: " + "; ".join(f"{', '.join(names)} ({said})" for said, names in groups.items())


def check_circuits(sampler: Sampler, circuits: Sequence[Program], shots: int) -> None:
    """Refuses what no sampler can run: no shots, a circuit without read-out, or one too wide."""
    if shots < 1:
        raise BackendError(f"{sampler.name} needs at least one shot, got {shots!r}")
    most = sampler.capabilities.max_qubits
    for circuit in circuits:
        if not circuit.answers:
            raise BackendError(f"{sampler.name} got a circuit without a read-out: {circuit!r}")
        if most is not None and len(circuit.qubits) > most:
            raise BackendError(f"{sampler.name} has {most} qubits, and the circuit needs {len(circuit.qubits)}")
