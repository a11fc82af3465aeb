"""A result file keeps what it has: whatever is asked for next, and however it ends; and files become one."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from qchess.__main__ import main
from qchess.bench.case import Case, corpus_hash
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.report.compare import compared
from qchess.bench.report.outcomes import outcomes
from qchess.bench.report.page import Report
from qchess.bench.report.rows import rows
from qchess.bench.running import results, runner
from qchess.bench.running.measuring import Settings
from qchess.errors import QchessError

#: some runs of a file that an older version wrote
REFERENCE = Path(__file__).with_name("first_format.jsonl")
NAMES = ("alder", "birch", "cedar")
SETTINGS = Settings(seconds=5.0, warm=0.0, least=1)


class Killed(BaseException):
    """The process ends here, as far as the file is concerned."""


class Station:
    """Answers at once, in this process, and never the same: what is measured again shows."""

    opened: ClassVar[int] = 0
    runs: ClassVar[int] = 0
    #: how many runs are left before the process is killed
    left: ClassVar[float] = float("inf")
    gone, ready = False, True
    version: ClassVar[str] = "1"

    def __init__(self, simulator: str, settings: Settings) -> None:
        Station.opened += 1
        took = {"wall": 0.1, "cpu": 0.1}
        self.about = {
            "outcome": "ok", "import": took, "memory": {"base": 0, "peak": 1}, "label": simulator,
            "precision": "complex128", "approximate": False, "options": {}, "offers": [],
            "versions": {simulator: Station.version},
        }  # fmt: skip

    def run(self, case: Case) -> dict[str, Any]:
        if Station.left <= 0:
            raise Killed
        Station.left -= 1
        Station.runs += 1
        took = {"wall": float(Station.runs), "cpu": float(Station.runs)}
        return {"outcome": "ok", "lower": took, "first": took, "read": took, "error": 0.0, "fidelity": 1.0}

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every simulator answers at once; the loop, the file and its lines are the real ones."""
    monkeypatch.setattr(runner, "Station", Station)
    Station.opened = Station.runs = 0
    Station.left = float("inf")
    Station.version = "1"


@pytest.fixture(scope="module")
def made() -> list[Case]:
    """Six tiny cases."""
    circuits = [families.cat(n) for n in (2, 3, 4)] + [families.splits(5)]
    return [case for circuit in circuits for case in cases(circuit, {"native": "small"})][:6]


def plan_of(made: Sequence[Case], simulators: Sequence[str] = NAMES, settings: Settings = SETTINGS) -> results.Plan:
    return results.plan_of(made, "by hand", simulators, settings)


def lines(out: Path) -> list[str]:
    """The complete lines behind the first."""
    return out.read_text().rpartition("\n")[0].split("\n")[1:] if out.exists() else []


def told(out: Path) -> list[tuple[str, str, str]]:
    """Which runs and starts there are, in order."""
    found = map(json.loads, lines(out))
    return [(line["simulator"], line.get("case", ""), line.get("hash", "")) for line in found]


def within(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether the part is in the whole, in its order."""
    rest = iter(whole)
    return all(line in rest for line in part)


def other(case: Case) -> Case:
    """Another circuit of the same name."""
    (found,) = cases(families.cat(7), {"native": "small"})
    return replace(found, name=case.name)


@pytest.mark.parametrize("seed", range(12))
def test_in_any_order_of_calls_nothing_is_lost_and_what_is_asked_for_is_there(
    tmp_path: Path, made: list[Case], seed: int
) -> None:
    """Narrower, wider, other simulators, killed between runs or in the middle of a line, a circuit that changed."""
    dice, out, tidy = random.Random(seed), tmp_path / "out.jsonl", list[str]()
    for _ in range(10):
        asked = [case if dice.random() < 0.9 else other(case) for case in made if dice.random() < 0.6] or made[:1]
        simulators = dice.sample(NAMES, dice.randint(1, 3))
        before, Station.runs = lines(out), 0
        Station.left = dice.choice([float("inf"), dice.randint(0, 6)])
        ended = False
        with suppress(Killed):
            runner.run(plan_of(asked, simulators), asked, out)
            ended = True
        after = lines(out)
        assert len(after) == len(set(told(out)))
        assert set(before) <= set(after)
        assert len(after) - len(before) >= Station.runs, "what was measured is there"
        found = results.read(out)
        if ended:
            wanted = {(name, case.name): case.hash for name in simulators for case in asked}
            assert {key: found.runs[key]["hash"] for key in wanted} == wanted
            assert within([line for line in tidy if line in _counting(found)], after)
            tidy = [line for line in after if line in _counting(found)]
            assert len(rows(found)) == len(found.runs)
            assert outcomes(found)
            assert f"{len(found.runs)} are of the same simulator" in compared(found, found)
        else:
            assert after[: len(before)] == before, "what was written down stays where it is"
            with out.open("ab") as file:
                file.write(dice.choice([b"", b'{"what": "ru']))


def _counting(found: results.Results) -> set[str]:
    return {json.dumps(line) for line in (*found.starts.values(), *found.runs.values())}


def test_an_added_simulator_and_a_narrower_call_leave_all_lines(tmp_path: Path, made: list[Case]) -> None:
    """What used to be lost, in numbers: 2 + 2 * 4 lines, then one more simulator, then one case of one simulator."""
    out = tmp_path / "out.jsonl"
    runner.run(plan_of(made, NAMES[:2]), made, out)
    first = lines(out)
    runner.run(plan_of(made, NAMES[2:]), made, out)
    second = lines(out)
    assert (len(first), len(second)) == (10, 15)
    assert second[:10] == first
    whole = out.read_bytes()
    runner.run(plan_of(made[1:2], NAMES[:1]), made[1:2], out)
    assert out.read_bytes() == whole
    plan = results.read(out).plan
    assert (plan.simulators, plan.hash) == (NAMES, corpus_hash(made))


def test_the_plan_of_two_calls_is_the_plan_of_one(tmp_path: Path, made: list[Case]) -> None:
    for part in (made[:2], made[1:]):
        runner.run(plan_of(part), part, tmp_path / "two.jsonl")
    runner.run(plan_of(made), made, tmp_path / "one.jsonl")
    assert (tmp_path / "two.jsonl").read_text().split("\n")[0] == (tmp_path / "one.jsonl").read_text().split("\n")[0]
    assert told(tmp_path / "two.jsonl") == told(tmp_path / "one.jsonl")


def test_a_killed_call_leaves_a_file_whose_plan_names_what_it_has(tmp_path: Path, made: list[Case]) -> None:
    out = tmp_path / "out.jsonl"
    runner.run(plan_of(made[:1], NAMES[:1]), made[:1], out)
    Station.left = 2
    with pytest.raises(Killed):
        runner.run(plan_of(made, NAMES[1:]), made, out)
    found = results.read(out)
    assert len(rows(found)) == len(found.runs) == 3
    assert not found.aside


def test_runs_of_a_circuit_that_changed_stay_aside_and_count_again_for_the_old_one(
    tmp_path: Path, made: list[Case]
) -> None:
    out, now = tmp_path / "out.jsonl", [other(made[0]), *made[1:]]
    runner.run(plan_of(made), made, out)
    first, Station.runs = lines(out), 0
    with results.ResultFile(out, plan_of(now, NAMES[:2])) as file:
        assert file.changed().startswith(f"runs of circuits that have changed since, in {out}: 3; they stay at its end")
        runner.fill(file, NAMES[:2], now)
    assert Station.runs == 2
    assert set(first) < set(lines(out))
    assert results.read(out).runs[NAMES[0], made[0].name]["hash"] == now[0].hash
    assert (NAMES[2], made[0].name) not in results.read(out).runs
    assert lines(out)[-3:] == [line for line in first if made[0].hash in line]
    runner.run(plan_of(made), made, out)
    assert Station.runs == 2, "the old runs of the old circuit count again"
    assert set(first) <= {json.dumps(line) for line in results.read(out).runs.values()} | set(first[:1] + first[5::5])


SAID: dict[str, tuple[Any, str]] = {
    "seconds": (6.0, "seconds is 5 in the file and 6 now"),
    "memory": (2 * 10**9, "memory is 4 GB in the file and 2 GB now"),
    "warm": (0.25, "warm is 0 in the file and 0.25 now"),
    "least": (2, "least is 1 in the file and 2 now"),
    "shots": (7654321, "shots is 1000 in the file and 7654321 now"),
    "seed": (2, "seed is 1 in the file and 2 now"),
    "starts": (3, "starts is 1 in the file and 3 now"),
    "threads": (2, "threads is 1 in the file and 2 now"),
    "precision": ("single", "precision is own in the file and single now"),
}


@pytest.mark.parametrize("name", vars(SETTINGS))
def test_another_setting_is_refused_by_name_before_anything_is_run(tmp_path: Path, made: list[Case], name: str) -> None:
    out = tmp_path / "out.jsonl"
    runner.run(plan_of(made[:1]), made[:1], out)
    with out.open("ab") as file:
        file.write(b'{"what": "ru')
    whole, Station.opened = out.read_bytes(), 0
    value, sentence = SAID[name]
    with pytest.raises(QchessError) as refused:
        runner.run(plan_of(made, settings=replace(SETTINGS, **{name: value})), made, out)
    assert str(refused.value) == f"{out} was not changed: {sentence}"
    assert (out.read_bytes(), Station.opened) == (whole, 0)
    assert not out.with_name("out.jsonl.part").exists()


def test_another_machine_is_refused_by_what_is_other(tmp_path: Path, made: list[Case]) -> None:
    out = tmp_path / "out.jsonl"
    plan = replace(plan_of(made[:1]), machine={"processor": "abacus", "cores": 2})
    runner.run(plan, made[:1], out)
    whole = out.read_bytes()
    elsewhere = replace(plan, machine={"processor": "abacus", "cores": 4, "python": "3.12"})
    with pytest.raises(QchessError) as refused:
        runner.run(elsewhere, made[:1], out)
    said = "the machine's cores is 2 in the file and 4 now, the machine's python is unknown in the file and 3.12 now"
    assert str(refused.value) == f"{out} was not changed: {said}"
    assert out.read_bytes() == whole


def test_a_file_of_the_former_kind_is_read_and_gains_a_simulator(tmp_path: Path) -> None:
    """Its cases do not say their size; its runs, its order and the hash of its corpus stay."""
    out = tmp_path / "out.jsonl"
    shutil.copy(REFERENCE, out)
    was = results.read(out)
    narrower = replace(was.plan, simulators=("sparse",), cases=dict(list(was.plan.cases.items())[5:8]), hash="x")
    with results.ResultFile(out, narrower) as file:
        file.tidy()
    assert out.read_bytes() == REFERENCE.read_bytes()
    sized = {name: {**case, "size": "small"} for name, case in narrower.cases.items()}
    with results.ResultFile(out, replace(narrower, simulators=("alder",), cases=sized)) as file:
        (name, case), *_ = sized.items()
        file.keep({**file.results.starts["sparse"], "simulator": "alder", "label": "alder"})
        file.keep({"what": "run", "simulator": "alder", "case": name, "hash": case["hash"], "outcome": "ok"})
        file.tidy()
    now = results.read(out)
    assert lines(out)[:-2] == lines(REFERENCE)
    assert now.plan.simulators == (*was.plan.simulators, "alder")
    assert (now.plan.hash, now.plan.corpus) == (was.plan.hash, was.plan.corpus)
    assert "73 runs of 7 simulators on 12 cases" in Report(now).says["outcomes"]


def by_simulator(made: list[Case]) -> list[tuple[Sequence[Case], Sequence[str]]]:
    return [(made, NAMES[:1]), (made, NAMES[1:])]


def by_case(made: list[Case]) -> list[tuple[Sequence[Case], Sequence[str]]]:
    return [(made[:3], NAMES), (made[3:], NAMES)]


@pytest.mark.parametrize("parts", [by_simulator, by_case])
def test_two_files_become_what_one_call_gives(tmp_path: Path, made: list[Case], parts: Any) -> None:
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for out, (some, simulators) in zip(files, parts(made), strict=True):
        runner.run(plan_of(some, simulators), some, out)
    runner.run(plan_of(made), made, tmp_path / "one.jsonl")
    assert main(["bench", "merge", *map(str, files), "-o", str(tmp_path / "both.jsonl")]) == 0
    one, both = tmp_path / "one.jsonl", tmp_path / "both.jsonl"
    assert told(both) == told(one)
    assert both.read_text().split("\n")[0] == one.read_text().split("\n")[0]
    assert set(lines(both)) <= set(lines(files[0])) | set(lines(files[1]))
    Station.runs = 0
    runner.run(plan_of(made), made, both)
    assert Station.runs == 0


def test_a_run_that_two_files_have_is_the_first_file_s(
    tmp_path: Path, made: list[Case], capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "c.jsonl"]
    for out, simulators in zip(files, (NAMES[:2], NAMES[1:]), strict=False):
        runner.run(plan_of(made, simulators), made, out)
    assert main(["bench", "merge", str(files[0]), str(files[1]), "--out", str(files[2])]) == 0
    assert "runs that several files have: 4; the first file's were kept" in capsys.readouterr().err
    assert set(lines(files[0])) < set(lines(files[2]))
    assert main(["bench", "merge", str(files[0]), "--out", str(files[2])]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["bench", "merge", str(files[0]), "-o", str(files[2]), "--force"]) == 0
    assert lines(files[2]) == lines(files[0])


def test_what_does_not_fit_does_not_become_one(
    tmp_path: Path, made: list[Case], capsys: pytest.CaptureFixture[str]
) -> None:
    first = tmp_path / "a.jsonl"
    runner.run(plan_of(made), made, first)
    plan, text = results.read(first).plan, "\n".join(lines(first))
    changed = {**plan.cases, made[0].name: {**plan.cases[made[0].name], "hash": "f" * 64}}
    name, as_it_was = made[0].name, made[0].hash
    missing = text.replace('"outcome": "ok", "import"', '"outcome": "missing", "import"', 1)
    for number, (head, body, said) in enumerate([
        (replace(plan, settings=replace(SETTINGS, seconds=6.0)), text, "seconds is 5 in {} and 6 in {}"),
        (replace(plan, machine={**plan.machine, "cores": 99}), text, "the machine's cores is "),
        (replace(plan, cases=changed), text, f"the hash of {name} is {as_it_was} in {{}} and {'f' * 64} in {{}}"),
        (plan, text.replace('{"birch": "1"}', '{"birch": "2"}'), "the version of birch is 1 in {} and 2 in {}"),
        (plan, missing, "alder's outcome is ok in {} and missing in {}"),
    ]):  # fmt: skip
        second, out = tmp_path / f"b{number}.jsonl", tmp_path / "out.jsonl"
        second.write_text(f"{head.to_json()}\n{body}\n")
        assert main(["bench", "merge", str(first), str(second), "--out", str(out)]) == 2
        assert said.format(first, second) in capsys.readouterr().err
        assert not out.exists()


def test_a_station_that_told_its_start_runs_and_is_no_second_process(tmp_path: Path, made: list[Case]) -> None:
    for starts, count in itertools.product((1, 3), (1, 3)):
        out, Station.opened = tmp_path / f"{starts}-{count}.jsonl", 0
        plan = plan_of(made, NAMES[:count], replace(SETTINGS, starts=starts))
        runner.run(plan, made, out)
        assert Station.opened == starts * count
        runner.run(plan, made, out)
        assert Station.opened == starts * count


def test_a_file_of_the_first_format_is_read_as_before_and_takes_no_new_runs(tmp_path: Path, made: list[Case]) -> None:
    """There a time of more than 50 ms is the processor's."""
    old, took = tmp_path / "old.jsonl", {"wall": 0.2, "cpu": 0.06}
    with results.ResultFile(old, replace(plan_of(made), format=results.FORMATS[0])) as file:
        for case, told in zip(made, ({}, {"warm": {"runs": 3, **took, "spent": 0.05}}), strict=False):
            file.keep({"what": "run", "simulator": "alder", "case": case.name, "hash": case.hash, "outcome": "ok",
                       "load": 0.0, "first": took, **told})  # fmt: skip
    before = old.read_bytes()
    assert [row.seconds for row in rows(results.read(old))] == [0.06, 0.05]
    with pytest.raises(
        QchessError, match="format is qchess bench results 1 in the file and qchess bench results 2 now"
    ):
        results.ResultFile(old, plan_of(made))
    assert old.read_bytes() == before


def test_a_simulator_of_another_version_adds_no_runs(tmp_path: Path, made: list[Case]) -> None:
    out = tmp_path / "out.jsonl"
    runner.run(plan_of(made[:2]), made[:2], out)
    before, Station.version = lines(out), "2"
    runner.run(plan_of(made[:2]), made[:2], out)  # nothing is left to do
    with pytest.raises(QchessError, match=r"the version of alder is 1 in the file and 2 now"):
        runner.run(plan_of(made), made, out)
    assert lines(out) == before
    runner.run(plan_of(made[:2], ["elder"]), made[:2], out)  # one that the file does not have
    assert len(lines(out)) == len(before) + 3
