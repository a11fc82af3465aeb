"""Two result files beside each other: which outcomes changed, and which times by more than chance."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, stdev

from qchess.bench.report.rows import RANKINGS, TIMES, Row, mean, rankings, rows
from qchess.bench.report.tables import Table
from qchess.bench.running.results import Results
from qchess.errors import InvalidMoveError

#: no change by less counts, however narrow the spreads
FLOOR = 1.1
#: the limit of a case of which one time has no spread
BARE = 1.25
#: what the cases scatter raises no limit above this where both times have a spread
MOST = 2.5
#: the quartiles of a normal distribution lie so many deviations apart; half of it lies within so many
QUARTILES, HALF = 1.349, 0.6745
#: as many runs as the usual spread of a file counts for
PRIOR = 3
#: a simulator with fewer cases is not judged as a whole, and tells nothing of the scatter
FEW = 5
#: so many changed cases are listed
LISTED = 10


@dataclass(frozen=True)
class Change:
    """One case of one simulator in both files."""

    old: Row
    new: Row
    #: the new time over the old one
    ratio: float
    #: the quartiles must be apart by this factor
    limit: float

    @property
    def slower(self) -> bool:
        """Whether it takes longer by more than chance."""
        return _range(self.new)[0] > self.limit * _range(self.old)[1]

    @property
    def faster(self) -> bool:
        """Whether it takes less time by more than chance."""
        return _range(self.old)[0] > self.limit * _range(self.new)[1]

    def __str__(self) -> str:
        """One line for the terminal."""
        how = f"{self.ratio:.2f} times as long" if self.ratio >= 1 else f"{1 / self.ratio:.2f} times as fast"
        return f"{self.old.simulator} on {self.old.case}: {how}; its limit is {self.limit:.2f}"


@dataclass(frozen=True)
class Whole:
    """All cases of a simulator that both files have: the geometric mean of new over old, and where it may lie."""

    simulator: str
    changes: tuple[Change, ...]

    @property
    def factor(self) -> float:
        """The geometric mean of the ratios."""
        return mean([change.ratio for change in self.changes])

    @property
    def between(self) -> tuple[float, float]:
        """Three standard errors to both sides of the mean; everything, where there are too few cases."""
        if len(self.changes) < FEW:
            return 0.0, math.inf
        error = stdev(math.log(change.ratio) for change in self.changes) / math.sqrt(len(self.changes))
        return self.factor / math.exp(3 * error), self.factor * math.exp(3 * error)

    @property
    def verdict(self) -> str:
        """Whether the simulator as a whole is slower or faster, by more than chance and more than the floor."""
        low, high = self.between
        if low > 1 and self.factor > FLOOR:
            return "slower"
        return "faster" if high < 1 and self.factor < 1 / FLOOR else ""


class Comparison:
    """What is common to two files, by one of the times of a run: new, warm or first."""

    def __init__(self, first: Results, second: Results, by: str = "") -> None:
        self.by = _time(first, second, by)
        self.told = _conditions(first, second)
        old, new = ({(row.simulator, row.case): row for row in rows(r, self.by)} for r in (first, second))
        both = [key for key in old if key in new]
        same = [key for key in both if old[key].data["hash"] == new[key].data["hash"]]
        self.pairs = [(old[key], new[key]) for key in same]
        self.heads = [f"{len(old)} runs and {len(new)}; {len(same)} are of the same simulator on the same circuit"]
        if len(same) < len(both):
            self.heads.append(f"{len(both) - len(same)} cases of the same name are other circuits, and are left out")
        self.ended = [*_starts(first, second), *_outcomes(self.pairs)]
        self.changes, self.scatter = _changes(self.pairs)

    @property
    def wholes(self) -> list[Whole]:
        """The simulators with times in both files."""
        groups: dict[str, list[Change]] = defaultdict(list)
        for change in self.changes:
            groups[change.old.simulator].append(change)
        return [Whole(name, tuple(changes)) for name, changes in groups.items()]

    def failures(self, above: float) -> list[str]:
        """What fails a build: what ended well and does so no more, and what became slower by more than this factor."""
        found = [text for text, failed in self.ended if failed]
        found += [
            f"{whole.simulator} as a whole: {whole.factor:.2f} times as long, on {len(whole.changes)} cases"
            for whole in self.wholes
            if whole.verdict == "slower" and whole.factor > above
        ]
        return found + [str(change) for change in _slowest(self.changes) if change.ratio > above]

    def text(self) -> str:
        """Everything, for the terminal."""
        parts = [*self.heads, *self.told, *self._rules(), _table(self.wholes).markdown()]
        parts += [text for text, _ in self.ended]
        for what, found in (("slower", _slowest(self.changes)), ("faster", _fastest(self.changes))):
            parts += [f"{what}: {change}" for change in found[:LISTED]]
            parts += [f"{what}: {len(found) - LISTED} more"] if len(found) > LISTED else []
        return "\n".join(parts)

    def _rules(self) -> list[str]:
        if not self.changes:
            return ["no time is in both files"]
        limits = sorted(change.limit for change in self.changes)
        bare = sum(change.old.spread is None or change.new.spread is None for change in self.changes)
        return [
            f"times: {TIMES[self.by]}",
            "a case is slower or faster where the quartiles of both files are apart by its limit, which grows with "
            f"both spreads and is {FLOOR} at least; here the limits go from {limits[0]:.2f} to {limits[-1]:.2f}",
            *([f"{bare} of {len(limits)} cases have no spread, and a limit of {BARE} at least"] if bare else []),
        ]


def compared(first: Results, second: Results, by: str = "") -> str:
    """How two files differ, as text for the terminal."""
    return Comparison(first, second, by).text()


def _time(first: Results, second: Results, by: str) -> str:
    """The time to compare: the one asked for, or the first of all that both files have."""
    have = [rankings(results) for results in (first, second)]
    for which, names in zip(("first", "second"), have, strict=True):
        if by and by not in names:
            told = ", ".join(names) or "no times at all"
            raise InvalidMoveError(f"the {which} file has no times called {by!r}, it has {told}")
    return by or next((name for name in RANKINGS if all(name in names for names in have)), "first")


def _conditions(first: Results, second: Results) -> list[str]:
    """In what machines, versions and limits differ."""
    told = []
    for name in ("machine", "settings"):
        a, b = (getattr(r.plan, name) for r in (first, second))
        a, b = (value if isinstance(value, dict) else vars(value) for value in (a, b))
        told += [f"{name}: {key} {a.get(key)} -> {b.get(key)}" for key in {**a, **b} if a.get(key) != b.get(key)]
    for simulator in first.starts.keys() & second.starts.keys():
        a, b = (r.starts[simulator].get("versions", {}) for r in (first, second))
        told += [f"{simulator}: {key} {a.get(key)} -> {b.get(key)}" for key in {**a, **b} if a.get(key) != b.get(key)]
    return told


def _starts(first: Results, second: Results) -> list[tuple[str, bool]]:
    """Every simulator whose start ended otherwise, and whether that is worse."""
    pairs = [(old, second.starts[name]) for name, old in first.starts.items() if name in second.starts]
    return [
        _otherwise(f"{old['simulator']} starts", old, new) for old, new in pairs if old["outcome"] != new["outcome"]
    ]


def _outcomes(pairs: Sequence[tuple[Row, Row]]) -> list[tuple[str, bool]]:
    """Every run that ended otherwise, and whether that is worse."""
    return [
        _otherwise(f"{old.simulator} on {old.case}", old.data, new.data)
        for old, new in pairs
        if old.outcome != new.outcome
    ]


def _otherwise(what: str, old: Mapping[str, object], new: Mapping[str, object]) -> tuple[str, bool]:
    text = f"{what}: {old['outcome']} -> {new['outcome']} {new.get('why') or ''}".rstrip()
    return text, old["outcome"] == "ok"


def _range(row: Row) -> tuple[float, float]:
    """Between what its time lies: the quartiles; of a single run, less the time that others had the processor."""
    if row.spread:
        return row.spread
    seconds, took = row.seconds or 0.0, row.took or {}
    return max(seconds - took.get("queued", 0.0), 0.0), seconds


def _width(row: Row) -> float | None:
    """The deviation of a time's logarithm, by its quartiles; None without a spread."""
    return math.log(row.spread[1] / row.spread[0]) / QUARTILES if row.spread else None


def _typical(found: Sequence[Row]) -> float:
    """The deviation that times of a file usually have."""
    return median([width for row in found if (width := _width(row)) is not None] or [0.0])


def _expected(old: Row, new: Row, usual: tuple[float, float]) -> float:
    """The deviation of a ratio that both spreads let expect; without a spread, half the logarithm of the limit.

    Few runs may lie close together by chance. So each spread counts as often as it had runs, and what is usual in its
    file as often as `PRIOR` runs.
    """
    squares = []
    for row, typical in zip((old, new), usual, strict=True):
        if (width := _width(row)) is not None:
            runs = (row.took or {})["runs"]
            squares.append((PRIOR * typical**2 + runs * width**2) / (PRIOR + runs))
    told = math.sqrt(sum(squares))
    return told if len(squares) == 2 else max(math.log(BARE) / 2, told)


def _changes(pairs: Sequence[tuple[Row, Row]]) -> tuple[list[Change], float]:
    """Every case with a time in both files, with its limit, and how far the cases scatter.

    The spread within a file does not know how the machine's mood goes from one file to the next. The cases know: most
    of them are of code that did not change. So a limit is twice what the spreads let expect, or, where that is more,
    four times what the cases scatter.
    """
    timed = [(old, new) for old, new in pairs if old.seconds and new.seconds]
    ratios = [new.seconds / old.seconds for old, new in timed if old.seconds and new.seconds]
    usual = _typical([old for old, _ in timed]), _typical([new for _, new in timed])
    widths = [_expected(old, new, usual) for old, new in timed]
    scatter = _scatter([old.simulator for old, _ in timed], ratios, widths)
    made = []
    for (old, new), ratio, width in zip(timed, ratios, widths, strict=True):
        more = 4 * scatter * width
        if old.spread and new.spread:
            more = min(more, math.log(MOST))
        made.append(Change(old, new, ratio, math.exp(max(math.log(FLOOR), 2 * width, more))))
    return made, scatter


def _scatter(names: Sequence[str], ratios: Sequence[float], widths: Sequence[float]) -> float:
    """How far ratios lie from the middle of their simulator, in units of what their spreads let expect."""
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for name, ratio, width in zip(names, ratios, widths, strict=True):
        groups[name].append((math.log(ratio), max(width, 1e-6)))
    away = []
    for group in groups.values():
        middle = median(value for value, _ in group)
        away += [abs(value - middle) / width for value, width in group] if len(group) >= FEW else []
    return median(away) / HALF if away else 0.0


def _table(wholes: Sequence[Whole]) -> Table:
    """For each simulator: new over old in the geometric mean, where the mean may lie, and how many cases changed."""
    lines = [
        (
            whole.simulator, str(len(whole.changes)), f"{whole.factor:.2f}",
            "" if len(whole.changes) < FEW else "{:.2f} to {:.2f}".format(*whole.between), whole.verdict,
            str(sum(change.faster for change in whole.changes)), str(sum(change.slower for change in whole.changes)),
        )
        for whole in wholes
    ]  # fmt: skip
    return Table(("simulator", "cases", "new / old", "between", "as a whole", "faster", "slower"), tuple(lines))


def _slowest(changes: Sequence[Change]) -> list[Change]:
    return sorted((change for change in changes if change.slower), key=lambda change: -change.ratio)


def _fastest(changes: Sequence[Change]) -> list[Change]:
    return sorted((change for change in changes if change.faster), key=lambda change: change.ratio)
