"""How simulators grow with the wires of one family: the factor per wire, and crossings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise

from qchess.bench.report.rows import CLASSES, OURS, Row, by_case, rows, simulators
from qchess.bench.report.scores import tied, winner
from qchess.bench.report.tables import Table
from qchess.bench.running.results import Results
from qchess.errors import InvalidMoveError

#: fewer points have no slope
FEW = 3


@dataclass(frozen=True)
class Slope:
    """A least-squares line through the logarithms of times."""

    #: the growth factor of the time per wire
    factor: float
    #: the factor by which the farthest point is off the line
    off: float
    first: int
    last: int


def slope(points: Sequence[tuple[int, float]]) -> Slope | None:
    """Return the line through these wires and times; None for too few.

    >>> slope([(4, 1.0), (6, 4.0), (8, 16.0)])
    Slope(factor=2.0, off=1.0, first=4, last=8)
    """
    if len(points) < FEW:
        return None
    logs = [math.log2(seconds) for _, seconds in points]
    middle, level = sum(n for n, _ in points) / len(points), sum(logs) / len(logs)
    spread = sum((n - middle) ** 2 for n, _ in points)
    steep = sum((n - middle) * log for (n, _), log in zip(points, logs, strict=True)) / spread
    off = max(abs(log - level - steep * (n - middle)) for (n, _), log in zip(points, logs, strict=True))
    return Slope(2**steep, 2**off, points[0][0], points[-1][0])


@dataclass(frozen=True)
class Curve:
    """One simulator on one family."""

    simulator: str
    kind: str
    #: its runs by their wires, in order
    runs: Mapping[int, Row]

    @property
    def points(self) -> list[tuple[int, float]]:
        """Return the wires of its correct runs in time, with their seconds."""
        return [(n, row.seconds) for n, row in self.runs.items() if row.seconds]

    @property
    def upper(self) -> list[tuple[int, float]]:
        """Return the upper half of them, where overhead matters less."""
        points = self.points
        return points[len(points) // 2 :] if len(points) >= 2 * FEW else points[-FEW:]

    @property
    def ended(self) -> str:
        """Return the first outcome that is not ok, and its wires; empty if there is none."""
        return next((f"{row.outcome} at {n}" for n, row in self.runs.items() if row.outcome != "ok"), "")


@dataclass(frozen=True)
class Crossing:
    """The faster of two simulators changes between two numbers of wires."""

    below: str
    above: str
    first: int
    last: int
    #: where straight lines through the logarithms of both times meet; None if one of them has no time there
    at: float | None
    #: how the formerly faster one ended, if it has no time
    why: str = ""


class Family:
    """One family at rising numbers of wires, from a result file."""

    def __init__(self, name: str, found: Sequence[Row], cases: Sequence[str]) -> None:
        self.name = name
        self.rows = [row for row in found if row.case in set(cases)]
        at: dict[str, dict[int, Row]] = {name: {} for name in simulators(self.rows)}
        for row in sorted(self.rows, key=lambda row: row.wires):
            at[row.simulator][row.wires] = row
        self.curves = [Curve(name, next(iter(runs.values())).kind, runs) for name, runs in at.items()]
        self.wires = sorted({row.wires for row in self.rows})

    @cached_property
    def crossings(self) -> list[Crossing]:
        """Return every crossing within a class and of ours with all; ours first, then in the order of wires."""
        found = [
            crossing
            for one, other in combinations(self.curves, 2)
            if one.kind == other.kind or {one.simulator, other.simulator} & {*OURS}
            for crossing in crossings(one, other)
        ]
        return sorted(found, key=lambda c: (not {c.below, c.above} & {*OURS}, c.last, c.below, c.above))

    def times(self) -> Table:
        """Return a table of wires by simulators: milliseconds to the state, or how the run ended."""
        cases = sorted(by_case(self.rows).values(), key=lambda runs: runs[0].wires)
        lines = []
        for runs in cases:
            cells = {row.simulator: _number(row.seconds, 1e3) or row.outcome for row in runs}
            best = winner(row for row in runs if row.kind == "exact")
            named = [f"**{cells[name]}**" if name == best else cells.get(name, "") for name in self._names()]
            lines.append((str(runs[0].wires), str(runs[0].peak), *named, best))
        return Table(("wires", "branches", *self._names(), "fastest, double precision"), tuple(lines))

    def memory(self) -> Table:
        """Return a table of wires by simulators: megabytes of the first run above the import."""
        cells = {(c.simulator, n): _number(row.grown, 1e-6) for c in self.curves for n, row in c.runs.items()}
        lines = [(str(n), *(cells.get((name, n), "") for name in self._names())) for n in self.wires]
        return Table(("wires", *self._names()), tuple(lines))

    def growth(self) -> Table:
        """Return a table, a row per simulator: how far it came, and how its time grows there."""
        lines = []
        for curve in self.curves:
            whole, upper = slope(curve.points), slope(curve.upper)
            told = [(f"{s.first} to {s.last}", f"{s.factor:.3g}", f"{s.off:.2g}") if s else ("", "", "")
                    for s in (whole, upper)]  # fmt: skip
            done = f"{len(curve.points)} of {len(self.wires)}"
            lines.append((curve.simulator, CLASSES[curve.kind], done, curve.ended, *told[0], *told[1]))
        lines.sort(key=lambda line: (float(line[8] or "inf"), line[0]))
        head = ("simulator", "class", "right in time", "first that failed")
        fits = ("wires", "times as long a wire", "a point off by at most")
        return Table((*head, *fits, "upper half", *fits[1:]), tuple(lines))

    def changes(self) -> Table:
        """Return a table of the crossings."""
        lines = tuple(
            (c.below, c.above, f"{c.first} and {c.last}", f"{c.at:.1f}" if c.at else "", c.why) for c in self.crossings
        )
        return Table(("faster below", "faster above", "between", "meeting at", "because"), lines)

    def _names(self) -> list[str]:
        return [curve.simulator for curve in self.curves]


def crossings(one: Curve, other: Curve) -> Iterator[Crossing]:
    """Yield the crossings of two curves: between the last wires with one ahead and the first with the other ahead.

    A tie is no lead. A simulator without a correct result in time is behind one with it. Unsupported cases are left
    out.
    """
    lead: tuple[int, int] | None = None
    for n in sorted(one.runs.keys() & other.runs.keys()):
        ahead = _ahead(one.runs[n], other.runs[n])
        if not ahead:
            continue
        if lead and lead[1] != ahead:
            below, above = (one, other) if ahead < 0 else (other, one)
            ended = below.runs[n]
            why = "" if ended.seconds else f"{ended.simulator}: {ended.outcome}"
            yield Crossing(below.simulator, above.simulator, lead[0], n, _meeting(below, above, lead[0], n), why)
        lead = n, ahead


def _ahead(one: Row, other: Row) -> int:
    """Return 1 if the first is ahead, -1 if the second is, 0 if neither."""
    if one.seconds and other.seconds:
        return 0 if tied(one, other) else 1 if one.seconds < other.seconds else -1
    if "unsupported" in (one.outcome, other.outcome):  # that is no race
        return 0
    return bool(one.seconds) - bool(other.seconds)


def _meeting(below: Curve, above: Curve, first: int, last: int) -> float | None:
    """Return the last meeting of the logarithms of their times in between; None if one of them has no times."""
    ratios = [
        (n, math.log(one / other))
        for n in sorted(below.runs.keys() & above.runs.keys())
        if first <= n <= last and (one := below.runs[n].seconds) and (other := above.runs[n].seconds)
    ]
    found = [
        m + (n - m) * before / (before - after) for (m, before), (n, after) in pairwise(ratios) if before < 0 <= after
    ]
    return found[-1] if found else None


def _number(value: float | None, unit: float) -> str:
    return "" if value is None else f"{value * unit:.3g}" if value * unit < 999.5 else f"{value * unit:.0f}"


def families(results: Results, by: str = "") -> list[Family]:
    """Return every family that the file has at several numbers of wires; raises if there is none."""
    found = [row for row in rows(results, by, None) if row.outcome != "missing"]
    made = [Family(name, found, cases) for name, cases in results.plan.series.items()]
    if not (made := [family for family in made if family.rows]):
        raise InvalidMoveError(
            "expected a family at several numbers of wires, but this file has none; "
            "`qchess bench run --family NAME --wires FIRST:LAST` adds one"
        )
    return made
