"""Runs programs on registers: to their end, or to a question whose answer is open.

A `Draft` is the one mutable thing here; it lives from one question to the next and starts as a copy, so
whatever goes wrong on the way, the registers that were given stay as they were. What waits for an answer
is a `Pause`, a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from qchess.circuits.engine import Answer, Draw, Source
from qchess.circuits.errors import BackendError, ImpossibleOutcomeError, ProgramError, StateTooLargeError
from qchess.circuits.history import Event, Past, remembered
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import Predicate, where
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut, Step
from qchess.circuits.register import Register
from qchess.circuits.world import CERTAIN

if TYPE_CHECKING:
    from qchess.circuits.registers import Registers

NOTHING: dict[Qubit, int] = {}
#: how thoroughly a touched register must be factored again
NOT_AT_ALL, FOR_CONSTANTS, COMPLETELY = 0, 1, 2
#: a share of an exchange below this may be lost as an engine's rounding noise
ROUNDING = 1e-6


class Run(NamedTuple):
    """What a program came to: the registers after it, and every answer on the way."""

    registers: Registers
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Pause:
    """A run that waits for an answer. It may be kept, pickled, and resumed more than once."""

    step: Question | ReadOut
    #: the exact probability of each answer that can come; there are at least two
    odds: Mapping[int, float]
    #: the registers at this moment, of which it is asked
    registers: Registers
    #: the answers that were given before
    answers: tuple[Answer, ...] = ()
    #: what follows
    rest: tuple[Step, ...] = field(default=(), repr=False)
    #: the branches that one register may have at the end
    most: int | None = field(default=None, repr=False)

    def resume(self, answer: Draw | int) -> Run | Pause:
        """Goes on with an answer, to the end or to the next open question."""
        drawn = answer if isinstance(answer, Draw) else Draw(answer, "given")
        if drawn.value not in self.odds:
            raise ImpossibleOutcomeError(
                f"the answer {drawn.value} to {self.step.name!r} has probability 0; possible are {sorted(self.odds)}"
            )
        draft = Draft(self.registers)
        draft.project(self.step, drawn.value)
        told = Answer(self.step.name, drawn.value, min(1.0, self.odds[drawn.value]), drawn.source, drawn.details)
        return _follow(draft, self.rest, (*self.answers, told), self.most)


def start(registers: Registers, program: Program, most: int | None = None) -> Run | Pause:
    """Runs a program to its end or to its first open question, once it is sure that no answer is refused."""
    at = _follow(Draft(registers), program.steps, (), most)
    if isinstance(at, Pause):
        require_room(at)
    return at


def run(registers: Registers, program: Program, source: Source | None, most: int | None = None) -> Run:
    """Runs a program to its end; the answers come in the order in which they were given."""
    at = start(registers, program, most)
    while isinstance(at, Pause):
        if source is None:
            raise BackendError(f"the question {at.step.name!r} is open (odds {at.odds}) and no source answers it")
        at = at.resume(source.draw(at))
    if confirm := getattr(source, "confirm", None):
        confirm(at.answers)
    return at


def project(registers: Registers, predicate: Predicate, answer: int) -> Registers:
    """The registers after the predicate was found true (1) or false (0)."""
    registers.check_possible(predicate, answer)
    draft = Draft(registers)
    draft.project(Question("given", predicate), answer)
    draft.settle()
    return draft.finish()


def prepared(registers: Registers, groups: Iterable[tuple[Sequence[Qubit], Mapping[int, complex]]]) -> Registers:
    """The registers with groups of qubits put in given amplitudes."""
    draft = Draft(registers)
    for qubits, amplitudes in groups:
        taken = sorted(draft.home.keys() & set(qubits))
        if taken:
            raise ProgramError(f"qubits are put in amplitudes once and are not full besides, got {taken} again")
        norm = sum(abs(a) ** 2 for a in amplitudes.values())
        if abs(norm - 1) > 1e-9:
            raise ProgramError(f"amplitudes have probabilities that sum to 1, those of {list(qubits)} to {norm:.6g}")
        draft.put(registers.engine.prepare(tuple(qubits), amplitudes), COMPLETELY)
    draft.settle()
    return draft.finish()


# -- from question to question ----------------------------------------------------------------------------


def _follow(draft: Draft, steps: tuple[Step, ...], answers: tuple[Answer, ...], most: int | None) -> Run | Pause:
    """Takes the steps up to the end or the first open question; a certain answer is given at once."""
    k = 0
    while k < len(steps):
        step, k = steps[k], k + 1
        if isinstance(step, Operation):
            draft.apply(step)
        elif isinstance(step, (Question, ReadOut)):
            if any(step.name == answer.name for answer in answers):
                raise ProgramError(f"the answer {step.name!r} was already given in this run")
            odds = draft.odds(step)
            if len(odds) > 1:
                return Pause(step, odds, draft.finish(), answers, steps[k:], most)
            ((value, p),) = odds.items()
            answers = (*answers, Answer(step.name, value, min(1.0, p), "certain"))
        elif isinstance(step, Branch):
            steps, k = step.follow(_value(step.name, answers)).steps + steps[k:], 0
        else:
            draft.discard(step)
    draft.settle()
    if most is not None:
        draft.require_at_most(most)
    return Run(draft.finish(), answers)


def _value(name: str, answers: tuple[Answer, ...]) -> int:
    for answer in answers:
        if answer.name == name:
            return answer.value
    raise ProgramError(f"a branch waits for the answer {name!r}, which was not asked before it")


# -- a refusal never depends on an answer -----------------------------------------------------------------


def require_room(pause: Pause) -> None:
    """Raises `StateTooLargeError` if some answer that could come leads to a state that is too large.

    A bound that holds for every answer settles nearly all cases. Where it does not, every way is tried.
    """
    engine, most = pause.registers.engine, pause.most
    qubits, branches = _bound(pause)
    if engine.holds(qubits, branches) and (most is None or branches <= most):
        return
    for value in pause.odds:
        after = pause.resume(Draw(value, "foreseen"))
        if isinstance(after, Pause):
            require_room(after)


def _bound(pause: Pause) -> tuple[int, int]:
    """The most qubits and branches that any one register can come to have, whatever is answered."""
    registers = pause.registers
    touched = dict.fromkeys((*pause.step.qubits, *(q for step in pause.rest for q in step.qubits)))
    held = {id(at): at for q in touched if not isinstance(at := registers.home.get(q, 0), int)}
    qubits = sum(registers.known(q) is not None for q in touched)
    branches = 2 ** _mixing(pause.rest)
    for register in held.values():
        qubits += len(register.qubits)
        branches *= register.branches
    others = (register.branches for register in registers.each if id(register) not in held)
    return qubits, max(branches, *others, 1)


def _mixing(steps: Iterable[Step]) -> int:
    """How often a branch can become two on the way."""
    count = 0
    for step in steps:
        if isinstance(step, Operation):
            count += step.gate.block().mixes
        elif isinstance(step, Branch):
            count += max((_mixing(case.steps) for _, case in step.cases), default=0)
    return count


class Draft:
    """Registers under change."""

    def __init__(self, registers: Registers) -> None:
        self.made = registers.made
        self.engine = registers.engine
        self.home: dict[Qubit, int | Register] = dict(registers.home)
        self.phase = registers.phase
        self.environment = registers.environment
        self.past = registers.past
        #: states to be factored again, and how thoroughly
        self.unsettled: dict[int, tuple[Register, int]] = {}

    def finish(self) -> Registers:
        """The registers as they have become; the draft is not used again."""
        past = remembered(self.past, (q for q, at in self.home.items() if not isinstance(at, int)))
        return self.made(self.engine, self.home, self.phase, self.environment, past)

    def odds(self, step: Question | ReadOut) -> dict[int, float]:
        """The exact probability of every answer that can come."""
        self.require_kept(step)
        self.settle()
        registers = self.made(self.engine, self.home, self.phase, self.environment, self.past)
        if isinstance(step, Question):
            p = registers.probability(step.predicate)
            return {value: p for value, p in ((1, p), (0, 1 - p)) if p > CERTAIN}
        return {value: p for value, p in registers.distribution(*step.qubits).items() if p > CERTAIN}

    def require_at_most(self, most: int) -> None:
        """An error where a register has more branches than that."""
        branches = max((at.branches for at in self.home.values() if not isinstance(at, int)), default=0)
        if branches > most:
            raise StateTooLargeError(
                f"the move is too large: a register would have {branches} branches, the game allows {most}"
            )

    def require_kept(self, step: Operation | Question | ReadOut) -> None:
        """An error where the step touches what was given to the environment and is entangled there."""
        touched = self.environment.intersection(step.qubits)
        if touched:
            raise ProgramError(f"{sorted(touched)} were discarded and are still entangled, but {step!r} touches them")

    # -- operations -----------------------------------------------------------------------------------

    def apply(self, operation: Operation) -> None:
        """Applies one operation, first dropping the controls that are certain."""
        if self.environment:
            self.require_kept(operation)
        home = self.home
        if operation.controls:
            open_controls = []
            for control in operation.controls:
                at = home.get(control[0], 0)
                if not isinstance(at, int):
                    open_controls.append(control)
                elif at != control[1]:
                    return
            if len(open_controls) != len(operation.controls):
                operation = operation.with_only(tuple(open_controls))
        certain = {q: at for q in operation.targets if isinstance(at := home.get(q, 0), int)}
        alone = not operation.controls and len(certain) == len(operation.targets)
        if alone and self._apply_classically(operation, certain):
            return
        held = {id(at): at for q in operation.qubits if not isinstance(at := home.get(q, 0), int)}
        joined, waiting = self._join(list(held.values()), certain)
        # what still waits may hold a certain qubit, which the operation could turn into a block of its own
        self.put(self.engine.apply(joined, operation), COMPLETELY if waiting else _may_separate(operation, certain))
        self.past = Past(Event(operation, None, certain, operation.qubits), self.past)

    def _apply_classically(self, operation: Operation, values: dict[Qubit, int]) -> bool:
        """Moves certain bits (in the order of the targets) and turns the phase, if the result is certain again."""
        low, high, ((a, b), (c, d)) = operation.gate.block()
        bits = tuple(values.values())
        if bits == low:
            stay, go, new = a, c, high
        elif bits == high:
            stay, go, new = d, b, low
        else:
            return True
        if go == 0:
            self.phase *= stay
            return True
        if stay != 0:
            return False
        self.phase *= go
        for qubit, bit in zip(operation.targets, new, strict=True):
            self._set(qubit, bit)
        return True

    def _set(self, qubit: Qubit, bit: int) -> None:
        if bit:
            self.home[qubit] = 1
        else:
            self.home.pop(qubit, None)

    def _join(self, registers: list[Register], certain: dict[Qubit, int]) -> tuple[Any, int]:
        """One state of all these registers and certain qubits; and how thoroughly it waits to be factored."""
        engine = self.engine
        waiting = NOT_AT_ALL
        for register in registers:
            waiting = max(waiting, self.unsettled.pop(id(register), (None, NOT_AT_ALL))[1])
        joined = registers[0].state if registers else None
        for register in registers[1:]:
            joined = engine.join(joined, register.state)
        if certain:
            drawn_in = engine.prepare(tuple(certain), {sum(v << k for k, v in enumerate(certain.values())): 1})
            joined = drawn_in if joined is None else engine.join(joined, drawn_in)
        return joined, waiting

    def put(self, state: Any, waiting: int) -> None:
        """Makes the state the register of its qubits, to be settled later if it waits for that."""
        register = Register(self.engine, state)
        for qubit in self.engine.qubits(state):
            self.home[qubit] = register
        if waiting:
            self.unsettled[id(register)] = (register, waiting)

    def discard(self, step: Discard) -> None:
        """Gives qubits to the environment; what stands alone there is forgotten when settling."""
        for qubit in step.qubits:
            at = self.home.get(qubit, 0)
            if isinstance(at, int):
                self.home.pop(qubit, None)
            else:
                self.environment |= {qubit}
                self.unsettled.setdefault(id(at), (at, FOR_CONSTANTS))

    # -- answers --------------------------------------------------------------------------------------

    def project(self, step: Question | ReadOut, answer: int) -> None:
        """Projects on an answer. A conjunction that was found true leaves registers apart."""
        if isinstance(step, ReadOut):
            wanted = where({q: answer >> k & 1 for k, q in enumerate(step.qubits)})
            known, answer = {q: v for q in step.qubits if isinstance(v := self.home.get(q, 0), int)}, 1
        else:
            wanted = step.predicate
            known = {q: v for q in wanted.qubits if isinstance(v := self.home.get(q, 0), int)}
        wanted = wanted.given(known)
        held = {id(at): at for q in wanted.qubits if not isinstance(at := self.home[q], int)}
        if answer and len(wanted.cubes) == 1:
            for register in held.values():
                mine = set(register.qubits)
                part = Predicate((tuple(pair for pair in wanted.cubes[0] if pair[0] in mine),))
                self.unsettled.pop(id(register), None)
                self._project_state(register.state, part, 1)
        else:
            joined, _ = self._join(list(held.values()), {})
            self._project_state(joined, wanted, answer)

    def _project_state(self, state: Any, predicate: Predicate, answer: int) -> None:
        self.put(self.engine.project(state, predicate, answer), COMPLETELY)
        event = Event(Question("asked", predicate), answer, NOTHING, self.engine.qubits(state))
        self.past = Past(event, self.past)

    # -- factoring ------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Splits every touched register into its finest product."""
        waiting, self.unsettled = self.unsettled, {}
        for register, thoroughly in waiting.values():
            factors = self.engine.factor(register.state, constants_only=thoroughly == FOR_CONSTANTS)
            if not factors.constants and len(factors.blocks) == 1 and not self.environment:
                continue
            self.phase *= factors.phase
            for qubit, bit in factors.constants.items():
                self._set(qubit, bit)
            for block in factors.blocks:
                self.put(block, NOT_AT_ALL)
            if self.environment:
                self._forget(factors.constants, factors.blocks)

    def _forget(self, constants: dict[Qubit, int], blocks: tuple[Any, ...]) -> None:
        """Drops what the environment holds alone."""
        gone = [q for q in constants if q in self.environment]
        for block in blocks:
            qubits = self.engine.qubits(block)
            if self.environment.issuperset(qubits):
                gone.extend(qubits)
        for qubit in gone:
            self.home.pop(qubit, None)
        self.environment -= frozenset(gone)


def _may_separate(operation: Operation, certain: dict[Qubit, int]) -> int:
    """How thoroughly a register that was whole must be looked at after the operation.

    A gate on one qubit turns it within its block, and may make one that stands alone certain. An exchange
    with a certain qubit carries one qubit's state on: in part to both, which stay whole, or wholly to one of
    them, and then the other is certain.
    """
    if operation.controls or (len(operation.targets) == 2 and not certain):
        return COMPLETELY
    (stays, _), (goes, _) = operation.gate.block().matrix
    in_part = len(operation.targets) == 2 and min(abs(stays), abs(goes)) > ROUNDING
    return NOT_AT_ALL if in_part else FOR_CONSTANTS
