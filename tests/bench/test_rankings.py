"""What a report says of who wins is what its file holds: counted here again, over files that are drawn."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections import defaultdict
from typing import Any

import pytest

from qchess.bench.report import findings, tables
from qchess.bench.report.looks import OWN, looks
from qchess.bench.report.page import Report
from qchess.bench.report.rows import OURS, Row, rankings, rows
from qchess.bench.report.scores import NEVER, SIZES, TIE, Score, behind, duels, places, sized, standings, wins
from qchess.bench.running.results import Results
from tests.bench.synthetic import case_of, made, repeated, run_of

NAMES = ("sparse", "registers", "qulacs", "qblaze", "lightning", "qsim", "aer-mps")
EXACT = NAMES[:5]
KINDS = {"new": ("new", "warm", "first"), "older": ("warm", "first")}


def drawn_file(seed: int, how: str = "new", names: tuple[str, ...] = NAMES) -> Results:
    """Any file: families and tracks, sizes, ends and times by chance."""
    dice = random.Random(seed)
    cases = {}
    for k in range(30):
        wires = dice.choice((4, 12, 13, 16))
        cases[f"case-{k}"] = case_of(
            f"case-{k}", family=dice.choice("abcd"), track=dice.choice(("native", "native", "lowered")), wires=wires,
            peak=2 ** dice.randint(1, wires),
        )  # fmt: skip

    def told(name: str, case: str) -> dict[str, Any]:
        outcome = dice.choice(("ok",) * 8 + ("timeout", "unsupported"))
        if outcome != "ok":
            return {"outcome": outcome, "why": outcome}
        first = 10 ** dice.uniform(-4, -2)
        took = {by: repeated(first * dice.uniform(0.2, 1), dice, dice.choice((3, 7))) for by in KINDS[how][:-1]}
        if how == "older":
            took = {by: {key: some[key] for key in ("runs", "wall", "cpu")} for by, some in took.items()}
        elif dice.random() < 0.2:
            took = {by: {"runs": 0} for by in took}
        return run_of(first={"wall": first, "cpu": first, "queued": 0.0}, **took)

    return made(names, cases, told)


FILES = [drawn_file(seed, how) for seed, how in itertools.product(range(4), KINDS)]


def verdicts(results: Results, by: str, *, small: bool) -> dict[str, str]:
    """How each case ended for ours, straight from the lines of the file."""
    ends = {}
    for case, about in results.plan.cases.items():
        if (about["wires"] <= 12) != small:
            continue
        times = {}
        for name in EXACT:
            run = results.runs[name, case]
            if run["outcome"] == "ok":
                took = run["first"] if "wall" not in run[by] else run[by]
                times[name] = (took["wall"], took.get("low"), took.get("high"))
        if not times:
            continue
        best = min(times, key=lambda name: times[name][0])
        near = [name for name in times if (name in OURS) != (best in OURS) and _near(times[best], times[name])]
        ends[case] = "tied" if near else "won" if best in OURS else "lost"
    return ends


def _near(quick: tuple[Any, ...], slow: tuple[Any, ...]) -> bool:
    if quick[1] and slow[1]:
        return bool(slow[0] <= 1.25 * quick[0] or slow[1] <= quick[2])
    return bool(slow[0] <= 2 * quick[0])


@pytest.mark.parametrize("number", range(len(FILES)))
def test_what_is_won_tied_and_lost_is_what_the_file_holds(number: int) -> None:
    results = FILES[number]
    says = Report(results).says
    for by in rankings(results):
        for small in SIZES:
            ends = list(verdicts(results, by, small=small).values())
            found = sized(rows(results, by), small=small)
            score = Score(tuple(duels(found)))
            counts = {end: ends.count(end) for end in ("lost", "tied", "won")}
            assert {end: score.count(end) for end in counts} == counts
            told = ", ".join(f"{end} {count}" for end, count in counts.items())
            assert told in says["headline-small" if small else "headline"]


@pytest.mark.parametrize("number", range(len(FILES)))
def test_counts_add_up_and_a_tie_is_nobody_s_win(number: int) -> None:
    for by in rankings(FILES[number]):
        everything = rows(FILES[number], by)
        assert sum(len(sized(everything, small=small)) for small in SIZES) == len(everything)
        for found in (everything, *(sized(everything, small=small) for small in SIZES)):
            score = Score(tuple(duels(found)))
            assert score.count("lost") + score.count("tied") + score.count("won") == len(score.duels)
            total = sum(wins(found).values(), start=type(next(iter(wins(found).values())))())
            assert total.total() == len({row.case for row in found if row.kind == "exact" and row.seconds})
            assert sum(total[name] for name in OURS) == score.count("won")
            assert total[TIE] >= score.count("tied")
            at = {place.simulator: place for place in places(found, "exact")}
            assert {name: place.won for name, place in at.items()} == {name: total[name] for name in EXACT}
            assert all(place.won + place.tied <= place.done <= total.total() for place in at.values())
            assert sum(place.tied for place in at.values()) >= 2 * total[TIE]


@pytest.mark.parametrize("number", range(len(FILES)))
def test_every_family_that_is_behind_has_its_row_the_farthest_first(number: int) -> None:
    report = Report(FILES[number])
    for small, end in ((False, ""), (True, "-small")):
        found = sized(report.found, small=small)
        told = report.tables()[f"lost{end}"].rows
        groups: dict[tuple[str, str], list[float]] = defaultdict(list)
        for duel in duels(found):
            groups[duel.case.family, duel.case.track].append(duel.ratio)
        lost = {key for key, ratios in groups.items() if NEVER in ratios or _mean([r for r in ratios if r]) > 1}
        assert {row[:2] for row in told} == lost
        factors = [standing.factor for standing in behind(found)]
        assert factors == sorted(factors, reverse=True)
        assert sum(len(standing.duels) for standing in standings(found)) == len(duels(found))
        if worst := next((standing for standing in behind(found) if standing.verdict == "lost"), None):
            assert re.search(rf"most in {worst.family} \({worst.track}\)", report.says[f"headline{end}"])
            assert report.says[f"headline{end}"].startswith("Ours loses in ")


def _mean(ratios: list[float]) -> float:
    return math.prod(ratios) ** (1 / len(ratios)) if ratios else 0.0


def row(seconds: float, simulator: str = "sparse", low: float = 0.0, high: float = 0.0, **more: Any) -> Row:
    took = {"runs": 5, "wall": seconds, "cpu": seconds, **({"low": low, "high": high} if low else {})}
    about = {"kind": "exact", "family": "one", "track": "native", "wires": 14, "peak": 8, "case": "case", **more}
    return Row(simulator, clifford=False, feed_forward=False, outcome="ok", data=run_of(new=took), by="new", **about)


@pytest.mark.parametrize(
    ("ours", "theirs", "end"),
    [
        (row(1.0, low=0.9, high=1.1), row(1.5, "qulacs", low=1.4, high=1.6), "won"),
        (row(1.0, low=0.9, high=1.4), row(1.5, "qulacs", low=1.4, high=1.6), "tied"),
        (row(1.0, low=0.99, high=1.01), row(1.2, "qulacs", low=1.19, high=1.21), "tied"),
        (row(1.6, low=1.5, high=1.7), row(1.0, "qulacs", low=0.9, high=1.1), "lost"),
        (row(1.0, low=0.9, high=1.1), row(1.5, "qulacs", low=1.4, high=1.6, busy=True), "tied"),
        (row(1.0), row(1.9, "qulacs"), "tied"),
        (row(1.0, low=0.9, high=1.1), row(1.9, "qulacs"), "tied"),
        (row(1.0), row(2.1, "qulacs"), "won"),
        (row(2.1), row(1.0, "qulacs"), "lost"),
    ],
)
def test_a_win_by_less_than_the_spread_or_the_limit_is_a_tie(ours: Row, theirs: Row, end: str) -> None:
    assert Score(tuple(duels([ours, theirs]))).count(end) == 1
    name = {"won": "sparse", "lost": "qulacs", "tied": TIE}[end]
    assert wins([ours, theirs]) == {"one": {name: 1}}


def test_ours_do_not_tie_with_each_other() -> None:
    assert wins([row(1.0), row(1.1, "registers"), row(3.0, "qulacs")]) == {"one": {"sparse": 1}}
    assert wins([row(1.0), row(1.1, "registers"), row(1.2, "qulacs")]) == {"one": {TIE: 1}}


def test_what_ours_does_not_do_and_another_does_is_lost() -> None:
    found = [row(1.0), row(9.0, "qulacs"), row(1.0, "qulacs", case="other")]
    (standing,) = standings(found)
    assert (standing.verdict, standing.count("lost"), standing.count("won")) == ("lost", 1, 1)
    assert tables.standings([standing]).rows[0][6] == "not done"


@pytest.mark.parametrize("names", [("sparse", "registers"), ("qulacs", "qblaze"), ("sparse", "aer-mps")])
def test_where_one_side_was_not_run_nobody_loses_and_nobody_wins(names: tuple[str, ...]) -> None:
    report = Report(drawn_file(2, names=names))
    assert (report.says["headline"], report.says["lost"], report.says["branches"]) == ("", "", "")
    assert not report.tables()["lost"].rows
    assert f"{len(report.found)} runs of 2 simulators" in report.markdown("{}.svg")


def test_what_is_not_installed_is_ranked_nowhere() -> None:
    results = drawn_file(2, names=("sparse", "qulacs", "qblaze"))
    for run in (run for (name, _), run in results.runs.items() if name == "qblaze"):
        run |= {"outcome": "missing", "why": "not installed"}
    report = Report(results)
    assert {line[0] for line in report.tables()["rankings"].rows} == {"**sparse**", "qulacs"}
    assert "30 missing" in report.says["outcomes"]


def test_a_file_without_new_circuits_says_so_and_one_with_them_does_not() -> None:
    older, new = (Report(drawn_file(1, how)).says for how in ("older", "new"))
    assert older["time"].startswith("**This result file is of an older kind: it has no times of new circuits")
    assert "ranked by warm repeats" in older["time"]
    assert "older" not in new["time"]
    assert "ranked by new circuits in a running process; warm repeats" in new["time"]
    for times in ("new circuits in a running process", "warm repeats of one circuit", "first runs after the import"):
        assert times in new["headline"]
    assert Report(drawn_file(1)).tables()["rankings"].head[3::2] == (
        *(f"{by}: times the fastest" for by in ("new", "warm", "first")), "memory: times the least"
    )  # fmt: skip


def test_a_run_too_long_to_be_repeated_stands_by_its_first_time() -> None:
    first = {"wall": 2.0, "cpu": 2.0, "queued": 0.0}
    for new in ({"runs": 0}, {"runs": 0, **first}):
        results = made(("sparse",), {"a": case_of("a")}, lambda *_, new=new: run_of(first=first, new=new))
        (one,) = rows(results)
        assert (one.by, one.seconds, one.spread) == ("new", 2.0, None)


def test_a_family_has_no_mean_where_a_case_is_missing() -> None:
    cases = {name: case_of(name) for name in "ab"}
    results = made(
        ("sparse", "qulacs", "lightning"), cases,
        lambda name, case: {"outcome": "timeout"} if (name, case) == ("qulacs", "b") else run_of(),
    )  # fmt: skip
    assert tables.families(rows(results)).rows == (("one", "2", "**1**", "did 1", "1"),)


@pytest.mark.parametrize("number", range(len(FILES)))
def test_no_tie_is_told_at_a_density_that_was_not_seen(number: int) -> None:
    for name in ("qulacs", "lightning", "qsim"):
        crossing = findings.crossover(rows(FILES[number]), name)
        seen = [density for density, *_ in crossing.points]
        assert crossing.tie is None or min(seen) <= crossing.tie <= max(seen) <= 1
    for density in (1.0, 0.1, 0.01, 0.5):  # never overtaken, though the line rises
        points = tuple((density * k, 0.1 * k, False) for k in (0.25, 0.5, 1.0))
        assert findings.Crossover("qulacs", points).tie is None


def test_medians_are_over_the_same_cases() -> None:
    cases = {name: case_of(name) for name in "abcd"}

    def told(name: str, case: str) -> dict[str, Any]:
        took = {"wall": 1.0 if case == "d" else 1e-3, "cpu": 0.0}
        done = {"sparse": "abcd", "qulacs": "abc", "stim": "d"}[name]
        return run_of(first=took) if case in done else {"outcome": "unsupported"}

    results = made(("sparse", "qulacs", "stim"), cases, told)
    assert findings.shared(rows(results)) == (["sparse", "qulacs"], ["a", "b", "c"])
    told_of = {line[0]: line[4] for line in tables.phases(results, rows(results)).rows}
    assert told_of == {"sparse": "1", "qulacs": "1", "stim": ""}


def test_remarks_are_told_and_those_that_differ_in_numbers_stand_together() -> None:
    cases = {name: case_of(name) for name in "abc"}
    remarks: dict[str, Any] = {"a": ["it waited 0.97 s"], "b": {"waits": "it waited 1 s"}, "c": ["it waited 1.5e-05 s"]}
    results = made(("sparse",), cases, lambda _, case: run_of(remarks=remarks[case]))
    assert tables.troubles(rows(results)).rows == (("sparse", "remark", "3", "it waited 0.97 s", "a, b, c"),)


@pytest.mark.parametrize("count", [15, 17, 30])
def test_no_two_simulators_look_alike_and_nobody_has_our_colours(count: int) -> None:
    names = ("qulacs", "sparse", "aer", "registers", *(f"engine-{k}" for k in range(count)))
    made_of = looks(rows(drawn_file(3, names=names)))
    assert len(made_of) == len(names)
    assert len({tuple(look.values()) for look in made_of.values()}) == len(names)
    assert [made_of[name]["color"] for name in OURS] == list(OWN)
    assert not {*OWN} & {look["color"] for name, look in made_of.items() if name not in OURS}
    if count <= 15:
        assert len({look["marker"] for look in made_of.values()}) >= 15
