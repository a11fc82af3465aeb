"""Results as rows: one run each, with what its case is and what its simulator is."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qchess.bench.running.clock import spent
from qchess.bench.running.results import Results

#: what a time is of: a circuit new to a running process, repeats in one process, the first run after the import
RANKINGS = ("new", "warm", "first")
#: the same in words
TIMES = {
    "new": "new circuits in a running process",
    "warm": "warm repeats of one circuit in one process",
    "first": "first runs after the import",
}
#: ranked as times are: the bytes of the first run, at least so many, for how many pages a process begins with is chance
MEMORY, PAGES = "memory", 2**20
#: our own simulators
OURS = ("sparse", "registers")
#: a load above the cores by less is no sign of others' work: it is a mean over a minute, the run itself included
SLACK = 0.5
#: simulators are ranked among their like
CLASSES = {
    "exact": "exact, double precision",
    "single": "exact, single precision",
    "tableau": "stabiliser tableaus",
    "approximate": "approximate",
}


@dataclass(frozen=True)
class Row:
    """One run."""

    simulator: str
    kind: str
    case: str
    family: str
    track: str
    wires: int
    peak: int
    clifford: bool
    feed_forward: bool
    outcome: str
    data: dict[str, Any]
    #: which of its times is meant
    by: str = "warm"
    #: more processes wanted to work than the machine has cores
    busy: bool = False

    @property
    def took(self) -> dict[str, Any] | None:
        """What was measured of the time that is meant, or of the first run where there is no other; None where no time
        counts.
        """
        if self.outcome != "ok" or "first" not in self.data:
            return None
        told = self.data.get(self.by) or {}
        return dict(told if "wall" in told else self.data["first"])

    @property
    def seconds(self) -> float | None:
        """The time to the state: the median where there are several; None where it does not count."""
        return None if (took := self.took) is None else spent(took)

    @property
    def spread(self) -> tuple[float, float] | None:
        """The quartiles of its times; None where it has only one, or an older file tells none."""
        if self.by == MEMORY or (took := self.took) is None or took.get("runs", 0) < 2 or not took.get("low"):
            return None
        return took["low"], took["high"]

    @property
    def figure(self) -> float | None:
        """What it is ranked by: its seconds, or its bytes; None where it has none that counts."""
        if self.by != MEMORY:
            return self.seconds
        return None if self.grown is None else max(self.grown, PAGES)

    @property
    def density(self) -> float:
        """The share of all basis states that is occupied at the peak."""
        return self.peak / 2.0**self.wires

    @property
    def grown(self) -> int | None:
        """The bytes that the first run took beyond what the import holds; None where nobody knows."""
        told = self.data.get("memory")
        if not isinstance(told, dict) or self.outcome != "ok" or not told.get("peak"):
            return None
        return max(0, int(told["peak"]) - int(told["base"]))


def rankings(results: Results) -> tuple[str, ...]:
    """Which times the file has: an older one has none of new circuits."""
    return tuple(by for by in RANKINGS if any(by in run for run in results.runs.values()))


def rows(results: Results, by: str = "", question: str | None = "") -> list[Row]:
    """Every run, in the order of the plan, with these times, or else with the first that the file has.

    Of cases that ask for the state itself, or of those with another question; None is for all.
    """
    found = []
    by = by or next(iter(rankings(results)), "warm")
    cores = results.plan.machine.get("cores")
    for simulator in results.plan.simulators:
        kind = kind_of(results.starts.get(simulator, {}))
        for name, case in results.plan.cases.items():
            run = results.runs.get((simulator, name))
            if run is None or question not in (None, case.get("question", "")):
                continue
            found.append(Row(
                results.starts.get(simulator, {}).get("label", simulator), kind, name, family_of(case), case["track"],
                case["wires"], case["peak"], case["clifford"], case["feed_forward"], run["outcome"], run, by,
                bool(cores and run.get("load", 0.0) > cores + SLACK),
            ))  # fmt: skip
    return found


def held(found: Iterable[Row]) -> list[Row]:
    """The same runs, to be ranked by their memory."""
    return [replace(row, by=MEMORY, busy=False) for row in found]


def kind_of(start: dict[str, Any]) -> str:
    """The class in which a simulator is ranked."""
    if start.get("approximate"):
        return "approximate"
    return {"complex64": "single", "tableau": "tableau"}.get(start.get("precision", ""), "exact")


def family_of(case: Mapping[str, Any]) -> str:
    """The family of a case; those of games carry the game's name."""
    return f"{case['family']}, {case['game']}" if case["game"] else str(case["family"])


def by_case(found: Iterable[Row]) -> dict[str, list[Row]]:
    """The runs of each case."""
    cases: dict[str, list[Row]] = defaultdict(list)
    for row in found:
        cases[row.case].append(row)
    return dict(cases)


def fastest(found: Iterable[Row], *, of: Sequence[str] = ()) -> Row | None:
    """The row with the shortest time that counts, or the least memory, of some simulators or of all."""
    timed = [row for row in found if row.figure is not None and (not of or row.simulator in of)]
    return min(timed, key=lambda row: row.figure or math.inf, default=None)


def mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def short(value: float) -> str:
    """A factor with two digits, or all of them before the point."""
    return f"{value:.2g}" if value < 99.5 else f"{value:.0f}"


def simulators(found: Iterable[Row], kind: str = "") -> list[str]:
    """The names, in order, of one class or of all."""
    return list(dict.fromkeys(row.simulator for row in found if kind in ("", row.kind)))
