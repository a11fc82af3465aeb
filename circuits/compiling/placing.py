"""The first step of compiling: map squares to wires and leave out what the state makes unnecessary.

The compiler owns the map from squares to wires. At level `aware` a piece that certainly moves alone
changes the map instead of the state. Controls that certainly hold are dropped, and operations that
certainly do nothing are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qchess.circuits.compiling import decompositions as forms
from qchess.circuits.compiling import knowledge as states
from qchess.circuits.compiling.decompositions import Form
from qchess.circuits.compiling.knowledge import Knowledge
from qchess.circuits.compiling.native import Placed, is_identity
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut, Step


@dataclass(frozen=True, slots=True)
class PlacedBranch:
    """The steps that follow each value of an answer, on wires."""

    name: str
    cases: tuple[tuple[int, list[PlacedStep]], ...]


PlacedStep = Placed | Question | ReadOut | PlacedBranch


def place_as_written(program: Program) -> list[PlacedStep]:
    """Return the steps with each square on the wire of its own name and nothing known."""
    placed: list[PlacedStep] = []
    for step in program.without_discards():
        if isinstance(step, Branch):
            placed.append(PlacedBranch(step.name, tuple((v, place_as_written(p)) for v, p in step.cases)))
        elif isinstance(step, Operation):
            placed += [] if is_identity(step.gate) else [Placed(step)]
        elif not isinstance(step, Discard):
            placed.append(step)
    return placed


class Placer:
    """Walks a program, tracks what is known of its state, and keeps the map from squares to wires."""

    def __init__(self, knowledge: Knowledge, layout: Mapping[Qubit, Qubit], *, relabels: bool = True):
        self.knowledge = knowledge
        self.layout = dict(layout)
        self.relabels = relabels

    def place(self, steps: Iterable[Step]) -> list[PlacedStep]:
        """Return the steps on wires."""
        return [placed for step in steps for placed in self._step(step)]

    def _step(self, step: Step) -> list[PlacedStep]:
        if isinstance(step, Operation):
            return self._operation(step)
        if isinstance(step, Branch):
            return [self._branch(step)]
        if isinstance(step, Discard):
            return []
        open_step = step
        if isinstance(step, Question):
            open_step = Question(step.name, states.settled(step.predicate, self.knowledge))
        self.knowledge = self.knowledge.ask(step)
        return [asked for asked in self._renamed(open_step) if isinstance(asked, Question | ReadOut)]

    def _operation(self, operation: Operation) -> list[PlacedStep]:
        plain = None if is_identity(operation.gate) else self.knowledge.simplify(operation)
        if plain is None:
            return []
        values = tuple(self.knowledge.value(q) for q in plain.targets)
        self.knowledge = self.knowledge.apply(plain)
        if self.relabels and not plain.controls and plain.gate.exchanges:
            return [Placed(gate) for gate in self._relabel(plain, values)]
        return [Placed(gate, values) for gate in self._renamed(plain) if isinstance(gate, Operation)]

    def _relabel(self, move: Operation, values: tuple[int | None, ...]) -> Form:
        """Return the phases of a whole move, whose squares then exchange their wires."""
        a, b = move.targets
        first, second = self.layout[a], self.layout[b]
        self.layout[a], self.layout[b] = second, first
        if move.gate.gain == 0:
            return []
        if values == (None, None):
            phases = forms.move_relabelled(first, second)
        else:
            other, known = (first, values[1]) if values[1] is not None else (second, values[0])
            phases = forms.move_into_empty(other) if known == 0 else forms.hole_into_full(other)
        return phases if move.gate.gain > 0 else forms.inverse(phases)

    def _branch(self, branch: Branch) -> PlacedBranch:
        """Place the cases, each knowing its answer; all keep the same map."""
        values = [value for value, _ in branch.cases]
        open_answer = self.knowledge.fork(branch.name, [*values, max([0, *values]) + 1])
        ends = [rest for rest in [open_answer.rest(branch.name, values)] if rest is not None]
        cases: list[tuple[int, list[PlacedStep]]] = []
        for value, program in branch.cases:
            entry = open_answer.given(branch.name, value)
            if entry is None:  # this answer cannot come
                continue
            inner = Placer(entry, self.layout, relabels=False)
            cases.append((value, inner.place(program)))
            ends.append(inner.knowledge)
        self.knowledge = states.union(ends)
        return PlacedBranch(branch.name, tuple(cases))

    def _renamed(self, step: Step) -> tuple[Step, ...]:
        return Program(step).renamed(self.layout).steps
