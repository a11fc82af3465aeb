"""A circuit before it becomes cases: its program, its start, and its post-selection.

Recorded answers become flags: a flag wire is flipped where the question's answer is yes, not touched again, and
post-selected at the end. So a simulator without mid-circuit measurement can run a game's history too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from qchess.circuits.forms.asking import flips
from qchess.circuits.operations import PARAMETRIC, Gate, Operation, Qubit, fresh
from qchess.circuits.predicates import Predicate, where
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut, Step

#: decimals of parameters: an arc sine's last digits depend on the machine, but hashes must not
DECIMALS = 14


@dataclass(frozen=True)
class Circuit:
    """A native circuit of the corpus."""

    name: str
    family: str
    program: Program
    full: frozenset[Qubit] = frozenset()
    kept: Mapping[Qubit, int] = field(default_factory=dict)
    #: for a program with questions: the answers of the reference's ending
    answers: Mapping[str, int] = field(default_factory=dict)
    game: str | None = None
    #: wires before reuse; 0 if none is reused
    lives: int = 0
    #: the first wires, in this order, including unused ones
    declared: tuple[Qubit, ...] = ()

    @property
    def wires(self) -> tuple[Qubit, ...]:
        """Return every wire: those declared, those of the program by first use, then others that start in 1."""
        return tuple(dict.fromkeys([*self.declared, *self.program.qubits, *sorted(self.full)]))

    def steady(self) -> Circuit:
        """Return the circuit without discards, with parameters that are equal on every machine."""
        return replace(self, program=steady(self.program))


def steady(program: Program) -> Program:
    """Return the program without discards, its parameters rounded so that they are equal on every machine."""
    return Program(*(_steady(step) for step in program if not isinstance(step, Discard)))


def _steady(step: Step) -> Step:
    if isinstance(step, Operation) and step.gate.name in PARAMETRIC:
        return Operation(Gate(step.gate.name, round(step.gate.parameter, DECIMALS)), step.targets, step.controls)
    if isinstance(step, Branch):
        return Branch(step.name, tuple((value, steady(case)) for value, case in step.cases))
    return step


def flagged(program: Program, answers: Mapping[str, int]) -> tuple[Program, dict[Qubit, int]]:
    """Return the program with each answer fixed and its questions as flags; and the flags' values.

    >>> flagged(Program.parse('h a\\nask hit: a=1\\nwhen hit\\n  1:\\n    x b'), {'hit': 1})
    (Program(h('a'), x('?hit').when({'a': 1}), x('b')), {'?hit': 1})
    """
    taken = set(program.qubits)
    kept: dict[Qubit, int] = {}
    return Program(*_told(program, answers, kept, taken)), kept


def _told(program: Program, answers: Mapping[str, int], kept: dict[Qubit, int], taken: set[Qubit]) -> Iterator[Step]:
    for step in program:
        if isinstance(step, Branch):
            yield from _told(step.follow(answers[step.name]), answers, kept, taken)
        elif isinstance(step, Question | ReadOut):
            flag = fresh(f"?{step.name}", taken)
            predicate, kept[flag] = told(step, answers[step.name])
            yield from flips(predicate, flag)
        elif isinstance(step, Operation):
            yield step


def told(step: Question | ReadOut, answer: int) -> tuple[Predicate, int]:
    """Return the predicate that an answer is about, and whether it was found true."""
    if isinstance(step, Question):
        return step.predicate, answer
    return where({q: answer >> k & 1 for k, q in enumerate(step.qubits)}), 1
