"""Whole games as one program, with their questions and feed-forward.

The recorded game is one of the endings; whatever the answers, the same turns follow. Operations on squares that are
certain for every answer are computed here, so a wire begins where its square first meets something uncertain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qchess.bench.corpus.circuit import Circuit, steady
from qchess.bench.corpus.histories import Bounds
from qchess.bench.corpus.plays import Play, moments
from qchess.bench.corpus.reference import start
from qchess.circuits.chances import explore
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import ALWAYS
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut, Step
from qchess.circuits.registers import Registers


def unfolded(play: Play, bounds: Bounds, endings: int) -> Circuit:
    """Return as many turns of a game as the bounds allow, up to the last question; with at most `endings` endings."""
    best: Circuit | None = None
    walk: Unfolding | None = None
    for moment in moments(play):
        walk = walk or Unfolding(moment.before.registers)
        asked = len(walk.answers)
        walk.add(numbered(steady(moment.program), moment.ply), _numbered(moment.answers, moment.ply))
        walk.gone.update(discarded(moment.program))
        found = walk.circuit(f"game-{play.name}-{moment.ply}", play.game)
        if not bounds.hold(found) or not _few(found, endings):
            break
        if len(walk.answers) > asked:
            best = found
    assert best is not None, f"no turn of {play} asks anything within {bounds}"
    return best


def _few(circuit: Circuit, endings: int) -> bool:
    ways = explore(start(circuit), circuit.program)
    return next((False for k, _ in enumerate(ways, 1) if k > endings), True)


def discarded(program: Program) -> Iterator[Qubit]:
    """Yield the qubits that a program, or any case of it, leaves to the environment."""
    for step in program:
        if isinstance(step, Discard):
            yield from step.qubits
        elif isinstance(step, Branch):
            for _, case in step.cases:
                yield from discarded(case)


def numbered(program: Program, ply: int) -> Program:
    """Return the program with its turn number appended to the name of each answer."""
    return Program(*(_renamed(step, ply) for step in program))


def _renamed(step: Step, ply: int) -> Step:
    if isinstance(step, Question):
        return Question(f"{step.name}_{ply}", step.predicate)
    if isinstance(step, ReadOut):
        return ReadOut(f"{step.name}_{ply}", step.qubits)
    if isinstance(step, Branch):
        return Branch(f"{step.name}_{ply}", tuple((value, numbered(case, ply)) for value, case in step.cases))
    return step


def _numbered(answers: Mapping[str, int], ply: int) -> dict[str, int]:
    return {f"{name}_{ply}": value for name, value in answers.items()}


class Unfolding:
    """Adds turn after turn, and keeps the relevant part of each."""

    def __init__(self, start: Registers) -> None:
        self.start = start
        #: the squares certain for every answer, as long as no wire has begun there
        self.classical = start.without_past()
        self.full: set[Qubit] = set()
        self.begun: set[Qubit] = set()
        self.steps: list[Step] = []
        #: the recorded answers to remaining questions, and the answers that are certain
        self.answers: dict[str, int] = {}
        self.settled: dict[str, int] = {}
        #: what a turn left to the environment, unused later
        self.gone: set[Qubit] = set()

    def circuit(self, name: str, game: str) -> Circuit:
        """Return the circuit of the turns so far."""
        program = Program(*self.steps)
        return Circuit(name, "game-asked", program, frozenset(self.full), answers=dict(self.answers), game=game)

    def add(self, program: Program, answers: Mapping[str, int]) -> None:
        """Add a turn with its recorded answers."""
        for step in program:
            self._add(step, answers)

    def _add(self, step: Step, answers: Mapping[str, int]) -> None:
        if isinstance(step, Branch) and step.name in self.settled:
            self.add(step.follow(self.settled[step.name]), answers)
            return
        left: Step | None = step
        if isinstance(step, Operation):
            left = self._operation(step)
        elif isinstance(step, Question):
            left = self._question(step)
        if left is None:
            return
        assert self.gone.isdisjoint(left.qubits), f"{left!r} touches what was discarded"
        for q in left.qubits:
            self._begin(q)
        self.steps.append(left)
        self.answers.update({name: answers[name] for name in Program(left).answers if name in answers})

    def _operation(self, operation: Operation) -> Operation | None:
        """Return what is left of it without certain controls; None if its squares stay certain."""
        known = {q: self._known(q) for q in operation.qubits}
        if any(known[q] not in (None, value) for q, value in operation.controls):
            return None
        left = operation.with_only(tuple((q, value) for q, value in operation.controls if known[q] is None))
        if any(known[q] is None for q in left.qubits):
            return left
        after = self.classical.apply(left).without_past()
        if any(after.known(q) is None for q in left.qubits):
            return left
        self.classical = after
        return None

    def _question(self, question: Question) -> Question | None:
        known = {q: value for q in question.qubits if (value := self._known(q)) is not None}
        left = question.predicate.given(known)
        if left.qubits:
            return Question(question.name, left)
        self.settled[question.name] = int(left == ALWAYS)
        return None

    def _known(self, qubit: Qubit) -> int | None:
        """Return the value of a square that is certain for every answer and has no wire yet, else None."""
        return None if qubit in self.begun else self.classical.known(qubit)

    def _begin(self, qubit: Qubit) -> None:
        """Begin a wire with its square's value; and wires for those entangled with it from the start."""
        if qubit in self.begun:
            return
        if self.classical.known(qubit) is not None:
            self.begun.add(qubit)
            self.full.update([qubit] if self.classical.known(qubit) else [])
            return
        self.begun.update(self.start.register_of(qubit))
        self.steps += self.start.circuit(qubit).steps
