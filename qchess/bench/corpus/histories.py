"""The history of a register: the circuit that made it, back to when each of its squares was last certain.

Recorded answers are flags, post-selected at the end. A square may be used several times, each time on a wire of its
own. But once an earlier use has ended in a certain value, its wire is reused; an X sets the value with which the next
use begins. Certain means certain given the recorded answers; branches with other answers are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

from qchess import backends
from qchess.bench.corpus.circuit import Circuit, told
from qchess.bench.corpus.plays import Play, moments
from qchess.circuits.forms.asking import flips
from qchess.circuits.history import Cone
from qchess.circuits.operations import Operation, Qubit, fresh, x
from qchess.circuits.program import Program, Question, ReadOut
from qchess.circuits.registers import Registers

Past = tuple[tuple[Operation | Question | ReadOut, int | None], ...]


@dataclass(frozen=True)
class Bounds:
    """The limits of a history: wires, branches, operations."""

    wires: int
    branches: int = 2**16
    operations: int = 400

    def hold(self, circuit: Circuit) -> bool:
        """Tell whether the circuit is within the bounds, apart from branches."""
        return len(circuit.wires) <= self.wires and len(circuit.program) <= self.operations


def richest(play: Play, bounds: Bounds, *, board: bool = False, asked: bool = False) -> Circuit:
    """Return the history of the game's register with the most branches, within bounds.

    With `board`, all registers of a position together; with `asked`, only registers shaped by an answer.
    """
    found = []
    for moment in moments(play):
        registers = moment.game.position.registers
        for group in [registers.each] if board else [(register,) for register in registers.each]:
            branches = prod(register.branches for register in group)
            if branches <= bounds.branches:
                found.append((branches, moment.ply, registers, [q for register in group for q in register.qubits]))
    for _, ply, registers, qubits in sorted(found, key=lambda row: -row[0]):  # of equal ones the first
        circuit = history(play, ply, registers.cone(*qubits), board)
        if bounds.hold(circuit) and (circuit.kept or not asked):
            return circuit
    raise AssertionError(f"no register of {play} has a history within {bounds}")


def history(play: Play, ply: int, cone: Cone, board: bool) -> Circuit:
    """Return the circuit of a cone, its wires reused."""
    past = tuple(cone.steps())
    wiring = Wiring(past, frozenset(cone.qubits))
    program = Program(*wiring.operations())
    kind = "board" if board else "history"
    return Circuit(
        name=f"{kind}-{play.name}-{ply}",
        family=kind,
        game=play.game,
        program=program,
        full=frozenset(wiring.full),
        kept=wiring.kept,
        lives=len({q for step, _ in past for q in step.qubits}) + len(wiring.kept),
    )


@dataclass
class Wiring:
    """Gives each life of a square a wire while the past is followed; `final` are the lives still in use at the end."""

    past: Past
    final: frozenset[Qubit]
    #: life -> its wire
    place: dict[Qubit, Qubit] = field(default_factory=dict)
    #: wires that start in 1
    full: set[Qubit] = field(default_factory=set)
    #: flags, with their recorded answers
    kept: dict[Qubit, int] = field(default_factory=dict)
    #: wires free for reuse, with their values
    free: dict[Qubit, int] = field(default_factory=dict)
    taken: set[Qubit] = field(default_factory=set)

    def operations(self) -> Iterator[Operation]:
        """Yield the circuit, step by step."""
        registers = Registers(backends.engine())
        last = {q: k for k, (step, _) in enumerate(self.past) for q in step.qubits}
        over: list[Qubit] = []
        for k, (step, answer) in enumerate(self.past):
            yield from self._step(step, answer)
            registers = _after(registers, step, answer)
            over += [q for q in step.qubits if last[q] == k and q not in self.final]
            for q in [q for q in over if registers.known(q) is not None]:
                self.free[self.place[q]] = int(registers.known(q) or 0)
                over.remove(q)

    def _step(self, step: Operation | Question | ReadOut, answer: int | None) -> Iterator[Operation]:
        """Yield a step on wires; an X sets the first value of a life that begins in 1."""
        begins = isinstance(step, Operation) and step == x(step.targets[0]) and step.targets[0] not in self.place
        for q in step.qubits:
            if q not in self.place:
                yield from self._begin(q, int(begins))
        if not begins:
            yield from self._placed(step, answer)

    def _begin(self, life: Qubit, value: int) -> Iterator[Operation]:
        """Give a life a wire with this value: its square's own if free, any other free one, or a new one."""
        square = life.partition("~")[0]
        if self.free:
            wire = square if square in self.free else next(iter(self.free))
            if self.free.pop(wire) != value:
                yield x(wire)
        else:
            wire = fresh(square, self.taken)
            if value:
                self.full.add(wire)
        self.place[life] = wire

    def _placed(self, step: Operation | Question | ReadOut, answer: int | None) -> Iterator[Operation]:
        (there,) = Program(step).renamed(self.place)
        if isinstance(there, Operation):
            yield there
            return
        assert isinstance(there, Question | ReadOut), "a past holds operations and what was asked"
        assert answer is not None, "what was asked in the past was answered"
        flag = fresh(f"?{there.name}", self.taken)
        predicate, self.kept[flag] = told(there, answer)
        yield from flips(predicate, flag)


def _after(registers: Registers, step: Operation | Question | ReadOut, answer: int | None) -> Registers:
    if isinstance(step, Operation):
        return registers.apply(step).without_past()
    return registers.project(*told(step, answer or 0)).without_past()
