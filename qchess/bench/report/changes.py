"""How times changed from one file to another, and which of the changes are more than chance."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import median, stdev

from qchess.bench.report.rows import MEMORY, Row, mean

#: the smallest relevant change, however narrow the spreads
FLOOR = 1.1
#: the limit of a case if one time has no spread or the machine was busy
BARE, BUSY = 1.25, 2.0
#: the scatter of cases raises no limit above this if both times have a spread
MOST = 2.5
#: the quartile distance of a normal distribution in deviations; half of it is within this many
QUARTILES, HALF = 1.349, 0.6745
#: the weight of a file's usual spread, in runs
PRIOR = 3
#: a simulator with fewer cases is not judged as a whole, and not used for the scatter
FEW = 5
#: how many other simulators of unchanged code are needed to tell how the machine's speed changed
CONTROLS = 3
#: with fewer, no simulator as a whole counts below this: between two files of the same code, measured within
#: minutes on a quiet virtual machine, all simulators together were up to 1.28 times as slow
MOOD = 1.3


def own(row: Row) -> float:
    """Return the time without waiting for other processes, at least the processor time. Or the memory."""
    seconds, took = row.figure or 0.0, row.took or {}
    if row.by == MEMORY or "queued" not in took:
        return seconds
    return float(min(seconds, max(took.get("cpu", 0.0), seconds - took["queued"], 1e-9)))


def between(row: Row) -> tuple[float, float]:
    """Return the interval of its time: from the lower to the upper quartile, its own time included."""
    low, high = row.spread or (row.figure or 0.0,) * 2
    return min(low, own(row)), high


@dataclass(frozen=True)
class Change:
    """One case of one simulator in both files."""

    old: Row
    new: Row
    #: the factor by which the quartiles must be apart
    limit: float
    #: the factor by which the whole machine was slower
    drift: float = 1.0

    @property
    def ratio(self) -> float:
        """Return the new time divided by the old one, both without waiting."""
        return own(self.new) / own(self.old)

    @property
    def slower(self) -> bool:
        """Tell whether it is slower by more than chance and more than the machine."""
        return between(self.new)[0] > self.limit * max(1.0, self.drift) * between(self.old)[1]

    @property
    def faster(self) -> bool:
        """Tell whether it is faster by more than chance and more than the machine."""
        return between(self.old)[0] > self.limit * max(1.0, 1 / self.drift) * between(self.new)[1]

    def __str__(self) -> str:
        """Return one line for the terminal."""
        less, more = ("less", "as much") if self.new.by == MEMORY else ("as fast", "as long")
        how = f"{self.ratio:.2f} times {more}" if self.ratio >= 1 else f"{1 / self.ratio:.2f} times {less}"
        return f"{self.old.simulator} on {self.old.case}: {how}; the limit is {self.limit:.2f}"


@dataclass(frozen=True)
class Whole:
    """All cases of a simulator that are in both files: the geometric mean of new over old, and its interval."""

    simulator: str
    changes: tuple[Change, ...]
    drift: float = 1.0
    floor: float = FLOOR

    @property
    def factor(self) -> float:
        """Return the geometric mean of the ratios."""
        return mean([change.ratio for change in self.changes])

    @property
    def between(self) -> tuple[float, float]:
        """Return three standard errors on both sides of the mean; everything if there are too few cases."""
        if len(self.changes) < FEW:
            return 0.0, math.inf
        error = stdev(math.log(change.ratio) for change in self.changes) / math.sqrt(len(self.changes))
        return self.factor / math.exp(3 * error), self.factor * math.exp(3 * error)

    @property
    def verdict(self) -> str:
        """Return whether the simulator as a whole is slower or faster by more than chance, floor and machine."""
        low, high = self.between
        up, down = max(1.0, self.drift), min(1.0, self.drift)
        if low > up and self.factor > up * self.floor:
            return "slower"
        return "faster" if high < down and self.factor < down / self.floor else ""


def changes(pairs: Iterable[tuple[Row, Row]], controls: Collection[str] = ()) -> list[Whole]:
    """Return every simulator with times in both files, with every such case and its limit.

    The spread within a file does not include how the machine's speed varies between cases. The cases show that, since
    most code did not change. So a limit is twice what the spreads predict or, if more, four times the scatter of the
    cases. `controls` are simulators of unchanged code: their common change is the machine's.
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
    """Return the deviation of a time's logarithm, from its quartiles; None without a spread."""
    return math.log(row.spread[1] / row.spread[0]) / QUARTILES if row.spread else None


def _usual(found: Sequence[Row]) -> float:
    """Return the usual deviation of the times of a file."""
    return median([width for row in found if (width := _width(row)) is not None] or [0.0])


def _expected(old: Row, new: Row, usual: tuple[float, float]) -> float:
    """Return the deviation of a ratio predicted by both spreads; without a spread, half the limit's logarithm.

    Few runs may lie close together by chance. So each spread has the weight of its number of runs, and the file's usual
    spread that of `PRIOR` runs.
    """
    squares = []
    for row, typical in zip((old, new), usual, strict=True):
        if (width := _width(row)) is not None:
            runs = (row.took or {})["runs"]
            squares.append((PRIOR * typical**2 + runs * width**2) / (PRIOR + runs))
    told = math.sqrt(sum(squares))
    return told if len(squares) == 2 else max(math.log(BARE) / 2, told)


def _scatter(made: Sequence[tuple[Change, float]]) -> float:
    """Return how far ratios lie from their simulator's median, in units of the deviation predicted by their spreads."""
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for change, width in made:
        groups[change.old.simulator].append((math.log(change.ratio), max(width, 1e-6)))
    away = []
    for group in groups.values():
        middle = median(value for value, _ in group)
        away += [abs(value - middle) / width for value, width in group] if len(group) >= FEW else []
    return median(away) / HALF if away else 0.0
