"""Read-outs under noise: the exact chances by another sum, trajectories and density matrices, and who leaves it out."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from qchess.bench.adapters import catalogue
from qchess.bench.adapters.adapter import chosen
from qchess.bench.adapters.circuit import Circuit, Step
from qchess.bench.adapters.sparse import Sparse
from qchess.bench.case import Case
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.questions import measuring as asking
from qchess.bench.questions.cases import NOISE, asked
from qchess.bench.questions.depolarised import MOST, STRENGTH, exact, noisy
from qchess.bench.questions.noise import Noisy, noise_of
from qchess.bench.running.measuring import Settings, circuit_of
from tests.bench.faulty_simulators import simulate

SETTINGS = Settings(warm=0.0, least=2, shots=2000)


def under_noise(circuit: Any) -> Case:
    (case,) = cases(circuit, {"native": "small"})
    (made,) = asked(case, [NOISE])
    return made


@pytest.fixture(scope="module")
def case() -> Case:
    return under_noise(families.clifford(5, 4, 1))


class Tricky(Sparse):
    """Its own way, with a trick."""

    trick = ""

    def noisy_counts(self, circuit: Circuit, strength: float, shots: int, seed: int) -> Mapping[int, int]:
        if self.trick == "no noise":
            strength = 0.0
        if self.trick == "half of it":
            strength /= 2
        if self.trick == "on one wire of the two":
            steps = [part for step in circuit.steps for part in (step, Step("X", 1.0, step.targets[:1]))][:-1]
            circuit = replace(circuit, steps=tuple(steps))
        chances = exact(circuit, strength)
        return Counter(chosen(range(len(chances)), np.sqrt(chances).tolist(), shots, seed))


def measured(adapter: Any, case: Case, settings: Settings = SETTINGS) -> dict[str, Any]:
    found: dict[str, Any] = {}
    asking.measure(adapter, case, settings, found.update)
    return found


def test_the_exact_chances_are_the_mixture_of_all_errors() -> None:
    """Every way in which Paulis may act in a small circuit, weighed, by a simulator of states."""
    steps = (
        Step("H", 1.0, (0,)), Step("ISWAP", 0.5, (0, 1)), Step("RY", 0.7, (2,)), Step("X", 1.0, (2,), ((0, 0),)),
        Step("X", 1.0, (1,), ((0, 1), (2, 1))),
    )  # fmt: skip
    circuit, strength = Circuit(3, (1,), steps), 0.3
    assert [noisy(step) for step in steps] == [False, True, False, True, False]
    found = np.zeros(8)
    for errors in itertools.product(range(16), repeat=2):
        left, made = list(errors), []
        for step in steps:
            made.append(step)
            if noisy(step):
                which = left.pop(0)
                for part, wire in zip(divmod(which, 4), step.all_wires, strict=True):
                    made += [Step("X", 1.0, (wire,))] if part & 1 else []
                    made += [Step("Z", 1.0, (wire,))] if part & 2 else []
        weight = np.prod([strength / 15 if error else 1 - strength for error in errors])
        found += weight * np.abs(simulate(replace(circuit, steps=tuple(made)))) ** 2
    assert exact(circuit, strength) == pytest.approx(found, abs=1e-13)


def test_trajectories_of_ours_are_right(case: Case) -> None:
    adapter = catalogue.get("sparse")
    adapter.load()
    found = measured(adapter, case)
    assert (found["outcome"], found["why"], found["shots"]) == ("ok", "", 2000)
    assert "off" not in found, "it does not know all chances"
    assert found["how"] == "trajectories, which we draw, of its states"


@pytest.mark.parametrize("trick", ["", "no noise", "half of it", "on one wire of the two"])
def test_who_leaves_noise_out_is_found(case: Case, trick: str) -> None:
    adapter = Tricky()
    adapter.trick = trick
    found = measured(adapter, case)
    assert found["outcome"] == ("wrong" if trick else "ok"), found
    assert not trick or "do not fit" in found["why"]


def test_chances_that_are_off_are_found_although_the_shots_fit(case: Case) -> None:
    adapter = Tricky()
    way = asking.asking_of(adapter, case, SETTINGS)
    turn = next(asking.variants(circuit_of(case), "1"))
    counts = adapter.noisy_counts(turn.circuit, STRENGTH, 2000, 5)
    chances = np.array(exact(turn.circuit, STRENGTH))
    assert way.judged(turn, Noisy(counts, chances)) == ""
    assert way.told["off"] < 1e-12
    more = adapter.noisy_counts(turn.circuit, STRENGTH, 2000, 6)
    assert way.judged(turn, Noisy(more, chances + np.eye(len(chances))[0] * 1e-6)) == "a probability is off by 1e-06"
    assert way.judged(turn, Noisy(more, chances[:-1])).startswith("a probability is off by")


def test_only_small_circuits_with_gates_on_two_wires_are_asked() -> None:
    (wide,) = cases(families.cat(MOST + 1), {"native": "small"})
    (quiet,) = cases(replace(families.linked_slides(1), name="quiet"), {"native": "small"})
    assert list(asked(wide, [NOISE])) == []
    assert [made.detail for made in asked(quiet, [NOISE])] == [{"strength": STRENGTH}]
    assert {name for name in catalogue.names() if noise_of(catalogue.get(name))} == {
        "sparse", "cirq", "cirq-c64", "aer", "aer-c64", "braket", "qulacs", "stim",
    }  # fmt: skip
