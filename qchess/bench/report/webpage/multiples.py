"""Small pictures for a browser, all on one scale: each row is a simulator, with links to its cases.

The page's script moves their dots when another time or track is chosen; it relies on this layout.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from html import escape
from statistics import quantiles

from qchess.bench.report.rows import TIMES, Row, by_case, fastest, mean, short
from qchess.bench.report.scores import NEVER, SIZES, SMALL, Place, places, sized
from qchess.bench.report.webpage.choices import Choices
from qchess.bench.report.webpage.listing import Listing

#: the end of the names, both ends of the scale, the end of the picture; the height of a row
NAMES, LEFT, RIGHT, WIDE, STEP = 78, 86, 284, 326, 13
#: the track shown first
TRACK = "native"
#: (simulator, case) -> its time over that of the fastest exact simulator
Ratios = Mapping[tuple[str, str], float]
TEXT = (
    "How many times as long as the fastest exact simulator in double precision, on one scale for all families; further "
    "left is faster. Each small dot is a case, each large one the geometric mean, which is there only where a "
    "simulator did all cases. A row leads to its cases."
)


@dataclass(frozen=True)
class Scale:
    """A logarithmic scale between two powers of ten."""

    low: int
    high: int

    @classmethod
    def over(cls, values: Iterable[float]) -> Scale:
        """Return the narrowest scale for these values that includes 1 and 10."""
        seen = [math.log10(value) for value in values if value] or [0.0]
        return cls(min(0, math.floor(min(seen))), max(1, math.ceil(max(seen))))

    def __call__(self, value: float) -> float:
        """Return the place of a value, from the left."""
        return LEFT + (RIGHT - LEFT) * (math.log10(value) - self.low) / (self.high - self.low)

    def lines(self, height: int) -> str:
        """Return the powers of ten; that of the fastest is drawn stronger."""
        made = []
        for power in range(self.low, self.high + 1):
            x = self(10.0**power)
            told = f"{10**power}" if power in (0, 1) else f"10{'⁻' * (power < 0)}{'⁰¹²³⁴⁵⁶⁷⁸⁹'[abs(power) % 10]}"
            made.append(f'<path class="grid{" one" * (power == 0)}" d="M{x:.0f} 2V{height}"/>')
            made.append(f"<text class=tick x={x:.0f} y={height + 10}>{told}</text>")
        return "".join(made)


@dataclass(frozen=True)
class Line:
    """A simulator in a small picture."""

    name: str
    #: the text after the scale, and its description in a sentence
    value: str
    told: str
    #: the place of its mark, and the end of its line; None if it has none
    at: float | None
    span: tuple[float, float] | None
    #: its cases: the place of each, of its run in the list, and whether it is of another track
    dots: Sequence[tuple[float, int, bool]] = ()
    goes_to: str = "#runs"


def picture(title: str, lines: Sequence[Line], scale: Scale, choices: Choices) -> str:
    """Return one small picture; its label and its rows describe it in words."""
    height = STEP * len(lines) + 4
    rows = []
    for place, line in enumerate(lines):
        y = place * STEP + STEP / 2 + 3
        parts = [f"<rect x=0 y={y - STEP / 2:g} width={WIDE} height={STEP} />",
                 f"<text class=name x={NAMES} y={y + 3:g}>{escape(line.name)}</text>"]  # fmt: skip
        low, high = line.span or (1.0, 1.0)
        parts.append(f'<path class=span d="M{scale(low):.1f} {y:g}H{scale(high):.1f}"/>')
        parts += [
            f"<circle data-r={number} cx={scale(x):.1f} cy={y:g} r=2{' hidden' if away else ''} />"
            for x, number, away in line.dots
        ]
        mark = f"cx={scale(line.at):.1f}" if line.at else "hidden"
        parts.append(f"<circle class=mark {mark} cy={y:g} r=4 /><text class=value x={WIDE} y={y + 3:g}>{line.value}")
        number = choices.number(line.name)
        rows.append(
            f'<a class="s{choices.on(line.name)}" href="{line.goes_to}" data-s={number} style="--c:var(--s{number})">'
            f"<title>{escape(line.told)}</title>{''.join(parts)}</text></a>\n"
        )
    said = escape(f"{title}: {'; '.join(line.told for line in lines)}.")
    return (
        f'<svg class=small role=group viewBox="0 0 {WIDE} {height + 14}" aria-label="{said}"><title>{escape(title)}'
        f"</title>{scale.lines(height)}{''.join(rows)}</svg>"
    )


# -- the three rankings ---------------------------------------------------------------------------------------------


def rankings(ranked: Mapping[str, Sequence[Row]], choices: Choices, *, small: bool) -> str:
    """Return a picture for each of the times: exact simulators, the best first."""
    made = {by: places(sized(found, small=small), "exact") for by, found in ranked.items()}
    ratios = [
        r for found in made.values() for place in found for r in (place.middle, *(_span(place) or ())) if r < NEVER
    ]
    scale = Scale.over(ratios)
    parts = []
    for by, found in made.items():
        lines = [_ranked(place) for place in sorted(found, key=lambda place: (place.middle, -place.won, -place.done))]
        title = f"{TIMES[by]}, {SIZES[small]}"
        drawn = picture(f"Times the fastest by {title}, median of all cases", lines, scale, choices)
        parts.append(f"<figure data-size={int(small)}><figcaption><b>{escape(TIMES[by])}</b></figcaption>{drawn}"
                     "</figure>\n")  # fmt: skip
    line = "The line behind a dot holds the middle half of the cases; there is none where a quarter was not done."
    return f"<p>{line}</p><div class=multiples>{''.join(parts)}</div>" if ratios else ""


def _ranked(place: Place) -> Line:
    done = f"did {place.done} of {len(place.ratios)}, won {place.won}, tied {place.tied}"
    if place.middle == NEVER:
        return Line(place.simulator, "not half", f"{place.simulator} not half done; {done}", None, None)
    told = f"{place.simulator} {short(place.middle)} times; {done}"
    return Line(place.simulator, short(place.middle), told, place.middle, _span(place))


def _span(place: Place) -> tuple[float, float] | None:
    """Return the middle half of all cases; None if a quarter was not done."""
    if len(place.ratios) < 2 or place.within(1e300) <= 0.75:
        return None
    low, _, high = quantiles([min(ratio, 1e300) for ratio in place.ratios], n=4, method="inclusive")
    return low, high


# -- families -------------------------------------------------------------------------------------------------------


def ratios(found: Iterable[Row]) -> dict[tuple[str, str], float]:
    """Return each time over that of the fastest exact simulator on its case, by simulator and case."""
    made: dict[tuple[str, str], float] = {}
    for case, runs in by_case(row for row in found if not row.feed_forward).items():
        best = fastest([row for row in runs if row.kind == "exact"])
        if best and best.seconds:
            made |= {(row.simulator, case): row.seconds / best.seconds for row in runs if row.seconds}
    return made


def families(ranked: Mapping[str, Sequence[Row]], listing: Listing, *, small: bool) -> str:
    """Return a picture for each family, by the first of the times; all share one scale over all times."""
    choices = listing.choices
    names = [name for name in choices.names if (choices.kinds or {})[name] != "approximate"]
    told = [ratios(found) for found in ranked.values()]
    done = {case for _, case in told[0]}
    scale = Scale.over(value for each in told for (name, _), value in each.items() if name in names)
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in listing.rows:
        if row.simulator in names and not row.feed_forward and (row.wires <= SMALL) == small:
            groups[row.family].append(row)
    parts = []
    for family, rows in sorted(groups.items()):
        lines = [_of_family(name, rows, told[0], done, listing) for name in names]
        count = len({row.case for row in rows if row.track == TRACK and row.case in done})
        what = f"{TRACK}, {_cases(count)}"
        by = TIMES[next(iter(ranked))]
        title = f"{family}, {what} of {SIZES[small]}, by {by}: times the fastest exact"
        drawn = picture(title, lines, scale, choices)
        parts.append(
            f'<figure data-family="{escape(family)}" data-size={int(small)}{"" if count else " hidden"}>'
            f"<figcaption><b>{escape(family)}</b> <span>{what}</span></figcaption>{drawn}</figure>\n"
        )
    if not parts:
        return ""
    return (
        f"<div class=multiples data-low={scale.low} data-high={scale.high} data-left={LEFT} data-right={RIGHT}>"
        f"{''.join(parts)}</div>"
    )


def _cases(count: int) -> str:
    return f"{count} case{'s' * (count != 1)}"


def _of_family(name: str, rows: Sequence[Row], told: Ratios, done: Set[str], listing: Listing) -> Line:
    """Return a simulator's cases; the mark is their geometric mean, if it did all that an exact one did."""
    mine = [row for row in rows if row.simulator == name]
    cases = {row.case for row in rows if row.track == TRACK and row.case in done}
    dots = [(told[key], listing.numbers[key], row.track != TRACK)
            for row in mine if (key := (name, row.case)) in told]  # fmt: skip
    shown = [value for value, _, away in dots if not away]
    first = next((row for row in mine if row.track == TRACK), next(iter(mine), None))
    goes_to = f"#r{listing.numbers[name, first.case]}" if first else "#runs"
    span = (min(shown), max(shown)) if shown else None
    if cases and len(shown) == len(cases):
        value = short(mean(shown))
        return Line(name, value, f"{name} {value}", mean(shown), span, dots, goes_to)
    value = f"{len(shown)} of {len(cases)}" if shown else "none"
    return Line(name, value, f"{name} did {value}", None, span, dots, goes_to)
