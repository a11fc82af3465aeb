"""Devices side by side as a picture: kept shares, distance of the strings from the exact odds, errors and costs.

Observed values are bars or dots, expected ones lines, and coin flips dashed lines. Bars and dots of circuits in part
are hollow, since they are a smaller experiment. A failed row says why instead.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from qchess.showing.comparing import FAILED, PART, Row, cost, described

#: the height of a row and of the space above and below all rows, the width of a letter and of a panel
HIGH, TOP, BELOW, LETTER, WIDE = 40.0, 42.0, 44.0, 5.8, 130.0
#: the room right of a panel for its figure; and the room of the costs
FIGURE, COSTS = 64.0, 150.0
#: the left end of the first panel, from the longest name
GAP = 26.0
_STYLE = (
    "<style>.qdev{color:#26313b}.qdev .paper{fill:#fff}.qdev .seen{fill:#1f5fa8;stroke:#1f5fa8}"
    ".qdev .coins{stroke:#b4561a}"
    ".qdev text{font:11px ui-sans-serif,Helvetica,Arial,sans-serif;fill:currentColor}"
    ".qdev .head,.qdev .name{font-weight:700}.qdev .small{font-size:10px;fill-opacity:.8}.qdev .mid{text-anchor:middle}"
    ".qdev .axis{fill:none;stroke:currentColor;stroke-opacity:.3}.qdev .rule{stroke:currentColor;stroke-opacity:.12}"
    ".qdev .band{fill:currentColor;fill-opacity:.16}.qdev .expected{stroke:currentColor;stroke-width:2}"
    ".qdev .coins{stroke-width:2;stroke-dasharray:3 2}.qdev .seen{stroke-width:1.5}.qdev .hollow{fill:none}"
    "@media(prefers-color-scheme:dark){.qdev{color:#eef2f5}.qdev .paper{fill:#1b232b}"
    ".qdev .seen{fill:#7fb2dc;stroke:#7fb2dc}.qdev .hollow{fill:none}.qdev .coins{stroke:#f0a066}}</style>"
)


class Panel(NamedTuple):
    """A column with a scale: its left end, and the value at its right end."""

    title: str
    x: float
    most: float

    def at(self, value: float) -> float:
        """Return the place of a value."""
        return self.x + WIDE * min(1.0, value / self.most)

    def frame(self, bottom: float) -> Iterator[str]:
        """Draw the title, and lines at 0, at the half and at the end."""
        yield f'<text class="head" x="{self.x:g}" y="16">{escape(self.title)}</text>'
        for share in (0.0, 0.5, 1.0):
            x = self.x + WIDE * share
            yield f'<path class="axis" d="M{x:g} {TOP - 6:g}V{bottom:g}"/>'
            yield f'<text class="small mid" x="{x:g}" y="{TOP - 10:g}">{share * self.most:.3g}</text>'

    def bar(self, y: float, value: float, kind: str) -> str:
        """Draw a bar from 0 to the value, around this height."""
        wide = self.at(value) - self.x
        return f'<rect class="{kind}" x="{self.x:g}" y="{y - 5:g}" width="{wide:.2f}" height="10"/>'

    def line(self, y: float, value: float, kind: str) -> str:
        """Draw a short upright line at the value."""
        return f'<path class="{kind}" d="M{self.at(value):.2f} {y - 10:g}V{y + 10:g}"/>'

    def figure(self, y: float, told: str) -> str:
        """Draw the text beside the panel."""
        return f'<text x="{self.x + WIDE + 8:g}" y="{y + 4:g}">{told}</text>'


def picture(rows: Sequence[Row]) -> str:
    """Return the rows as SVG text, which follows the reader's theme."""
    x = max(len(part) for row in rows for part in _names(row)) * LETTER + GAP
    kept = Panel("kept of the shots", x, 1.0)
    ends = (value for row in rows for value in (row.distance, row.distance_coins, *(row.ideal or ())))
    distance = Panel("distance from the exact odds", kept.x + WIDE + FIGURE, _end(ends))
    undetected = Panel("undetected error", distance.x + WIDE + FIGURE, _end(row.undetected for row in rows))
    costs = undetected.x + WIDE + FIGURE
    width, bottom = costs + COSTS, TOP + HIGH * len(rows)
    shapes = [shape for panel in (kept, distance, undetected) for shape in panel.frame(bottom)]
    shapes.append(f'<text class="head" x="{costs:g}" y="16">what ran</text>')
    for number, row in enumerate(rows):
        shapes += _row(row, TOP + HIGH * (number + 0.5), width, (kept, distance, undetected), costs)
    told = "; ".join(map(described, rows))
    size = f'width="{width:g}" height="{bottom + BELOW:g}" viewBox="0 0 {width:g} {bottom + BELOW:g}"'
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qdev" role="img" {size}>',
        f"<title>Devices side by side</title><desc>{escape(told)}</desc>", _STYLE,
        f'<path class="paper" d="M0 0H{width:g}V{bottom + BELOW:g}H0z"/>', *shapes, *_legend(bottom, kept.x), "</svg>",
    ))  # fmt: skip


def _names(row: Row) -> tuple[str, str]:
    """Return the label of a row: the device, and below it its settings with the questions."""
    name, _, settings = row.device.partition(",")
    kind = f"{row.questions} question{'s' * (row.questions > 1)}{' in part' if row.kind == PART else ''}"
    return name, ", ".join(part for part in (*settings.split(","), kind) if part)


def _end(values: Iterable[float | None]) -> float:
    """Return a round number that is at least every value."""
    most = max((value for value in values if value is not None), default=0.0)
    steps = (step * 10.0**power for power in range(-6, 1) for step in (1, 2, 4, 6, 8))
    return next((step for step in steps if step >= most > 0), 1.0)


def _row(row: Row, y: float, width: float, panels: tuple[Panel, Panel, Panel], costs: float) -> Iterator[str]:
    yield f"<g><title>{escape(described(row))}</title>"
    yield f'<path class="rule" d="M0 {y - HIGH / 2:g}H{width:g}"/>'
    for text, kind, below in zip(_names(row), ("name", "small"), (-3, 11), strict=True):
        yield f'<text class="{kind}" x="8" y="{y + below:g}">{escape(text)}</text>'
    if row.kind == FAILED:
        yield from _failed(row, y, panels[0].x, costs)
    else:
        yield from _seen(row, y, *panels)
    if row.kind != FAILED or row.shots:
        for text, below in zip(cost(row), (-3, 11), strict=True):
            yield f'<text x="{costs:g}" y="{y + below:g}">{escape(text)}</text>'
    yield "</g>"


def _seen(row: Row, y: float, kept: Panel, distance: Panel, undetected: Panel) -> Iterator[str]:
    seen = "seen hollow" if row.kind == PART else "seen"
    if row.kept is not None:
        yield kept.bar(y, row.kept, seen)
        yield kept.figure(y, f"{row.kept:.1%}")
    yield from (
        kept.line(y, value, kind)
        for value, kind in ((row.kept_expected, "expected"), (row.kept_coins, "coins"))
        if value is not None
    )
    if row.ideal is not None:
        low, high = map(distance.at, row.ideal)
        yield f'<rect class="band" x="{low:.2f}" y="{y - 10:g}" width="{high - low:.2f}" height="20"/>'
    if row.distance_coins is not None:
        yield distance.line(y, row.distance_coins, "coins")
    if row.distance is not None:
        yield f'<circle class="{seen}" cx="{distance.at(row.distance):.2f}" cy="{y:g}" r="4.5"/>'
        yield distance.figure(y, f"{row.distance:.3f}")
    if row.undetected is not None:
        yield undetected.bar(y, row.undetected, seen)
        yield undetected.figure(y, f"{row.undetected:.4f}")
    else:
        yield f'<text class="small" x="{undetected.x + 6:g}" y="{y + 4:g}">not told</text>'


def _failed(row: Row, y: float, x: float, end: float) -> Iterator[str]:
    """Draw the reason over the panels, in two lines; the row's title has all of it."""
    letters = int((end - x - 10) / LETTER)
    lines = textwrap.wrap(f"failed: {row.why}", letters, max_lines=2, placeholder=" …")
    yield f'<rect class="paper" x="{x - 2:g}" y="{y - HIGH / 2 + 1:g}" width="{end - x - 4:g}" height="{HIGH - 1:g}"/>'
    for line, below in zip(lines, (-3, 11) if len(lines) > 1 else (4,), strict=True):
        yield f'<text x="{x:g}" y="{y + below:g}">{escape(line)}</text>'


def _legend(bottom: float, x: float) -> Iterator[str]:
    y = bottom + 17
    yield f'<rect class="seen" x="{x:g}" y="{y - 8:g}" width="16" height="8"/>'
    yield f'<circle class="seen" cx="{x + 26:g}" cy="{y - 4:g}" r="4"/>'
    yield f'<text x="{x + 36:g}" y="{y:g}">seen (hollow: circuits in part)</text>'
    yield f'<path class="expected" d="M{x + 210:g} {y - 11:g}v14"/>'
    yield f'<text x="{x + 218:g}" y="{y:g}">expected of the device</text>'
    yield f'<path class="coins" d="M{x + 350:g} {y - 11:g}v14"/>'
    yield f'<text x="{x + 358:g}" y="{y:g}">coin flips</text>'
    yield f'<rect class="band" x="{x + 424:g}" y="{y - 11:g}" width="22" height="14"/>'
    yield f'<text x="{x + 452:g}" y="{y:g}">95% of ideal devices</text>'
    yield (f'<text class="small" x="{x:g}" y="{y + 17:g}">Means over the circuits. The distance is of all strings that '
           "were read, nothing dropped.</text>")  # fmt: skip
