"""The second step of compiling: write placed operations and questions as gates, with their flags."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from qchess.circuits.compiling.decompositions import Form, inverse, rccx, toffoli
from qchess.circuits.compiling.flags import Ancillas, Condition, FlagBook, Literal, under
from qchess.circuits.compiling.knowledge import is_diagonal
from qchess.circuits.compiling.native import Placed, aware_form, exact_form, naive_form
from qchess.circuits.compiling.placing import PlacedBranch, PlacedStep
from qchess.circuits.operations import Qubit, cnot, x
from qchess.circuits.predicates import Cube
from qchess.circuits.program import Branch, Program, Question, ReadOut, Step

#: a flag is kept for this many steps; a split slide needs two, and each kept flag costs a qubit
PATIENCE = 4


class Emitter:
    """Writes one sequence of steps; each case of a branch gets its own emitter."""

    def __init__(self, level: str, basis: str, ancillas: Ancillas):
        self.level, self.basis, self.ancillas = level, basis, ancillas
        self.steps: list[Step] = []
        self.book = FlagBook(self.steps.extend, ancillas, toffoli if level == "naive" else rccx)

    def write(self, placed: Sequence[PlacedStep]) -> list[Step]:
        """Return the steps in one-qubit gates, CNOT, CZ, iSWAP^t and read-outs; all flags end clean."""
        for at, step in enumerate(placed):
            later = [] if self.level == "naive" else placed[at + 1 : at + 1 + PATIENCE]
            self._make_way(step)
            self._write(step, _wanted(step, later))
            self.book.release(partial(_still_wanted, later=later))
        self.book.release()
        return self.steps

    def _write(self, step: PlacedStep, wanted: Sequence[Condition]) -> None:
        if isinstance(step, Placed):
            self.steps += self._form(step, wanted)
        elif isinstance(step, ReadOut):
            self.steps.append(step)
        elif isinstance(step, Question):
            self._question(step, wanted)
        else:
            self.steps.append(Branch(step.name, tuple((value, self._case(case)) for value, case in step.cases)))

    def _make_way(self, step: PlacedStep) -> None:
        """Uncompute the flags whose controls the step changes; a branch may change any."""
        if isinstance(step, Placed | PlacedBranch):
            self.book.release(lambda condition: not _changes(step, condition))

    def _case(self, placed: Sequence[PlacedStep]) -> Program:
        return Program(*Emitter(self.level, self.basis, self.ancillas).write(placed))

    def _form(self, step: Placed, wanted: Sequence[Condition]) -> Form:
        if self.level == "naive":
            return naive_form(step, self.book)
        native = self.basis == "sqrt_iswap" and not step.operation.controls and step.operation.gate.parameter % 1
        if self.level == "exact" or native:
            return exact_form(step, self.book, wanted)
        return aware_form(step, self.book, wanted)

    # -- questions --------------------------------------------------------------------------------

    def _question(self, question: Question, wanted: Sequence[Condition]) -> None:
        """Read out one wire that holds the answer, and undo what was computed for it."""
        cubes = question.predicate.disjoint().cubes
        if len(cubes) == 1 and cubes[0]:
            wire, value = self.book.one(cubes[0], wanted)
            self._read(question.name, wire, [] if value else [x(wire)])
            return
        wire = self.ancillas.take()
        self._read(question.name, wire, [gate for cube in cubes for gate in self._mark(cube, wire, wanted)])
        self.ancillas.give(wire)

    def _read(self, name: str, wire: Qubit, compute: Form) -> None:
        self.steps += [*compute, ReadOut(name, (wire,)), *inverse(compute)]

    def _mark(self, cube: Cube, wire: Qubit, wanted: Sequence[Condition]) -> Form:
        """Flip the wire where the cube holds, up to phases that the uncomputation cancels."""
        if not cube:
            return [x(wire)]
        literals: Sequence[Literal] = cube if len(cube) == 1 else self.book.two(cube, wanted)
        if len(literals) == 1:
            return under(literals, lambda c, q: [cnot(c, q)], wire)
        return under(literals, self.book.conjunction, wire)


def _wanted(step: PlacedStep, later: Sequence[PlacedStep]) -> list[Condition]:
    """Return the conditions of this step and of later ones whose flags another step can use."""
    mine = [c for c in _conditions(step) if len(c) > 1]
    if not mine:
        return []
    theirs = [c for after in later for c in _conditions(after) if any(c <= other for other in mine)]
    return [c for c in dict.fromkeys([*theirs, *mine]) if len(c) > 1 and _still_wanted(c, later)]


def _still_wanted(condition: Condition, later: Sequence[PlacedStep]) -> bool:
    """Tell whether a later step uses the condition, alone or with others, before its value changes."""
    for step in later:
        if any(condition <= other for other in _conditions(step)):
            return True
        if _changes(step, condition):
            return False
    return False


def _conditions(step: PlacedStep) -> list[Condition]:
    if isinstance(step, Placed):
        return [step.condition]
    if isinstance(step, Question):
        return [frozenset(cube) for cube in step.predicate.disjoint().cubes]
    return []


def _changes(step: PlacedStep, condition: Condition) -> bool:
    """Tell whether the step may change a qubit of the condition; a branch ends all sharing."""
    if isinstance(step, PlacedBranch):
        return True
    if not isinstance(step, Placed) or is_diagonal(step.operation):
        return False
    return any(q in step.operation.targets for q, _ in condition)
