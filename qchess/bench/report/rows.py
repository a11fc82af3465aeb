"""Results as rows: one run each, with its case and its simulator."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qchess.bench.running.clock import spent
from qchess.bench.running.results import Results

#: the kinds of times: a circuit new to a running process, repeats in one process, the first run after the import
RANKINGS = ("new", "warm", "first")
#: the same in words
TIMES = {
    "new": "new circuits in a running process",
    "warm": "warm repeats of one circuit in one process",
    "first": "first runs after the import",
}
#: memory is ranked like times: bytes of the first run, at least this many, as a process's first pages vary
MEMORY, PAGES = "memory", 2**20
#: our own simulators
OURS = ("sparse", "registers")
#: a load this little above the cores is not others' work: it is a mean over a minute, including the run
SLACK = 0.5
#: simulators are ranked within these classes
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
    #: which of its times is used
    by: str = "warm"
    #: True: more processes wanted to run than the machine has cores
    busy: bool = False

    @property
    def took(self) -> dict[str, Any] | None:
        """Return the measurement of the chosen time, or of the first run if there is no other; None if none counts."""
        if self.outcome != "ok" or "first" not in self.data:
            return None
        told = self.data.get(self.by) or {}
        return dict(told if "wall" in told else self.data["first"])

    @property
    def seconds(self) -> float | None:
        """Return the time to the state in seconds: the median if there are several; None if it does not count."""
        return None if (took := self.took) is None else spent(took)

    @property
    def spread(self) -> tuple[float, float] | None:
        """Return the quartiles of its times; None if it has only one, or in older files."""
        if self.by == MEMORY or (took := self.took) is None or took.get("runs", 0) < 2 or not took.get("low"):
            return None
        return took["low"], took["high"]

    @property
    def figure(self) -> float | None:
        """Return its ranking figure: seconds or bytes; None if it has none that counts."""
        if self.by != MEMORY:
            return self.seconds
        return None if self.grown is None else max(self.grown, PAGES)

    @property
    def density(self) -> float:
        """Return the largest share of all basis states occupied at any time."""
        return self.peak / 2.0**self.wires

    @property
    def grown(self) -> int | None:
        """Return the bytes of the first run beyond the import; None if unknown."""
        told = self.data.get("memory")
        if not isinstance(told, dict) or self.outcome != "ok" or not told.get("peak"):
            return None
        return max(0, int(told["peak"]) - int(told["base"]))


def rankings(results: Results) -> tuple[str, ...]:
    """Return the kinds of times in the file: older ones lack new circuits."""
    return tuple(by for by in RANKINGS if any(by in run for run in results.runs.values()))


def rows(results: Results, by: str = "", question: str | None = "") -> list[Row]:
    """Return every run, in the order of the plan, with these times, or else the first kind in the file.

    Only runs of cases with this question: the empty text is the state itself, None is all.
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
    """Return the same runs, ranked by memory."""
    return [replace(row, by=MEMORY, busy=False) for row in found]


def kind_of(start: dict[str, Any]) -> str:
    """Return the class in which a simulator is ranked."""
    if start.get("approximate"):
        return "approximate"
    return {"complex64": "single", "tableau": "tableau"}.get(start.get("precision", ""), "exact")


def family_of(case: Mapping[str, Any]) -> str:
    """Return the family of a case; those of games include the game's name."""
    return f"{case['family']}, {case['game']}" if case["game"] else str(case["family"])


def by_case(found: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the runs of each case."""
    cases: dict[str, list[Row]] = defaultdict(list)
    for row in found:
        cases[row.case].append(row)
    return dict(cases)


def fastest(found: Iterable[Row], *, of: Sequence[str] = ()) -> Row | None:
    """Return the row with the shortest valid time, or the least memory, among some simulators or all."""
    timed = [row for row in found if row.figure is not None and (not of or row.simulator in of)]
    return min(timed, key=lambda row: row.figure or math.inf, default=None)


def mean(ratios: Sequence[float]) -> float:
    """Return the geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def short(value: float) -> str:
    """Return a factor with two digits, or all digits before the point."""
    return f"{value:.2g}" if value < 99.5 else f"{value:.0f}"


def simulators(found: Iterable[Row], kind: str = "") -> list[str]:
    """Return the names, in order, of one class or of all."""
    return list(dict.fromkeys(row.simulator for row in found if kind in ("", row.kind)))
