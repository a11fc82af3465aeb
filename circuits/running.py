"""Runs programs on registers: to their end, or to a question whose answer is open.

A `Draft` is the one mutable thing here; it lives from one question to the next and starts as a copy, so
whatever goes wrong on the way, the registers that were given stay as they were. What waits for an answer
is a `Pause`, a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from qchess.circuits.engine import Answer, Draw, Engine, Source
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
#: registers that come to no more branches than this are joined before what waits on them is done
SMALL = 256
#: as is one that began certain and has no more operations than this
FEW = 4
#: what a certain answer leaves out is removed from here on; below, it is the rounding of a sum
LEFT_OUT = 1e-15


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
            if p < 1 - LEFT_OUT:
                draft.project(step, value)  # nothing of the answers that were left out stays behind
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


class Work:
    """What a run does to one register: operations wait here until they must be done, and are done in one call."""

    __slots__ = ("drawn_in", "fresh", "into", "most", "operations", "register", "state", "waiting")

    def __init__(self, register: Register | None = None) -> None:
        #: the register as it was, kept while the work is known by its identity
        self.register = register
        self.state: Any = register.state if register is not None else None
        #: certain qubits that come in, with their values
        self.drawn_in: dict[Qubit, int] = {}
        self.operations: list[Operation] = []
        #: whether all began certain, and only gates on one qubit have mixed: an engine may put those off
        self.fresh = register is None
        #: there are no more branches than this when all is done
        self.most = 1 if register is None else register.branches
        #: how thoroughly the result must be factored
        self.waiting = NOT_AT_ALL
        #: the work that this one has become part of
        self.into: Work | None = None

    def whole(self) -> Work:
        """The work that this one is part of."""
        found = self
        while found.into is not None:
            found = found.into
        return found

    def done(self, engine: Engine) -> Any:
        """The state after all that waited."""
        if self.operations or self.drawn_in:
            at_once = getattr(engine, "run", None) or partial(_one_by_one, engine)
            self.state = at_once(self.state, self.operations, self.drawn_in)
            self.operations, self.drawn_in, self.fresh = [], {}, False
            self.most = engine.branches(self.state)
        return self.state

    def join(self, other: Work, engine: Engine) -> None:
        """Takes the other work in. What stays small is put together undone: that saves calls."""
        self.most *= other.most
        self.waiting = max(self.waiting, other.waiting)
        late = other.fresh and getattr(engine, "puts_off", False)
        undone = self.most <= SMALL or (late and (self.fresh or len(other.operations) <= FEW))
        if not undone:
            self.done(engine)
            other.done(engine)
        self.fresh = self.fresh and other.fresh
        if self.state is not None and other.state is not None:
            self.state = engine.join(self.state, other.state)
        elif other.state is not None:
            self.state = other.state
        self.operations += other.operations
        self.drawn_in.update(other.drawn_in)
        other.into = self
        if not undone:
            self.most = engine.branches(self.state)


def _one_by_one(engine: Engine, state: Any, operations: Sequence[Operation], certain: Mapping[Qubit, int]) -> Any:
    """What an engine's `run` does at once."""
    if certain:
        drawn_in = engine.prepare(tuple(certain), {sum(v << k for k, v in enumerate(certain.values())): 1})
        state = drawn_in if state is None else engine.join(state, drawn_in)
    for operation in operations:
        state = engine.apply(state, operation)
    return state


class Draft:
    """Registers under change."""

    def __init__(self, registers: Registers) -> None:
        self.made = registers.made
        self.engine = registers.engine
        self.home: dict[Qubit, int | Register | Work] = dict(registers.home)
        self.phase = registers.phase
        self.environment = registers.environment
        self.past = registers.past
        #: what is being worked on, by the identity of the register it was
        self.works: dict[int, Work] = {}

    def finish(self) -> Registers:
        """The registers as they have become; the draft is not used again."""
        past = remembered(self.past, (q for q, at in self.home.items() if not isinstance(at, int)))
        return self.made(self.engine, self._settled, self.phase, self.environment, past)

    @property
    def _settled(self) -> dict[Qubit, int | Register]:
        """Where each qubit is, once nothing is being worked on."""
        assert not self.works, "work is settled before anybody looks at the registers"
        return cast("dict[Qubit, int | Register]", self.home)

    def odds(self, step: Question | ReadOut) -> dict[int, float]:
        """The exact probability of every answer that can come."""
        self.require_kept(step)
        self.settle()
        registers = self.made(self.engine, self._settled, self.phase, self.environment, self.past)
        if isinstance(step, Question):
            p = registers.probability(step.predicate)
            return {value: p for value, p in ((1, p), (0, 1 - p)) if p > CERTAIN}
        return {value: p for value, p in registers.distribution(*step.qubits).items() if p > CERTAIN}

    def require_at_most(self, most: int) -> None:
        """An error where a register has more branches than that."""
        branches = max((at.branches for at in self._settled.values() if not isinstance(at, int)), default=0)
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
        certain: dict[Qubit, int] = {}
        held: list[Register | Work] = []
        for qubit in operation.qubits:
            at = home.get(qubit, 0)
            if isinstance(at, int):
                certain[qubit] = at
            else:
                held.append(at)
        if not held and not operation.controls and self._apply_classically(operation, certain):
            return
        work = self._work(held)
        for qubit, value in certain.items():
            work.drawn_in[qubit] = value
            home[qubit] = work
        work.operations.append(operation)
        if operation.gate.block().mixes:
            work.most *= 2
            work.fresh = work.fresh and len(operation.qubits) == 1
        # what still waits may hold a certain qubit, which the operation could turn into a block of its own
        work.waiting = COMPLETELY if work.waiting else _may_separate(operation, certain)
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

    def _work(self, held: Iterable[Register | Work]) -> Work:
        """The one piece of work on all that is held here; what was apart is joined."""
        found: Work | None = None
        for at in held:
            work = self._open(at)
            if found is None:
                found = work
            elif work is not found:
                found.join(work, self.engine)
        if found is None:
            found = Work()
            self.works[id(found)] = found
        return found

    def _open(self, at: Register | Work) -> Work:
        """The work on a register, begun if nobody has."""
        if isinstance(at, Work):
            return at.whole()
        work = self.works.get(id(at))
        if work is None:
            work = self.works[id(at)] = Work(at)
        return work.whole()

    def put(self, state: Any, waiting: int) -> None:
        """Makes the state the register of its qubits, to be settled later if it waits for that."""
        register = Register(self.engine, state)
        for qubit in self.engine.qubits(state):
            self.home[qubit] = register
        if waiting:
            self._open(register).waiting = waiting

    def discard(self, step: Discard) -> None:
        """Gives qubits to the environment; what stands alone there is forgotten when settling."""
        for qubit in step.qubits:
            at = self.home.get(qubit, 0)
            if isinstance(at, int):
                self.home.pop(qubit, None)
            else:
                self.environment |= {qubit}
                work = self._open(at)
                work.waiting = work.waiting or FOR_CONSTANTS

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
        held = {id(work): work for q in wanted.qubits if (work := self._open(self._uncertain(q)))}
        if answer and len(wanted.cubes) == 1:
            for work in held.values():
                mine = set(self.engine.qubits(work.done(self.engine)))
                part = Predicate((tuple(pair for pair in wanted.cubes[0] if pair[0] in mine),))
                self._project_state(work, part, 1)
        else:
            self._project_state(self._work(held.values()), wanted, answer)

    def _uncertain(self, qubit: Qubit) -> Register | Work:
        at = self.home[qubit]
        assert not isinstance(at, int), "a predicate on certain qubits has no qubit left"
        return at

    def _project_state(self, work: Work, predicate: Predicate, answer: int) -> None:
        work.state = self.engine.project(work.done(self.engine), predicate, answer)
        work.waiting = COMPLETELY
        event = Event(Question("asked", predicate), answer, NOTHING, self.engine.qubits(work.state))
        self.past = Past(event, self.past)

    # -- factoring ------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Does what is left to do, and splits every touched register into its finest product."""
        works, self.works = self.works, {}
        for work in works.values():
            if work.into is None:
                self._settle(work)

    def _settle(self, work: Work) -> None:
        state = work.done(self.engine)
        if not work.waiting:
            return self.put(state, NOT_AT_ALL)
        factors = self.engine.factor(state, constants_only=work.waiting == FOR_CONSTANTS)
        self.phase *= factors.phase
        for qubit, bit in factors.constants.items():
            self._set(qubit, bit)
        for block in factors.blocks:
            self.put(block, NOT_AT_ALL)
        if self.environment:
            self._forget(factors.constants, factors.blocks)
        return None

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
