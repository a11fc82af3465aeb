"""Runs every simulator of a plan on every case, one at a time, and writes each result down before the next run."""

from __future__ import annotations

import os
import pickle
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from qchess.bench.case import SIZES, TRACKS, Case
from qchess.bench.running.machine import load
from qchess.bench.running.measuring import Settings
from qchess.bench.running.results import Plan, ResultFile, Results
from qchess.errors import BackendError

#: called with how many runs are done, and of how many
Told = Callable[[int, int], None]
#: one thread for everybody; no simulator reports to its maker
ALONE = {
    **{
        f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA", "RAYON", "VECLIB_MAXIMUM")
    },
    "QDK_PYTHON_TELEMETRY": "none",
}


class Station:
    """The other end of `qchess.bench.running.station`."""

    def __init__(self, simulator: str, settings: Settings) -> None:
        if not hasattr(os, "fork"):
            raise BackendError(
                "runs are processes forked from one that has imported the simulator; this system has none"
            )
        self.process = subprocess.Popen(
            [sys.executable, "-m", "qchess.bench.running.station"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, **ALONE, "PYTHONPATH": _path()}, start_new_session=True,
        )  # fmt: skip
        self._send((simulator, settings))
        self.about = self._answer() or {"outcome": "missing", "why": "its import ended the process"}

    @property
    def ready(self) -> bool:
        """Whether the simulator is there."""
        return bool(self.about["outcome"] == "ok")

    def run(self, case: Case) -> dict[str, Any]:
        """The result of one run."""
        self._send(case)
        return self._answer() or {"outcome": "crash", "why": "the run took the process that watched it along"}

    @property
    def gone(self) -> bool:
        """Whether the process has ended."""
        return self.process.poll() is not None

    def _send(self, message: Any) -> None:
        assert self.process.stdin is not None, "it was opened as a pipe"
        with suppress(BrokenPipeError):
            pickle.dump(message, self.process.stdin)
            self.process.stdin.flush()

    def _answer(self) -> dict[str, Any] | None:
        assert self.process.stdout is not None, "it was opened as a pipe"
        try:
            found: dict[str, Any] = pickle.load(self.process.stdout)  # what our own process wrote
        except (EOFError, pickle.UnpicklingError):
            self.process.wait()
            return None
        return found

    def close(self) -> None:
        """Ends the process, and a run with it."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()
        self.process.wait()


def _path() -> str:
    """Where this process finds its modules, for one that may start elsewhere."""
    return os.pathsep.join(str(Path(place or ".").resolve()) for place in sys.path)


@contextmanager
def station(simulator: str, settings: Settings) -> Iterator[Station]:
    """A station that is closed in the end."""
    made = Station(simulator, settings)
    try:
        yield made
    finally:
        made.close()


def run(plan: Plan, cases: Sequence[Case], path: Path, told: Told = lambda done, total: None) -> Results:
    """Runs what the file does not have yet: case by case, so that all simulators meet the same load of the machine.

    Small cases come first: of a run that is stopped early there is something of everything.
    """
    with ResultFile(path, plan) as file, Stations(plan.settings) as stations:
        total = len(plan.simulators) * len(cases)
        count = 0
        for case in sorted(cases, key=_order):
            for simulator in plan.simulators:
                if (simulator, case.name) not in file.results.runs:
                    if simulator not in file.results.starts:
                        file.keep(_started(simulator, plan.settings))
                    file.keep(
                        _line(simulator, case, _result(file.results.starts[simulator], stations, simulator, case))
                    )
                count += 1
                told(count, total)
        file.tidy()
        return file.results


def _order(case: Case) -> tuple[int, int, int]:
    return SIZES.index(case.size), len(case.wires), TRACKS.index(case.track)


class Stations:
    """A station for each simulator, opened when it is first needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.open = settings, dict[str, Station]()

    def at(self, simulator: str) -> Station:
        """The station of a simulator; a new one if the old one has ended."""
        old = self.open.get(simulator)
        if old is None or old.gone:
            if old:
                old.close()
            self.open[simulator] = Station(simulator, self.settings)
        return self.open[simulator]

    def __enter__(self) -> Stations:
        return self

    def __exit__(self, *_: object) -> None:
        for station in self.open.values():
            station.close()


def _result(start: Mapping[str, Any], stations: Stations, simulator: str, case: Case) -> dict[str, Any]:
    """What one run gives, or why there is none."""
    if start["outcome"] != "ok":
        return {"outcome": "missing", "why": start["why"]}
    at = stations.at(simulator)
    return at.run(case) if at.ready else dict(at.about)


def _line(simulator: str, case: Case, result: Mapping[str, Any]) -> dict[str, Any]:
    return {"what": "run", "simulator": simulator, "case": case.name, "hash": case.hash, "load": load(), **result}


def _started(simulator: str, settings: Settings) -> dict[str, Any]:
    """What a simulator is, and the median cost of its import in fresh processes."""
    about: dict[str, Any] = {}
    times = []
    told = {"what": "start", "simulator": simulator, "load": load()}
    for _ in range(max(1, settings.starts)):
        with station(simulator, settings) as at:
            about = at.about
        if about["outcome"] != "ok":
            return {**told, **about}
        times.append(about["import"])
    return {**told, **about, "import": {key: statistics.median(took[key] for took in times) for key in times[0]}}
