"""Two files of the same code differ by chance alone, and that is no news; what became slower is named."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import main
from qchess.bench.report.compare import Comparison
from qchess.bench.running.results import Results
from qchess.errors import QchessError
from tests.bench.synthetic import case_of, drawn, made, repeated, run_of

SIMULATORS = tuple(f"engine-{letter}" for letter in "abcdefghi")
CASES = {f"case-{k}": case_of(f"case-{k}") for k in range(20)}
#: nine simulators on twenty cases are 180 pairs of times; this one is timed without much noise
QUIET = ("engine-c", "case-7")
#: how often a file of the same code is compared
TIMES = 10


def file_of(seed: int, how: str, slower: Callable[[str, str], float] = lambda *_: 1.0) -> Results:
    """A file of the same code each time, but for what is slower, on a machine of one mood or another."""
    dice, base = random.Random(seed), random.Random(0)
    seconds = {(name, case): 10 ** base.uniform(-5, 0) for name in SIMULATORS for case in CASES}

    def told(name: str, case: str) -> dict[str, Any]:
        true = seconds[name, case] * slower(name, case)
        noise = {"deviation": 0.02, "stalls": 0.0} if (name, case) == QUIET else {}
        if how == "new":
            return run_of(new=repeated(true, dice, dice.choice((3, 5, 7)), **noise))
        if how == "warm":  # the repeats of a process agree, another process has another mood
            mood = true * math.exp(dice.gauss(0, 0.15))
            return run_of(warm=repeated(mood, dice, 50, deviation=0.03))
        if how == "older":
            took = true * math.exp(dice.gauss(0, 0.15))
            return run_of(warm={"runs": 9, "wall": took, "cpu": took, "spent": took, "least": took})
        wall, queued = drawn(true, dice)
        return run_of(first={"wall": wall, "cpu": wall - queued, "queued": queued})

    return made(SIMULATORS, CASES, told)


@cache
def same_code(seed: int, how: str) -> Results:
    """A file in which nothing is slower; several tests compare it."""
    return file_of(seed, how)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["new", "warm", "older", "first"])
def test_the_same_code_is_slower_in_no_case_of_nine_comparisons_in_ten(how: str) -> None:
    alarms = 0
    for seed in range(TIMES):
        comparison = Comparison(same_code(2 * seed + 1, how), same_code(2 * seed + 2, how))
        assert len(comparison.changes) == 180
        alarms += bool(comparison.failures(1.0))
    assert alarms <= 1


@pytest.mark.slow
@pytest.mark.parametrize("how", ["new", "warm", "older", "first"])
def test_a_simulator_that_takes_half_as_long_again_is_found(how: str) -> None:
    found = others = 0
    for seed in range(TIMES):
        slow = file_of(2 * seed + 2, how, lambda name, _: 1.5 if name == "engine-d" else 1.0)
        comparison = Comparison(same_code(2 * seed + 1, how), slow)
        verdicts = {whole.simulator: whole.verdict for whole in comparison.wholes if whole.verdict}
        others += not set(verdicts) <= {"engine-d"}
        found += any("engine-d as a whole" in failure for failure in comparison.failures(1.3))
    assert found >= TIMES - 1
    assert others <= 1


def test_one_case_that_takes_half_as_long_again_is_found_where_its_spread_is_narrow() -> None:
    others = 0
    for seed in range(TIMES):
        slow = file_of(2 * seed + 2, "new", lambda *key: 1.5 if key == QUIET else 1.0)
        comparison = Comparison(same_code(2 * seed + 1, "new"), slow)
        slower = [(c.old.simulator, c.old.case) for c in comparison.changes if c.slower]
        assert QUIET in slower
        others += len(slower) > 1
        assert any(failure.startswith("engine-c on case-7: 1.") for failure in comparison.failures(1.3))
        assert not any("case-7" in failure for failure in comparison.failures(1.7))
    assert others <= 1


def test_what_the_machine_does_to_all_is_nobody_s_change() -> None:
    """Simulators of the same versions tell how slow the machine was; ours are no such witnesses."""
    old = file_of(1, "new")
    mood = Comparison(old, file_of(2, "new", lambda *_: 1.4))
    assert not [whole for whole in mood.wholes if whole.verdict]
    assert not mood.failures(1.0)
    assert "take 1.4" in mood.text()
    both = Comparison(old, file_of(2, "new", lambda name, _: 2.1 if name == "engine-d" else 1.4))
    assert [whole.simulator for whole in both.wholes if whole.verdict] == ["engine-d"]
    changed = file_of(2, "new", lambda *_: 1.4)
    for start in changed.starts.values():
        start["versions"] = {"engine": "2"}
    assert {whole.verdict for whole in Comparison(old, changed).wholes} == {"slower"}


def test_seconds_that_others_had_the_processor_are_not_the_simulator_s() -> None:
    def file(wall: float, cpu: float, queued: float, runs: int) -> Results:
        took = {"wall": wall, "cpu": cpu, "queued": queued}
        took = {**took, "runs": runs, "low": 0.98 * wall, "high": 1.02 * wall} if runs else took
        return made(("engine",), CASES, lambda *_: run_of(**{"new" if runs else "first": took}))

    for runs in (0, 5):
        (queued,) = Comparison(file(1.0, 1.0, 0.0, runs), file(3.0, 1.0, 2.0, runs)).wholes
        assert queued.factor == pytest.approx(1)
        assert (queued.verdict, [c for c in queued.changes if c.slower]) == ("", [])
        (waiting,) = Comparison(file(1.0, 1.0, 0.0, runs), file(3.0, 1.0, 0.0, runs)).wholes
        assert (waiting.verdict, sum(c.slower for c in waiting.changes)) == ("slower", 20)


def test_on_a_busy_machine_no_case_counts_below_two() -> None:
    def file(seconds: float, load: float) -> Results:
        took = {"runs": 9, "wall": seconds, "cpu": seconds, "low": 0.99 * seconds, "high": 1.01 * seconds}
        results = made(("engine",), {"a": case_of("a")}, lambda *_: run_of(new=took, load=load))
        results.plan = replace(results.plan, machine={"cores": 2})
        return results

    for load, seconds, slower in ((1.0, 1.8, True), (2.4, 1.8, True), (3.0, 1.8, False), (3.0, 2.2, True)):
        (change,) = Comparison(file(1.0, 1.0), file(seconds, load)).changes
        assert change.slower is slower


def test_what_is_faster_one_way_is_slower_the_other_way() -> None:
    one, other = file_of(1, "new"), file_of(2, "new", lambda name, _: 4.0 if name == "engine-a" else 1.0)
    there, back = Comparison(one, other), Comparison(other, one)
    assert sum(c.slower for c in there.changes) > 10
    assert [c.slower for c in there.changes] == [c.faster for c in back.changes]
    assert not any(c.slower and c.faster for c in there.changes)
    for whole, again in zip(there.wholes, back.wholes, strict=True):
        assert whole.factor == pytest.approx(1 / again.factor)
        assert {whole.verdict, again.verdict} in ({""}, {"slower", "faster"})


def write(path: Path, results: Results) -> Path:
    path.write_text("\n".join([results.plan.to_json(), *map(json.dumps, results.lines())]) + "\n")
    return path


def test_the_exit_code_says_whether_it_is_too_much(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = write(tmp_path / "old.jsonl", file_of(1, "new"))
    slow = write(tmp_path / "slow.jsonl", file_of(2, "new", lambda name, _: 1.5 if name == "engine-d" else 1.0))
    assert main(["bench", "compare", str(old), str(slow)]) == 0
    assert main(["bench", "compare", str(old), str(slow), "--fail-above", "1.3"]) == 1
    assert "failed: engine-d as a whole: 1.4" in capsys.readouterr().err
    assert main(["bench", "compare", str(old), str(slow), "--fail-above", "2"]) == 0
    assert main(["bench", "compare", str(slow), str(old), "--fail-above", "1"]) == 0
    assert main(["bench", "compare", str(old), str(slow), "--by", "first", "--fail-above", "1"]) == 0


@pytest.mark.parametrize("outcome", ["wrong", "timeout", "memory", "crash", "unsupported"])
def test_a_run_that_ends_well_no_more_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str], outcome: str) -> None:
    good = file_of(1, "new")
    bad = file_of(1, "new")
    bad.runs["engine-b", "case-3"] |= {"outcome": outcome, "why": "it is so"}
    files = [str(write(tmp_path / f"{k}.jsonl", results)) for k, results in enumerate((good, bad))]
    assert main(["bench", "compare", *files, "--fail-above", "1.3"]) == 1
    assert f"failed: engine-b on case-3: ok -> {outcome} it is so" in capsys.readouterr().err
    assert main(["bench", "compare", *reversed(files), "--fail-above", "1.3"]) == 0


def test_a_simulator_that_starts_no_more_fails() -> None:
    good, bad = file_of(1, "new"), file_of(1, "new")
    bad.starts["engine-b"] = {"what": "start", "simulator": "engine-b", "outcome": "missing", "why": "not installed"}
    bad.runs = {key: run for key, run in bad.runs.items() if key[0] != "engine-b"}
    assert Comparison(good, bad).failures(1.3) == ["engine-b starts: ok -> missing not installed"]


@pytest.mark.parametrize(
    ("value", "said"), [("fast", "got 'fast'"), ("0.5", "got '0.5'"), ("nan", "got 'nan'"), ("inf", "got 'inf'")]
)
def test_a_bad_factor_is_refused(capsys: pytest.CaptureFixture[str], value: str, said: str) -> None:
    assert main(["bench", "compare", "a", "b", "--fail-above", value]) == 2
    assert f"expected a factor of 1 or more, for example 1.3, {said}" in capsys.readouterr().err


def test_a_time_that_a_file_lacks_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new, older = file_of(1, "new"), file_of(1, "older")
    files = [str(write(tmp_path / f"{k}.jsonl", results)) for k, results in enumerate((new, older))]
    assert Comparison(new, older).by == "first"
    assert main(["bench", "compare", *files, "--by", "new"]) == 2
    assert "the second file has no times called 'new', it has warm, first" in capsys.readouterr().err
    with pytest.raises(QchessError, match="the first file has no times called 'neu', it has new, first"):
        Comparison(new, older, "neu")


def test_files_with_nothing_in_common_fail_no_build_in_silence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = made(("a",), {"x": case_of("x")}, lambda *_: run_of())
    other = made(("b",), {"x": case_of("x")}, lambda *_: run_of())
    files = [str(write(tmp_path / f"{k}.jsonl", results)) for k, results in enumerate((one, other))]
    assert main(["bench", "compare", *files]) == 0
    assert main(["bench", "compare", *files, "--fail-above", "1.3"]) == 2
    assert "none in common" in capsys.readouterr().err
