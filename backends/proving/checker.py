"""The checker that every engine has to pass; authors of engines call it as the tests do.

>>> from qchess.backends.sparse.engine import SparseEngine
>>> check_engine(SparseEngine(), programs=3).programs
3

It runs seeded random programs on the engine and on the plain definition, and compares every probability and
amplitude; not even a global phase may differ. It also checks the laws of states: norm, products, factors, exclusive
answers, and that nothing is changed in place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from qchess.backends.proving.definition import Definition, finest_blocks
from qchess.backends.proving.random_programs import Generator, Run, random_predicate, random_run
from qchess.circuits.engine import Engine
from qchess.circuits.errors import ImpossibleOutcomeError
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.precision import SAME
from qchess.circuits.predicates import ALWAYS, NEVER, Predicate, where
from qchess.circuits.program import Branch, Program, Question, ReadOut

#: less likely answers are not forced: dividing by them would magnify rounding errors
LIKELY = 1e-5
#: up to this size a state's blocks are compared with those found from every cut
CUTTABLE = 6

Amplitudes = Mapping[int, complex]
Blocks = set[frozenset[Qubit]]


class CheckError(AssertionError):
    """An engine differs from the reference, or broke a law; the message shows both values."""


class Reference(Protocol):
    """The interface of a reference: any engine, or the plain `Definition`."""

    name: str

    def prepare(self, qubits: Sequence[Qubit], amplitudes: Amplitudes) -> Any:
        """The state with these amplitudes."""

    def apply(self, state: Any, operation: Operation) -> Any:
        """The state after the operation."""

    def probability(self, state: Any, predicate: Predicate) -> float:
        """The probability that the predicate holds."""

    def distribution(self, state: Any, qubits: Sequence[Qubit]) -> dict[int, float]:
        """The probability of each read-out."""

    def project(self, state: Any, predicate: Predicate, answer: int) -> Any:
        """The state after this answer."""

    def amplitudes(self, state: Any, order: Sequence[Qubit] | None = None) -> dict[int, complex]:
        """The amplitude of every branch."""


class Report(NamedTuple):
    """What a passed check covered, and the largest deviation it saw."""

    engine: str
    reference: str
    programs: int
    operations: int
    questions: int
    worst: float


def check_engine(
    engine: Engine,
    *,
    reference: Reference | None = None,
    programs: int = 50,
    seed: int = 0,
    most_qubits: int = 10,
    most_operations: int = 40,
    tolerance: float = SAME,
) -> Report:
    """Runs random programs and laws; returns what was covered, or raises `CheckError`.

    A `tolerance` above 1e-9 is for a vendor that rounds more; say so where you use it.
    """
    reference = reference or Definition()
    operations, questions, worst = 0, 0, 0.0
    for number in range(programs):
        rng = np.random.default_rng([seed, number])
        comparison = Comparison(engine, reference, random_run(rng, most_qubits, most_operations), rng, tolerance)
        comparison.run_through()
        operations += comparison.operations
        questions += comparison.questions
        worst = max(worst, comparison.worst)
        check_laws(engine, comparison.state, rng)
        check_products(engine, rng)
    return Report(engine.name, reference.name, programs, operations, questions, worst)


# -- programs side by side --------------------------------------------------------------------------


@dataclass
class Comparison:
    """One run on the engine and on the reference; `state` is the engine's last one."""

    engine: Engine
    reference: Reference
    run: Run
    rng: Generator
    tolerance: float = SAME
    operations: int = 0
    questions: int = 0
    worst: float = 0.0
    answers: dict[str, int] = field(default_factory=dict)

    def run_through(self) -> None:
        """Follow the whole program, comparing after every answer and at the end."""
        self.state = self.engine.prepare(self.run.qubits, self.run.start)
        self.expected = self.reference.prepare(self.run.qubits, self.run.start)
        self._compare_amplitudes("after preparing the start")
        first = self.state
        self._follow(self.run.program)
        self._compare_amplitudes("at the end")
        if self.engine.amplitudes(first, self.run.qubits) != self.engine.amplitudes(
            self.engine.prepare(self.run.qubits, self.run.start), self.run.qubits
        ):
            raise self._error("the first state was changed in place", first, self.run.start)

    def _follow(self, program: Program) -> None:
        for step in program:
            if isinstance(step, Operation):
                self.state = self.engine.apply(self.state, step)
                self.expected = self.reference.apply(self.expected, step)
                self.operations += 1
            elif isinstance(step, Question | ReadOut):
                self._answer(step)
                self._compare_amplitudes(f"after the answer {step.name!r}")
            elif isinstance(step, Branch):
                self._follow(step.follow(self.answers[step.name]))

    def _answer(self, step: Question | ReadOut) -> None:
        """Compare the odds, force one of the possible answers, and project on it."""
        odds, expected = self._odds(self.engine, self.state, step), self._odds(self.reference, self.expected, step)
        for value in odds.keys() | expected.keys():
            self._compare(odds.get(value, 0.0), expected.get(value, 0.0), f"P({step.name} = {value})")
        possible = sorted(value for value, chance in expected.items() if chance > LIKELY)
        value = possible[self.rng.integers(len(possible))]
        predicate, answer = (step.predicate, value) if isinstance(step, Question) else (_reads(step, value), 1)
        self.state = self.engine.project(self.state, predicate, answer)
        self.expected = self.reference.project(self.expected, predicate, answer)
        self.answers[step.name] = value
        self.questions += 1

    def _odds(self, engine: Reference, state: Any, step: Question | ReadOut) -> dict[int, float]:
        if isinstance(step, ReadOut):
            return engine.distribution(state, step.qubits)
        yes = engine.probability(state, step.predicate)
        return {1: yes, 0: 1 - yes}

    def _compare_amplitudes(self, where_: str) -> None:
        got = self.engine.amplitudes(self.state, self.run.qubits)
        expected = self.reference.amplitudes(self.expected, self.run.qubits)
        for key in got.keys() | expected.keys():
            ket = _ket(key, len(self.run.qubits))
            self._compare(got.get(key, 0j), expected.get(key, 0j), f"the amplitude of {ket} {where_}")

    def _compare(self, got: complex, expected: complex, what: str) -> None:
        difference = abs(got - expected)
        if not difference <= self.tolerance:
            raise self._error(what, got, expected)
        self.worst = max(self.worst, float(difference))  # an engine may give numbers of numpy

    def _error(self, what: str, got: object, expected: object) -> CheckError:
        return CheckError(
            f"engine {self.engine.name!r}: {what} is {got}, {self.reference.name!r} says {expected}; "
            f"answers {self.answers}, start {self.run.start} on {self.run.qubits}, program {self.run.program!r}"
        )


def _reads(step: ReadOut, value: int) -> Predicate:
    return where({q: value >> k & 1 for k, q in enumerate(step.qubits)})


def _ket(key: int, size: int) -> str:
    """Return the basis state with the first qubit leftmost."""
    return "|" + "".join(str(key >> k & 1) for k in range(size)) + ">"


# -- laws -------------------------------------------------------------------------------------------


def check_laws(engine: Engine, state: Any, rng: Generator) -> None:
    """Check what holds for every state of norm 1."""
    qubits = engine.qubits(state)
    before = engine.amplitudes(state, qubits)
    _agree(engine, "the norm", {0: sum(abs(a) ** 2 for a in before.values())}, {0: 1})
    _agree(engine, "the number of branches", {0: engine.branches(state)}, {0: len(before)})
    chosen = [qubits[k] for k in rng.permutation(len(qubits))]
    turned = {_reordered(key, qubits, chosen): a for key, a in before.items()}
    _agree(engine, f"the amplitudes in the order {chosen}", engine.amplitudes(state, chosen), turned)
    odds = {key: abs(a) ** 2 for key, a in turned.items()}
    _agree(engine, f"the distribution over {chosen}", engine.distribution(state, chosen), odds)
    _check_answers(engine, state, random_predicate(rng, qubits))
    _check_factors(engine, state)
    if engine.amplitudes(state, qubits) != before:
        raise CheckError(f"engine {engine.name!r}: a question or a factoring changed the state {before} in place")


def _check_answers(engine: Engine, state: Any, predicate: Predicate) -> None:
    """Check that yes and no exclude each other, sum to 1, and are then certain."""
    yes, no = engine.probability(state, predicate), engine.probability(state, ~predicate)
    _agree(engine, f"P(yes) + P(no) of {predicate!r}", {0: yes + no}, {0: 1})
    _agree(engine, "P(always)", {0: engine.probability(state, ALWAYS)}, {0: 1})
    _agree(engine, "P(never)", {0: engine.probability(state, NEVER)}, {0: 0})
    for answer, chance in ((1, yes), (0, no)):
        if chance > LIKELY:
            after = engine.project(state, predicate, answer)
            _agree(engine, f"P(yes) after {answer}", {0: engine.probability(after, predicate)}, {0: answer})
            norm = sum(abs(a) ** 2 for a in engine.amplitudes(after).values())
            _agree(engine, f"the norm after {answer}", {0: norm}, {0: 1})
    try:
        engine.project(state, NEVER, 1)
    except ImpossibleOutcomeError:
        return
    raise CheckError(f"engine {engine.name!r}: an impossible answer was forced without an ImpossibleOutcomeError")


def _check_factors(engine: Engine, state: Any) -> None:
    """Check that factors multiply back exactly; on few qubits, that they are the finest blocks."""
    qubits, expected = engine.qubits(state), engine.amplitudes(state)
    for constants_only in (True, False):
        constants, phase, blocks = engine.factor(state, constants_only=constants_only)
        product = engine.prepare(tuple(constants), {sum(v << k for k, v in enumerate(constants.values())): phase})
        for block in blocks:
            _agree(engine, "a block's norm", {0: sum(abs(a) ** 2 for a in engine.amplitudes(block).values())}, {0: 1})
            product = engine.join(product, block)
        _agree(engine, "the product of the factors", engine.amplitudes(product, qubits), expected)
    if len(qubits) <= CUTTABLE:
        vector = np.array([expected.get(key, 0) for key in range(2 ** len(qubits))])
        found = {frozenset({q}) for q in constants} | {frozenset(engine.qubits(block)) for block in blocks}
        _check_partition(engine, expected, found, finest_blocks(vector, qubits))


def check_products(engine: Engine, rng: Generator) -> None:
    """Join random entangled blocks and certain qubits, and check that factoring gives exactly them back."""
    sizes = rng.integers(1, 4, size=3)
    names = [f"p{k}" for k in rng.permutation(int(sizes.sum()))]
    states, blocks = [], set()
    for size in sizes:
        qubits, names = names[:size], names[size:]
        certain = size == 1 and rng.integers(2) == 1
        states.append(engine.prepare(qubits, {int(rng.integers(2)): 1j} if certain else _generic(rng, size)))
        blocks.add(frozenset(qubits))
    first, second, third = states
    left = engine.join(engine.join(first, second), third)
    right = engine.join(first, engine.join(second, third))
    order = engine.qubits(left)
    _agree(engine, "(a b) c against a (b c)", engine.amplitudes(left, order), engine.amplitudes(right, order))
    _check_factors(engine, right)
    constants, _, parts = engine.factor(right)
    found = {frozenset({q}) for q in constants} | {frozenset(engine.qubits(part)) for part in parts}
    _check_partition(engine, engine.amplitudes(right), found, blocks)


def _generic(rng: Generator, size: int) -> dict[int, complex]:
    """Return a random state, entangled throughout."""
    vector = rng.normal(size=2**size) + 1j * rng.normal(size=2**size)
    return dict(enumerate((vector / np.linalg.norm(vector)).tolist()))


def _check_partition(engine: Engine, state: Amplitudes, found: Blocks, expected: Blocks) -> None:
    if found != expected:
        got, wanted = (sorted(map(sorted, blocks)) for blocks in (found, expected))
        raise CheckError(f"engine {engine.name!r}: {state} was split into {got}, its finest product is {wanted}")


def _agree(engine: Engine, what: str, got: Mapping[int, complex], expected: Mapping[int, complex]) -> None:
    for key in got.keys() | expected.keys():
        if not abs(got.get(key, 0) - expected.get(key, 0)) <= SAME:
            raise CheckError(f"engine {engine.name!r}: {what} should be {expected}, got {got}")


def _reordered(key: int, old: Sequence[Qubit], new: Sequence[Qubit]) -> int:
    bits = {q: key >> k & 1 for k, q in enumerate(old)}
    return sum(bits[q] << k for k, q in enumerate(new))
