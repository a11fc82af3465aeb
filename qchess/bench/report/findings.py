"""What else the rows say: profiles, from which density on dense engines win, errors, and what is not the state."""

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
#: what a run tells of its phases
PHASES = ("lower", "first", "read", "sample")


def profile(found: Sequence[Row], kind: str, scale: Sequence[float]) -> dict[str, list[float]]:
    """Performance profiles: the share of cases that a simulator does within so many times the best of its class.

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
        """The densities at which ours is the faster."""
        return [density for density, ratio, tie in self.points if ratio < 1 and not tie]

    @property
    def lost(self) -> list[float]:
        """The densities at which theirs is."""
        return [density for density, ratio, tie in self.points if ratio > 1 and not tie]

    @property
    def tie(self) -> float | None:
        """The density at which a line through the logarithms of the ratios crosses 1; None outside of what was seen.

        Only densities above one in a thousand are looked at: below, the line would be about overhead.
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
    """The engine's time against one dense simulator's, on native cases of at least so many wires.

    Both hold one state of all wires; `registers` hold a product where there is one, and know no density.
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


def shared(found: Sequence[Row]) -> tuple[list[str], list[str]]:
    """The simulators that did half as many cases as the one that did most, and the cases that all of them did."""
    done = {name: {row.case for row in found if row.simulator == name and row.took} for name in simulators(found)}
    most = max(map(len, done.values()), default=0)
    names = [name for name, cases in done.items() if 2 * len(cases) >= most > 0]
    return names, [case for case in by_case(found) if names and all(case in done[name] for name in names)]


def typical(found: Sequence[Row], simulator: str, what: str) -> float | None:
    """The median seconds of one phase of a simulator's runs; None where one of them does not tell it."""
    runs = [row.data for row in found if row.simulator == simulator]
    if not runs or not all(isinstance(run.get(what), dict) for run in runs):
        return None
    return median(float(run[what]["wall"]) for run in runs)
