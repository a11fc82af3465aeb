"""Every planted fault is told as what it is, and a run that goes wrong disturbs no other."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qchess.bench.adapters import catalogue
from qchess.bench.case import Case
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.running import station as measuring_station
from qchess.bench.running.measuring import Settings
from qchess.bench.running.runner import Station, station
from qchess.errors import QchessError

FILE = Path(__file__).parent / "faulty_simulators.py"
#: what packages hold once they are imported is far below this memory
SETTINGS = Settings(memory=10**9, warm=0.0, least=2, shots=500)


@pytest.fixture(scope="module")
def dance() -> Case:
    """Three pieces on ten squares: asymmetric, with controls and phases."""
    (case,) = cases(families.dance(10, 3, 20, 1), {"native": "small"})
    assert len(case.reference) == case.branches > 20
    return case


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Runs a case with a function of the file: all in one station, which no fault may disturb."""
    fault = tmp_path_factory.mktemp("fault") / "name"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QCHESS_TEST_FAULT", str(fault))
        with station(f"{FILE}:planted", SETTINGS) as made:

            def run(function: str, case: Case) -> dict[str, Any]:
                fault.write_text(function)
                return made.run(case)

            yield run
            assert not made.gone, "the station outlived every fault"


def test_a_right_simulator_is_right_and_timed(at: Any, dance: Case) -> None:
    for function in ("simulate", "dictionary", "talks"):
        found = at(function, dance)
        assert found["outcome"] == "ok", found
        assert found["error"] < 1e-12
        assert found["warm"]["runs"] == 2
        assert not found["samples_wrong"]
        assert {"lower", "first", "read", "sample"} <= found.keys()


@pytest.mark.parametrize(
    ("function", "kind", "said"),
    [
        ("reversed_order", "order", "reverse order"),
        ("dropped_control", "amplitudes", "fidelity"),
        ("wrong_sign", "conjugated", "-i in place of i"),
        ("wrong_phase", "phases", "every weight is right"),
        ("half_the_norm", "norm", "sum to 0.5"),
        ("truncated", "amplitudes", "fidelity"),
        ("not_numbers", "not finite", "finite"),
    ],
)
def test_a_wrong_state_is_told_in_which_way_it_is_wrong(
    at: Any, dance: Case, function: str, kind: str, said: str
) -> None:
    found = at(function, dance)
    assert (found["outcome"], found["kind"]) == ("wrong", kind), found
    assert said in found["why"]
    assert "warm" not in found  # no time of a wrong state is taken


def test_the_gate_whose_control_was_dropped_is_named(at: Any, dance: Case) -> None:
    found = at("dropped_control", dance)
    assert " of 27, " in found["gate"]
    assert "control" in found["gate"]
    assert found["gate"].endswith("dropped")


def test_a_truncation_shows_weight_on_impossible_keys(at: Any, dance: Case) -> None:
    found = at("truncated", dance)
    assert 0.1 < found["fidelity"] < 0.99
    assert found["elsewhere"] > 1e-6
    assert "where none should be" in found["why"]


def test_what_says_that_it_is_approximate_is_told_its_fidelity(dance: Case) -> None:
    with station(f"{FILE}:truncated_and_says_so", SETTINGS) as made:
        found = made.run(dance)
    assert (found["outcome"], found["kind"]) == ("wrong", "truncated")
    assert found["why"] == f"fidelity {found['fidelity']:.3f}: too much was cut"


@pytest.mark.parametrize(
    ("function", "outcome", "said"),
    [
        ("crashes", "crash", "SIGSEGV"),
        ("raises", "crash", "ArithmeticError: no way on 10 wires"),
        ("leaves", "crash", "3"),
        ("too_short", "crash", "1023 amplitudes, expected 1024"),
        pytest.param("ten_gigabytes", "memory", "passed 1 GB", marks=pytest.mark.slow),
        ("refused_memory", "memory", "Unable to allocate"),
    ],
)
def test_a_run_that_does_not_end_well_is_told_how(at: Any, dance: Case, function: str, outcome: str, said: str) -> None:
    found = at(function, dance)
    assert found["outcome"] == outcome, found
    assert said in found["why"]


def test_a_run_that_crashes_disturbs_no_other(at: Any, dance: Case) -> None:
    ends = [at(function, dance)["outcome"] for function in ("crashes", "simulate", "leaves", "simulate")]
    assert ends == ["crash", "ok", "crash", "ok"]


@pytest.mark.slow
def test_a_run_without_an_end_is_stopped_by_its_processors_time(dance: Case) -> None:
    with station(f"{FILE}:endless", replace(SETTINGS, seconds=1.0)) as made:
        found = made.run(dance)
        assert not made.gone
    assert found["outcome"] == "timeout", found
    assert "passed 1 s" in found["why"]


@pytest.mark.slow
def test_a_run_that_only_sleeps_is_stopped_by_the_clock(dance: Case) -> None:
    with station(f"{FILE}:asleep", Settings(seconds=0.2)) as made:
        assert made.run(dance)["outcome"] == "timeout"


@pytest.mark.slow
def test_a_real_simulator_with_bonds_that_are_cut_is_found_out(dance: Case) -> None:
    """Aer's matrix product states say COMPLETED with norm 1, however much was cut."""
    (case,) = cases(families.dance(12, 4, 40, 1), {"native": "small"})
    with station("aer-mps,max_bond=4", SETTINGS) as made:
        assert made.about["approximate"]
        found = made.run(case)
    assert (found["outcome"], found["kind"]) == ("wrong", "truncated"), found
    assert found["fidelity"] < 0.99
    assert found["notes"]["bond"] == 4


def test_what_surely_needs_too_much_is_not_started() -> None:
    """Nor is Aer imported, or a process forked for it."""
    (case,) = cases(families.cat(40), {"native": "small"})
    adapter = catalogue.get("aer")
    found = measuring_station._run(adapter, case, SETTINGS)
    assert found
    assert found["outcome"] == "memory"
    assert "17,592 GB for 40 wires; not started" in found["why"]


def test_what_a_simulator_cannot_do_is_no_failure(dance: Case) -> None:
    with station("stim", SETTINGS) as made:
        found = made.run(dance)
    assert found["outcome"] == "unsupported"
    assert "no Clifford gate" in found["why"]


def test_a_package_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "needs_more.py"
    file.write_text("import a_package_that_nobody_has\ndef simulate(circuit): ...\n")
    with station(str(file), SETTINGS) as made:
        assert made.about["outcome"] == "missing"
        assert "a_package_that_nobody_has" in made.about["why"]
    for row in catalogue.CATALOGUE:
        adapter = catalogue.get(row.name)
        assert isinstance(adapter.missing(), tuple)


def test_a_name_that_is_no_simulator_is_refused_with_a_guess() -> None:
    with pytest.raises(QchessError, match="did you mean 'qulacs'"):
        catalogue.get("qulax")
    with pytest.raises(QchessError, match="no 'other'"):
        catalogue.get(f"{FILE}:other")


@pytest.mark.slow
def test_no_process_is_left_behind(at: Any, dance: Case) -> None:
    """The run of an endless loop is gone once it is told, and a closed station is too."""
    made = Station(f"{FILE}:simulate", SETTINGS)
    made.run(dance)
    made.close()
    assert made.gone
    with pytest.raises(ProcessLookupError):
        os.kill(made.child.pid, 0)


@pytest.mark.slow
def test_a_run_that_nobody_watches_has_twice_its_time_and_two_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "setrlimit", limits.__setitem__)
    measuring_station._bound(Settings(seconds=3.5))
    assert limits == {resource.RLIMIT_CPU: (9, 9), resource.RLIMIT_CORE: (0, 0)}
