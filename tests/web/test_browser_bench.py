"""The page of a benchmark in a real browser, opened from the disk: choose, sort, filter, and go to the cases."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import parser
from qchess.bench.report import tables
from qchess.bench.report.page import Report
from qchess.bench.report.scores import SIZES, sized
from qchess.bench.running.results import read
from tests.bench.synthetic import case_of, made, run_of
from tests.patience import PATIENCE
from tests.web.test_browser_access import findings

pytestmark = pytest.mark.slow
Open = Callable[..., Any]
FILE = Path(__file__).parents[2] / "benchmarks" / "results" / "simulators_standard.jsonl"
#: large and small cases, dense and Clifford circuits, with answers and without
FAMILIES = ("clifford", "dance", "dense", "filled", "move-asked")
SHOWN = "[...document.querySelectorAll('#runs tbody tr')].filter((row) => !row.hidden)"
#: the label of every small picture of a family that is shown
LABELS = """[...document.querySelectorAll('figure[data-family]')].filter((figure) => !figure.hidden)
.map((figure) => figure.querySelector('svg').getAttribute('aria-label'))"""

#: leaves a few of the rows of each table, which are all made alike, and takes the letters out of the plots, which are
#: drawn and no text: axe takes a minute of all of them
FEW = """for (const each of document.querySelectorAll('[hidden], svg use')) each.remove();
for (const table of document.querySelectorAll('tbody')) for (const row of [...table.rows].slice(2)) row.remove();"""


@pytest.fixture(scope="module")
def report() -> Report:
    """What the stored results say of a third of the cases: a browser takes seconds to open the page of all."""
    pytest.importorskip("matplotlib")
    results = read(FILE)
    cases = {name: case for name, case in results.plan.cases.items() if case["family"] in FAMILIES}
    runs = {of: run for of, run in results.runs.items() if of[1] in cases}
    return Report(replace(results, plan=replace(results.plan, cases=cases), runs=runs))


@pytest.fixture(scope="module")
def address(report: Report, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where its page lies."""
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(report.html(), encoding="utf-8")
    return file.as_uri()


def opened(context: Open, address: str, **how: Any) -> Any:
    page = context(**how).new_page()
    page.on("request", lambda request: _only(request.url, address))
    page.goto(address)
    return page


@pytest.fixture(scope="module")
def shared(browser: Any, address: str) -> Iterator[Any]:
    """A page that several tests ask for what they want to see, as a link within it does; an error on it fails."""
    page = browser.new_context().new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.on("request", lambda request: _only(request.url, address))
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    page.evaluate("document.querySelector('#filters').open = true")
    yield page
    page.context.close()
    assert errors == []


def _only(url: str, address: str) -> None:
    assert url.partition("#")[0] == address.partition("#")[0], f"the page asks for {url}"


def colour(page: Any, name: str) -> list[str]:
    """Every colour in which a simulator is shown, wherever it is."""
    return list(page.evaluate("""(name) => {
        const place = [...document.querySelectorAll('#choose input')].findIndex((box) => box.value === name);
        const seen = (what, property) => [...document.querySelectorAll(`main ${what}`)]
            .map((mark) => getComputedStyle(mark)[property]);
        const one = `[data-s="${place}"]`;
        return [...new Set([...seen(`a${one} .mark`, 'fill'), ...seen(`g${one} path`, 'stroke')])];
    }""", name))  # fmt: skip


def test_a_choice_colours_a_simulator_everywhere_and_is_kept_in_the_address(context: Open, address: str) -> None:
    page = opened(context, address)
    first = page.locator("#choose input:checked").evaluate_all("all => all.map((box) => box.value)")
    assert "sparse" in first
    assert len(first) == 4
    (grey,) = colour(page, "qulacs")
    assert colour(page, "cirq") == [grey] != colour(page, "sparse")
    page.get_by_role("checkbox", name="sparse").focus()
    page.keyboard.press("Space")
    assert colour(page, "sparse") == [grey]
    page.get_by_role("checkbox", name="qulacs").check()
    (taken,) = colour(page, "qulacs")
    assert taken != grey
    others = ("stim", "braket", "quimb-mps")
    chosen = [name for name in first if name != "sparse"] + ["qulacs"]
    for name in others[: 5 - len(chosen)]:
        page.get_by_role("checkbox", name=name).check()
        chosen.append(name)
    assert page.get_by_role("checkbox", name="sparse").is_disabled()
    assert "no more colours" in page.locator("#said").inner_text()
    url, colours = page.url, [colour(page, name) for name in (*chosen, "sparse")]
    assert len({each for each, *_ in colours}) == 6
    page.reload()
    assert page.url == url != address
    assert [colour(page, name) for name in (*chosen, "sparse")] == colours
    page.goto(f"{address}#chosen=nobody,,stim,stim&family=none&times=never")
    checked = "[...document.querySelectorAll('#choose input:checked')].map((box) => box.value).join()"
    page.wait_for_function(f"{checked} === 'stim'")


def test_tables_sort_by_every_column(shared: Any) -> None:
    table = shared.locator("table.sort").first
    heads = table.locator("th")
    before = table.locator("tbody tr").all_text_contents()
    for place in range(heads.count()):
        head = heads.nth(place)
        for way in ("ascending", "descending", "none"):
            head.get_by_role("button").dispatch_event("click")
            assert head.get_attribute("aria-sort") == way
            cells = table.locator(f"tbody td:nth-child({place + 1})").all_text_contents()
            numbers = [float(found[0]) for cell in cells if (found := re.findall(r"^[\d.]+", cell))]
            values: list[Any] = numbers or cells
            assert len(values) == len(cells)
            if way != "none":
                assert values == sorted(values, reverse=way == "descending")
    assert table.locator("tbody tr").all_text_contents() == before
    assert shared.locator("table.sort th:not([aria-sort])").count() <= 1  # the commands


@pytest.mark.parametrize("by", ["new", "warm", "first"])
def test_the_figures_are_those_of_the_report_by_every_time_and_track(
    shared: Any, address: str, report: Report, by: str
) -> None:
    page = shared
    page.goto(f"{address}#times={by}")
    for track in ("lowered", "native"):
        page.locator("[name=track]").select_option(track)
        for small, size in SIZES.items():
            table = tables.families(sized(report.ranked[by], small=small), track)
            told = {line[0]: [cell.strip("*") for cell in line[1:]] for line in table.rows}
            label = re.compile(rf"(.*), {track}, (\d+) cases? of {size}, by .*?: times the fastest exact: (.*)\.$")
            seen = {}
            for found in filter(None, map(label.match, page.evaluate(LABELS))):
                figures = dict(part.split(" ", 1) for part in found[3].split("; "))
                cells = (
                    figures[name].replace(f" of {found[2]}", "").replace("did none", "") for name in table.head[2:]
                )
                seen[found[1]] = [found[2], *cells]
            assert seen == told
            assert told


def test_from_a_dot_one_comes_to_its_cases_and_back(context: Open, address: str, report: Report) -> None:
    page = opened(context, address)
    figure = page.locator("figure[data-family='filled'][data-size='0']")
    number = page.evaluate("[...document.querySelectorAll('#choose input')].findIndex((box) => box.value === 'qulacs')")
    line = figure.locator(f"a[data-s='{number}']")
    dot = line.locator("circle[data-r]:not([hidden])").first
    dot.dispatch_event("click")
    rows = page.evaluate(f"{SHOWN}.map((row) => [...row.cells].map((cell) => cell.textContent))")
    plan = report.results.plan
    cases = {name for name, case in plan.cases.items()
             if (case["family"], case["track"]) == ("filled", "native") and case["wires"] > 12}  # fmt: skip
    head = page.locator("#runs th").all_text_contents()
    told = [dict(zip(head, row, strict=True)) for row in rows]
    assert {row["case"] for row in told} == cases
    assert {row["simulator"] for row in told} == {"qulacs"}
    assert page.locator("#runs tr.at").count() == 1
    assert page.locator("#shown").inner_text() == f"{len(cases)} of {len(report.found)} runs fit the filter."
    assert page.evaluate("document.activeElement.id") == "every"
    for row in told:
        args = parser().parse_args(shlex.split(row["run it again"])[1:])
        assert (args.simulators, args.only, args.seconds) == (["qulacs"], row["case"], plan.settings.seconds)
    page.go_back()
    page.wait_for_function(f"{SHOWN}.length === {len(report.found)}")
    # the same by keys: one stop of Tab in a picture, arrows within
    figure.locator("a[tabindex='0']").focus()
    names = figure.locator(".name").all_text_contents()
    for _ in range(names.index("qulacs")):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.evaluate(f"{SHOWN}.length") == len(cases)
    ranking = page.locator("figure").first
    ranking.locator("a").first.dispatch_event("click")
    large = sum(case["wires"] > 12 for case in plan.cases.values())
    assert page.evaluate(f"{SHOWN}.length") == large


def test_a_command_takes_names_with_spaces_and_quotes_as_they_are(context: Open, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    names, case = ("my sims/it's.py:run", "plain.py"), "two words-native"
    file = tmp_path / "report.html"
    file.write_text(Report(made(names, {case: case_of(case)}, lambda *_: run_of())).html(), encoding="utf-8")
    page = opened(context, file.as_uri())
    commands = page.locator("#runs code").all_text_contents()
    read_back = [parser().parse_args(shlex.split(command)[1:]) for command in commands]
    assert {(*args.simulators, args.only) for args in read_back} == {(name, case) for name in names}


def test_filters_narrow_the_list_and_every_table_that_has_the_column(shared: Any, address: str) -> None:
    page = shared
    page.goto(f"{address}#outcome=timeout&simulator=chosen&chosen=ddsim,qrack")
    told = page.evaluate(f"{SHOWN}.map((row) => [row.cells[0].textContent, row.cells[5].textContent])")
    assert {tuple(row) for row in told} == {("ddsim", "timeout"), ("qrack", "timeout")}
    page.locator("[name=family]").select_option("dance")
    page.locator("[name=wires]").select_option("1")
    page.locator("[name=outcome]").select_option("")
    assert page.locator("figure[data-family]:not([hidden])").count() == 1
    lost = page.locator("section", has=page.get_by_role("heading", name="Where ours is not the fastest there"))
    shown = lost.locator("tbody tr:visible td:first-child").all_inner_texts()
    assert set(shown) == {"dance"}
    assert "family=dance" in page.url
    page.get_by_role("button", name="Show all").click()
    all_of_them = page.locator("figure[data-family]").count()
    assert page.locator("figure[data-family]:not([hidden])").count() == all_of_them > 1
    assert page.url.endswith("#chosen=ddsim,qrack")


def test_without_its_script_the_page_is_whole(context: Open, address: str, report: Report) -> None:
    page = opened(context, address, java_script_enabled=False)
    assert not page.locator("#bar").is_visible()
    assert page.locator("section > figure, .multiples > figure").count() > 10
    assert page.locator("#runs tbody tr").count() == len(report.found)
    line = page.locator("figure[data-family='filled'] a").first
    line.dispatch_event("click")
    assert page.locator("#runs tr:target td").first.text_content() == line.locator(".name").text_content()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_axe_finds_nothing_serious_and_nothing_is_wider_than_the_page(
    context: Open, address: str, scheme: str, width: int
) -> None:
    how = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    page = opened(context, f"{address}#family=filled&chosen=sparse,qsim", **how)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.evaluate(FEW)
    assert json.dumps(findings(page, [scheme]), indent=1) == "[]"
