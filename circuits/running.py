"""Run programs on registers: to their end, or to a question with an open answer.

A run that waits for an answer is a `Pause`, a value; between pauses a `qchess.circuits.draft.Draft` does the work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from qchess.circuits.draft import Draft
from qchess.circuits.engine import Answer, Sample, Source, complete
from qchess.circuits.errors import BackendError, ImpossibleOutcomeError, ProgramError, StateTooLargeError
from qchess.circuits.operations import Operation, Qubit, names
from qchess.circuits.precision import SAME
from qchess.circuits.predicates import Predicate
from qchess.circuits.program import Branch, Program, Question, ReadOut, Step
from qchess.circuits.register import COMPLETELY
from qchess.foreign import understands

if TYPE_CHECKING:
    from qchess.circuits.registers import Registers


#: what a certain answer excludes is removed if above this; below, it is a rounding error of a sum
LEFT_OUT = 1e-15
#: how many coming steps are looked at
LITTLE = 8


@understands("Run")
class Run(NamedTuple):
    """The result of a run: the registers after it, and every answer."""

    registers: Registers
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Pause:
    """A run that waits for an answer; it can be kept, pickled, and resumed more than once."""

    step: Question | ReadOut
    #: the exact probability of each possible answer; there are at least two
    odds: Mapping[int, float]
    #: the registers at this moment, which the question is about
    registers: Registers
    #: the answers so far
    answers: tuple[Answer, ...] = ()
    #: the remaining steps
    rest: tuple[Step, ...] = field(default=(), repr=False)
    #: the most branches that a register may have at the end
    most: int | None = field(default=None, repr=False)

    def resume(self, answer: Sample | int) -> Run | Pause:
        """Continue with an answer, to the end or to the next open question."""
        drawn = answer if isinstance(answer, Sample) else Sample(answer, "given")
        if drawn.value not in self.odds:
            raise ImpossibleOutcomeError(
                f"the answer {drawn.value} to {self.step.name!r} has probability 0; the possible "
                f"answers are {sorted(self.odds)}"
            )
        draft = Draft(self.registers)
        draft.project(self.step, drawn.value)
        told = Answer(self.step.name, drawn.value, min(1.0, self.odds[drawn.value]), drawn.source, drawn.details)
        return _follow(draft, self.rest, (*self.answers, told), self.most)


def start(registers: Registers, program: Program, most: int | None = None) -> Run | Pause:
    """Run a program to its end or to its first open question, after checking that no answer would be refused."""
    if not isinstance(program, Program):
        raise ProgramError(f"registers run a Program, such as Program(h('a3')), or apply(h('a3')); got {program!r}")
    if most is not None and not hasattr(most, "__index__"):
        raise ProgramError(f"expected most as a number of branches, or None; got {most!r}")
    at = _follow(Draft(registers), program.steps, (), most)
    if isinstance(at, Pause):
        require_room(at)
    return at


def run(registers: Registers, program: Program, source: Source | None, most: int | None = None) -> Run:
    """Run a program to its end; its answers are in the order given."""
    at = start(registers, program, most)
    if source is None:
        if isinstance(at, Pause):
            raise BackendError(f"the question {at.step.name!r} is open (odds {at.odds}) and no source answers it")
        return at
    answering = complete(source)
    while isinstance(at, Pause):
        at = at.resume(answering.draw(at))
    answering.confirm(at.answers)
    return at


def project(registers: Registers, predicate: Predicate, answer: int) -> Registers:
    """Return the registers after the predicate was found true (1) or false (0)."""
    if not isinstance(predicate, Predicate):
        raise ProgramError(f"a predicate is found true or false, such as full('a3'); got {predicate!r}")
    registers.check_possible(predicate, answer)
    draft = Draft(registers)
    draft.project(Question("given", predicate), answer)
    draft.settle()
    return draft.finish()


def prepared(registers: Registers, groups: Iterable[tuple[Sequence[Qubit], Mapping[int, complex]]]) -> Registers:
    """Return the registers with groups of qubits put in given amplitudes."""
    draft = Draft(registers)
    for qubits, amplitudes in groups:
        qubits = names("a group of qubits", qubits)
        taken = sorted(draft.home.keys() & set(qubits))
        if taken:
            raise ProgramError(f"expected each qubit once, either full or with amplitudes; got {taken} again")
        norm = sum(abs(a) ** 2 for a in amplitudes.values())
        if abs(norm - 1) > SAME:
            raise ProgramError(f"expected probabilities that sum to 1; those of {list(qubits)} to {norm:.6g}")
        draft.put(registers.engine.prepare(tuple(qubits), amplitudes), COMPLETELY)
    draft.settle()
    return draft.finish()


# -- from question to question ----------------------------------------------------------------------------


def _follow(draft: Draft, steps: tuple[Step, ...], answers: tuple[Answer, ...], most: int | None) -> Run | Pause:
    """Run the steps up to the end or the first open question; a certain answer is given at once."""
    k = 0
    while k < len(steps):
        step, k = steps[k], k + 1
        if isinstance(step, Operation):
            draft.apply(step, steps[k:] if len(steps) - k <= LITTLE else None)
        elif isinstance(step, (Question, ReadOut)):
            if any(step.name == answer.name for answer in answers):
                raise ProgramError(f"the answer {step.name!r} was already given in this run")
            odds = draft.odds(step)
            if len(odds) > 1:
                return Pause(step, odds, draft.finish(), answers, steps[k:], most)
            ((value, p),) = odds.items()
            if p < 1 - LEFT_OUT:
                draft.project(step, value)  # nothing of the answers that were left out stays behind
            answers = (*answers, Answer(step.name, value, min(1.0, p), "certain"))
        elif isinstance(step, Branch):
            steps, k = step.follow(_value(step.name, answers)).steps + steps[k:], 0
        else:
            draft.discard(step)
    draft.settle()
    registers = draft.finish()
    if most is not None:
        _require_at_most(registers, most)
    return Run(registers, answers)


def _require_at_most(registers: Registers, most: int) -> None:
    """Raise an error if a register has more branches than that."""
    branches = max([register.branches for register in registers.each], default=0)
    if branches > most:
        raise StateTooLargeError(
            f"the move is too large: a register would have {branches} branches, the game allows {most}"
        )


def _value(name: str, answers: tuple[Answer, ...]) -> int:
    for answer in answers:
        if answer.name == name:
            return answer.value
    raise ProgramError(f"a branch waits for the answer {name!r}, which was not asked before it")


# -- a refusal never depends on an answer -----------------------------------------------------------------


def require_room(pause: Pause) -> None:
    """Raise `StateTooLargeError` if some possible answer leads to a state that is too large.

    A bound for all answers decides nearly all cases, and a rough one most of them. Otherwise every answer is tried.
    """
    if _holds(pause, *_rough_bound(pause)) or _holds(pause, *_bound(pause)):
        return
    for value in pause.odds:
        after = pause.resume(Sample(value, "foreseen"))
        if isinstance(after, Pause):
            require_room(after)


def _holds(pause: Pause, qubits: int, branches: int) -> bool:
    """Tell whether a register of this many qubits and branches is certainly accepted."""
    return pause.registers.engine.holds(qubits, branches) and (pause.most is None or branches <= pause.most)


def _rough_bound(pause: Pause) -> tuple[int, int]:
    """Return a looser, cheaper bound than `_bound`: as if everything became one register."""
    registers = pause.registers
    named, mixing = _to_come(pause.rest)
    branches = 1 << mixing
    for register in registers.each:
        branches *= register.branches
    return len(registers.home) + len(pause.step.qubits) + named, branches


def _bound(pause: Pause) -> tuple[int, int]:
    """Return the most qubits and branches that any register can get, whatever the answers."""
    registers = pause.registers
    touched = {q for step in (pause.step, *pause.rest) for q in step.qubits}
    at = [registers.home.get(q, 0) for q in touched]
    held = {id(register): register for register in at if not isinstance(register, int)}
    qubits, branches = sum([isinstance(value, int) for value in at]), 1 << _to_come(pause.rest)[1]
    for register in held.values():
        qubits += len(register.qubits)
        branches *= register.branches
    others = (register.branches for register in registers.each if id(register) not in held)
    return qubits, max(branches, *others, 1)


def _to_come(steps: Iterable[Step]) -> tuple[int, int]:
    """Return how many qubits the steps name, with repetition, and how often a branch can become two on one path."""
    named = mixing = 0
    for step in steps:
        if isinstance(step, Branch):
            cases = [_to_come(case.steps) for _, case in step.cases] or [(0, 0)]
            named += max([names for names, _ in cases])
            mixing += max([twos for _, twos in cases])
        else:
            named += len(step.qubits)
            mixing += isinstance(step, Operation) and step.gate.mixes
    return named, mixing
