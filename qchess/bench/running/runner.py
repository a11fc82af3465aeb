"""Run every simulator of a plan on every case, one at a time on a worker, and save each result as it comes."""

from __future__ import annotations

import os
import statistics
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from qchess.bench.case import SIZES, TRACKS, Case
from qchess.bench.running.machine import load, machine
from qchess.bench.running.measuring import Settings
from qchess.bench.running.results import Plan, ResultFile, Results, differing, machines_misfit, starts_misfit
from qchess.circuits.child import Child
from qchess.errors import BackendError, InvalidMoveError
from qchess.playing.spread import Team

#: called with the numbers of runs done and in total
Told = Callable[[int, int], None]
#: called with each saved line
Heard = Callable[[Mapping[str, Any]], None]
#: variables from which libraries read their number of threads at import, as NAME_NUM_THREADS or by their own name
COUNTED = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "RAYON", "QULACS")
NAMED = ("VECLIB_MAXIMUM_THREADS", "QUIMB_NUM_THREAD_WORKERS", "QUIMB_NUM_PROCS")
#: seconds without a run after which a process ends its stations
IDLE = 60.0


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


def machine_of(team: Team) -> dict[str, Any]:
    """Return the machine of the worker that answers first."""
    return next(iter(team.spread(_machine, [None])))[1]


def _machine(_: None) -> dict[str, Any]:
    return machine()


class Run(NamedTuple):
    """What a worker did: a line for the file, what the simulator says of itself there, and the worker's machine."""

    line: dict[str, Any]
    about: Mapping[str, Any]
    machine: Mapping[str, Any]


def run(
    plan: Plan, cases: Sequence[Case], path: Path, told: Told = lambda done, total: None, team: Team | None = None
) -> Results:  # fmt: skip
    """Run what the file at `path` does not have yet, and return its full contents."""
    with ResultFile(path, plan) as file:
        fill(file, plan.simulators, cases, told, team=team)
        return file.results


def fill(
    file: ResultFile, simulators: Sequence[str], cases: Sequence[Case],
    told: Told = lambda done, total: None, heard: Heard = lambda line: None, team: Team | None = None,
) -> None:  # fmt: skip
    """Run what an open file lacks, case by case, so that all simulators meet the same machine load.

    Small cases come first, so that a run stopped early has some results of every kind. Each worker of a team runs one
    case at a time; the machines of all must be of the kind that the file names.
    """
    results, team = file.results, team or Team()
    settings = results.plan.settings
    wanted = [(simulator, case) for case, simulator in product(sorted(cases, key=_order), simulators)]
    todo = [(simulator, case) for simulator, case in wanted if (simulator, case.name) not in results.runs]
    before = len(wanted) - len(todo)

    def keep(done: Run) -> None:
        _check_same(file, done, team.is_here)
        line = done.line if team.is_here else {**done.line, "machine": done.machine}
        if line["what"] == "run" or line["simulator"] not in results.starts:
            file.keep(line)
            heard(line)

    try:
        told(before, len(wanted))
        missing = _missing(results)
        names = dict.fromkeys(simulator for simulator, _ in todo if simulator not in missing)
        for _, done in team.spread(partial(_start, settings), [(name, name not in results.starts) for name in names]):
            keep(done)
        missing = _missing(results)
        jobs = [(simulator, case, missing.get(simulator, "")) for simulator, case in todo]
        for count, (_, done) in enumerate(team.spread(partial(_run, settings), jobs), before + 1):
            keep(done)
            told(count, len(wanted))
    finally:
        KEPT.close()
    file.tidy()


def _missing(results: Results) -> dict[str, str]:
    """Return the simulators that did not start, with why."""
    return {name: start["why"] for name, start in results.starts.items() if start["outcome"] != "ok"}


def _check_same(file: ResultFile, done: Run, is_here: bool) -> None:
    """Refuse to add what another version or adapter has run, or another kind of machine, than the file says."""
    found = []
    if not is_here:  # of this process the file has the machine
        found = [row for row in machines_misfit(file.results.plan.machine, done.machine) if "memory" not in row[0]]
    start = file.results.starts.get(done.line["simulator"])
    if start and start["outcome"] == "ok" and (done.line["what"] == "start" or done.about["outcome"] == "ok"):
        found += starts_misfit(start, {"what": "start", "simulator": start["simulator"], **done.about})
    if told := differing(found, "in the file", "now"):
        raise InvalidMoveError(f"nothing was added to {file.path}: {told}")


def _start(settings: Settings, job: tuple[str, bool]) -> Run:
    """Return how a simulator starts; its costs are measured if the file has none of it."""
    simulator, is_new = job
    with KEPT.opened(settings) as stations:
        about = stations.start(simulator) if is_new else stations.at(simulator).about
    return Run({"what": "start", "simulator": simulator, "load": load(), **about}, about, machine())


def _run(settings: Settings, job: tuple[str, Case, str]) -> Run:
    """Return the result of one run, or why there is none."""
    simulator, case, missing = job
    line = {"what": "run", "simulator": simulator, "case": case.name, "hash": case.hash}
    if missing:
        why = {"outcome": "missing", "why": missing}
        return Run({**line, "load": load(), **why}, why, machine())
    with KEPT.opened(settings) as stations:
        at = stations.at(simulator)
        result = at.run(case) if at.ready else dict(at.about)
        return Run({**line, "load": load(), **result}, at.about, machine())


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

    def close(self) -> None:
        """End all of them."""
        for station in self.open.values():
            station.close()
        self.open.clear()


class Kept:
    """The stations of a process, which stay for its next run, or until there is none for `IDLE` seconds."""

    def __init__(self) -> None:
        self._stations: Stations | None = None
        self._one_at_a_time = threading.Lock()
        self._timer: threading.Timer | None = None

    @contextmanager
    def opened(self, settings: Settings) -> Iterator[Stations]:
        """Yield the stations for these settings, while no other run of this process has any."""
        with self._one_at_a_time:
            if self._timer:
                self._timer.cancel()
            if self._stations is None or self._stations.settings != settings:
                self._close()
                self._stations = Stations(settings)
            try:
                yield self._stations
            finally:
                self._timer = threading.Timer(IDLE, self.close)
                self._timer.daemon = True
                self._timer.start()

    def close(self) -> None:
        """End all of them; another run opens new ones."""
        with self._one_at_a_time:
            if self._timer:
                self._timer.cancel()
            self._close()

    def _close(self) -> None:
        if self._stations:
            self._stations.close()
        self._stations = None


KEPT = Kept()
