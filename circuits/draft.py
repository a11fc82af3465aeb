"""Registers during a run: operations join them, answers split them.

A `Draft` is the only mutable object of a run. It lives from one question to the next and starts as a copy, so
after an error the given registers are unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from qchess.circuits.errors import ProgramError
from qchess.circuits.history import Event, Past, remembered
from qchess.circuits.operations import Operation, Qubit, z
from qchess.circuits.precision import CERTAIN
from qchess.circuits.predicates import Cube, Predicate, conjunction, where
from qchess.circuits.program import Discard, Question, ReadOut, Step
from qchess.circuits.register import COMPLETELY, FOR_CONSTANTS, NOT_AT_ALL, Register, Work

if TYPE_CHECKING:
    from qchess.circuits.registers import Registers

NOTHING: dict[Qubit, int] = {}
#: a share of an exchange below this may be lost as rounding noise of an engine
ROUNDING = 1e-6


class Draft:
    """Registers during a run."""

    def __init__(self, registers: Registers) -> None:
        #: the given registers, until something happens to them
        self.unchanged: Registers | None = registers
        self.made = registers.made
        self.engine = registers.engine
        self.home: dict[Qubit, int | Register | Work] = dict(registers.home)
        self.phase = registers.phase
        self.environment = registers.environment
        self.past = registers.past
        #: the work in progress, by the identity of its original register
        self.works: dict[int, Work] = {}

    def finish(self) -> Registers:
        """Return the registers as they are now; the draft is not used again."""
        if self.unchanged is not None:
            return self.unchanged
        past = self.past
        if past is not None:
            living = (q for q, at in reversed(self.home.items()) if not isinstance(at, int))  # the last come first
            past = remembered(past, living)
        return self.made(self.engine, self._settled, self.phase, self.environment, past)

    @property
    def _settled(self) -> dict[Qubit, int | Register]:
        """Return where each qubit is, once no work is left."""
        assert not self.works, "work is settled before anybody looks at the registers"
        return cast("dict[Qubit, int | Register]", self.home)

    def odds(self, step: Question | ReadOut) -> dict[int, float]:
        """Return the exact probability of every possible answer."""
        require_kept(self.environment, step)
        self.settle()
        registers = self.unchanged
        if registers is None:
            registers = self.made(self.engine, self._settled, self.phase, self.environment, self.past)
        if isinstance(step, Question):
            p = registers.probability(step.predicate)
            return {value: p for value, p in ((1, p), (0, 1 - p)) if p > CERTAIN}
        return {value: p for value, p in registers.distribution(*step.qubits).items() if p > CERTAIN}

    # -- operations -----------------------------------------------------------------------------------

    def apply(self, operation: Operation, rest: Sequence[Step] | None = None) -> None:
        """Apply one operation without the controls that are certain; `rest` is what follows, if short."""
        if self.environment:
            require_kept(self.environment, operation)
        if operation.controls:
            left = self._open_controls(operation)
            if left is None:
                return
            operation = left
        self.unchanged, home = None, self.home
        certain: dict[Qubit, int] = {}
        held: list[Register | Work] = []
        for qubit in operation.qubits:
            at = home.get(qubit, 0)
            if isinstance(at, int):
                certain[qubit] = at
            elif not held or at is not held[-1]:
                held.append(at)
        if not held and not operation.controls and self._apply_classically(operation, certain):
            return
        work = self._work(held)
        if not (rest is not None and certain and self._carry_over(operation, work, certain, rest)):
            for qubit, value in certain.items():
                work.drawn_in[qubit] = value
                home[qubit] = work
            work.operations.append(operation)
            if operation.gate.mixes:
                work.mixing += 1
                work.fresh = work.fresh and len(operation.qubits) == 1
            # what still waits may hold a certain qubit, which the operation could turn into a block of its own
            work.waiting = COMPLETELY if work.waiting else _may_separate(operation, certain)
        self.past = Past(Event(operation, None, certain, operation.qubits), self.past)

    def _open_controls(self, operation: Operation) -> Operation | None:
        """Return the operation without the controls that are certain; None if one of them forbids it."""
        uncertain = []
        for control in operation.controls:
            at = self.home.get(control[0], 0)
            if not isinstance(at, int):
                uncertain.append(control)
            elif at != control[1]:
                return None
        return operation if len(uncertain) == len(operation.controls) else operation.with_only(tuple(uncertain))

    def _apply_classically(self, operation: Operation, values: dict[Qubit, int]) -> bool:
        """Move certain bits (in the order of the targets) and turn the phase, if the result is certain again."""
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

    def _carry_over(self, operation: Operation, work: Work, certain: dict[Qubit, int], rest: Sequence[Step]) -> bool:
        """Exchange a qubit completely with an empty one: it takes the empty one's place.

        No register is joined or split; what moves gets its phase. Most chess moves are of this kind. If the empty
        qubit is needed again, it stays until the next question. So the circuit of a run, wire by wire, does not
        depend on the engine.
        """
        renamed = getattr(self.engine, "renamed", None)
        if renamed is None or not operation.gate.exchanges or operation.controls:
            return False
        ((new, value),) = certain.items()
        first, second = operation.targets
        old = second if first == new else first
        if value or any(old in step.qubits for step in rest) or not work.soon_done(self.engine):
            return False
        # i^t, as Z^(t/2) turns what is full: done with what waits, if no engine would delay it there
        turns = operation.gate.name == "ISWAP"
        with_others = bool(work.operations) and all(len(waiting.targets) == 2 for waiting in work.operations)
        if turns and with_others:
            work.operations.append(phase(old, operation.gate.parameter / 2))
        work.state = renamed(work.done(self.engine), old, new)
        self.home.pop(old)
        self.home[new] = work
        if turns and not with_others:
            work.operations.append(phase(new, operation.gate.parameter / 2))
        return True

    def _set(self, qubit: Qubit, bit: int) -> None:
        if bit:
            self.home[qubit] = 1
        else:
            self.home.pop(qubit, None)

    def _work(self, held: Iterable[Register | Work]) -> Work:
        """Return one piece of work on all registers held here, joined."""
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
        """Return the work on a register; starts it if needed."""
        if not isinstance(at, Work):
            at = self.works.get(id(at)) or self.works.setdefault(id(at), Work(at))
        return at if at.into is None else at.whole()

    def put(self, state: Any, waiting: int) -> None:
        """Make the state the register of its qubits; `waiting` says how thoroughly to settle it later."""
        self.unchanged = None
        register = Register(self.engine, state)
        self.home.update(dict.fromkeys(self.engine.qubits(state), register))
        if waiting:
            self._open(register).waiting = waiting

    def discard(self, step: Discard) -> None:
        """Give qubits to the environment; what stands alone there is forgotten when settling."""
        self.unchanged = None
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
        """Project on an answer. A conjunction found true leaves registers apart."""
        self.unchanged = None
        if isinstance(step, ReadOut):
            wanted, answer = where({q: answer >> k & 1 for k, q in enumerate(step.qubits)}), 1
        else:
            wanted = step.predicate
        if len(wanted.cubes) > 1 or not answer:
            wanted = wanted.given({q: v for q in wanted.qubits if isinstance(v := self.home.get(q, 0), int)})
        if answer and len(wanted.cubes) == 1:
            self._project_apart(wanted.cubes[0])
        else:
            self._project_state(self._work([self._uncertain(q) for q in wanted.qubits]), wanted, answer)

    def _project_apart(self, cube: Cube) -> None:
        """Project each register on its own part of a conjunction found true."""
        parts: dict[int, tuple[Work, list[tuple[Qubit, int]]]] = {}
        for pair in cube:
            at = self.home.get(pair[0], 0)
            if not isinstance(at, int):
                work = self._open(at)
                parts.setdefault(id(work), (work, []))[1].append(pair)
        for work, mine in parts.values():
            self._project_state(work, conjunction(tuple(mine)), 1)

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
        """Do the remaining work, and split every touched register into its finest product."""
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
        """Drop what only the environment holds."""
        gone = [q for q in constants if q in self.environment]
        for block in blocks:
            qubits = self.engine.qubits(block)
            if self.environment.issuperset(qubits):
                gone.extend(qubits)
        for qubit in gone:
            self.home.pop(qubit, None)
        self.environment -= frozenset(gone)


def require_kept(environment: frozenset[Qubit], step: Operation | Question | ReadOut) -> None:
    """Raise an error if the step touches a qubit that is entangled in the environment."""
    if touched := environment.intersection(step.qubits):
        raise ProgramError(f"{sorted(touched)} were discarded and are still entangled, but {step!r} touches them")


@lru_cache(maxsize=4096)
def phase(qubit: Qubit, t: float) -> Operation:
    """Z^t; the same object each time."""
    return z(qubit, t)


def _may_separate(operation: Operation, certain: dict[Qubit, int]) -> int:
    """Return how thoroughly a register must be factored after the operation.

    A gate on one qubit acts within its block, and may make a lone qubit certain if it mixes. An exchange with a
    certain qubit moves one qubit's state: partly, and both stay in one register, or completely, and then the
    other one is certain.
    """
    if operation.controls or (len(operation.targets) == 2 and not certain):
        return COMPLETELY
    if len(operation.targets) == 1 and not operation.gate.mixes:
        return NOT_AT_ALL
    (stays, _), (goes, _) = operation.gate.block().matrix
    in_part = len(operation.targets) == 2 and min(abs(stays), abs(goes)) > ROUNDING
    return NOT_AT_ALL if in_part else FOR_CONSTANTS
