"""Expectations: worked out here again with whole matrices; what is wrong, stale or rough is found."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
import pytest

from qchess.bench.adapters import catalogue
from qchess.bench.adapters.circuit import Circuit
from qchess.bench.adapters.function import Function
from qchess.bench.case import Case
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.questions import measuring as asking
from qchess.bench.questions.cases import VALUES, asked
from qchess.bench.questions.observables import (
    MATRICES,
    Observable,
    Product,
    neighbours,
    of_tensors,
    of_vector,
    product,
    sign,
    written,
)  # fmt: skip
from qchess.bench.questions.ways import values_of
from qchess.bench.running.measuring import Settings, circuit_of
from tests.bench.faulty_simulators import simulate

SETTINGS = Settings(warm=0.0, least=3)


def valued(circuit: Any) -> Case:
    (case,) = cases(circuit, {"native": "small"})
    (made,) = asked(case, [VALUES])
    return made


@pytest.fixture(scope="module")
def many() -> dict[str, Case]:
    return {"few": valued(families.splits(5)), "dense": valued(families.dense(6, 3)), "cat": valued(families.cat(5))}


def matrix(paulis: Product, wires: int) -> Any:
    letters = dict(paulis)
    return reduce(np.kron, [MATRICES[letters[k]] if k in letters else np.eye(2) for k in range(wires)])


def by_matrices(vector: Any, wires: int, observable: Observable) -> float:
    """The expectation by whole matrices."""
    return sum(float(np.vdot(vector, matrix(each, wires) @ vector).real) for each in observable)


class Given(Function):
    """Its values are those of a right state, with a trick."""

    trick = ""
    kept: list[float] | None = None

    def values(self, circuit: Circuit, observables: Sequence[Observable]) -> list[float]:
        vector = simulate(circuit)
        if self.trick == "the wires in reverse order":
            vector = vector.reshape((2,) * circuit.wires).transpose().reshape(-1)
        found = [by_matrices(vector, circuit.wires, each) for each in observables]
        self.kept = self.kept or found
        return {
            "nothing": [0.0, 0.0], "not finite": [found[0], math.nan], "one": found[:1], "stale": self.kept,
            "1e-6 off": [found[0], found[1] + 1e-6], "the other sign": [found[0], -found[1]],
            "twice": [2 * found[0], found[1]],
        }.get(self.trick, found)  # fmt: skip


def measured(trick: str, case: Case, precision: str = "complex128", *, approximate: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = {}
    adapter = Given("given", simulate)
    adapter.trick, adapter.precision, adapter.approximate = trick, precision, approximate
    asking.measure(adapter, case, SETTINGS, found.update)
    return found


def test_honest_values_are_right_in_every_repeat(many: dict[str, Case]) -> None:
    for name, case in many.items():
        found = measured("", case)
        assert (found["outcome"], found["why"]) == ("ok", ""), (name, found)
        assert found["off"] < 1e-12
        assert found["warm"]["runs"] == 3
        exact = [math.fsum(case.exact["neighbours"]), *case.exact["product"]]
        assert found["values"] == pytest.approx(exact, abs=1e-12)
        assert abs(exact[1]) > 0.05
        assert {"X", "Y"} & {letter for _, letter in product(case.detail["product"])}, "it flips something"


@pytest.mark.parametrize(
    ("trick", "on", "why"),
    [
        ("nothing", "dense", "the sum of Z Z is 0, and should be "),
        ("not finite", "few", " is nan, and should be "),
        ("one", "few", "1 values came back instead of 2"),
        ("stale", "dense", "right at first; in run "),
        ("1e-6 off", "dense", ", and should be "),
        ("the other sign", "few", ", and should be "),
        ("the wires in reverse order", "dense", ", and should be "),
        ("twice", "cat", "the sum of Z Z is "),
    ],
)
def test_what_is_wrong_is_found(many: dict[str, Case], trick: str, on: str, why: str) -> None:
    found = measured(trick, many[on])
    assert found["outcome"] == "wrong"
    assert why in found["why"], found["why"]
    assert found["kind"] in (VALUES, "repeat")


def test_single_precision_and_approximate_methods_have_their_own_limits(many: dict[str, Case]) -> None:
    assert measured("1e-6 off", many["dense"], "complex64")["outcome"] == "ok"
    assert measured("the other sign", many["few"], "complex64")["outcome"] == "wrong"
    assert measured("1e-6 off", many["dense"], approximate=True)["outcome"] == "ok"
    assert measured("the other sign", many["cat"], approximate=True)["outcome"] == "wrong"


def test_every_form_of_a_state_has_the_same_expectations(many: dict[str, Case]) -> None:
    """A vector in both orders, branches, and tensors; and signs are what flips and phases do."""
    dice = random.Random(4)
    case = many["dense"]
    circuit, wires = circuit_of(case), len(case.wires)
    vector = simulate(circuit)
    some = tuple(
        tuple(sorted((k, dice.choice("XYZ")) for k in dice.sample(range(wires), dice.randint(1, wires))))
        for _ in range(12)
    )
    assert all(product(written(each)) == each for each in some)
    right = [by_matrices(vector, wires, (each,)) for each in some]
    each_alone = [(each,) for each in some]
    assert of_vector(vector, each_alone, little_endian=False) == pytest.approx(right, abs=1e-12)
    turned = vector.reshape((2,) * wires).transpose().reshape(-1)
    assert of_vector(turned, each_alone, little_endian=True) == pytest.approx(right, abs=1e-12)
    assert of_vector(vector, [some], little_endian=False) == pytest.approx([sum(right)], abs=1e-12)
    pairs, rest = [], vector.reshape(1, -1)
    for _ in range(wires - 1):
        left, values, right_part = np.linalg.svd(rest.reshape(rest.shape[0] * 2, -1), full_matrices=False)
        site = left.reshape(-1, 2, left.shape[1])
        pairs.append((site[:, 0], site[:, 1]))
        rest = values[:, None] * right_part
    pairs.append((rest.reshape(-1, 2, 1)[:, 0], rest.reshape(-1, 2, 1)[:, 1]))
    assert of_tensors(pairs, each_alone) == pytest.approx(right, abs=1e-12)
    for turn, _ in zip(asking.variants(circuit, "2"), range(5), strict=False):
        other = simulate(turn.circuit)
        signs = [sign(each, turn.flips, turn.phases) * value for each, value in zip(some, right, strict=True)]
        assert [by_matrices(other, wires, (each,)) for each in some] == pytest.approx(signs, abs=1e-12)


def test_ours_and_functions_are_right_in_this_process(many: dict[str, Case]) -> None:
    for name in ("sparse", "registers"):
        adapter = catalogue.get(name)
        adapter.load()
        found: dict[str, Any] = {}
        asking.measure(adapter, many["dense"], SETTINGS, found.update)
        assert (found["outcome"], found["why"]) == ("ok", ""), name
    for function in (simulate, lambda circuit: dict(enumerate(simulate(circuit)))):
        way = asking.asking_of(Function("plain", function), many["few"], SETTINGS)
        turn = next(asking.variants(circuit_of(many["few"]), "3"))
        assert way.judged(turn, way.asked(turn, 1)[0]) == ""
        assert way.judged(replace(turn, flips=(), phases=()), [0.1, 0.1])
    assert all(values_of(catalogue.get(name)) for name in catalogue.names())
    assert len(neighbours(5)) == 4
