"""One family at rising numbers of wires: its circuits, and what its report says of planted times."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import main
from qchess.bench.corpus import families, reference
from qchess.bench.corpus.cases import cases
from qchess.bench.corpus.growing import GROWING, growing
from qchess.bench.outside.asked import Asked
from qchess.bench.report.scaling import Family
from qchess.bench.report.scaling import families as grown
from qchess.bench.report.scaling_page import Scaling, alt
from qchess.bench.running.results import Plan, Results, read
from qchess.bench.running.schema import checked
from tests.bench.synthetic import case_of, made, run_of

WIRES = range(4, 22, 2)
#: milliseconds on 4 wires, and what a wire costs: the second overtakes the first on 12 wires, the third is never apart
PLANTED = {"sparse": (1.0, 1.5), "qulacs": (1.0 * 1.5**8 / 1.1**8, 1.1), "aer": (1.05 * 1.5**8 / 1.1**8, 1.1)}


def planted() -> Results:
    """Times without noise; `sparse` does not come to the end, and `qsim` has no such circuits."""

    def told(name: str, case: str) -> dict[str, Any]:
        wires = int(case[1:])
        if name == "qsim" or (name == "sparse" and wires > 18):
            return {"outcome": "timeout" if name == "sparse" else "unsupported", "why": "planted"}
        first, factor = PLANTED[name]
        wall = first * factor ** (wires - 4) / 1e3
        times = {"wall": wall, "cpu": wall, "queued": 0.0, "runs": 3, "low": wall * 0.99, "high": wall * 1.01}
        return {**run_of(), "new": times}

    every = {f"n{n}": case_of(f"n{n}", wires=n, peak=2**n) for n in WIRES}
    results = made(("sparse", "qulacs", "aer", "qsim"), every, told)
    results.plan = replace(results.plan, series={"dense": list(every)})
    return results


def test_growth_and_crossings_are_those_that_were_planted() -> None:
    (family,) = grown(planted())
    rows = {row[0]: row for row in family.growth().rows}
    for name, (_, factor) in PLANTED.items():
        assert rows[name][5:7] == rows[name][8:10] == (f"{factor:.3g}", "1")
    assert rows["sparse"][2:5] == ("8 of 9", "timeout at 20", "4 to 18")
    assert rows["qsim"][2:5] == ("0 of 9", "unsupported at 4", "")
    found = {(c.below, c.above): c for c in family.crossings}
    assert found.keys() == {("sparse", "qulacs"), ("sparse", "aer")}, "aer and qulacs are tied everywhere"
    crossing = found["sparse", "qulacs"]
    assert (crossing.first, crossing.last, crossing.why) == (10, 14, "")
    assert crossing.at == pytest.approx(12)
    best = {row[0]: row[-1] for row in family.times().rows}
    assert best == {str(n): "sparse" if n < 12 else "tie" for n in WIRES}
    assert family.times().rows[-1][2] == "timeout"
    assert "sparse 1 ms at 4 and 2.9e+02 ms at 18, 1.5 times as long a wire in the upper half" in alt(family)


def test_who_ends_early_is_overtaken_there() -> None:
    results = planted()
    rows = [row for row in grown(results)[0].rows if row.simulator != "qulacs"]
    faster = [replace(row, data={**row.data, "new": {**row.data["new"], "wall": 1e-6, "low": 1e-6, "high": 1e-6}})
              if row.simulator == "sparse" and row.outcome == "ok" else row for row in rows]  # fmt: skip
    (crossing,) = Family("dense", faster, results.plan.series["dense"]).crossings
    assert (crossing.below, crossing.above, crossing.first, crossing.last) == ("sparse", "aer", 18, 20)
    assert (crossing.at, crossing.why) == (None, "sparse: timeout")
    refused = [replace(row, outcome="unsupported") if row.outcome == "timeout" else row for row in faster]
    assert Family("dense", refused, results.plan.series["dense"]).crossings == []


@pytest.mark.slow
def test_the_page_has_every_family_with_a_picture_that_is_told(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    scaling = Scaling(planted())
    html = scaling.html()
    assert html.count("<svg") == 1
    assert re.search(r'<svg role="img" aria-label="Milliseconds to the state, and megabytes, of dense[^"]+"', html)
    page, picture = scaling.markdown_files(tmp_path / "page.md").values()
    assert "](page-0.svg)" in page
    assert picture.startswith("<svg")


def test_names_of_the_corpus_give_its_circuits_on_so_many_wires() -> None:
    for name in GROWING:
        found = {n: circuit for n in range(4, 26) if (circuit := growing(name)(n))}
        assert len(found) >= 4
        assert {n: len(circuit.wires) for n, circuit in found.items()} == {n: n for n in found}, name
    assert growing("dance,pieces=4,moves=60")(16) == replace(families.dance(16, 4, 60, 1), declared=tuple(
        families.dance(16, 4, 60, 1).wires))  # fmt: skip


def test_a_family_is_run_at_each_number_of_wires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the corpus, with what has no circuit there and what is too large; and of a file."""
    told: list[str] = []
    asked = Asked("small", families=["splits"], wires="4:9")
    assert [len(case.wires) for case in asked.cases(told.append)] == [5, 7, 9]
    assert asked.series == {"splits": ["splits-5-native", "splits-7-native", "splits-9-native"]}
    assert asked.label == "family splits, 4:9 wires"
    monkeypatch.setattr(reference, "BRANCHES", 32)
    assert [len(case.wires) for case in Asked("small", families=["dense"], wires="5,6").cases(told.append)] == [5]
    assert told[0] == "splits has no circuit on 4, 6, 8 wires"
    assert told[1].startswith("dense on 6 wires: more than ")
    asked = Asked("small", families=["cat"], wires="3,9", ask=("state", "noise"))
    assert len(list(asked.cases(told.append))) == 3
    assert asked.series == {"cat": ["cat-3-native", "cat-9-native"], "cat, noise": ["cat-3-native-noise"]}
    file = tmp_path / "mine.py"
    file.write_text(
        "from dataclasses import replace\n"
        "from qchess.bench.corpus.families import cat\n"
        "def ladder(n):\n"
        "    return replace(cat(n), name=f'ladder-{n}', family='ladder') if n % 2 else None\n"
        "def wrong(n):\n"
        "    return replace(cat(n + 1), family='ladder')\n"
    )
    asked = Asked("small", families=[f"{file}:ladder"], wires="3:5")
    assert len(list(asked.cases(told.append))) == 2
    assert asked.series == {"mine.py:ladder": ["ladder-3-native", "ladder-5-native"]}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--family", "dens", "--wires", "4"], "is FILE.py:FUNCTION or one of splits, "),
        (["--family", "dense,depth=2", "--wires", "4"], "family 'dense' has layers=NUMBER, got 'depth=2'"),
        (["--family", "cat,n=2", "--wires", "4"], "family 'cat' has no options, got 'n=2'"),
        (["--family", "dense"], "which is no such file; a family of the corpus also needs --wires"),
        (["--family", "dense", "--wires", "9:4"], "expected wires as FIRST:LAST:STEP or as 8,12,16, from 1 to 1000"),
        (["--family", "dense", "--wires", "4:9:0"], "got '4:9:0'"),
        (["--wires", "4"], "--wires gives the numbers of wires of a family; name the family with --family"),
        (["--family", "FILE:taken", "--wires", "4"], "'clifford' is a family of the corpus"),
        (["--family", "FILE:wide", "--wires", "4"], "expected 4 wires, its circuit has 5"),
        (["--family", "FILE:wide"], "takes a number of wires; give it as --wires FIRST:LAST:STEP"),
        (["--family", "FILE:none", "--wires", "4"], "calls it with a number of wires, but it takes none"),
    ],
)
def test_what_cannot_grow_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from dataclasses import replace\n"
        "from qchess.bench.corpus.families import cat as taken\n"
        "def wide(n):\n"
        "    return replace(taken(n + 1), family='wide')\n"
        "def none():\n"
        "    return []\n"
    )
    assert main(["bench", "corpus", *(word.replace("FILE", str(file)) for word in words)]) == 2
    assert sentence in capsys.readouterr().err


def test_plans_are_joined_with_their_families() -> None:
    one = planted().plan
    other = replace(one, series={"dense": ["n4", "n22"], "cat": ["n6"]})
    both = one.joined(other)
    assert both.series == {"dense": [*one.series["dense"], "n22"], "cat": ["n6"]}
    assert Plan.from_json(both.to_json()) == both
    assert "series" not in replace(one, series={}).to_json()


@pytest.mark.slow
def test_a_file_keeps_its_families_through_further_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real run of a family, more wires and other cases behind it; and a file that has none."""
    out, few = tmp_path / "out.jsonl", ["--warm", "0", "--shots", "10"]
    for words in (
        ["--family", "cat", "--wires", "3,4"],
        ["--family", "cat", "--wires", "4:5"],
        ["--only", "splits-9-"],
    ):
        assert main(["bench", "run", "sparse", *words, *few, "--out", str(out)]) == 0
    kept = read(out)
    assert kept.plan.series == {"cat": ["cat-3-native", "cat-4-native", "cat-5-native"]}
    assert Plan.from_json(kept.plan.to_json()) == kept.plan
    assert checked(out)[1] == []
    capsys.readouterr()
    assert main(["bench", "scaling", str(out)]) == 0
    assert "3 circuits of 3 to 5 wires; of 1 simulators, sparse did all." in capsys.readouterr().out
    head, *lines = out.read_text().splitlines()
    plan = json.loads(head)
    plan["series"]["cat"].append("cat-6-native")
    out.write_text("\n".join([json.dumps(plan), *lines, ""]))
    assert checked(out)[1] == ["line 1: case 'cat-6-native' of a series is not in the first line"]
    del plan["series"]
    out.write_text("\n".join([json.dumps(plan), *lines, ""]))
    assert checked(out)[1] == []
    assert main(["bench", "scaling", str(out)]) == 2
    assert "`qchess bench run --family NAME --wires FIRST:LAST` adds one" in capsys.readouterr().err


def test_the_same_circuit_is_the_same_case_as_in_the_corpus() -> None:
    (mine,) = Asked("small", families=["dense"], wires="8").cases(print)
    (theirs,) = cases(families.dense(8, 3), {"native": "small"})
    assert (mine.name, mine.hash) == (theirs.name, theirs.hash)
