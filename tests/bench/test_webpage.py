"""The page of a report for a browser: one file, readable without its script, whose figures are those of the tables."""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from qchess.__main__ import parser
from qchess.bench.report import tables
from qchess.bench.report.page import Report
from qchess.bench.report.rows import simulators
from qchess.bench.report.scores import SIZES, sized
from qchess.bench.report.webpage.choices import CHOSEN, COLOURS, choices
from qchess.bench.report.webpage.document import HERE, as_html
from qchess.bench.report.webpage.listing import Listing, again
from qchess.bench.running.results import Results, read
from tests.bench.synthetic import case_of, made, run_of
from tests.web.test_browser_colours import SIGHTS, smallest

FILE = (
    Path(__file__).parents[2] / "benchmarks" / "results" / "simulators_standard.jsonl"
)  #: a row of a small picture: the run it leads to, its simulator, and what it holds
LINE = re.compile(r'<a [^>]*href="#r(\d+)".*?<text class=name[^>]*>([^<]*)(.*?)</a>', re.DOTALL)


class Tags(HTMLParser):
    """The attributes of every element, by its name."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found[tag].append(dict(attrs))


class Page:
    """The page of a file, all but the pictures that matplotlib draws."""

    def __init__(self, results: Results) -> None:
        self.report = Report(results)
        self.choices = choices(results, self.report.found)
        self.listing = Listing(self.report.ranked, results.plan, self.choices)
        drawn: dict[str, Any] = defaultdict(lambda: ("<svg></svg>", "drawn elsewhere"))
        self.html = as_html(self.report.sections(self.listing), drawn, self.choices, self.listing)
        self.tags = Tags(self.html).found


@pytest.fixture(scope="module")
def page() -> Page:
    """The page of the stored results."""
    return Page(read(FILE))


@pytest.mark.slow
def test_it_is_one_file_that_begins_with_where_ours_loses(page: Page) -> None:
    assert len(page.html.encode()) < 1_300_000
    assert not re.search(r"<(?:link|img|iframe)\b|\bsrc=|@import|url\([^#]|https?:", page.html)
    first = re.findall("<p>(.*?)</p>", page.html)[0]
    assert unescape(re.sub("<[^>]*>", "", first)) == page.report.says["headline"].replace("`", "")
    assert first.startswith("<strong>Ours loses in ")
    titles = re.findall("<figcaption><b>(.*?)</b>", page.html)
    assert titles[:3] == ["new circuits in a running process", "warm repeats of one circuit in one process",
                          "first runs after the import"]  # fmt: skip
    (bar,) = page.tags["form"]
    assert "hidden" in bar  # without its script the page shows nothing that does nothing
    boxes = page.tags["input"]
    assert [box["value"] for box in boxes] == list(page.choices.names)
    assert sum("checked" in box for box in boxes) == CHOSEN < COLOURS


@pytest.mark.slow
@pytest.mark.parametrize("small", SIZES)
def test_the_figures_of_the_small_pictures_are_those_of_the_tables(page: Page, small: bool) -> None:
    table = tables.families(sized(page.report.found, small=small))
    told = {line[0]: dict(zip(table.head, line, strict=True)) for line in table.rows}
    seen = {}
    label = re.compile(rf"(.*), native, (\d+) cases? of {SIZES[small]}, by .*?: times the fastest exact: (.*)\.$")
    for picture in page.tags["svg"]:
        if found := label.match(picture.get("aria-label", "")):
            family, cases, figures = found.groups()
            seen[family] = {"family": family, "cases": cases, **_figures(figures, cases)}
    assert len(told) > 10
    assert seen == {family: {key: value.strip("*") for key, value in line.items()} for family, line in told.items()}
    assert set(table.head[2:]) == set(simulators(page.report.found)) - set(simulators(page.report.found, "approximate"))


def _figures(text: str, cases: str) -> dict[str, str]:
    """What the label of a picture says of each simulator, as the table says it."""
    made_of = {}
    for part in text.split("; "):
        name, _, value = part.partition(" ")
        value = value.replace(f" of {cases}", "").replace("did none", "")
        made_of[name] = value
    return made_of


def test_the_rankings_are_those_of_the_table(page: Page) -> None:
    table = page.report.tables()["rankings"]
    pictures = [tag["aria-label"] for tag in page.tags["svg"] if tag.get("class") == "small"][:3]
    for picture, by in zip(pictures, page.report.ranked, strict=True):
        column = table.head.index(f"{by}: times the fastest")
        told = {row[0].strip("*"): row[column] for row in table.rows if row[1] == "exact"}
        found = re.findall(r"(?:: |; )([\w-]+) (\S+) times; did (\d+) of (\d+), won (\d+), tied (\d+)", picture)
        assert {name: value for name, value, *_ in found} == told
        ends = {row[0].strip("*"): row[column + 1] for row in table.rows}
        assert {name: f"{won}, {tied}" for name, _, _, _, won, tied in found} == {name: ends[name] for name in told}


def test_every_run_is_in_the_list_and_every_dot_leads_to_its_run(page: Page) -> None:
    head = list(page.listing.columns())
    rows = re.findall(r"<tr id=r(\d+)>(.*)\n", page.html)
    cells = {
        number: dict(zip(head, (unescape(re.sub(r"^[^>]*>|<[^>]*>", "", cell)) for cell in line.split("<td")[1:]),
                         strict=True)) for number, line in rows
    }  # fmt: skip
    results = page.report.results
    assert {(cell["simulator"], cell["case"]) for cell in cells.values()} == set(results.runs)
    assert len(cells) == len(results.runs)
    for cell in cells.values():
        run = results.runs[cell["simulator"], cell["case"]]
        assert cell["outcome"] == run["outcome"]
        for by in page.report.ranked:
            took = run.get(by) or {}
            wall = (took if "wall" in took else run.get("first", {})).get("wall") if run["outcome"] == "ok" else None
            digits = "" if wall is None else f"{wall * 1e3:.3g}" if wall < 0.9995 else f"{wall * 1e3:.0f}"
            assert cell[f"{by}, ms"] == digits
            if by != "first" and wall and took.get("runs", 0) > 1:
                assert cell[f"{by}, quartiles"] == " to ".join(f"{took[end] * 1e3:.3g}" for end in ("low", "high"))
    dots: Counter[str] = Counter()
    for figure in re.findall(r"<figure data-family=.*?</figure>", page.html, re.DOTALL):
        family = unescape(re.findall('data-family="([^"]*)"', figure)[0])
        for row, name, inside in LINE.findall(figure):
            for number in (row, *re.findall(r"data-r=(\d+)", inside)):
                assert (cells[number]["simulator"], cells[number]["family"]) == (name, family)
            dots.update(re.findall(r"data-r=(\d+)", inside))
    assert set(dots.values()) == {1}
    assert set(dots) == {number for number, cell in cells.items() if cell["new, ms"] and "mps" not in cell["simulator"]}


def test_the_command_of_a_run_runs_that_run_alone(page: Page) -> None:
    plan = page.report.results.plan
    names = list(plan.cases)
    assert all(sum(name in other for other in names) == 1 for name in names)
    words = shlex.split(again(plan).replace("SIMULATOR", "mine.py").replace("CASE", names[0]))
    args = parser().parse_args(words[1:])
    settings = plan.settings
    assert (args.simulators, args.only, args.size) == (["mine.py"], names[0], "standard")
    assert (args.seconds, args.memory * 1e9, args.warm) == (settings.seconds, settings.memory, settings.warm)
    assert (args.shots, args.seed) == (settings.shots, settings.seed)


def test_circuits_from_outside_are_run_again_from_where_they_were() -> None:
    results = made(("sparse",), {"a": case_of("a")}, lambda *_: run_of())
    plan = replace(results.plan, corpus="circuits of some folder and family mine.py:rings, only a")
    where = again(plan, outside=True).split(" --only CASE ")[1]
    assert where.startswith("--circuits 'some folder' --family mine.py:rings --out")


def test_names_from_a_file_are_text() -> None:
    evil = "<script>alert(1)</script>"
    results = made(("sparse", evil), {"a": case_of("a", family=evil)}, lambda *_: run_of(remarks=[evil]))
    html = Page(results).html
    assert evil not in html
    assert html.count("<script>") == 1


def test_pictures_tables_and_boxes_have_names(page: Page) -> None:
    tags = page.tags
    assert all(tag.get("aria-label") for tag in tags["svg"] if tag)
    assert page.html.count("<title>") > len(tags["svg"])
    assert all(tag["scope"] == "col" for tag in tags["th"])
    regions = [tag for tag in tags["div"] if tag.get("role") == "region"]
    assert len(regions) == len(tags["table"]) + sum(tag.get("role") == "img" for tag in tags["svg"])
    assert all(tag["aria-label"] and tag["tabindex"] == "0" for tag in regions)


@pytest.mark.parametrize("light", [True, False])
def test_chosen_simulators_are_told_apart_by_all_eyes(light: bool) -> None:
    style = (HERE / "page.css").read_text(encoding="utf-8")
    parts = style.split("prefers-color-scheme: dark")
    colours = re.findall(r"--(?:p\d|grey): (#\w{6})", parts[0] if light else parts[1])
    assert len(colours) == COLOURS + 1
    for sight in SIGHTS:
        assert smallest(colours, sight) > 12, sight


def test_a_file_without_runs_and_one_of_one_simulator_have_pages() -> None:
    for names in ((), ("qulacs",)):
        html = Page(made(names, {"a": case_of("a")}, lambda *_: run_of())).html
        assert html.endswith("</html>\n")
