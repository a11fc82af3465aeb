"""Run every simulator of a plan on every case, one at a time, and save each result before the next run."""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from qchess.bench.case import SIZES, TRACKS, Case
from qchess.bench.running.machine import load
from qchess.bench.running.measuring import Settings
from qchess.bench.running.results import Plan, ResultFile, Results, differing, starts_misfit
from qchess.circuits.child import Child
from qchess.errors import BackendError, InvalidMoveError

#: called with the numbers of runs done and in total
Told = Callable[[int, int], None]
#: called with each saved line
Heard = Callable[[Mapping[str, Any]], None]
#: variables from which libraries read their number of threads at import, as NAME_NUM_THREADS or by their own name
COUNTED = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "RAYON", "QULACS")
NAMED = ("VECLIB_MAXIMUM_THREADS", "QUIMB_NUM_THREAD_WORKERS", "QUIMB_NUM_PROCS")


def environment(settings: Settings) -> dict[str, str]:
    """Return a simulator's environment: the number of threads, and no telemetry."""
    names = (*(f"{name}_NUM_THREADS" for name in COUNTED), *NAMED)
    return {**dict.fromkeys(names, str(settings.threads)), "QDK_PYTHON_TELEMETRY": "none"}


class Station:
    """The process of one simulator; `qchess.bench.running.station` is what it does."""

    def __init__(self, simulator: str, settings: Settings) -> None:
        if not hasattr(os, "fork"):
            raise BackendError("runs need fork(), which this system does not have")
        path = os.pathsep.join(str(Path(place or ".").resolve()) for place in sys.path)  # for what it starts itself
        given, target = {**environment(settings), "PYTHONPATH": path}, "qchess.bench.running.station:station"
        self.child = Child(target, simulator, settings, environment=given, forks=True)
        self.about = self._asked(None, {"outcome": "missing", "why": "its import ended the process"})

    @property
    def ready(self) -> bool:
        """Tell whether the simulator is loaded."""
        return bool(self.about["outcome"] == "ok")

    def run(self, case: Case) -> dict[str, Any]:
        """Return the result of one run."""
        return self._asked(case, {"outcome": "crash", "why": "the run ended the process that watched it"})

    @property
    def gone(self) -> bool:
        """Tell whether the process has ended."""
        return self.child.ended

    def _asked(self, case: Case | None, otherwise: dict[str, Any]) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self.child.ask(case)
        except Exception:  # noqa: BLE001 (a simulator may raise anything where it should not)
            self.close()
            return otherwise
        return found

    def close(self) -> None:
        """End the process, and a run with it."""
        self.child.close()


@contextmanager
def station(simulator: str, settings: Settings) -> Iterator[Station]:
    """Yield a station that is closed at the end."""
    made = Station(simulator, settings)
    try:
        yield made
    finally:
        made.close()


def run(plan: Plan, cases: Sequence[Case], path: Path, told: Told = lambda done, total: None) -> Results:
    """Run what the file at `path` does not have yet, and return its full contents."""
    with ResultFile(path, plan) as file:
        fill(file, plan.simulators, cases, told)
        return file.results


def fill(
    file: ResultFile, simulators: Sequence[str], cases: Sequence[Case],
    told: Told = lambda done, total: None, heard: Heard = lambda line: None,
) -> None:  # fmt: skip
    """Run what an open file lacks, case by case, so that all simulators meet the same machine load.

    Small cases come first, so that a run stopped early has some results of every kind.
    """

    def keep(line: Mapping[str, Any]) -> None:
        file.keep(line)
        heard(line)

    results = file.results
    with Stations(results.plan.settings) as stations:
        for simulator in simulators:
            if any((simulator, case.name) not in results.runs for case in cases):
                _check_same(file, simulator, stations)
        for count, (case, simulator) in enumerate(product(sorted(cases, key=_order), simulators), 1):
            if (simulator, case.name) not in results.runs:
                if simulator not in results.starts:
                    keep({"what": "start", "simulator": simulator, "load": load(), **stations.start(simulator)})
                keep(_line(simulator, case, _result(results.starts[simulator], stations, simulator, case)))
            told(count, len(cases) * len(simulators))
    file.tidy()


def _check_same(file: ResultFile, simulator: str, stations: Stations) -> None:
    """Refuse to add runs of another version or adapter to those in the file."""
    start = file.results.starts.get(simulator)
    if start is None or start["outcome"] != "ok":
        return
    now = {"what": "start", "simulator": simulator, **stations.at(simulator).about}
    if told := differing(starts_misfit(start, now), "in the file", "now"):
        raise InvalidMoveError(f"nothing was added to {file.path}: {told}")


def _order(case: Case) -> tuple[int, int, int]:
    return SIZES.index(case.size), len(case.wires), TRACKS.index(case.track)


class Stations:
    """A station for each simulator, opened when first needed; after reporting its start it goes on to run."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.open = settings, dict[str, Station]()

    def at(self, simulator: str) -> Station:
        """Return the station of a simulator; a new one if the old one has ended."""
        old = self.open.get(simulator)
        if old is None or old.gone:
            if old:
                old.close()
            self.open[simulator] = Station(simulator, self.settings)
        return self.open[simulator]

    def start(self, simulator: str) -> dict[str, Any]:
        """Return a simulator's description and the median cost of its import in new processes; the last stays open."""
        about, times = dict[str, Any](), []
        for _ in range(max(1, self.settings.starts)):
            if old := self.open.pop(simulator, None):
                old.close()
            about = self.at(simulator).about
            if about["outcome"] != "ok":
                return about
            times.append(about["import"])
        return {**about, "import": {key: statistics.median(took[key] for took in times) for key in times[0]}}

    def __enter__(self) -> Stations:
        return self

    def __exit__(self, *_: object) -> None:
        for station in self.open.values():
            station.close()


def _result(start: Mapping[str, Any], stations: Stations, simulator: str, case: Case) -> dict[str, Any]:
    """Return the result of one run, or why there is none."""
    if start["outcome"] != "ok":
        return {"outcome": "missing", "why": start["why"]}
    at = stations.at(simulator)
    return at.run(case) if at.ready else dict(at.about)


def _line(simulator: str, case: Case, result: Mapping[str, Any]) -> dict[str, Any]:
    return {"what": "run", "simulator": simulator, "case": case.name, "hash": case.hash, "load": load(), **result}
