"""Where numbers get extreme: complements of many cubes, giant exponents, and answers that are all but certain."""

from __future__ import annotations

import itertools
import math
import random
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qchess import backends
from qchess.circuits import Program, Registers, ask, cnot, h, iswap, read, ry, rz, where, x, z
from qchess.circuits.predicates import ALWAYS, NEVER, Predicate, full

ENGINES = ("sparse", "cirq", "aer")
QUBITS = "abcdef"
CUBES = st.dictionaries(st.sampled_from(QUBITS), st.integers(0, 1), max_size=4)


def boards() -> list[dict[str, int]]:
    return [dict(zip(QUBITS, values, strict=True)) for values in itertools.product((0, 1), repeat=len(QUBITS))]


# -- complements -----------------------------------------------------------------------------------------------


@given(st.lists(CUBES, max_size=6))
def test_a_complement_holds_exactly_where_the_predicate_does_not_and_its_cubes_are_disjoint(cubes):
    predicate = NEVER
    for cube in cubes:
        predicate = predicate | where(cube)
    complement = ~predicate
    for values in boards():
        assert complement.holds(values.__getitem__) != predicate.holds(values.__getitem__)
        matching = [cube for cube in complement.cubes if all(values[q] == v for q, v in cube)]
        assert len(matching) == (not predicate.holds(values.__getitem__))
    assert (~ALWAYS, ~NEVER) == (NEVER, ALWAYS)


@pytest.mark.parametrize("seed", range(5))
def test_the_complement_of_many_cubes_takes_few_steps(seed: int):
    rng, predicate = random.Random(seed), NEVER
    for _ in range(8):  # eight cubes of three literals once took 101 s
        predicate = predicate | where({f"q{k}": rng.randrange(2) for k in rng.sample(range(24), 3)})
    steps = itertools.count()
    sys.setprofile(lambda *_: next(steps))  # each call and each return, the language's own functions too
    try:
        complement = ~predicate
    finally:
        sys.setprofile(None)
    assert next(steps) < 200_000
    for _ in range(300):
        values = {f"q{k}": rng.randrange(2) for k in range(24)}
        assert complement.holds(values.__getitem__) != predicate.holds(values.__getitem__)


def test_very_long_and_very_many_cubes_have_complements():
    names = [f"q{k}" for k in range(300)]
    assert len((~full(*names)).cubes) == 300
    assert ~Predicate(tuple(((name, 1),) for name in names)) == where(dict.fromkeys(names, 0))


# -- exponents --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [1e15 + 0.5, -1e15 - 0.25, 3e9 + 0.125, -7e7 + 0.75, 1e300, 65.5])
@pytest.mark.parametrize("make", [lambda t: iswap("a", "b", t), lambda t: x("a", t), lambda t: z("a", t)])
def test_a_giant_exponent_means_the_same_to_every_engine(t: float, make):
    start = Program(h("a"), ry("b", 0.7), cnot("b", "c"))
    states = [Registers(backends.engine(name)).run(Program(*start, make(t), h("a"))).registers for name in ENGINES]
    assert all(state.same_as(states[0]) for state in states)
    plain = Registers(backends.engine("sparse")).run(Program(*start, make(math.fmod(t, 4)), h("a"))).registers
    assert plain.same_as(states[0])


@pytest.mark.parametrize("angle", [1e15 + 0.5, -3e8, 100.0])
@pytest.mark.parametrize("gate", [ry, rz])
def test_a_giant_angle_means_the_same_to_every_engine(angle: float, gate):
    program = Program(h("a"), gate("a", angle), cnot("a", "b"), h("a"))
    states = [Registers(backends.engine(name)).run(program).registers for name in ENGINES]
    assert all(state.same_as(states[0]) for state in states)


@given(st.floats(-64, 64))
def test_ordinary_parameters_stay_as_they_are(t: float):
    assert iswap("a", "b", t).gate.parameter == t


# -- answers that are all but certain ----------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("angle", [6e-7, 1.5e-6, 1.9e-6])
@pytest.mark.parametrize("full_b", [0, 1])
@pytest.mark.parametrize("step", [ask("q", where(b=1)), read("q", "b")])
def test_a_certain_answer_leaves_nothing_of_the_other_behind(engine: str, angle: float, full_b: int, step):
    start = Registers(backends.engine(engine), full=["b"] if full_b else [])
    run = start.run(Program(h("c"), ry("a", angle), cnot("a", "b"), cnot("a", "c"), step))
    assert [(answer.value, answer.source) for answer in run.answers] == [(full_b, "certain")]
    assert run.registers.known("b") == full_b
    assert run.registers.known("a") == 0
    assert run.registers.distribution("c") == pytest.approx({0: 0.5, 1: 0.5}, abs=1e-9)
