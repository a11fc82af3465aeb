"""A report says what the lines of a result file say: worked out here by hand for a file made by hand."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar

import pytest

from qchess.__main__ import main
from qchess.bench.report import findings, plots, scores
from qchess.bench.report.compare import compared
from qchess.bench.report.page import MARK, Report
from qchess.bench.report.rows import rows
from qchess.bench.running.measuring import Settings
from qchess.bench.running.results import Plan, Results, read
from qchess.errors import QchessError

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "benchmarks" / "results" / "simulators_standard.jsonl"
#: name -> wires, peak, family
CASES = {"a": (14, 8, "few"), "b": (14, 4096, "some"), "c": (14, 16384, "all"), "d": (14, 1024, "some")}
#: simulator -> milliseconds on each case, or how it ended
TIMES: dict[str, dict[str, Any]] = {
    "sparse": {"a": 1.0, "b": 4.0, "c": 40.0, "d": 1.0},
    "qulacs": {"a": 10.0, "b": 10.0, "c": 10.0, "d": 10.0},
    "qsim": {"a": 8.0, "b": 4.0, "c": 4.0, "d": "timeout"},
    "aer-mps": {"a": 2.0, "b": "wrong", "c": 3.0, "d": 3.0},
}


def made(times: dict[str, dict[str, Any]] = TIMES) -> Results:
    """Results with these times."""
    cases = {
        name: {"hash": name * 64, "family": family, "game": None, "track": "native", "wires": wires, "lives": wires,
               "operations": 1, "two_qubit": 1, "depth": 1, "peak": peak, "final": peak, "register": wires,
               "clifford": False, "feed_forward": False, "post_selected": False}
        for name, (wires, peak, family) in CASES.items()
    }  # fmt: skip
    machine = {"processor": "abacus", "python": "3"}
    results = Results(Plan("by hand", tuple(times), Settings(), machine, cases, "0" * 64))
    for simulator, row in times.items():
        precision = "complex64" if simulator == "qsim" else "complex128"
        start = {"what": "start", "simulator": simulator, "load": 0.0, "outcome": "ok", "label": simulator,
                 "precision": precision, "approximate": "mps" in simulator, "versions": {simulator: "1"},
                 "import": {"wall": 0.5, "cpu": 0.5}, "memory": {"base": 0, "peak": 10**6}}  # fmt: skip
        results.take(json.dumps(start))
        for case, told in row.items():
            results.take(json.dumps(line(simulator, case, told)))
    return results


def line(simulator: str, case: str, told: Any) -> dict[str, Any]:
    """One run that took so many milliseconds, or ended so."""
    data = {"what": "run", "simulator": simulator, "case": case, "hash": case * 64, "load": 1.0}
    if told == "wrong":
        return {**data, "outcome": "wrong", "kind": "truncated", "why": "fidelity 0.5", "fidelity": 0.5, "error": 0.5}
    if isinstance(told, str):
        return {**data, "outcome": told, "why": told}
    took = {"wall": told / 1e3, "cpu": told / 1e3}
    right = {"outcome": "ok", "kind": "", "why": "", "error": 1e-15, "fidelity": 1.0}
    return {**data, **right, "lower": took, "first": took,
            "read": took, "sample": took, "warm": {"runs": 3, **took, "spent": told / 1e3, "least": told / 1e3},
            "memory": {"base": 10**6, "peak": 3 * 10**6}}  # fmt: skip


def test_families_in_which_ours_is_behind_are_listed_with_their_factor() -> None:
    (lost,) = scores.behind(rows(made()))
    assert (lost.family, lost.rival, len(lost.duels), lost.verdict) == ("all", "qulacs", 1, "lost")
    assert lost.factor == pytest.approx(4)
    everything = {s.family: s.factor for s in scores.standings(rows(made()))}
    assert everything == pytest.approx({"all": 4, "few": 0.1, "some": (0.4 * 0.1) ** 0.5})


def test_single_precision_and_approximate_methods_are_ranked_apart() -> None:
    found = rows(made())
    assert set(findings.profile(found, "exact", (1.0,))) == {"sparse", "qulacs"}
    assert set(findings.profile(found, "single", (1.0,))) == {"qsim"}
    assert sum(scores.wins(found).values(), start=Counter()) == {"sparse": 3, "qulacs": 1}
    assert findings.fidelities(found) == {"aer-mps": (3, 1, 1.0, 0.5)}


def test_what_failed_counts_against_a_simulator_in_its_profile() -> None:
    """Three of four cases: the share within any factor ends at 3/4."""
    assert findings.profile(rows(made()), "approximate", (1.0, 1e9))["aer-mps"] == [1.0, 1.0]  # b was done by none
    shares = findings.profile(rows(made()), "exact", (1.0, 4.0, 10.0))
    assert shares == {"sparse": [0.75, 1.0, 1.0], "qulacs": [0.25, 0.5, 1.0]}
    assert findings.profile(rows(made()), "single", (1.0,))["qsim"] == [1.0]
    assert len(findings.crossover(rows(made()), "qsim").points) == 3


def test_the_crossover_is_where_the_ratio_is_one() -> None:
    """Against qsim: 1/8 at density 1/2048, a tie at 1/4, 10 at 1."""
    crossing = findings.crossover(rows(made()), "qsim")
    assert crossing.points == ((8 / 2**14, 1 / 8, False), (0.25, 1, True), (1, 10, False))
    assert (crossing.won, crossing.lost) == ([8 / 2**14], [1.0])
    assert findings.crossover(rows(made()), "qulacs").tie == pytest.approx(0.39, abs=0.01)


@pytest.fixture(scope="module")
def report() -> Report:
    """The report of the file made by hand; its pictures are drawn once."""
    pytest.importorskip("matplotlib")
    return Report(made())


@pytest.mark.slow
def test_every_picture_is_svg_in_the_colour_of_its_text(report: Report) -> None:
    assert len(report.pictures) == 8
    for svg in report.pictures.values():
        assert svg.startswith("<svg")
        assert "currentColor" in svg
        assert "#0a0b0c" not in svg
        assert "<script" not in svg
        assert not re.search(r'(?:href|src)="http', svg.replace('xmlns:xlink="http', ""))


def test_shares_of_a_family_s_cases_lie_end_to_end_and_fill_its_bar() -> None:
    class Axes:
        bars: ClassVar[dict[str, list[tuple[float, float]]]] = {}

        def barh(self, families: list[str], shares: list[float], *, left: list[float], **_: Any) -> None:
            for family, share, begin in zip(families, shares, left, strict=True):
                self.bars.setdefault(family, []).append((begin, share))

        def __getattr__(self, name: str) -> Any:
            return lambda *_, **__: ([], []) if name == "get_legend_handles_labels" else None

    found = rows(made())
    plots.where(Axes(), found, defaultdict(lambda: {"color": "black"}))
    assert set(Axes.bars) == {"few", "some", "all"}
    for parts in Axes.bars.values():
        assert sum(share for _, share in parts) == pytest.approx(1)
        ends = [0.0, *accumulate(share for _, share in parts)]
        assert [begin for begin, _ in parts] == pytest.approx(ends[:-1])


@pytest.mark.slow
def test_the_html_is_one_file_with_all_its_pictures(report: Report) -> None:
    html = report.html()
    assert html.count("<svg role=img") == 8
    assert "color-scheme: light dark" in html
    assert not re.search(r"<(?:link|img|iframe)\b|\bsrc=|@import|url\([^#]", html)
    assert "timeout" in html
    assert "aer-mps" in html


def test_a_report_of_half_a_run_is_a_report() -> None:
    some = {name: {"a": times["a"]} for name, times in list(TIMES.items())[:2]}
    assert "2 runs of 2 simulators" in Report(made(some)).markdown("{}.svg")


def test_markdown_tables_have_a_column_for_every_cell() -> None:
    for table in Report(made()).tables().values():
        lines = table.markdown().splitlines()
        assert len({len(re.findall(r"(?<!\\)\|", text)) for text in lines}) == 1


def test_two_results_are_compared_case_by_case() -> None:
    slower = {**TIMES, "sparse": {"a": 2.0, "b": 8.0, "c": "crash", "d": 1.0}}
    text = compared(made(), made(slower))
    assert "16 are of the same simulator on the same circuit" in text
    assert "| sparse | 3 | 1.59 |  |  | 0 | 2 |" in text  # the geometric mean of 2, 2 and 1; too few for a verdict
    assert "sparse on c: ok -> crash crash" in text
    assert "slower: sparse on b: 2.00 times as long; the limit is 1.25" in text
    assert "| qulacs | 4 | 1.00 |  |  | 0 | 0 |" in text


def test_a_file_that_is_no_result_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text('{"format": "something else"}\n')
    assert main(["bench", "report", str(file)]) == 2
    assert "qchess bench results 2" in capsys.readouterr().err
    with pytest.raises(QchessError, match="empty"):
        read(_empty(tmp_path))


def _empty(folder: Path) -> Path:
    (folder / "empty.jsonl").write_text("")
    return folder / "empty.jsonl"


def test_a_page_is_filled_between_its_marks_alone() -> None:
    report = Report(made())
    page = "Before.\n<!-- bench: errors -->\nold\n<!-- end -->\nAfter.\n"
    filled = report.fill(page, "{}.svg")
    assert filled.startswith("Before.\n<!-- bench: errors -->\n| simulator | largest error |")
    assert filled.endswith("<!-- end -->\nAfter.\n")
    assert report.fill(filled, "{}.svg") == filled
    with pytest.raises(QchessError, match="nonsense"):
        report.fill("<!-- bench: nonsense -->\n<!-- end -->", "")


@pytest.mark.slow
def test_every_number_of_our_page_comes_from_the_results() -> None:
    page = (ROOT / "docs" / "bench_measured.md").read_text(encoding="utf-8")
    assert Report(read(REFERENCE)).fill(page, "pictures/bench-{}.svg") == page
    for name in re.findall(r"pictures/(bench-[\w-]+\.svg)", page):
        assert (ROOT / "docs" / "pictures" / name).exists()
    outside = MARK.sub("", page)
    assert "ms" not in outside.split()
