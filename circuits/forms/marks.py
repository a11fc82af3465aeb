"""The layout of a program's picture: sections of wires, packed into columns of marks.

The text and SVG drawings share this layout. A `Mark` is what a step puts on its wires;
two marks share a column only where their spans, vertical lines included, do not meet.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from qchess.circuits.operations import Gate, Operation, Qubit
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut, Step

FULL, EMPTY, FLIP, EXCHANGE, END = "●", "○", "⊕", "×", "⊣"
#: a board square, perhaps with the suffix of an earlier wire; captured pieces have names from x on
_SQUARE = re.compile(r"([a-w])([1-9][0-9]?)(~\d+)?")
_PHASES = {1.0: "Z", 0.5: "S", -0.5: "S†", 0.25: "T", -0.25: "T†"}


@dataclass(frozen=True, slots=True)
class Mark:
    """What one step draws: a text on each of its rows, joined by a line or framed as a box."""

    cells: dict[int, str]
    boxed: bool = False
    #: the step's number from 0; in a branch, it follows the branch's number and the value
    step: str = ""

    @property
    def span(self) -> range:
        """Return every row from the first to the last, including those crossed."""
        return range(min(self.cells), max(self.cells) + 1)


@dataclass(frozen=True, slots=True)
class Wires:
    """A part without branches: its qubits from top to bottom and its columns from left to right."""

    qubits: tuple[Qubit, ...]
    columns: tuple[tuple[Mark, ...], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A heading over the sections it introduces, which are indented below it."""

    title: str
    sections: tuple[Section, ...] = ()


Section = Wires | Case


def sections(program: Program, within: str = "") -> tuple[Section, ...]:
    """Cut the program at its branches: wires, and cases with sections of their own.

    `within` is the prefix of each step's number, if the program lies in another one.
    """
    found: list[Section] = []
    stretch: dict[str, Step] = {}
    for number, step in enumerate(program):
        if not isinstance(step, Branch) and step.qubits:
            stretch[f"{within}{number}"] = step
            continue
        found.extend(_wires(stretch))
        stretch = {}
        found.extend(_titled(step, f"{within}{number}"))
    return (*found, *_wires(stretch))


def shown(name: str) -> str:
    """Return the name as shown in a picture; escaped if it would break the line."""
    return name if name.isprintable() else json.dumps(name)


def _titled(step: Step, number: str) -> Iterator[Case]:
    """Yield cases for steps without wires: branches, and questions about nothing."""
    if isinstance(step, Branch):
        for value, program in step.cases:
            follows = sections(program, f"{number}.{value}.")
            yield Case(f"if {shown(step.name)} = {value}:{'' if follows else ' nothing'}", follows)
    elif isinstance(step, Question):
        yield Case(f"?{shown(step.name)} {step.predicate}")


def _wires(steps: Mapping[str, Step]) -> Iterator[Wires]:
    if not steps:
        return
    qubits = in_board_order(tuple(dict.fromkeys(qubit for step in steps.values() for qubit in step.qubits)))
    row = {qubit: k for k, qubit in enumerate(qubits)}
    marks = (replace(mark, step=number) for number, step in steps.items() for mark in _marks(step, row))
    yield Wires(qubits, _packed(list(marks)))


def in_board_order(qubits: Sequence[Qubit]) -> tuple[Qubit, ...]:
    """Return board squares from a1 on, rank by rank, then all other names in the given order."""
    places = {qubit: (int(found[2]), found[1]) for qubit in qubits if (found := _SQUARE.fullmatch(qubit))}
    return (*sorted(places, key=places.__getitem__), *(qubit for qubit in qubits if qubit not in places))


def _packed(marks: Sequence[Mark]) -> tuple[tuple[Mark, ...], ...]:
    """Put each mark in the earliest column in which its rows are free."""
    columns: list[list[Mark]] = []
    taken: list[set[int]] = []
    ready: dict[int, int] = {}
    for mark in marks:
        place = max(ready.get(row, 0) for row in mark.cells)
        while place < len(columns) and taken[place].intersection(mark.span):
            place += 1
        if place == len(columns):
            columns.append([])
            taken.append(set())
        columns[place].append(mark)
        taken[place].update(mark.span)
        ready.update(dict.fromkeys(mark.cells, place + 1))
    return tuple(tuple(sorted(column, key=lambda mark: mark.span.start)) for column in columns)


def _marks(step: Step, row: dict[Qubit, int]) -> list[Mark]:
    if isinstance(step, Operation):
        controls = {row[q]: FULL if value else EMPTY for q, value in step.controls}
        return [Mark({**controls, **dict.fromkeys((row[q] for q in step.targets), _label(step))})]
    if isinstance(step, Discard):
        return [Mark({row[q]: END}) for q in step.qubits]
    if isinstance(step, Question):
        values = {q: "".join(str(dict(cube).get(q, "·")) for cube in step.predicate.cubes) for q in step.qubits}
        return [_box(f"?{shown(step.name)}", {row[q]: text for q, text in values.items()})]
    assert isinstance(step, ReadOut), "branches are cut out before marks are made"
    return [_box(f"M {shown(step.name)}", {row[q]: str(k) for k, q in enumerate(step.qubits)})]


def _box(title: str, values: dict[int, str]) -> Mark:
    """Return a box with its title on the top row and a value on every row."""
    wide = max(map(len, values.values()))
    cells = {row: f"{title if row == min(values) else '':{len(title)}} {text:>{wide}}" for row, text in values.items()}
    return Mark(cells, boxed=True)


def _label(operation: Operation) -> str:
    gate = operation.gate
    if gate.name == "SWAP":
        return EXCHANGE
    if gate == Gate("X") and operation.controls:
        return FLIP
    if gate.name == "Z" and gate.parameter in _PHASES:
        return _PHASES[gate.parameter]
    return str(gate).replace("ISWAP", "iSWAP")
