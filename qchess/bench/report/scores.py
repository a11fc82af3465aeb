"""Who wins, who loses, and what is a tie: two times that chance may have put in this order are nobody's win."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from qchess.bench.report.rows import MEMORY, OURS, Row, by_case, fastest, mean, simulators

#: a case on fewer wires, or as many, measures overhead, not growth; such cases are ranked apart
SMALL = 12
#: what the two halves of the cases are called
SIZES = {False: f"more than {SMALL} wires", True: f"{SMALL} wires or fewer"}
#: two times are apart if they differ by more, and their quartiles do not overlap
LIMIT = 1.25
#: or by more than this, where a time has no spread or the machine was busy
BARE = 2.0
#: in a count: cases in which nobody wins
TIE = "tie"
#: our time over the best other's where ours gave no right state
NEVER = math.inf


def sized(found: Iterable[Row], *, small: bool) -> list[Row]:
    """The rows of the cases that measure overhead, or of the others."""
    return [row for row in found if (row.wires <= SMALL) == small]


def limit(one: Row, other: Row) -> float:
    """By which factor two times, or what two runs hold of memory, must differ to be apart."""
    if one.by == MEMORY:  # it does not depend on what else the machine does
        return LIMIT
    return LIMIT if one.spread and other.spread and not (one.busy or other.busy) else BARE


def tied(one: Row, other: Row) -> bool:
    """Whether chance may have put two times in their order: by less than the limit, or where the quartiles overlap."""
    quick, slow = sorted((one, other), key=lambda row: row.figure or math.inf)
    if not quick.figure or not slow.figure:
        return False
    if slow.figure <= limit(one, other) * quick.figure:
        return True
    return bool(quick.spread and slow.spread and slow.spread[0] <= quick.spread[1])


@dataclass(frozen=True)
class Duel:
    """One case: our better time against the best of the others; None where nobody of a side was right in time."""

    case: Row
    ours: Row | None
    other: Row | None
    #: whether the faster side is tied with any simulator of the other
    tie: bool

    @property
    def ratio(self) -> float:
        """Our time over theirs."""
        if not self.ours or not self.ours.seconds:
            return NEVER
        return self.ours.seconds / self.other.seconds if self.other and self.other.seconds else 0.0

    @property
    def limit(self) -> float:
        """What a difference must be above."""
        return limit(self.ours, self.other) if self.ours and self.other else 1.0

    @property
    def verdict(self) -> str:
        """How it ended for ours: won, tied or lost."""
        return "tied" if self.tie else "lost" if self.ratio > 1 else "won"


def duels(found: Sequence[Row], kinds: Sequence[str] = ("exact",)) -> list[Duel]:
    """Ours against the others of these classes, on every case that either side did; none if one side was not run."""
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
        """How many ended so."""
        return sum(duel.verdict == verdict for duel in self.duels)

    @property
    def both(self) -> list[Duel]:
        """The cases that ours and another did."""
        return [duel for duel in self.duels if duel.ours and duel.other]

    @property
    def factor(self) -> float:
        """Our time over the best other's: the geometric mean of what both did.

        It is never where ours failed and another did not, and 0 where ours alone was right.
        """
        if any(duel.ratio == NEVER for duel in self.duels):
            return NEVER
        return mean([duel.ratio for duel in self.both]) if self.both else 0.0

    @property
    def verdict(self) -> str:
        """Whether ours wins them, taken together; within the limit it is a tie."""
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
        """The other simulator that was the fastest most often."""
        names = Counter(duel.other.simulator for duel in self.duels if duel.other)
        return names.most_common(1)[0][0] if names else "nobody"

    @property
    def worst(self) -> Duel:
        """The case in which ours is the farthest behind."""
        return max(self.duels, key=lambda duel: duel.ratio)


def standings(found: Sequence[Row], kinds: Sequence[str] = ("exact",)) -> list[Standing]:
    """Ours against the others of these classes, family by family and track by track, the worst first."""
    groups: dict[tuple[str, str], list[Duel]] = defaultdict(list)
    for duel in duels(found, kinds):
        groups[duel.case.family, duel.case.track].append(duel)
    made = [Standing(tuple(group), family, track) for (family, track), group in groups.items()]
    return sorted(made, key=lambda standing: -standing.factor)


def behind(found: Sequence[Row], kinds: Sequence[str] = ("exact",)) -> list[Standing]:
    """The families in which another is faster than ours in the geometric mean, be it by less than the limit."""
    return [standing for standing in standings(found, kinds) if standing.factor > 1]


def winner(runs: Iterable[Row]) -> str:
    """The simulator that is the fastest of these runs of one case, `TIE`, or nothing where nobody was right in time.

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
    """For each family, how many cases each simulator of these classes wins, and how many are ties."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for runs in by_case([row for row in found if row.kind in kinds]).values():
        if name := winner(runs):
            counts[runs[0].family][name] += 1
    return dict(counts)


@dataclass(frozen=True)
class Place:
    """Where a simulator stands among its class, over all cases that any of the class did."""

    simulator: str
    kind: str
    #: its time over the fastest one's, or its memory over the least, case by case; never for what only others did
    ratios: tuple[float, ...]
    won: int
    #: cases in which nobody wins and it is tied with the fastest
    tied: int

    @property
    def done(self) -> int:
        """How many cases it did."""
        return sum(ratio < NEVER for ratio in self.ratios)

    @property
    def middle(self) -> float:
        """The median of the ratios; what it did not do is slower than everything."""
        low, high = sorted(self.ratios)[(len(self.ratios) - 1) // 2], sorted(self.ratios)[len(self.ratios) // 2]
        return NEVER if high == NEVER else median((low, high))

    def within(self, factor: float) -> float:
        """The share of cases in which it takes so many times the fastest at most."""
        return sum(ratio <= factor for ratio in self.ratios) / len(self.ratios)


def places(found: Sequence[Row], kind: str) -> list[Place]:
    """The simulators of a class in the order of the file; none where nobody of the class did anything."""
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
