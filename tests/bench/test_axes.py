"""What a whole file keeps to: how many cores its runs have, and what they compute in."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qchess.__main__ import main
from qchess.bench.adapters import catalogue
from qchess.bench.adapters.adapter import PRECISIONS, Dense, Either
from qchess.bench.adapters.circuit import Circuit
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.report.compare import compared
from qchess.bench.report.machines import Machines
from qchess.bench.report.rows import held, rows
from qchess.bench.report.scores import places
from qchess.bench.report.tables import rankings, times
from qchess.bench.report.text import text as as_text
from qchess.bench.running import schema
from qchess.bench.running.clock import middle
from qchess.bench.running.measuring import Settings
from qchess.bench.running.results import Results
from qchess.bench.running.runner import station
from qchess.circuits.errors import BackendError
from qchess.commands.bench_run import warn_of_company
from tests.bench.faulty_simulators import simulate
from tests.bench.synthetic import case_of, made, run_of

FAST = Settings(warm=0.0, least=1, shots=10)
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


class Plain(Either, Dense):
    """Computes as it is asked to, and tells what it was given."""

    name = "plain"
    awake = 0

    def wake(self) -> None:
        assert not self.awake
        self.awake = os.getpid()

    def run(self, lowered: Circuit, desk: Any) -> Any:
        return simulate(lowered).astype(self.precision)

    def notes(self, state: Any) -> dict[str, Any]:
        given = [os.environ[name] for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "QULACS_NUM_THREADS")]
        assert self.awake == os.getpid(), "each process of a run wakes it by itself"
        return {"threads": self.threads, "cores": len(os.sched_getaffinity(0)), "given": " ".join(given)}


def of(name: str, settings: Settings) -> tuple[dict[str, Any], dict[str, Any]]:
    """The start of a simulator of this file, and its run of a tiny circuit."""
    (case,) = cases(families.dance(8, 2, 20, 1), {"native": "small"})
    with station(f"{Path(__file__)}:{name}", settings) as at:
        return at.about, at.run(case)


@pytest.mark.slow
def test_a_run_has_the_cores_and_the_precision_that_are_asked_for() -> None:
    """The precision decides the limit of error."""
    for threads, precision, low, high in ((1, "single", 1e-9, 1e-4), (min(CORES, 2), "own", 0.0, 1e-12)):
        start, found = of("Plain", replace(FAST, threads=threads, precision=precision))
        assert found["notes"] == {"threads": threads, "cores": threads, "given": " ".join([str(threads)] * 3)}
        assert "processors" not in found["remarks"]
        assert start["precision"] == start["options"]["precision"] == PRECISIONS.get(precision, "complex128")
        assert low <= found["error"] <= high
    start, found = of("Plain,precision=complex64", replace(FAST, precision="double"))
    assert start["precision"] == "complex64"
    assert found == {
        "outcome": "unsupported",
        "why": "double precision is asked for, and Plain has single only",
    }


@pytest.mark.parametrize("name", [row.name for row in catalogue.CATALOGUE])
def test_no_adapter_computes_in_another_precision_than_is_asked_for(name: str) -> None:
    for asked, wanted in PRECISIONS.items():
        adapter = catalogue.get(name)
        assert bool(adapter.compute_in(asked)) == (adapter.precision != wanted)
    assert (catalogue.get("aer").compute_in("single"), catalogue.get("stim").compute_in("single")) == (
        "",
        "single precision is asked for, and stim is a tableau, which has no precision",
    )


def file_of(seconds: float, settings: Settings) -> Results:
    """A file of our engine and four others, all of which take so long."""
    took = {"wall": seconds, "cpu": seconds}
    cases = {name: case_of(name) for name in "abcdef"}
    found = made(
        ("sparse", "cirq", "aer", "qulacs", "braket"), cases, lambda *_: run_of(warm={"runs": 3, **took, "queued": 0.0})
    )
    return replace(found, plan=replace(found.plan, settings=settings))


def test_what_more_cores_give_is_compared_and_is_no_mood_of_the_machine() -> None:
    one, two = file_of(0.2, Settings()), file_of(0.1, Settings(threads=2, precision="double"))
    told = compared(one, two, "warm")
    assert "settings: threads 1 -> 2" in told
    assert "settings: precision own -> double" in told
    assert "that is the machine's" not in told
    assert "that is the machine's" in compared(one, file_of(0.1, Settings()), "warm")
    names = Machines([Path("one.jsonl"), Path("two.jsonl")], [one, two]).names
    assert names[0] == "one: abacus, unknown cores"
    assert names[1] == "two: abacus, unknown cores, 2 threads a run, double precision"


def test_an_older_file_has_one_thread_and_everyone_s_own_precision() -> None:
    assert not {"threads", "precision"} & Settings().told().keys()
    assert Settings(**Settings().told()) == Settings(threads=1, precision="own")
    several = Settings(threads=3, precision="single")
    assert Settings(**several.told()) == several


@pytest.mark.parametrize("asked", ["0", "two", "-1", "1000000"])
def test_threads_are_a_number_of_cores_that_are_here(
    asked: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["bench", "run", "sparse", "--out", str(out), f"--threads={asked}"]) == 2
    assert (
        f"--threads is one, all or a number from 1 to {CORES}, the cores here, got '{asked}'" in capsys.readouterr().err
    )
    assert not out.exists()


def told_twice(run: dict[str, Any]) -> dict[str, Any]:
    """Twice the memory of a run that has any."""
    memory = run.get("memory")
    return {"memory": {**memory, "peak": 2 * memory["peak"] - memory["base"]}} if memory else {}


def test_memory_is_ranked_as_time_is() -> None:
    """By hand: 6 and 7 MB are a tie; .2 and .9 MB count as one; what is not done counts as more than everything."""
    megabytes = {"sparse": (6, 0.2, 40), "cirq": (7, 0.9, 4), "qulacs": (24, 8, None), "qsim": (1, 1, 1)}

    def told(name: str, case: str) -> dict[str, Any]:
        if (held := megabytes[name]["abc".index(case)]) is None:
            return {"outcome": "memory", "why": "too much"}
        return run_of(memory={"base": 10**6, "peak": 10**6 + int(held * 1e6)})

    found = made(tuple(megabytes), {case: case_of(case) for case in "abc"}, told)
    told_places = {place.simulator: place for place in places(held(rows(found)), "exact")}
    assert {name: (place.won, place.tied, place.done) for name, place in told_places.items()} == {
        "sparse": (0, 2, 3), "cirq": (1, 2, 3), "qulacs": (0, 0, 2),
    }  # fmt: skip
    assert [round(place.middle, 2) for place in told_places.values()] == [1.0, 1.0, 7.63]
    text = as_text(found)
    assert [line.split()[-3:] for line in text.splitlines() if line.startswith("qulacs  ") and "of 3" in line] == [
        ["7.6", "(0,", "0)"]
    ]
    assert times(rows(found)).rows[0][3:5] == ("1, 6 MB", "1, 7 MB")
    more = replace(found, runs={key: {**run, **told_twice(run)} for key, run in found.runs.items()})
    said = compared(found, more, "memory")
    assert "memory: of the first run, beyond the import" in said
    assert "more: cirq on c: 2.00 times as much; the limit is 1.25" in said
    assert "less: cirq on c: 2.00 times less; the limit is 1.25" in compared(more, found, "memory")
    old = made(("cirq", "aer"), {"a": case_of("a")}, lambda *_: {**run_of(), "memory": {"base": 0, "peak": 0}})
    assert rankings({"first": rows(old, "first")}).rows[0][-2:] == ("", "")


def test_the_times_that_are_kept_give_the_median_and_the_quartiles() -> None:
    taken = [{"wall": (k * 37 % 250 + 1) / 3e4, "cpu": k / 1e3} for k in range(250)]
    told = middle(taken)
    assert told["each"] == pytest.approx([took["wall"] for took in taken[::3]], rel=1e-5)
    low, wall, high = np.quantile(told["each"], (0.25, 0.5, 0.75))
    assert (told["low"], told["wall"], told["high"]) == pytest.approx((low, wall, high), rel=1e-12)
    assert (told["runs"], told["cpu"]) == (250, np.median(range(0, 250, 3)) / 1e3)
    whole = {**told, "queued": 0.0, "lower": 0.0, "desk": 0.0}
    assert not list(schema.TIMES.faults(whole, "warm", 2))
    assert len(middle(taken[:100])["each"]) == 100
    (fault,) = schema.TIMES.faults({**whole, "each": told["each"][1:]}, "warm", 2)
    assert fault == "expected 84 times in warm.each, of 250 runs, got 83"


def test_several_threads_beside_others_work_are_warned_of(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for load, threads, warned in ((0.1, 2, False), (5.5 + CORES, 2, True), (5.5 + CORES, 1, False)):
        monkeypatch.setattr("qchess.bench.running.machine.load", lambda load=load: load)
        monkeypatch.setattr("qchess.bench.running.machine.usable", lambda: max(2, CORES))
        warn_of_company(threads)
        assert (f"warning: {load:g} processes wanted a processor" in capsys.readouterr().err) is warned


def test_a_precision_that_is_none_is_refused() -> None:
    with pytest.raises(BackendError, match="precision is complex128 or complex64, got 'half'"):
        catalogue.get("cirq,precision=half")
    assert np.dtype(catalogue.get("cirq-c64").precision) == np.complex64
