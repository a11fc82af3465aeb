"""The history of a register: the circuit that made it, back to when each of its squares was last certain.

Recorded answers are flags, post-selected at the end. A square may have lived before: each life has a wire of its own,
but where an earlier one is over, and certain, its wire is used again; an X turns it to the value with which the next
life begins. Certain means certain with the answers as recorded. What a wire holds with other answers is left out with
them.
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
    """How large a history may be: wires, branches, operations."""

    wires: int
    branches: int = 2**16
    operations: int = 400

    def hold(self, circuit: Circuit) -> bool:
        """Whether the circuit is within the bounds, branches aside."""
        return len(circuit.wires) <= self.wires and len(circuit.program) <= self.operations


def richest(play: Play, bounds: Bounds, *, board: bool = False, asked: bool = False) -> Circuit:
    """Of all registers that a game comes to, within bounds, the history of the one with most branches.

    With `board` all registers of a position together; with `asked` only where some answer made it what it is.
    """
    best: Circuit | None = None
    most = 0
    for moment in moments(play):
        registers = moment.game.position.registers
        for group in [registers.each] if board else [(register,) for register in registers.each]:
            branches = prod(register.branches for register in group)
            if not most < branches <= bounds.branches:
                continue
            found = history(
                play, moment.ply, registers.cone(*(q for register in group for q in register.qubits)), board
            )
            if bounds.hold(found) and (found.kept or not asked):
                best, most = found, branches
    assert best is not None, f"no register of {play} has a history within {bounds}"
    return best


def history(play: Play, ply: int, cone: Cone, board: bool) -> Circuit:
    """The circuit of a cone, its wires used again."""
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
    """Gives each life a wire while the past is gone through; `final` are the lives that are not over at its end."""

    past: Past
    final: frozenset[Qubit]
    #: life -> its wire
    place: dict[Qubit, Qubit] = field(default_factory=dict)
    #: wires that start in 1
    full: set[Qubit] = field(default_factory=set)
    #: flags, with the answers as recorded
    kept: dict[Qubit, int] = field(default_factory=dict)
    #: wires whose last life is over, with what they hold
    free: dict[Qubit, int] = field(default_factory=dict)
    taken: set[Qubit] = field(default_factory=set)

    def operations(self) -> Iterator[Operation]:
        """The circuit, step by step."""
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
        """A step on wires; the X that begins a life in 1 is the life's first value."""
        begins = isinstance(step, Operation) and step == x(step.targets[0]) and step.targets[0] not in self.place
        for q in step.qubits:
            if q not in self.place:
                yield from self._begin(q, int(begins))
        if not begins:
            yield from self._placed(step, answer)

    def _begin(self, life: Qubit, value: int) -> Iterator[Operation]:
        """Gives a life a wire that holds this value: its square's own if that is free, or any other, or a new one."""
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
