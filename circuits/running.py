"""Runs programs on registers: joins what an operation touches, and splits what an answer frees.

A `Draft` is the one mutable thing here; it lives for the length of one run and starts as a copy, so
whatever goes wrong on the way, the registers that were given stay as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from qchess.circuits.engine import Answer, Ask, Draw, Source
from qchess.circuits.errors import BackendError, ImpossibleOutcomeError, ProgramError
from qchess.circuits.history import Event, Past
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import Predicate, where
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut
from qchess.circuits.registers import CERTAIN, Registers, Run

NOTHING: dict[Qubit, int] = {}
#: how thoroughly a touched register must be factored again
NOT_AT_ALL, FOR_CONSTANTS, COMPLETELY = 0, 1, 2
#: a share of an exchange below this may be lost as an engine's rounding noise
ROUNDING = 1e-6


def run(registers: Registers, program: Program, source: Source | None) -> Run:
    """Runs the program; the answers come in the order in which they were given."""
    draft = Draft(registers)
    answers: dict[str, Answer] = {}
    _follow(draft, program, source, answers)
    draft.settle()
    return Run(draft.finish(), tuple(answers.values()))


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
        taken = sorted(draft.place.keys() & set(qubits))
        if taken:
            raise ProgramError(f"qubits are put in amplitudes once and are not full besides, got {taken} again")
        norm = sum(abs(a) ** 2 for a in amplitudes.values())
        if abs(norm - 1) > 1e-9:
            raise ProgramError(f"amplitudes have probabilities that sum to 1, those of {list(qubits)} to {norm:.6g}")
        draft._put(registers.engine.prepare(tuple(qubits), amplitudes), COMPLETELY)
    draft.settle()
    return draft.finish()


def _follow(draft: Draft, program: Program, source: Source | None, answers: dict[str, Answer]) -> None:
    for step in program.steps:
        if isinstance(step, Operation):
            draft.apply(step)
        elif isinstance(step, (Question, ReadOut)):
            if step.name in answers:
                raise ProgramError(f"the answer {step.name!r} was already given in this run")
            answers[step.name] = _ask(draft, step, source)
        elif isinstance(step, Branch):
            if step.name not in answers:
                raise ProgramError(f"a branch waits for the answer {step.name!r}, which was not asked before it")
            _follow(draft, step.follow(answers[step.name].value), source, answers)
        else:
            draft.discard(step)


def _ask(draft: Draft, step: Question | ReadOut, source: Source | None) -> Answer:
    """Puts the question to the source and projects on its answer."""
    draft.require_kept(step)
    draft.settle()
    registers = draft.freeze()
    if isinstance(step, Question):
        p = registers.probability(step.predicate)
        odds = {1: p, 0: 1 - p}
    else:
        odds = registers.distribution(*step.qubits)
    odds = {value: p for value, p in odds.items() if p > CERTAIN}
    if source is None:
        if len(odds) > 1:
            raise BackendError(f"the question {step.name!r} is open (odds {odds}) and no source was given to answer it")
        drawn = Draw(next(iter(odds)), "certain")
    else:
        drawn = source.draw(Ask(step, odds, registers))
    if drawn.value not in odds:
        raise ImpossibleOutcomeError(
            f"the answer {drawn.value} to {step.name!r} has probability 0; possible are {sorted(odds)}"
        )
    if len(odds) > 1:
        draft.project(step, drawn.value)
    return Answer(step.name, drawn.value, min(1.0, odds[drawn.value]), drawn.source, drawn.details)


class Draft:
    """Registers under change."""

    def __init__(self, registers: Registers) -> None:
        self.engine = registers.engine
        self.place: dict[Qubit, Any] = dict(registers.place)
        self.phase = registers.phase
        self.environment = registers.environment
        self.past = registers.past
        #: states to be factored again, and how thoroughly
        self.unsettled: dict[int, tuple[Any, int]] = {}

    def freeze(self) -> Registers:
        """The registers as they are now; the draft goes on."""
        return Registers._made(self.engine, dict(self.place), self.phase, self.environment, self.past)

    def finish(self) -> Registers:
        """The registers as they have become; the draft is not used again."""
        return Registers._made(self.engine, self.place, self.phase, self.environment, self.past)

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
        place = self.place
        if operation.controls:
            open_controls = []
            for control in operation.controls:
                at = place.get(control[0], 0)
                if not isinstance(at, int):
                    open_controls.append(control)
                elif at != control[1]:
                    return
            if len(open_controls) != len(operation.controls):
                operation = operation.with_only(tuple(open_controls))
        certain = {q: at for q in operation.targets if isinstance(at := place.get(q, 0), int)}
        alone = not operation.controls and len(certain) == len(operation.targets)
        if alone and self._apply_classically(operation, certain):
            return
        states = {id(at): at for q in operation.qubits if not isinstance(at := place.get(q, 0), int)}
        joined, waiting = self._join(list(states.values()), certain)
        # what still waits may hold a certain qubit, which the operation could turn into a block of its own
        self._put(self.engine.apply(joined, operation), COMPLETELY if waiting else _may_separate(operation, certain))
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
            self.place[qubit] = 1
        else:
            self.place.pop(qubit, None)

    def _join(self, states: list[Any], certain: dict[Qubit, int]) -> tuple[Any, int]:
        """One state of all these states and certain qubits; and how thoroughly it waits to be factored."""
        engine = self.engine
        waiting = NOT_AT_ALL
        for state in states:
            waiting = max(waiting, self.unsettled.pop(id(state), (None, NOT_AT_ALL))[1])
        joined = states[0] if states else None
        for state in states[1:]:
            joined = engine.join(joined, state)
        if certain:
            drawn_in = engine.prepare(tuple(certain), {sum(v << k for k, v in enumerate(certain.values())): 1})
            joined = drawn_in if joined is None else engine.join(joined, drawn_in)
        return joined, waiting

    def _put(self, state: Any, waiting: int) -> None:
        """Makes the state the register of its qubits, to be settled later if it waits for that."""
        for qubit in self.engine.qubits(state):
            self.place[qubit] = state
        if waiting:
            self.unsettled[id(state)] = (state, waiting)

    def discard(self, step: Discard) -> None:
        """Gives qubits to the environment; what stands alone there is forgotten when settling."""
        for qubit in step.qubits:
            at = self.place.get(qubit, 0)
            if isinstance(at, int):
                self.place.pop(qubit, None)
            else:
                self.environment |= {qubit}
                self.unsettled.setdefault(id(at), (at, FOR_CONSTANTS))

    # -- answers --------------------------------------------------------------------------------------

    def project(self, step: Question | ReadOut, answer: int) -> None:
        """Projects on an answer. A conjunction that was found true leaves registers apart."""
        if isinstance(step, ReadOut):
            wanted = where({q: answer >> k & 1 for k, q in enumerate(step.qubits)})
            known, answer = {q: v for q in step.qubits if isinstance(v := self.place.get(q, 0), int)}, 1
        else:
            wanted = step.predicate
            known = {q: v for q in wanted.qubits if isinstance(v := self.place.get(q, 0), int)}
        wanted = wanted.given(known)
        states = {id(at): at for q in wanted.qubits if not isinstance(at := self.place[q], int)}
        if answer and len(wanted.cubes) == 1:
            for state in states.values():
                mine = set(self.engine.qubits(state))
                part = Predicate((tuple(pair for pair in wanted.cubes[0] if pair[0] in mine),))
                self._project_state(state, part, 1)
        else:
            joined, _ = self._join(list(states.values()), {})
            self._project_state(joined, wanted, answer)

    def _project_state(self, state: Any, predicate: Predicate, answer: int) -> None:
        self.unsettled.pop(id(state), None)
        self._put(self.engine.project(state, predicate, answer), COMPLETELY)
        event = Event(Question("asked", predicate), answer, NOTHING, self.engine.qubits(state))
        self.past = Past(event, self.past)

    # -- factoring ------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Splits every touched register into its finest product."""
        waiting, self.unsettled = self.unsettled, {}
        for state, thoroughly in waiting.values():
            factors = self.engine.factor(state, constants_only=thoroughly == FOR_CONSTANTS)
            if not factors.constants and len(factors.blocks) == 1 and not self.environment:
                continue
            self.phase *= factors.phase
            for qubit, bit in factors.constants.items():
                self._set(qubit, bit)
            for block in factors.blocks:
                for qubit in self.engine.qubits(block):
                    self.place[qubit] = block
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
            self.place.pop(qubit, None)
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
