"""A page of several files: each is ranked by itself, and only ratios to one reference stand side by side."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import main
from qchess.bench.report.machines import Machines
from qchess.bench.report.page import Report
from qchess.bench.running import merging
from qchess.bench.running.results import Results
from tests.bench.synthetic import case_of, made, run_of

#: seconds of each simulator on each case, on a machine of speed 1
SECONDS: Mapping[str, Mapping[str, float]] = {
    "sparse": {"a": 1.0, "b": 2.0, "c": 4.0},
    "cirq": {"a": 2.0, "b": 16.0, "c": 1.0},
    "aer": {"a": 4.0, "b": 64.0},
}


def measured(machine: str, slower: float, *, only: str = "abc", **more: Any) -> Results:
    """A file of a machine that takes so many times as long; what has no seconds ran into its limit."""
    names = ("sparse", "cirq", "aer")

    def told(simulator: str, case: str) -> dict[str, Any]:
        seconds = SECONDS[simulator].get(case)
        if seconds is None:
            return {"outcome": "timeout", "why": "passed 3 s"}
        took = {"runs": 3, "wall": slower * seconds, "cpu": slower * seconds, "queued": 0.0, "low": 0.0, "high": 0.0}
        return run_of(first={**took, "wall": 99.0}, new=took, warm=took)

    results = made(names, {name: case_of(name, hash=name * 64, **more) for name in only}, told)
    return replace(results, plan=replace(results.plan, machine={"processor": machine, "cores": 2}))


def page(*files: Results) -> Machines:
    """The page of these files."""
    return Machines([Path(f"{number}.jsonl") for number in range(len(files))], files)


def test_ratios_have_both_times_from_one_file() -> None:
    # sparse: 1/2, 2/16, 4 over 1; aer: 4/2, 64/16
    ratios = [("sparse", "0.63 (3)"), ("cirq", "1 (3)"), ("aer", "2.8 (2)")]
    table = page(measured("slow", 10.0), measured("fast", 0.1)).table()
    assert table.head == ("simulator", "0: slow, 2 cores", "1: fast, 2 cores")
    assert table.rows == tuple((name, ratio, ratio) for name, ratio in ratios)


def test_only_the_circuits_that_all_files_have_count() -> None:
    one, other = measured("one", 1.0), measured("other", 1.0, only="bc")
    changed = replace(one, plan=replace(one.plan, cases={**one.plan.cases, "b": case_of("b", hash="f" * 64)}))
    assert page(one, other).table().rows[0] == ("sparse", "0.71 (2)", "0.71 (2)")
    assert page(changed, other).table().rows[0] == ("sparse", "4 (1)", "4 (1)")
    assert "count, of more than 12 wires: 2." in page(one, other).text()
    small = measured("one", 1.0, wires=5)
    assert "count: 3." in page(small, small).text()


@pytest.mark.parametrize("seed", range(5))
def test_what_is_said_of_a_machine_is_what_its_file_says_whatever_stands_beside_it(seed: int) -> None:
    dice = random.Random(seed)
    files = [measured(f"machine {number}", 10 ** dice.uniform(-3, 3)) for number in range(3)]
    whole = page(*files)
    found = {section.title: section for section in whole.sections()}
    for name, results in zip(whole.names, files, strict=True):
        report = Report(results)
        assert found[name].table == report.tables()["rankings"]
        assert report.says["headline"] in found[name].text
    headed = [title for title in found if title.startswith(tuple(whole.names))]
    assert len(headed) == len(found) - 1 == 4 * len(files)


def test_a_file_without_the_reference_has_no_ratios() -> None:
    bare = measured("bare", 1.0)
    for case in "abc":
        del bare.runs["cirq", case]
    assert page(measured("one", 1.0), bare).table().rows[0] == ("sparse", "0.63 (3)", "-")


def test_the_command_writes_one_page_of_many_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / "slow.jsonl", tmp_path / "fast.jsonl", tmp_path / "far.jsonl"]
    far = measured("far", 1.0)
    far = replace(far, plan=replace(far.plan, cases={"z": case_of("z", hash="e" * 64)}))
    for path, results in zip(paths, (measured("slow", 10.0), measured("fast", 0.1), far), strict=True):
        merging.write(path, results)
    names = [str(path) for path in paths]
    html, markdown = tmp_path / "out.html", tmp_path / "out.md"
    assert main(["bench", "report", *names[:2], "--html", str(html), "--markdown", str(markdown)]) == 0
    titles = re.findall(r"^## (.*)$", markdown.read_text(), re.MULTILINE)
    assert titles[:2] == ["Machines side by side", "slow: slow, 2 cores"]
    assert "fast: fast, 2 cores" in titles
    assert "| sparse | 0.63 (3) | 0.63 (3) |" in markdown.read_text()
    assert len(re.findall("<h2[ >]", html.read_text())) == len(titles)
    assert main(["bench", "report", *names[:2]]) == 0
    assert capsys.readouterr().out == markdown.read_text()
    markdown.write_text("mine")
    assert main(["bench", "report", *names[:2], "-o", str(markdown)]) == 2
    assert f"'{markdown}' exists already; add --force" in capsys.readouterr().err
    assert markdown.read_text() == "mine"
    assert main(["bench", "report", *names[:2], "-o", str(markdown), "--force"]) == 0
    assert markdown.read_text().startswith("#")
    assert main(["bench", "report", *names]) == 2
    assert "expected files with circuits in common, but these 3 have none" in capsys.readouterr().err
    assert main(["bench", "report", *names[:2], "--page", str(markdown)]) == 2
    assert "--page is filled from one result file, got 2" in capsys.readouterr().err
