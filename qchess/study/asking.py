"""Study a question, or a move that asks one: the effect of each possible answer on each register."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from qchess.circuits.chances import explore
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import Predicate
from qchess.circuits.program import Program, Question, ReadOut, ask
from qchess.circuits.register import Register
from qchess.circuits.registers import Registers
from qchess.playing.game import Game
from qchess.study.entropies import bits, readout_entropy
from qchess.study.subject import StudyError, group, registers_of

#: how many qubits of a register are named in text
NAMED = 8


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect on one register."""

    qubits: tuple[Qubit, ...]
    branches: int
    #: the squares that are certain afterwards, with their values
    certain: Mapping[Qubit, int]
    #: the registers that hold the other squares afterwards, and their branches
    left: tuple[tuple[Qubit, ...], ...]
    branches_left: tuple[int, ...]

    def __str__(self) -> str:
        left = "; ".join(map(_named, self.left)) or "nothing open"
        told = "".join(f", {q} is {'full' if value else 'empty'}" for q, value in self.certain.items())
        return f"{_named(self.qubits)}: {self.branches} -> {math.prod(self.branches_left)}, leaves {left}{told}"


@dataclass(frozen=True, slots=True)
class Consequence:
    """One possible answer: its probability, and the effect on each register that changes."""

    answers: Mapping[str, int]
    probability: float
    effects: tuple[Effect, ...]
    #: the bits that a read-out of the whole board would still give
    entropy: float

    def values(self) -> dict[str, Any]:
        """Return the same as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        told = " ".join(f"{name}={value}" for name, value in self.answers.items()) or "nothing asked"
        return "\n".join([f"{told} ({self.probability:.6g}):", *(f"  {effect}" for effect in self.effects)])


def asked(where: Any, question: Predicate | Program | str) -> tuple[Consequence, ...]:
    """Return the effect of each answer to a question: a predicate, a program, or in a game a move as text."""
    world = registers_of(where)
    return tuple(
        Consequence(
            chance.answers,
            chance.probability,
            tuple(_effects(world, chance.run.registers)),
            readout_entropy(chance.run.registers),
        )
        for chance in explore(world, _program(where, question))
    )


def information(where: Any, question: Predicate | Program | str) -> float:
    """Return the information of the answer to a question in bits: 1 for a fair coin, 0 if it is certain."""
    return bits(chance.probability for chance in explore(registers_of(where), _program(where, question)))


def _named(qubits: tuple[Qubit, ...]) -> str:
    """Return some qubits as text, shortened if there are many."""
    named = sorted(qubits)
    return "/".join(named) if len(named) <= NAMED else f"{'/'.join(named[:NAMED])} and {len(named) - NAMED} more"


def _program(where: Any, question: Predicate | Program | str) -> Program:
    if isinstance(question, Predicate):
        question = Program(ask("asked", question))
    if isinstance(question, Program):
        _require_known(where, _looked_at(question))
        return question
    if not isinstance(where, Game):
        raise StudyError(f"a move given as text needs a game, got {question!r} and {where!r}")
    return where.circuit(question)


def _looked_at(program: Program) -> Iterator[Qubit]:
    """Yield the qubits that a program asks about without having acted on them before."""
    made: set[Qubit] = set()
    for step in program:
        if isinstance(step, Operation):
            made.update(step.qubits)
        elif isinstance(step, Question | ReadOut):
            yield from (qubit for qubit in step.qubits if qubit not in made)


def _require_known(where: Any, qubits: Iterable[Qubit]) -> None:
    for name in dict.fromkeys(qubits):
        (qubit,) = group(where, name)
        if qubit != name:
            raise StudyError(f"a question takes names of qubits; the qubit of {name!r} is called {qubit!r}")


def _effects(before: Registers, after: Registers) -> Iterator[Effect]:
    """Yield the registers that changed."""
    for register in before.each:
        left = [found for found, _ in after.held(register.qubits)]
        if len(left) != 1 or not _same(left[0], register):
            certain = {q: value for q in register.qubits if (value := after.known(q)) is not None}
            yield Effect(
                register.qubits,
                register.branches,
                certain,
                tuple(found.qubits for found in left),
                tuple(found.branches for found in left),
            )


def _same(one: Register, other: Register) -> bool:
    return one is other or one == other
