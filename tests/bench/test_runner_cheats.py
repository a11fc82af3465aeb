"""Whoever wins by what is no simulation is found out: the time counts what it hides, or its result is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qchess.bench.case import Case
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.running.clock import spent
from qchess.bench.running.measuring import Settings, circuit_of, expected_of
from qchess.bench.running.runner import station
from qchess.bench.running.variants import variants, warm_up
from qchess.bench.running.verifying import verify
from tests.bench.cheating_simulators import WAIT
from tests.bench.faulty_simulators import simulate

FILE = Path(__file__).parent / "cheating_simulators.py"
SETTINGS = Settings(memory=10**9, warm=0.0, least=2, shots=100)


@pytest.fixture(scope="module")
def dance() -> Case:
    (case,) = cases(families.dance(8, 2, 20, 1), {"native": "small"})
    return case


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Runs a case with a function of the file: all in one station, whose runs know nothing of each other."""
    fault = tmp_path_factory.mktemp("fault") / "name"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QCHESS_TEST_FAULT", str(fault))
        with station(f"{FILE}:planted", SETTINGS) as made:

            def run(function: str, case: Case) -> dict[str, Any]:
                fault.write_text(function)
                return made.run(case)

            yield run


def test_an_honest_one_has_three_times_and_no_remark(at: Any, dance: Case) -> None:
    found = at("simulate", dance)
    assert found["outcome"] == "ok", found
    assert found["remarks"].keys() <= {"waits"}, "a machine may stand still"
    assert abs(found["norm"] - 1) < 1e-12
    assert (found["warm"]["runs"], found["new"]["runs"]) == (2, 2)
    for taken in (found["warm"], found["new"]):
        assert taken["low"] <= taken["wall"] <= taken["high"]
        assert {"cpu", "queued", "lower", "desk"} <= taken.keys()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "remark"),
    [
        ("waits", "waits"),
        ("lets_others_work", None),  # a child that ends: its seconds are ours
        ("keeps_a_worker", "others"),
        ("lazy", None),
        ("later", None),
        ("remembers_circuits", None),
        ("stops_the_clock", "waits"),
    ],
)
def test_what_a_run_hides_is_in_its_time(at: Any, dance: Case, function: str, remark: str | None) -> None:
    found = at(function, dance)
    assert found["outcome"] == "ok", found
    for taken in (found["first"], found["warm"], found["new"]):
        assert spent(taken) > 0.9 * WAIT, found
    assert {remark, "waits"} >= found["remarks"].keys() >= {remark} - {None}, found


@pytest.mark.parametrize("function", ["takes_all_processors", "takes_all_in_a_thread"])
def test_whoever_takes_more_processors_is_remarked(at: Any, dance: Case, function: str) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor only")
    assert "processors, where 1 is given" in at(function, dance)["remarks"]["processors"]


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        ("remembers_all_but_phases", "repeat"),
        ("remembers_its_first_answer", "repeat"),
        ("finds_answers_on_disk", "new"),
        ("zeros_from_the_second_call_on", "repeat"),
        ("leaves_out_the_last_gate_when_warm", "repeat"),
    ],
)
def test_a_state_that_is_right_at_first_only_is_wrong(at: Any, dance: Case, function: str, kind: str) -> None:
    found = at(function, dance)
    assert (found["outcome"], found["kind"]) == ("wrong", kind), found
    assert found["why"].startswith("right at first; ")
    assert not {"warm", "new"} & found.keys()  # no time of a wrong state is told


@pytest.mark.slow
@pytest.mark.parametrize(("name", "remark"), [("Prepared", "desk"), ("Lowered", "lower")])
def test_work_that_is_done_before_the_clock_starts_is_remarked(dance: Case, name: str, remark: str) -> None:
    with station(f"{FILE}:{name}", SETTINGS) as made:
        found = made.run(dance)
    assert found["outcome"] == "ok", found
    assert "which is not timed" in found["remarks"][remark]


def test_a_norm_is_looked_at_though_few_amplitudes_are_known(at: Any) -> None:
    (case,) = cases(families.dance(10, 5, 60, 1), {"native": "small"})
    kept = dict(list(case.reference.items())[:20])
    found = at("norm_of_46", replace(case, reference=kept))
    assert (found["outcome"], found["kind"]) == ("wrong", "norm"), found
    assert found["why"].startswith("the weights sum to ")


def test_the_state_of_a_variant_is_known(dance: Case) -> None:
    """Against the definition, gate by gate."""
    circuit, expected, met = circuit_of(dance), expected_of(dance), set()
    for (changed, known), _ in zip(variants(circuit, expected, "1"), range(30), strict=False):
        read = simulate(changed).tolist().__getitem__
        assert verify(known, lambda keys: [read(key) for key in keys], None, tolerance=1e-12).right  # noqa: B023
        assert not verify(expected, lambda keys: [read(key) for key in keys], None, tolerance=1e-3).right  # noqa: B023
        assert changed.steps[1:-1] == circuit.steps
        met.add(changed)
    assert len(met) > 25


def test_a_warm_up_has_every_kind_of_gate_and_is_another_circuit(dance: Case) -> None:
    circuit = circuit_of(dance)
    other = warm_up(circuit)
    kinds = {(step.name, len(step.controls)) for step in circuit.steps}
    assert kinds <= {(step.name, len(step.controls)) for step in other.steps}
    assert not set(circuit.steps) <= set(other.steps)
    assert all(len(set(step.all_wires)) == len(step.all_wires) for step in other.steps)
