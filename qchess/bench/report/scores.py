"""Wins, losses and ties: two times whose order may be chance are a tie."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from qchess.bench.report.rows import MEMORY, OURS, Row, by_case, fastest, mean, simulators

#: a case on this many wires or fewer measures overhead, not growth; such cases are ranked separately
SMALL = 12
#: the names of the two halves of the cases
SIZES = {False: f"more than {SMALL} wires", True: f"{SMALL} wires or fewer"}
#: two times are apart if they differ by more, and their quartiles do not overlap
LIMIT = 1.25
#: or by more than this, if a time has no spread or the machine was busy
BARE = 2.0
#: in a count: cases without a winner
TIE = "tie"
#: our time over the best other's if ours gave no right state
NEVER = math.inf


def sized(found: Iterable[Row], *, small: bool) -> list[Row]:
    """Return the rows of the cases that measure overhead, or of the others."""
    return [row for row in found if (row.wires <= SMALL) == small]


def limit(one: Row, other: Row) -> float:
    """Return the factor by which two runs must differ in time or memory to be apart."""
    if one.by == MEMORY:  # it does not depend on what else the machine does
        return LIMIT
    return LIMIT if one.spread and other.spread and not (one.busy or other.busy) else BARE


def tied(one: Row, other: Row) -> bool:
    """Tell whether the order of two times may be chance: they differ by less than the limit, or quartiles overlap."""
    quick, slow = sorted((one, other), key=lambda row: row.figure or math.inf)
    if not quick.figure or not slow.figure:
        return False
    if slow.figure <= limit(one, other) * quick.figure:
        return True
    return bool(quick.spread and slow.spread and slow.spread[0] <= quick.spread[1])


@dataclass(frozen=True)
class Duel:
    """One case: our better time against the best of the others; None if a side has no right result in time."""

    case: Row
    ours: Row | None
    other: Row | None
    #: True: the faster side is tied with a simulator of the other
    tie: bool

    @property
    def ratio(self) -> float:
        """Return our time over theirs."""
        if not self.ours or not self.ours.seconds:
            return NEVER
        return self.ours.seconds / self.other.seconds if self.other and self.other.seconds else 0.0

    @property
    def limit(self) -> float:
        """Return the limit that a difference must exceed."""
        return limit(self.ours, self.other) if self.ours and self.other else 1.0

    @property
    def verdict(self) -> str:
        """Return how it ended for ours: won, tied or lost."""
        return "tied" if self.tie else "lost" if self.ratio > 1 else "won"


def duels(found: Sequence[Row], kinds: Sequence[str] = ("exact",)) -> list[Duel]:
    """Return ours against others of these classes, on each case that a side did; none if a side was not run."""
    run = {row.simulator in OURS for row in found if row.simulator in OURS or row.kind in kinds}
    made: list[Duel] = []
    if len(run) < 2:
        return made
    for runs in by_case(found).values():
        ours = [row for row in runs if row.simulator in OURS]
        others = [row for row in runs if row.kind in kinds and row.simulator not in OURS]
        one, other = fastest(ours), fastest(others)
        if first := fastest([*ours, *others]):
            tie = any(tied(first, row) for row in (others if first is one else ours))
            made.append(Duel(runs[0], one, other, tie))
    return made


@dataclass(frozen=True)
class Score:
    """How some cases ended for ours."""

    duels: tuple[Duel, ...]

    def count(self, verdict: str) -> int:
        """Count those that ended so."""
        return sum(duel.verdict == verdict for duel in self.duels)

    @property
    def both(self) -> list[Duel]:
        """Return the cases that ours and another did."""
        return [duel for duel in self.duels if duel.ours and duel.other]

    @property
    def factor(self) -> float:
        """Return our time over the best other's: the geometric mean over cases that both did.

        It is infinite if ours failed and another did not, and 0 if only ours was right.
        """
        if any(duel.ratio == NEVER for duel in self.duels):
            return NEVER
        return mean([duel.ratio for duel in self.both]) if self.both else 0.0

    @property
    def verdict(self) -> str:
        """Return whether ours wins them in total; within the limit it is a tie."""
        most = max((duel.limit for duel in self.both), default=1.0)
        if self.factor > most:
            return "lost"
        return "tied" if self.both and self.factor >= 1 / most else "won"


@dataclass(frozen=True)
class Standing(Score):
    """How a family of cases ended, on one track."""

    family: str = ""
    track: str = ""

    @property
    def rival(self) -> str:
        """Return the other simulator that was fastest most often."""
        names = Counter(duel.other.simulator for duel in self.duels if duel.other)
        return names.most_common(1)[0][0] if names else "nobody"

    @property
    def worst(self) -> Duel:
        """Return the case in which ours is farthest behind."""
        return max(self.duels, key=lambda duel: duel.ratio)


def standings(found: Sequence[Row], kinds: Sequence[str] = ("exact",)) -> list[Standing]:
    """Return ours against the others of these classes, by family and track, the worst first."""
    groups: dict[tuple[str, str], list[Duel]] = defaultdict(list)
    for duel in duels(found, kinds):
        groups[duel.case.family, duel.case.track].append(duel)
    made = [Standing(tuple(group), family, track) for (family, track), group in groups.items()]
    return sorted(made, key=lambda standing: -standing.factor)


def behind(found: Sequence[Row], kinds: Sequence[str] = ("exact",)) -> list[Standing]:
    """Return the families in which another is faster than ours in the geometric mean, even within the limit."""
    return [standing for standing in standings(found, kinds) if standing.factor > 1]


def winner(runs: Iterable[Row]) -> str:
    """Return the fastest simulator of these runs of one case, `TIE`, or nothing if none was right in time.

    Ours do not tie with each other.
    """
    timed = [row for row in runs if row.figure]
    if (first := fastest(timed)) is None:
        return ""
    others = [
        row for row in timed if row.simulator != first.simulator and not {row.simulator, first.simulator} <= {*OURS}
    ]
    return TIE if any(tied(first, row) for row in others) else first.simulator


def wins(found: Sequence[Row], kinds: Sequence[str] = ("exact",)) -> dict[str, Counter[str]]:
    """Return for each family how many cases each simulator of these classes wins, and how many are ties."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for runs in by_case([row for row in found if row.kind in kinds]).values():
        if name := winner(runs):
            counts[runs[0].family][name] += 1
    return dict(counts)


@dataclass(frozen=True)
class Place:
    """Where a simulator stands in its class, over all cases that any of the class did."""

    simulator: str
    kind: str
    #: its time over the fastest one's, or its memory over the least, case by case; infinite for what only others did
    ratios: tuple[float, ...]
    won: int
    #: cases without a winner in which it is tied with the fastest
    tied: int

    @property
    def done(self) -> int:
        """Return how many cases it did."""
        return sum(ratio < NEVER for ratio in self.ratios)

    @property
    def middle(self) -> float:
        """Return the median of the ratios; cases it did not do count as infinite."""
        low, high = sorted(self.ratios)[(len(self.ratios) - 1) // 2], sorted(self.ratios)[len(self.ratios) // 2]
        return NEVER if high == NEVER else median((low, high))

    def within(self, factor: float) -> float:
        """Return the share of cases in which it takes at most `factor` times the fastest."""
        return sum(ratio <= factor for ratio in self.ratios) / len(self.ratios)


def places(found: Sequence[Row], kind: str) -> list[Place]:
    """Return the simulators of a class in the order of the file; none if nobody of the class did anything."""
    mine = [row for row in found if row.kind == kind and not row.feed_forward]
    ratios: Mapping[str, list[float]] = {name: [] for name in simulators(mine)}
    won, ties = Counter[str](), Counter[str]()
    for runs in by_case(mine).values():
        if (first := fastest(runs)) is None or not first.figure:
            continue
        at = {row.simulator: row for row in runs}
        name = winner(runs)
        won[name] += 1
        for simulator, told in ratios.items():
            row = at.get(simulator)
            told.append(row.figure / first.figure if row and row.figure else NEVER)
            ties[simulator] += bool(name == TIE and row and row.figure and (row is first or tied(row, first)))
    return [Place(name, kind, tuple(told), won[name], ties[name]) for name, told in ratios.items() if told]
