"""Figures of the page of results worked out again from the stored file, by code that shares nothing with the report."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FILE = ROOT / "benchmarks" / "results" / "simulators_standard.jsonl"
PAGE = (ROOT / "docs" / "bench_measured.md").read_text(encoding="utf-8")
OURS = ("sparse", "registers")
WORDS = {"new": "new circuits in", "warm": "warm repeats of", "first": "first runs after"}
HEAD, *LINES = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
EXACT = {
    line["simulator"] for line in LINES
    if line["what"] == "start" and line.get("precision") == "complex128" and not line["approximate"]
}  # fmt: skip
RUNS = [line for line in LINES if line["what"] == "run"]
Time = tuple[float, float | None, float | None, bool]


def time_of(run: dict[str, Any], by: str) -> Time:
    """The median, the quartiles if there are any, and whether more processes wanted to work than there are cores."""
    took = run[by] if "wall" in run.get(by, {}) else run["first"]
    spread = ("low" in took and took.get("runs", 0) > 1) or None
    wall = took["wall"]
    if "queued" not in took:  # the first format
        wall = took.get("spent", took["cpu"] if wall > 0.05 else wall)
    return wall, spread and took["low"], spread and took["high"], run["load"] > HEAD["machine"]["cores"]


def together(one: Time, other: Time) -> bool:
    """Whether two times are a tie, by the page's words."""
    (quick, _, high, busy), (slow, low, _, also) = sorted((one, other))
    limit = 2 if None in (high, low) or busy or also else 1.25
    return slow <= limit * quick or (low is not None and high is not None and low <= high)


def duels(by: str, *, small: bool) -> Counter[str | tuple[str, float]]:
    """How the cases of one size end for ours against the best other, with each ratio."""
    found: Counter[str | tuple[str, float]] = Counter()
    for name, case in HEAD["cases"].items():
        if (case["wires"] <= 12) is not small or case["feed_forward"]:
            continue
        done = [run for run in RUNS if run["case"] == name and run["outcome"] == "ok" and run["simulator"] in EXACT]
        ours = sorted(time_of(run, by) for run in done if run["simulator"] in OURS)
        others = sorted(time_of(run, by) for run in done if run["simulator"] not in OURS)
        if not ours or not others:
            found["lost" if others else "won"] += bool(ours or others)
            continue
        first, rest = (ours[0], others) if ours[0] < others[0] else (others[0], ours)
        found["tied" if any(together(first, each) for each in rest) else "won" if rest is others else "lost"] += 1
        found[name, ours[0][0] / others[0][0]] = 1
    return found


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("by", [by for by in WORDS if any(by in run for run in RUNS)])
def test_the_headlines_are_what_the_file_says(by: str, small: bool) -> None:
    text = re.search(rf"<!-- bench: headline{'-small' * small} -->\n(.*)\n", PAGE)
    assert text
    number = r"(\d+)"
    ends = rf"\(geometric mean of {number}; lost {number}, tied {number}, won {number}"
    told = re.search(rf"(\S+) times as long in {WORDS[by]}[^(]*{ends}", text[1])
    assert told, text[1]
    found = duels(by, small=small)
    ratios = [key[1] for key in found if isinstance(key, tuple)]
    mean = math.exp(math.fsum(map(math.log, ratios)) / len(ratios))
    assert float(told[1]) == float(f"{mean:.2g}")
    counts = [len(ratios), *(found[end] for end in ("lost", "tied", "won"))]
    assert list(map(int, told.groups()[1:])) == counts


def test_the_outcomes_are_what_the_file_says() -> None:
    counts = Counter(run["outcome"] for run in RUNS)
    ends = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
    said = f"{len(RUNS)} runs of {len(HEAD['simulators'])} simulators on {len(HEAD['cases'])} cases: {ends}."
    assert said in PAGE


def test_the_table_of_one_and_two_cores_is_in_the_stored_files() -> None:
    def times(name: str) -> dict[tuple[str, str], float]:
        lines = map(json.loads, (FILE.parent / name).read_text(encoding="utf-8").splitlines()[1:])
        runs = [line for line in lines if line["what"] == "run" and line["outcome"] == "ok"]
        return {(run["simulator"], run["case"]): time_of(run, "new")[0] for run in runs}

    one, two = times("cores/one.jsonl"), times("cores/two.jsonl")
    text = (ROOT / "docs" / "bench.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| (\d) \| (\d\.\d\d) \|", text, re.MULTILINE)
    assert {name for name, *_ in rows} == {name for name, _ in one}
    for name, cases, ratio in rows:
        found = [two[key] / took for key, took in one.items() if key[0] == name and key in two]
        assert len(found) == int(cases)
        assert math.exp(sum(map(math.log, found)) / len(found)) == pytest.approx(float(ratio), abs=0.0051)
