"""What the rows say: who wins where, by how much, and from which density on the dense engines do."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from qchess.bench.report.rows import OURS, Row, by_case, fastest, mean, simulators

#: a case on fewer wires measures overhead, not growth
SMALL = 12
#: simulators that hold all amplitudes
DENSE = ("qsim", "qulacs", "aer", "aer-c64", "cirq", "cirq-c64", "lightning", "braket", "qrack")


@dataclass(frozen=True)
class Standing:
    """How a family went: our best time against the best of others, over its cases."""

    family: str
    track: str
    cases: int
    #: the other simulator that was the fastest most often
    rival: str
    #: our time over theirs: the geometric mean, and the worst case; above 1 we lose
    factor: float
    worst: float
    worst_case: str


def standings(found: Sequence[Row], kinds: Sequence[str] = ("exact",)) -> list[Standing]:
    """Ours against the others of these classes, family by family and track by track, the worst first."""
    groups: dict[tuple[str, str], list[tuple[float, str, str]]] = defaultdict(list)
    for case, runs in by_case(found).items():
        ours = fastest(runs, of=OURS)
        other = fastest(row for row in runs if row.kind in kinds and row.simulator not in OURS)
        if ours and other and ours.seconds and other.seconds:
            groups[ours.family, ours.track].append((ours.seconds / other.seconds, other.simulator, case))
    made = [
        Standing(
            family, track, len(entries), Counter(name for _, name, _ in entries).most_common(1)[0][0],
            mean([factor for factor, _, _ in entries]), max(entries)[0], max(entries)[2],
        )
        for (family, track), entries in groups.items()
    ]  # fmt: skip
    return sorted(made, key=lambda standing: -standing.factor)


def lost(found: Sequence[Row]) -> list[Standing]:
    """The families in which ours is not the fastest exact one in double precision."""
    return [standing for standing in standings(found) if standing.factor > 1]


def wins(found: Sequence[Row], kinds: Sequence[str] = ("exact",)) -> dict[str, Counter[str]]:
    """For each family, in how many cases each simulator of these classes was the fastest."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for runs in by_case([row for row in found if row.kind in kinds]).values():
        if first := fastest(runs):
            counts[first.family][first.simulator] += 1
    return dict(counts)


def profile(found: Sequence[Row], kind: str, scale: Sequence[float]) -> dict[str, list[float]]:
    """Performance profiles: the share of cases that a simulator does within so many times the best of its class.

    A case that none of the class did is left out; one that this simulator did not do counts against it.
    """
    mine = [row for row in found if row.kind == kind and not row.feed_forward]
    ratios: dict[str, list[float]] = {name: [] for name in simulators(mine)}
    cases = 0
    for runs in by_case(mine).values():
        if (first := fastest(runs)) is None or not first.seconds:
            continue
        cases += 1
        for row in runs:
            if row.seconds is not None:
                ratios[row.simulator].append(row.seconds / first.seconds)
    return {
        name: [sum(ratio <= factor for ratio in done) / max(1, cases) for factor in scale]
        for name, done in ratios.items()
    }


@dataclass(frozen=True)
class Crossover:
    """Where a dense simulator overtakes ours: cases by density, and the density of a tie."""

    dense: str
    #: density, our time over theirs, wires, case
    points: tuple[tuple[float, float, int, str], ...]
    #: between which densities the tie lies, and a straight line's guess; None where nobody overtakes
    below: float | None
    above: float | None
    tie: float | None


def crossover(found: Sequence[Row], dense: str, least: int = 14) -> Crossover:
    """The engine's time against one dense simulator's, on native cases of at least so many wires.

    Both hold one state of all wires; `registers` hold a product where there is one, and know no density.
    """
    points = []
    for case, runs in by_case(found).items():
        ours, theirs = fastest(runs, of=("sparse",)), fastest(runs, of=(dense,))
        if ours and theirs and ours.wires >= least and ours.track == "native" and not ours.clifford:
            assert ours.seconds, "what is fastest has a time"
            assert theirs.seconds, "what is fastest has a time"
            points.append((ours.density, ours.seconds / theirs.seconds, ours.wires, case))
    points.sort()
    losing = [density for density, ratio, _, _ in points if ratio > 1]
    winning = [density for density, ratio, _, _ in points if ratio <= 1]
    return Crossover(dense, tuple(points), max(winning, default=None), min(losing, default=None), _tie(points))


def _tie(points: Sequence[tuple[float, float, int, str]]) -> float | None:
    """The density at which a straight line through the logarithms of the ratios crosses 1.

    Only densities above one in a thousand are looked at: below, the line would be about overhead.
    """
    near = [(math.log(density), math.log(ratio)) for density, ratio, _, _ in points if density > 1e-3]
    if len(near) < 3:
        return None
    middle_x, middle_y = (sum(values) / len(near) for values in zip(*near, strict=True))
    spread = sum((x - middle_x) ** 2 for x, _ in near)
    slope = sum((x - middle_x) * (y - middle_y) for x, y in near) / spread if spread else 0.0
    return math.exp(middle_x - middle_y / slope) if slope > 0 else None


def errors(found: Sequence[Row]) -> dict[str, float]:
    """The largest error of any right amplitude, for each exact simulator."""
    worst: dict[str, float] = {}
    for row in found:
        if row.outcome == "ok" and row.kind != "approximate" and "error" in row.data:
            worst[row.simulator] = max(worst.get(row.simulator, 0.0), row.data["error"])
    return worst


def fidelities(found: Sequence[Row]) -> dict[str, tuple[int, int, float, float]]:
    """For each approximate method: runs that kept to their fidelity, runs that did not, the worst fidelity of each."""
    made = {}
    for name in simulators(found, "approximate"):
        judged = [row for row in found if row.simulator == name and "fidelity" in row.data]
        kept = [row.data["fidelity"] for row in judged if row.outcome == "ok"]
        cut = [row.data["fidelity"] for row in judged if row.data["kind"] == "truncated"]
        made[name] = (len(kept), len(cut), min(kept, default=1.0), min(cut, default=1.0))
    return made


def typical(found: Sequence[Row], simulator: str, what: str) -> float | None:
    """The median seconds of one phase of a simulator's right runs: lower, first, read, sample, answers."""
    values = [
        row.data[what]["wall"] for row in found
        if row.simulator == simulator and row.outcome == "ok" and isinstance(row.data.get(what), dict)
    ]  # fmt: skip
    return median(values) if values else None
