"""The history of registers: the events so far, and those that made a given register.

A past is a chain of events, newest first, shared between positions. The *cone* of some qubits is the part that
matters to them, back to where each was last certain; it is the circuit a device would run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from qchess.circuits.operations import Gate, Operation, Qubit, fresh, x
from qchess.circuits.program import Program, Question, ReadOut

#: this many events are kept unconditionally
FIRST_TIDYING = 64


class Event(NamedTuple):
    """One thing that happened to qubits that were not all certain."""

    step: Operation | Question | ReadOut
    answer: int | None
    #: qubits that the step added to a register, with their certain values before
    drawn_in: Mapping[Qubit, int]
    #: all qubits it may affect: an answer affects its whole register
    members: tuple[Qubit, ...]


class Past:
    """A chain of events, newest first, shared between positions."""

    __slots__ = ("before", "event", "length", "tidy_at")

    def __init__(self, event: Event, before: Past | None) -> None:
        self.event = event
        self.before = before
        #: the number of events, and the number at which irrelevant ones are dropped
        self.length: int = before.length + 1 if before else 1
        self.tidy_at: int = before.tidy_at if before else FIRST_TIDYING

    def __reduce__(self) -> tuple[object, tuple[list[Row], int]]:
        # plain tuples, oldest first: a chain of objects would be as deep as the game is long
        return _unpacked, ([_packed(event) for event in events(self)][::-1], self.tidy_at)


#: an event as plain values: the step's own, and the qubits added and affected
Row = tuple[Any, ...]


def _packed(event: Event) -> Row:
    step = event.step
    members = None if event.members == step.qubits else event.members
    if isinstance(step, Operation):
        gate = step.gate
        return gate.name, gate.parameter, step.targets, step.controls, dict(event.drawn_in), members
    return step, event.answer, dict(event.drawn_in), members


def _unpacked(rows: list[Row], tidy_at: int) -> Past | None:
    past = chain(map(_event, rows))
    if past:
        past.tidy_at = tidy_at
    return past


def _event(row: Row) -> Event:
    if len(row) == 6:
        name, parameter, targets, controls, drawn_in, members = row
        step: Operation | Question | ReadOut = Operation(gate_of(name, parameter), targets, controls)
        answer = None
    else:
        step, answer, drawn_in, members = row
    return Event(step, answer, drawn_in, step.qubits if members is None else members)


@lru_cache(maxsize=1024)
def gate_of(name: str, parameter: float) -> Gate:
    """Return the gate of that name; the same object each time."""
    return Gate(name, parameter)


def chain(oldest_first: Iterable[Event]) -> Past | None:
    """Return the past made of these events."""
    past: Past | None = None
    for event in oldest_first:
        past = Past(event, past)
    return past


def remembered(past: Past | None, living: Iterable[Qubit]) -> Past | None:
    """Return the past without irrelevant events; checked whenever the chain has doubled.

    If no qubit is uncertain, none is relevant.
    """
    if past is None or (past.length < past.tidy_at and next(iter(living), None) is not None):
        return past
    kept = chain([event for event, _ in _made_by(past, living)][::-1])
    if kept:
        kept.tidy_at = 2 * kept.length + FIRST_TIDYING
    return kept


def events(past: Past | None) -> Iterator[Event]:
    """Yield the events, newest first."""
    while past is not None:
        yield past.event
        past = past.before


@dataclass(frozen=True, slots=True)
class Cone:
    """The events that made some qubits what they are, oldest first.

    A name may be reused after it was certain; in the circuit each use has its own wire, ``a3~1`` for the one
    before the present.
    """

    qubits: tuple[Qubit, ...]
    events: tuple[tuple[Event, Mapping[Qubit, Qubit]], ...]
    #: qubits that no event added: they are certain, or were prepared in given amplitudes
    unmade: tuple[Qubit, ...] = ()

    def program(self) -> Program:
        """Return the circuit of these qubits from |0...0>; its questions are named m1, m2 ... in order."""
        return Program(*(step for step, _ in self.steps()))

    def answers(self) -> dict[str, int]:
        """Return the answers to the questions of `program`."""
        return {
            step.name: answer
            for step, answer in self.steps()
            if isinstance(step, Question | ReadOut) and answer is not None
        }

    def steps(self) -> Iterator[tuple[Operation | Question | ReadOut, int | None]]:
        """Yield the steps of `program`, each with its answer if it is a question."""
        asked = 0
        for event, wires in self.events:
            for qubit, value in event.drawn_in.items():
                if value:
                    yield x(wires.get(qubit, qubit)), None
            for step in Program(event.step).renamed(wires):
                if isinstance(step, Question | ReadOut):
                    asked += 1
                    yield _named(step, f"m{asked}"), event.answer
                elif isinstance(step, Operation):
                    yield step, None


def _named(step: Question | ReadOut, name: str) -> Question | ReadOut:
    return Question(name, step.predicate) if isinstance(step, Question) else ReadOut(name, step.qubits)


def cone(past: Past | None, qubits: Iterable[Qubit]) -> Cone:
    """Return the part of the past that made these qubits what they are."""
    wanted = tuple(qubits)
    lives: dict[Qubit, int] = {}
    kept: list[tuple[Event, Mapping[Qubit, int]]] = []
    unmade = set(wanted)
    for event, sought in _made_by(past, wanted):
        unmade = sought
        kept.append((event, dict(lives)))
        for qubit in event.drawn_in:
            lives[qubit] = lives.get(qubit, 0) + 1
    taken = {*wanted, *(qubit for event, _ in kept for qubit in event.step.qubits)}
    wire = {(q, life): fresh(f"{q}~{life}", taken) for q, last in lives.items() for life in range(1, last + 1)}
    named = ((event, {q: wire[q, life] for q, life in then.items()}) for event, then in reversed(kept))
    return Cone(wanted, tuple(named), tuple(sorted(unmade)))


def _made_by(past: Past | None, qubits: Iterable[Qubit]) -> Iterator[tuple[Event, set[Qubit]]]:
    """Yield the events that made these qubits what they are, newest first, with the qubits tracked before each."""
    sought = set(qubits)
    for event in events(past):
        if not sought:
            return
        if sought.isdisjoint(event.members):
            continue
        sought.update(event.step.qubits)
        sought.difference_update(event.drawn_in)
        yield event, sought
