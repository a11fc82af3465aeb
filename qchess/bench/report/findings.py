"""Further results: profiles, the density above which dense engines win, errors, and costs beside the state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from qchess.bench.report.rows import Row, by_case, fastest, simulators
from qchess.bench.report.scores import places, tied

#: simulators that hold all amplitudes
DENSE = (
    "qsim",
    "qulacs",
    "aer",
    "aer-c64",
    "cirq",
    "cirq-c64",
    "lightning",
    "braket",
    "qrack",
    "aer-gpu",
    "custatevec",
    "qsim-gpu",
)
#: the phases of a run that have times
PHASES = ("lower", "first", "read", "sample")


def profile(found: Sequence[Row], kind: str, scale: Sequence[float]) -> dict[str, list[float]]:
    """Return performance profiles: the share of cases done within each factor of the best of its class.

    A case that none of the class did is left out; one that this simulator did not do counts against it.
    """
    return {place.simulator: [place.within(factor) for factor in scale] for place in places(found, kind)}


@dataclass(frozen=True)
class Crossover:
    """Where a dense simulator overtakes ours: cases by density, and the density of a tie."""

    dense: str
    #: density, our time over theirs, whether that is a tie
    points: tuple[tuple[float, float, bool], ...]

    @property
    def won(self) -> list[float]:
        """Return the densities at which ours is faster."""
        return [density for density, ratio, tie in self.points if ratio < 1 and not tie]

    @property
    def lost(self) -> list[float]:
        """Return the densities at which theirs is faster."""
        return [density for density, ratio, tie in self.points if ratio > 1 and not tie]

    @property
    def tie(self) -> float | None:
        """Return the density at which a line through the logarithms of the ratios crosses 1; None outside the data.

        Only densities above one in a thousand are used: below, the line would show overhead.
        """
        near = [(math.log(density), math.log(ratio)) for density, ratio, _ in self.points if density > 1e-3]
        if len(near) < 3:
            return None
        middle_x, middle_y = (sum(values) / len(near) for values in zip(*near, strict=True))
        spread = sum((x - middle_x) ** 2 for x, _ in near)
        slope = sum((x - middle_x) * (y - middle_y) for x, y in near) / spread if spread else 0.0
        crossing = middle_x - middle_y / slope if slope > 0 else math.inf
        return math.exp(crossing) if min(near)[0] <= crossing <= max(near)[0] else None


def crossover(found: Sequence[Row], dense: str, least: int = 14) -> Crossover:
    """Compare the engine's time with one dense simulator's, on native cases of at least `least` wires.

    Both hold one state of all wires; `registers` may hold a product, which has no density.
    """
    points = []
    for runs in by_case(found).values():
        ours, theirs = fastest(runs, of=("sparse",)), fastest(runs, of=(dense,))
        if ours and theirs and ours.wires >= least and ours.track == "native" and not ours.clifford:
            assert ours.seconds, "what is fastest has a time"
            assert theirs.seconds, "what is fastest has a time"
            points.append((ours.density, ours.seconds / theirs.seconds, tied(ours, theirs)))
    return Crossover(dense, tuple(sorted(points)))


def errors(found: Sequence[Row]) -> dict[str, float]:
    """Return the largest error of any right amplitude, for each exact simulator."""
    worst: dict[str, float] = {}
    for row in found:
        if row.outcome == "ok" and row.kind != "approximate" and "error" in row.data:
            worst[row.simulator] = max(worst.get(row.simulator, 0.0), row.data["error"])
    return worst


def fidelities(found: Sequence[Row]) -> dict[str, tuple[int, int, float, float]]:
    """Return for each approximate method: runs with sufficient fidelity and without, and the worst fidelity of each."""
    made = {}
    for name in simulators(found, "approximate"):
        judged = [row for row in found if row.simulator == name and "fidelity" in row.data]
        kept = [row.data["fidelity"] for row in judged if row.outcome == "ok"]
        cut = [row.data["fidelity"] for row in judged if row.data["kind"] == "truncated"]
        made[name] = (len(kept), len(cut), min(kept, default=1.0), min(cut, default=1.0))
    return made


def shared(found: Sequence[Row]) -> tuple[list[str], list[str]]:
    """Return the simulators that did at least half of the most cases done, and the cases that all of them did."""
    done = {name: {row.case for row in found if row.simulator == name and row.took} for name in simulators(found)}
    most = max(map(len, done.values()), default=0)
    names = [name for name, cases in done.items() if 2 * len(cases) >= most > 0]
    return names, [case for case in by_case(found) if names and all(case in done[name] for name in names)]


def typical(found: Sequence[Row], simulator: str, what: str) -> float | None:
    """Return the median seconds of one phase of a simulator's runs; None if one of them lacks it."""
    runs = [row.data for row in found if row.simulator == simulator]
    if not runs or not all(isinstance(run.get(what), dict) for run in runs):
        return None
    return median(float(run[what]["wall"]) for run in runs)
