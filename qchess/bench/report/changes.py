"""How times changed from one file to another, and which of the changes are more than chance."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import median, stdev

from qchess.bench.report.rows import MEMORY, Row, mean

#: no change by less counts, however narrow the spreads
FLOOR = 1.1
#: the limit of a case of which one time has no spread, and where the machine was busy
BARE, BUSY = 1.25, 2.0
#: what the cases scatter raises no limit above this where both times have a spread
MOST = 2.5
#: the quartiles of a normal distribution lie so many deviations apart; half of it lies within so many
QUARTILES, HALF = 1.349, 0.6745
#: as many runs as the usual spread of a file counts for
PRIOR = 3
#: a simulator with fewer cases is not judged as a whole, and tells nothing of the scatter
FEW = 5
#: so many others whose code is the same tell how the machine's mood changed
CONTROLS = 3
#: where there are fewer, no simulator as a whole counts by less: between two files of the same code, measured within
#: minutes on a quiet virtual machine, all simulators together were up to 1.28 times as slow
MOOD = 1.3


def own(row: Row) -> float:
    """Its seconds less those for which others had the processor; the processor's time at least. Or its memory."""
    seconds, took = row.figure or 0.0, row.took or {}
    if row.by == MEMORY or "queued" not in took:
        return seconds
    return float(min(seconds, max(took.get("cpu", 0.0), seconds - took["queued"], 1e-9)))


def between(row: Row) -> tuple[float, float]:
    """Where its time lies: from the lower to the upper quartile, its own time included."""
    low, high = row.spread or (row.figure or 0.0,) * 2
    return min(low, own(row)), high


@dataclass(frozen=True)
class Change:
    """One case of one simulator in both files."""

    old: Row
    new: Row
    #: the quartiles must be apart by this factor
    limit: float
    #: by which factor the machine as a whole was slower
    drift: float = 1.0

    @property
    def ratio(self) -> float:
        """The new time of its own over the old one."""
        return own(self.new) / own(self.old)

    @property
    def slower(self) -> bool:
        """Whether it takes longer by more than chance, and by more than the machine was slower."""
        return between(self.new)[0] > self.limit * max(1.0, self.drift) * between(self.old)[1]

    @property
    def faster(self) -> bool:
        """Whether it takes less time by more than chance, and by more than the machine was faster."""
        return between(self.old)[0] > self.limit * max(1.0, 1 / self.drift) * between(self.new)[1]

    def __str__(self) -> str:
        """One line for the terminal."""
        less, more = ("less", "as much") if self.new.by == MEMORY else ("as fast", "as long")
        how = f"{self.ratio:.2f} times {more}" if self.ratio >= 1 else f"{1 / self.ratio:.2f} times {less}"
        return f"{self.old.simulator} on {self.old.case}: {how}; the limit is {self.limit:.2f}"


@dataclass(frozen=True)
class Whole:
    """All cases of a simulator that both files have: the geometric mean of new over old, and where it may lie."""

    simulator: str
    changes: tuple[Change, ...]
    drift: float = 1.0
    floor: float = FLOOR

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
        """Whether the simulator as a whole is slower or faster, by more than chance, the floor, and the machine."""
        low, high = self.between
        up, down = max(1.0, self.drift), min(1.0, self.drift)
        if low > up and self.factor > up * self.floor:
            return "slower"
        return "faster" if high < down and self.factor < down / self.floor else ""


def changes(pairs: Iterable[tuple[Row, Row]], controls: Collection[str] = ()) -> list[Whole]:
    """Every simulator with times in both files, with every such case and its limit.

    The spread within a file does not know how the machine's mood goes from one case to the next. The cases know: most
    of them are of code that did not change. So a limit is twice what the spreads let expect, or, where that is more,
    four times what the cases scatter. `controls` are simulators whose code is the same in both files: what all of them
    have in common is the machine's.
    """
    timed = [(old, new) for old, new in pairs if old.figure and new.figure]
    usual = _usual([old for old, _ in timed]), _usual([new for _, new in timed])
    made = [(Change(old, new, 1.0), _expected(old, new, usual)) for old, new in timed]
    scatter = _scatter(made)
    groups: dict[str, list[Change]] = defaultdict(list)
    for change, width in made:
        more = 4 * scatter * width
        if change.old.spread and change.new.spread:
            more = min(more, math.log(MOST))
        least = BUSY if change.old.busy or change.new.busy else FLOOR
        limit = max(least, math.exp(max(2 * width, more)))
        groups[change.old.simulator].append(Change(change.old, change.new, limit))
    factors = {name: mean([change.ratio for change in group]) for name, group in groups.items()}
    wholes = []
    for name, group in groups.items():
        beside = [factors[other] for other in factors if other in controls and other != name]
        drift, floor = (median(beside), FLOOR) if len(beside) >= CONTROLS else (1.0, MOOD)
        told = [Change(change.old, change.new, change.limit, drift) for change in group]
        wholes.append(Whole(name, tuple(told), drift, floor))
    return wholes


def _width(row: Row) -> float | None:
    """The deviation of a time's logarithm, by its quartiles; None without a spread."""
    return math.log(row.spread[1] / row.spread[0]) / QUARTILES if row.spread else None


def _usual(found: Sequence[Row]) -> float:
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


def _scatter(made: Sequence[tuple[Change, float]]) -> float:
    """How far ratios lie from the middle of their simulator, in units of what their spreads let expect."""
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for change, width in made:
        groups[change.old.simulator].append((math.log(change.ratio), max(width, 1e-6)))
    away = []
    for group in groups.values():
        middle = median(value for value, _ in group)
        away += [abs(value - middle) / width for value, width in group] if len(group) >= FEW else []
    return median(away) / HALF if away else 0.0
