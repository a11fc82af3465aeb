"""The exact answer of a circuit, and the states on the way.

The sparse engine runs it one operation at a time, to see the most branches at any time. Other simulators must agree
with the result; none of them is used for it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from qchess.backends.sparse.engine import SparseEngine
from qchess.bench.case import LARGEST, RANDOM
from qchess.bench.corpus.circuit import Circuit, told
from qchess.circuits.chances import chances
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import where
from qchess.circuits.program import Branch, Program, Question, ReadOut
from qchess.circuits.registers import Registers

#: most branches of a reference
BRANCHES = 2**21
#: decimals for sorting amplitudes by size, so that equal ones are equal on every machine
EVEN = 9


@dataclass(frozen=True)
class Passage:
    """The figures of a circuit's states, and its final state."""

    #: key over the wires -> amplitude, the first wire the most significant bit
    amplitudes: Mapping[int, complex]
    peak: int
    final: int
    kept_probability: float


def passage(circuit: Circuit, wires: Sequence[Qubit]) -> Passage:
    """Run the circuit, its questions answered as recorded, and its flags post-selected."""
    engine = SparseEngine(BRANCHES)
    state = engine.run(None, (), {q: int(q in circuit.full) for q in wires})
    peak, chance = 1, 1.0
    for step in path(circuit.program, circuit.answers):
        if isinstance(step, Operation):
            state = engine.run(state, (step,))
            peak = max(peak, engine.branches(state))
        else:
            predicate, answer = told(step, circuit.answers[step.name])
            yes = engine.probability(state, predicate)
            chance *= yes if answer else 1 - yes
            state = engine.project(state, predicate, answer)
    final = engine.branches(state)
    if circuit.kept:
        flags = where(circuit.kept)
        chance *= engine.probability(state, flags)
        state = engine.project(state, flags, 1)
    return Passage(engine.amplitudes(state, wires[::-1]), peak, final, chance)


def largest_register(circuit: Circuit) -> int:
    """Return the size of the largest entangled group at any time; flags are read only at the end."""
    registers, largest = start(circuit), 1
    for step in path(circuit.program, circuit.answers):
        if isinstance(step, Operation):
            registers = registers.apply(step).without_past()
        else:
            registers = registers.project(*told(step, circuit.answers[step.name])).without_past()
        largest = max([largest, *map(len, registers.registers)])
    return largest


def start(circuit: Circuit) -> Registers:
    """Return the registers before the first operation."""
    return Registers(SparseEngine(BRANCHES), circuit.full)


def path(program: Program, answers: Mapping[str, int]) -> Iterator[Operation | Question | ReadOut]:
    """Yield the steps of a run with these answers."""
    for step in program:
        if isinstance(step, Branch):
            yield from path(step.follow(answers[step.name]), answers)
        elif isinstance(step, Operation | Question | ReadOut):
            yield step


def sample(found: Mapping[int, complex], seed: str) -> dict[int, complex]:
    """Return the largest amplitudes and some random ones, in ascending order of their keys."""
    sizes = {key: -round(abs(a), EVEN) for key, a in found.items()}
    order = sorted(sorted(found), key=sizes.__getitem__)
    chosen, rest = order[:LARGEST], sorted(order[LARGEST:])
    dice = random.Random(seed)
    while rest and len(chosen) < LARGEST + RANDOM:
        place = int(dice.random() * len(rest))
        rest[place], rest[-1] = rest[-1], rest[place]
        chosen.append(rest.pop())
    return {key: found[key] for key in sorted(chosen)}


def odds(circuit: Circuit) -> dict[tuple[int | None, ...], float]:
    """Return each joint answer of a program with questions, with its probability."""
    names = circuit.program.answers
    found = chances(start(circuit), circuit.program) if names else {}
    return {tuple(dict(given).get(name) for name in names): p for given, p in found.items()}
