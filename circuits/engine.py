"""The interfaces that registers need: an engine, and a source of answers.

An engine holds the state of *one* register, as a value: nothing is changed in place, so a position can
be kept, forked, searched and undone at no cost. Any class with these methods is an engine;
`qchess.backends.proving.checker` checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from qchess.circuits.errors import BackendError, ProgramError
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import Predicate

if TYPE_CHECKING:
    from qchess.circuits.running import Pause


class Factors(NamedTuple):
    """A state as its finest product: ``phase * |constants> * blocks[0] * blocks[1] ...``."""

    constants: dict[Qubit, int]
    phase: complex
    blocks: tuple[Any, ...]


class Engine(Protocol):
    """Evolves the state of one register, exactly.

    Only the ``qubits`` of a state are public. Amplitudes are keyed by integers whose bit k is the k-th qubit of
    the given order.
    """

    name: str
    #: no operation may give a register more branches than this
    branch_limit: int

    def holds(self, qubits: int, branches: int) -> bool:
        """Tell whether a register of this many qubits and branches is certainly accepted."""

    def prepare(self, qubits: Sequence[Qubit], amplitudes: Mapping[int, complex]) -> Any:
        """The state with these amplitudes (bit k of a key is ``qubits[k]``)."""

    def qubits(self, state: Any) -> tuple[Qubit, ...]:
        """The qubits of a state."""

    def branches(self, state: Any) -> int:
        """How many basis states have an amplitude."""

    def apply(self, state: Any, operation: Operation) -> Any:
        """The state after the operation, all of whose qubits the state holds."""

    def probability(self, state: Any, predicate: Predicate) -> float:
        """The exact probability that the predicate holds."""

    def marginals(self, state: Any) -> Mapping[Qubit, float]:
        """The exact probability of 1 for each qubit of the state."""

    def distribution(self, state: Any, qubits: Sequence[Qubit]) -> dict[int, float]:
        """Return the exact probability of each possible read-out of some qubits."""

    def project(self, state: Any, predicate: Predicate, answer: int) -> Any:
        """The state after the predicate was found true (1) or false (0), norm 1 again."""

    def join(self, first: Any, second: Any) -> Any:
        """The product of two states on different qubits."""

    def factor(self, state: Any, *, constants_only: bool = False) -> Factors:
        """Return the finest product of the state; with `constants_only`, only certain qubits are split off."""

    def amplitudes(self, state: Any, order: Sequence[Qubit] | None = None) -> dict[int, complex]:
        """The amplitude of every branch; bit k of a key is ``order[k]`` (default: `qubits`)."""


class _Late:
    """The part of an answer whose probability is worked out when somebody looks at it."""

    __slots__ = ("work",)

    #: returns the answer's probability; None once it has
    work: Callable[[], float] | None

    def __getattr__(self, name: str) -> Any:
        if name != "probability":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if (work := self.work) is not None:
            object.__setattr__(self, "probability", work())
            object.__setattr__(self, "work", None)
        return object.__getattribute__(self, name)


@dataclass(frozen=True, slots=True)
class Answer(_Late):
    """An answer with its exact probability and where it came from."""

    name: str
    value: int
    probability: float
    source: str
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def late(cls, name: str, drawn: Sample, work: Callable[[], float]) -> Answer:
        """Return the answer that was drawn; `work` finds its probability at the first look."""
        made, give = object.__new__(cls), object.__setattr__
        give(made, "name", name)
        give(made, "value", drawn.value)
        give(made, "source", drawn.source)
        give(made, "details", drawn.details)
        give(made, "work", work)
        return made


class Sample(NamedTuple):
    """What a source returns: the answer's value, the source's name, and details worth recording."""

    value: int
    source: str
    details: Mapping[str, Any] = {}


#: its older name
Draw = Sample


@runtime_checkable
class Source(Protocol):
    """Answers open questions: seeded dice, a record, a device. `AnswerSource` has what a source may offer besides."""

    def draw(self, pause: Pause) -> Sample:
        """One answer to the question at which a run pauses."""


#: identifies an answer later: JSON values, such as the names of a device and a job
Ticket = Mapping[str, Any]


@runtime_checkable
class SlowSource(Source, Protocol):
    """A source that is asked now and read later, perhaps by another process."""

    def submit(self, pause: Pause) -> Ticket:
        """Submit the question; the ticket identifies its answer."""

    def collect(self, pause: Pause, ticket: Ticket) -> Sample | None:
        """Return the answer, or None while there is none."""


@runtime_checkable
class NamingSource(SlowSource, Protocol):
    """A slow source that knows questions by name, so that a question submitted twice is asked once."""

    def named(self, name: str) -> SlowSource:
        """Return the source for the question of this name; an equal question with another name is a different one."""


class AnswerSource:
    """Everything that a source may offer; the defaults are true of one that only draws.

    Derive from it, or have any of its methods: `complete` adds the others.
    """

    #: the name from which a record makes the source again; None for that of the game's backend
    text: str | None = None
    #: the sampler whose shots answer, if it is one
    sampler: Any = None

    def draw(self, pause: Pause) -> Sample:
        """One answer to the question at which a run pauses."""
        raise BackendError(f"{type(self).__name__} needs a method draw(pause)")

    def at(self, line: str) -> AnswerSource:
        """Return the same source at a named point of a game, where the same question always gets the same answer."""
        return self

    def confirm(self, answers: tuple[Answer, ...]) -> None:
        """Raise an error if these, all answers of a run that is over, are not those of the source."""

    @property
    def slow(self) -> bool:
        """Tell whether it has the methods of `SlowSource`: it is asked now and read later."""
        return hasattr(self, "submit")


class Completed:
    """Something made elsewhere: what it offers is its own, the rest is as the other base class says."""

    def __init__(self, given: Any) -> None:
        self.given = given

    def __getattribute__(self, name: str) -> Any:
        if name != "given" and not name.startswith("__") and hasattr(self.given, name):
            return getattr(self.given, name)
        return super().__getattribute__(name)


class CompletedSource(Completed, AnswerSource):
    """A source made elsewhere."""


def complete(source: Source) -> AnswerSource:
    """Return the source with everything that an `AnswerSource` has; raises if it answers no questions."""
    if isinstance(source, AnswerSource):
        return source
    if not isinstance(source, Source):
        raise ProgramError(f"questions are answered by a source, such as qchess.circuits.Seeded(7); got {source!r}")
    return CompletedSource(source)
