"""A run that is killed goes on where it was: the same results as undisturbed, and nothing is run twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.running import results, runner
from qchess.bench.running.measuring import Settings
from qchess.errors import QchessError
from tests.patience import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
SLOW = Path(__file__).parent / "faulty_simulators.py"
#: what a run may tell differently when it is run again
TIMES = ("lower", "desk", "first", "read", "sample", "warm", "new", "remarks", "memory", "load", "answers")
#: a process that runs two simulators, one of them slow, on six cases made by hand
SCRIPT = """
import sys
from pathlib import Path
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.running import results, runner
from qchess.bench.running.measuring import Settings
circuits = [families.cat(3), families.cat(4), families.cat(5), families.splits(5), families.splits(7),
            families.dance(6, 2, 4, 1)]
made = [case for circuit in circuits for case in cases(circuit, {"native": "small"})]
plan = results.plan_of(made, "by hand", [sys.argv[2], "sparse"], Settings(seconds=100.0, warm=0.0, least=1, shots=100))
runner.run(plan, made, Path(sys.argv[1]))
"""


def command(out: Path, marks: Path) -> subprocess.Popen[bytes]:
    """Starts the script."""
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(out), f"{SLOW}:slow"], cwd=ROOT, stderr=subprocess.DEVNULL,
        env={**os.environ, "QCHESS_TEST_MARKS": str(marks), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def lines(out: Path) -> list[str]:
    """The complete lines of a result file."""
    return out.read_text().splitlines()[1:] if out.exists() else []


def lines_of(marks: Path) -> list[str]:
    """The complete marks."""
    return marks.read_text().rpartition("\n")[0].splitlines() if marks.exists() else []


def told(out: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """What a file says of each run, but for times."""
    found = results.read(out).runs
    return {key: {name: value for name, value in run.items() if name not in TIMES} for key, run in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize("kills", [2])
def test_killed_in_the_middle_it_gives_the_same_and_runs_nothing_twice(tmp_path: Path, kills: int) -> None:
    """Every other kill comes while a run waits, the others whenever they come."""
    calm, out, marks = tmp_path / "calm.jsonl", tmp_path / "killed.jsonl", tmp_path / "marks"
    assert command(calm, tmp_path / "other marks").wait(PATIENCE) == 0
    dice, written, cut = random.Random(5), lines(out), 0
    for number in range(kills):
        later = dice.random() * 0.15 if number % 2 else None
        cut += killed(out, marks, written, later) == -signal.SIGKILL
        after = lines(out)
        assert after[: len(written)] == written, "what was written down stays"
        written = after
    assert cut >= 1
    done = sum("case" in line and line["simulator"] != "sparse" for line in map(json.loads, written))
    before = len(lines_of(marks))
    assert command(out, marks).wait(PATIENCE) == 0
    assert told(out) == told(calm)
    keys = Counter((line["simulator"], line.get("case")) for line in map(json.loads, lines(out)))
    assert set(keys.values()) == {1}
    assert len(keys) == 2 + 2 * 6
    # each process that ran leaves a mark: two a run, and at most two more for each kill in the middle of a run
    processes = [mark.split()[0] for mark in lines_of(marks)]
    assert 12 + (cut + 1) // 2 <= len(set(processes)) <= 12 + 2 * cut
    assert done > 0
    assert len(set(processes[before:])) == 12 - 2 * done


def killed(out: Path, marks: Path, written: list[str], later: float | None) -> int:
    """Starts the script and kills it: while the second run waits, or so much later than it wrote one more line.

    It may have come to its end before; how it ended is returned.
    """
    gate, before = marks.with_suffix(".gate"), len(lines_of(marks))
    if later is None:
        gate.write_text(str(before + 1))
    process = command(out, marks)
    if later is None:
        wait_until(lambda: len(lines_of(marks)) > before + 1 or process.poll() is not None, "the second run waits")
    else:
        wait_until(lambda: len(lines(out)) > len(written) or process.poll() is not None, "one more line is written")
        time.sleep(later)
    process.kill()
    gate.unlink(missing_ok=True)
    return process.wait()


@pytest.mark.slow
def test_killed_while_it_adds_to_a_file_it_loses_nothing_of_it(tmp_path: Path) -> None:
    """The file has a simulator on two cases, one of which the killed calls do not ask for."""
    out, marks = tmp_path / "out.jsonl", tmp_path / "marks"
    settings = Settings(seconds=100.0, warm=0.0, least=1, shots=100)
    made = [case for n in (3, 6) for case in cases(families.cat(n), {"native": "small"})]
    runner.run(results.plan_of(made, "before", ["sparse"], settings), made, out)
    first = lines(out)
    assert killed(out, marks, first, None) == -signal.SIGKILL
    assert lines(out)[: len(first)] == first
    found = results.read(out)
    assert not found.aside
    assert len(found.runs) + len(found.starts) == len(lines(out)) > len(first)
    assert command(out, marks).wait(PATIENCE) == 0
    assert set(first) < set(lines(out))
    assert len(lines(out)) == 2 + 2 * 6 + 1


@pytest.mark.slow
def test_nothing_of_a_killed_run_lives_on(tmp_path: Path) -> None:
    """The station and its run end when the process that asked is gone."""
    marks = tmp_path / "marks"
    marks.with_suffix(".gate").write_text("0")
    process = command(tmp_path / "out.jsonl", marks)
    wait_until(lambda: lines_of(marks), "a run waits")
    process.kill()
    process.wait()
    pid = int(lines_of(marks)[0].split()[0])
    wait_until(lambda: not Path(f"/proc/{pid}").exists(), "the run has ended")


@pytest.fixture
def small(tmp_path: Path) -> Any:
    """Two tiny cases and a plan for them."""
    made = [*cases(families.cat(3), {"native": "small"}), *cases(families.splits(5), {"native": "small"})]
    return made, results.plan_of(made, "hand", ["sparse"], Settings(warm=0.0, least=1))


@pytest.mark.slow
def test_a_line_half_written_is_run_again_and_others_are_not(tmp_path: Path, small: Any) -> None:
    made, plan = small
    out = tmp_path / "out.jsonl"
    runner.run(plan, made, out)
    whole = out.read_bytes()
    out.write_bytes(whole[:-20])
    runner.run(plan, made, out)
    assert out.read_bytes().splitlines()[:-1] == whole.splitlines()[:-1]
    assert json.loads(out.read_bytes().splitlines()[-1])["case"] == made[-1].name


@pytest.mark.slow
def test_a_case_that_changed_is_run_again(tmp_path: Path, small: Any) -> None:
    made, plan = small
    out = tmp_path / "out.jsonl"
    runner.run(plan, made, out)
    first = lines(out)
    (other,) = cases(families.splits(7), {"native": "small"})
    changed = [made[0], type(other)(**{**vars(other), "name": made[1].name})]
    runner.run(results.plan_of(changed, "hand", ["sparse"], plan.settings), changed, out)
    assert lines(out)[:2] == first[:2]
    assert json.loads(lines(out)[2])["hash"] == changed[1].hash != made[1].hash
    assert lines(out)[3:] == first[2:]


def test_results_under_other_limits_are_not_mixed(tmp_path: Path, small: Any) -> None:
    made, plan = small
    out = tmp_path / "out.jsonl"
    runner.run(plan, made, out)
    other = results.plan_of(made, "hand", ["sparse"], Settings(warm=0.0, least=1, seconds=1.0))
    with pytest.raises(QchessError, match="seconds is 10 in the file and 1 now"):
        runner.run(other, made, out)


def test_progress_is_told_run_by_run(tmp_path: Path, small: Any) -> None:
    made, plan = small
    seen: list[tuple[int, int]] = []
    runner.run(plan, made, tmp_path / "out.jsonl", lambda done, total: seen.append((done, total)))
    assert seen == [(0, 2), (1, 2), (2, 2)]
