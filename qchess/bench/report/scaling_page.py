"""How families grow, as a page: for each a logarithmic picture and tables, in HTML or Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from qchess.bench.report.looks import Look, looks
from qchess.bench.report.plots import figure
from qchess.bench.report.rows import OURS, TIMES, Row, rankings
from qchess.bench.report.scaling import Curve, Family, families, slope
from qchess.bench.report.tables import Table
from qchess.bench.running.results import Results
from qchess.errors import InvalidMoveError

TITLE = "How families grow with their wires"
#: run -> the number shown in a panel
Value = Callable[[Row], float | None]
STYLE = """:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; } svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .8rem; } th, td { padding: .15rem .4rem; text-align: right; }
th:first-child, td:first-child { text-align: left; } tr:nth-child(even) { background: #8881; }
.wide { overflow-x: auto; }"""
RULES = (
    "A time is the median to a verified state. The factor per wire comes from a straight line through the logarithms "
    "of all times that count. The upper half of the wires has a separate line, since the cost of a call hides the "
    "growth of small circuits. Two simulators change places between the last wires where one leads by more than "
    "chance and the first where the other does. A simulator without a correct result in time ranks behind those with "
    "one. Unsupported cases are not compared. Memory is that of the first run, above the import."
)


class Scaling:
    """The families of a result file."""

    def __init__(self, results: Results, by: str = "") -> None:
        have = rankings(results)
        if by and by not in have:
            raise InvalidMoveError(f"the file has no times called {by!r}, it has {', '.join(have) or 'none'}")
        self.by = by or next(iter(have), "first")
        self.families = families(results, self.by)
        self.limits = f"{results.plan.settings.seconds:g} s and {results.plan.settings.memory / 1e9:g} GB"

    def markdown(self, picture: str = "") -> str:
        """Return all families as Markdown; `picture` is the path of a picture, with ``{}`` for its number."""
        parts = [f"# {TITLE}", self.head()]
        for number, family in enumerate(self.families):
            parts += [f"## {family.name}", told(family)]
            parts += [f"![{alt(family)}]({picture.format(number)})"] if picture else []
            parts += [part for title, table in tables(family) for part in (f"### {title}", table.markdown())]
        return "\n\n".join(parts) + "\n"

    def html(self) -> str:
        """Return all families as one HTML file."""
        parts = [f"<h1>{TITLE}</h1><p>{escape(self.head())}</p>"]
        for family in self.families:
            drawn = drawing(family).replace("<svg", f'<svg role="img" aria-label="{escape(alt(family))}"', 1)
            parts += [f"<h2>{escape(family.name)}</h2><p>{escape(told(family))}</p>{drawn}"]
            parts += [f"<h3>{escape(title)}</h3>{table.html()}" for title, table in tables(family)]
        return document(TITLE, "".join(parts))

    def markdown_files(self, path: Path) -> dict[Path, str]:
        """Return the page and a picture a family beside it, by their files."""
        found = {path: self.markdown(f"{path.stem}-{{}}.svg")}
        for number, family in enumerate(self.families):
            drawn = drawing(family).replace("<svg", "<svg style='color:#777'", 1)
            found[path.with_name(f"{path.stem}-{number}.svg")] = drawn
        return found

    def head(self) -> str:
        """Return which times these are, and by which rules."""
        return f"Times are of {TIMES[self.by]}; a run may take {self.limits}. {RULES}"


def document(title: str, body: str) -> str:
    """Return a complete HTML file."""
    head = f"<meta charset=utf-8><title>{title}</title><meta name=viewport content='width=device-width'>"
    return f"<!doctype html>\n<html lang=en>{head}<style>{STYLE}</style>\n<body>{body}</body></html>\n"


def told(family: Family) -> str:
    """Return how many cases were done, and how many crossings there are."""
    done = [curve.simulator for curve in family.curves if len(curve.points) == len(family.wires)]
    whole = f"{', '.join(done)} did all" if done else "no simulator did all"
    return (
        f"{len(family.wires)} circuits of {family.wires[0]} to {family.wires[-1]} wires; of {len(family.curves)} "
        f"simulators, {whole}. Places change {len(family.crossings)} times."
    )


def tables(family: Family) -> Iterator[tuple[str, Table]]:
    """Yield the tables of a family that have rows, with their titles."""
    made = {
        "Growth": family.growth(), "Changes of the lead": family.changes(), "Time, ms": family.times(),
        "Memory, MB": family.memory(),
    }  # fmt: skip
    yield from ((title, table) for title, table in made.items() if table.rows)


def alt(family: Family) -> str:
    """Return the description of the picture, for those who do not see it."""
    lines = [f"{curve.simulator} {_seen(curve)}" for curve in family.curves if curve.points]
    return (
        f"Milliseconds to the state, and megabytes, of {family.name} against its wires, from {family.wires[0]} to "
        f"{family.wires[-1]}, on scales of logarithms: {'; '.join(lines) or 'no simulator has a time'}"
    )


def _seen(curve: Curve) -> str:
    (first, quick), (last, slow) = curve.points[0], curve.points[-1]
    steep = slope(curve.upper)
    grows = f", {steep.factor:.2g} times as long a wire in the upper half" if steep else ""
    return f"{quick * 1e3:.2g} ms at {first} and {slow * 1e3:.2g} ms at {last}{grows}"


def drawing(family: Family) -> str:
    """Draw time and memory, a line per simulator."""
    panels = [partial(_panel, curves=family.curves, look=looks(family.rows), value=value, label=label) for value, label
              in ((_ms, "ms to the state"), (_mb, "MB above the import"))]  # fmt: skip
    return figure(panels, (9.6, 4.6), (2, 1))


def _ms(row: Row) -> float | None:
    return row.seconds and row.seconds * 1e3


def _mb(row: Row) -> float | None:
    return row.grown and row.grown / 1e6


def _panel(axes: Any, curves: Sequence[Curve], look: Look, value: Value, label: str) -> None:
    """Draw a line per simulator, broken where it has no value, with the outcome if it ends early."""
    for curve in sorted(curves, key=lambda curve: curve.simulator in OURS):
        points = [(n, value(row) or float("nan")) for n, row in curve.runs.items()]
        if not any(value(row) for row in curve.runs.values()):
            continue
        width = 2.2 if curve.simulator in OURS else 1.0
        axes.plot(*zip(*points, strict=True), label=curve.simulator, linewidth=width, **look[curve.simulator])
        end, height = [(n, y) for n, y in points if y == y][-1]
        ended = next((row.outcome for n, row in curve.runs.items() if n > end and row.outcome != "ok"), "")
        if ended:
            axes.annotate(ended, (end, height), (2, 2), textcoords="offset points", fontsize=6)
    axes.set_yscale("log")
    axes.set_xlabel("wires")
    axes.set_ylabel(label)
