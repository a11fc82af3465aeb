"""Random programs over the whole vocabulary, for the checker.

Programs are made of phrases, like moves: single gates of all kinds with controls on both values, the patterns that
games share, a phrase undone after something happened in between, and questions, some followed by a phrase on yes.
Everything follows from the given generator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from qchess.circuits import patterns
from qchess.circuits.operations import PARAMETRIC, SIZES, Gate, Operation, Qubit
from qchess.circuits.predicates import Predicate, where
from qchess.circuits.program import Program, ask, read

Generator = np.random.Generator
Phrase = Callable[[Generator, Sequence[Qubit]], Program]


class Run(NamedTuple):
    """A start (bit k of a key is ``qubits[k]``) and the program to run from it."""

    qubits: tuple[Qubit, ...]
    start: dict[int, complex]
    program: Program


def random_run(rng: Generator, most_qubits: int = 10, most_operations: int = 40) -> Run:
    """Return a random start on 2 to `most_qubits` qubits and a program of up to `most_operations` operations."""
    qubits = tuple(f"q{k}" for k in range(rng.integers(2, most_qubits + 1)))
    program = random_program(rng, qubits, int(rng.integers(1, most_operations + 1)))
    return Run(qubits, random_start(rng, len(qubits)), program)


def random_start(rng: Generator, size: int) -> dict[int, complex]:
    """Return one basis state or a superposition of up to four, norm 1."""
    keys = sorted({int(key) for key in rng.integers(2**size, size=rng.integers(1, 5))})
    if len(keys) == 1:
        return {keys[0]: 1 + 0j}
    amplitudes = rng.normal(size=len(keys)) + 1j * rng.normal(size=len(keys))
    return dict(zip(keys, (amplitudes / np.linalg.norm(amplitudes)).tolist(), strict=True))


def random_program(rng: Generator, qubits: Sequence[Qubit], operations: int, questions: int = 3) -> Program:
    """Return a program of at most `operations` operations on these qubits, with some questions."""
    phrases = [Program()]
    left = operations
    while True:
        phrase = _phrase(rng, qubits)
        left -= len(phrase)
        if left < 0:
            break
        phrases.append(phrase)
    for number in range(questions):
        spot = int(rng.integers(1, len(phrases) + 1))
        phrases.insert(spot, _question(rng, qubits, f"answer{number}"))
    return Program(*phrases)


# -- phrases ----------------------------------------------------------------------------------------


def _phrase(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    speakable = [phrase for needed, phrase in _PHRASES if needed <= len(qubits)]
    return speakable[rng.integers(len(speakable))](rng, _shuffled(rng, qubits))


def _gate(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    """Return any gate of the vocabulary, controlled on up to three qubits."""
    name = list(SIZES)[rng.integers(len(SIZES))]
    gate = Gate(name, _parameter(rng, name)) if name in PARAMETRIC else Gate(name)
    rest = qubits[gate.size :]
    controls = rest[: rng.choice(4, p=(0.4, 0.3, 0.2, 0.1))]
    return Program(Operation(gate, tuple(qubits[: gate.size]), _values(rng, controls)))


def _slide(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    return patterns.slide(qubits[0], qubits[1], _path(rng, qubits[2:]))


def _split(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    return patterns.split(*qubits[:3])


def _merge(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    return patterns.merge(*qubits[:3])


def _split_slide(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    s, t1, t2, *rest = qubits
    return patterns.split_slide(s, t1, t2, _path(rng, rest), _path(rng, rest))


def _merge_slide(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    a, b, t, *rest = qubits
    return patterns.merge_slide(a, b, t, _path(rng, rest), _path(rng, rest))


def _partial_split(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    s, t1, t2, *rest = qubits
    return patterns.partial_split(s, t1, t2, float(rng.uniform()), _path(rng, rest), _path(rng, rest))


def _pair(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    a, b = qubits[:2]
    if rng.integers(2):
        return patterns.hadamard_pair(a, b)
    return patterns.phase_pair(a, b, float(rng.uniform(-2, 2)))


def _join(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    return patterns.join(*qubits[:3])


def _there_and_back(rng: Generator, qubits: Sequence[Qubit]) -> Program:
    """Return a phrase, a gate in between, and the phrase undone, so that amplitudes cancel."""
    there = _split_slide(rng, qubits)
    return there + _gate(rng, _shuffled(rng, qubits)) + there.inverse()


#: phrases with their number of qubits; single gates are as frequent as three others
_PHRASES: tuple[tuple[int, Phrase], ...] = (
    (2, _gate),
    (2, _gate),
    (2, _gate),
    (2, _slide),
    (2, _pair),
    (3, _split),
    (3, _merge),
    (3, _split_slide),
    (3, _merge_slide),
    (3, _partial_split),
    (3, _join),
    (3, _there_and_back),
)


# -- questions --------------------------------------------------------------------------------------


def random_predicate(rng: Generator, qubits: Sequence[Qubit]) -> Predicate:
    """Return one to three cubes of up to three qubits, sometimes negated as a whole."""
    cubes = [_values(rng, _shuffled(rng, qubits)[: rng.integers(1, 4)]) for _ in range(rng.integers(1, 4))]
    predicate = where(dict(cubes[0]))
    for cube in cubes[1:]:
        predicate = predicate | where(dict(cube))
    return ~predicate if rng.integers(3) == 0 else predicate


def _question(rng: Generator, qubits: Sequence[Qubit], name: str) -> Program:
    kind = rng.integers(3)
    if kind == 0:
        return Program(read(name, *_shuffled(rng, qubits)[: rng.integers(1, 3)]))
    if kind == 1:
        return Program(ask(name, random_predicate(rng, qubits)))
    return patterns.asked(random_predicate(rng, qubits), _gate(rng, _shuffled(rng, qubits)), name)


# -- parts ------------------------------------------------------------------------------------------


def _parameter(rng: Generator, name: str) -> float:
    """Return a parameter, half of the time one that games use."""
    if rng.integers(2):
        step = math.pi / 4 if name in ("RY", "RZ") else 0.25
        return step * int(rng.integers(-8, 9))
    return float(rng.uniform(-4, 4))


def _path(rng: Generator, rest: Sequence[Qubit]) -> tuple[Qubit, ...]:
    return tuple(_shuffled(rng, rest)[: rng.integers(4)])


def _values(rng: Generator, qubits: Sequence[Qubit]) -> tuple[tuple[Qubit, int], ...]:
    return tuple(sorted((q, int(rng.integers(2))) for q in qubits))


def _shuffled(rng: Generator, qubits: Sequence[Qubit]) -> list[Qubit]:
    return [qubits[k] for k in rng.permutation(len(qubits))]
