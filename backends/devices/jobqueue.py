"""A job queue: jobs of a local device that outlive their process, like those of a remote one.

A job is a folder named by the key of its question, so the same question finds the existing job. A separate process
works on it; if that process was lost, the next look starts another.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeGuard

from qchess.backends.catalogue import get, with_settings
from qchess.backends.devices.sampler import (
    BaseSampler,
    Capabilities,
    Provenance,
    Shots,
    Shown,
    check_circuits,
)
from qchess.backends.devices.validation import is_count, is_number, kept, plain, require
from qchess.circuits.errors import BackendError, LostJobError
from qchess.circuits.locks import taken
from qchess.circuits.program import Program

#: seconds between a worker's checks of a job that is not due yet
LOOK = 0.5
#: the workers of jobs that were started here, kept until they end; they outlive this process
_WORKERS: dict[Path, subprocess.Popen[bytes]] = {}
#: the latest time at which a job may be due, in seconds since 1970
LATEST = 1e11
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {module} import work; work(sys.argv[2])"


@atexit.register
def _let_go() -> None:
    """Silence warnings about workers still running when this process ends; they are meant to outlive it."""
    for worker in _WORKERS.values():
        worker.returncode = 0


def folder() -> Path:
    """Return the folder of jobs: under ``QCHESS_STATE``, or in the user's state folder."""
    if chosen := os.environ.get("QCHESS_STATE"):
        return Path(chosen) / "jobs"
    root = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_STATE_HOME")
    return Path(root or Path.home() / ".local" / "state") / "qchess" / "jobs"


def handed_in(ticket: Mapping[str, Any]) -> bool:
    """Tell whether this account handed in the job of a ticket: its name, which nobody guesses, is among the jobs."""
    name = ticket.get("job")
    return _is_job(name) and order_in(folder() / name / "order.json") is not None


def _is_job(name: object) -> TypeGuard[str]:
    """Tell whether this can be the name of a job: letters and digits alone, so that it leads to no other folder."""
    return isinstance(name, str) and name.isascii() and name.isalnum()


class JobQueue(BaseSampler):
    """A sampler whose runs are jobs; `wait` makes each take at least this many seconds, like a queue.

    `settings` are those of the device that runs them; those `beside` belong to the questions. Conflicting ones are
    refused.
    """

    def __init__(
        self, device: str, wait: float = 0.0, place: Path | None = None, settings: Mapping[str, Any] | None = None,
        beside: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.settings = dict(settings or {})
        self.device, self.wait = with_settings(device, self.settings), wait
        self.place = place or folder()
        self._sampler = get(device, **self.settings, **(beside or {})).sampler()
        self.on_a_fake = self._sampler.on_a_fake
        self.name = f"queued:{f'{wait:g}:' if wait else ''}{device}"

    @property
    def capabilities(self) -> Capabilities:  # type: ignore[override]
        """Return what the device can do."""
        return self._sampler.capabilities

    @property
    def runs_on(self) -> str:  # type: ignore[override]
        """Return the name of the device behind the queue, as its shots give it."""
        return self._sampler.name

    def shots_given(self, shots: int) -> int:
        """Return how many shots of a circuit come if this many are requested."""
        return self._sampler.shots_given(shots)

    def expected_fidelity(self, circuits: Sequence[Program]) -> Sequence[float] | None:
        """Return the expected fidelity of each circuit; None if unknown."""
        return self._sampler.expected_fidelity(circuits)

    def expected_seconds(self, circuits: Sequence[Program], shots: int) -> tuple[float, float] | None:
        """Return the expected seconds of use of a job, and the fixed part of them; None if unknown."""
        return self._sampler.expected_seconds(circuits, shots)

    def show(self, circuits: Sequence[Program]) -> Sequence[Shown] | None:
        """Return the circuits as the device would get them; None if unknown."""
        return self._sampler.show(circuits)

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Sequence[Shots]:
        """Return the shots of each circuit, without a queue."""
        return self._sampler.run(circuits, shots, seed)

    def submit(self, circuits: Sequence[Program], shots: int, seed: int | None, key: str) -> dict[str, Any]:
        """Submit a job; the same key finds the same job."""
        check_circuits(self, circuits, shots)
        job = self.place / key
        job.mkdir(parents=True, exist_ok=True)
        order = None if self._lost(job) else order_in(job / "order.json")
        found = order is not None
        if order is None:
            now = time.time()
            order = {"device": self.device, "shots": shots, "seed": seed, "since": _moment(now), "due": now + self.wait,
                     "circuits": [circuit.text() for circuit in circuits]}  # fmt: skip
            write(job / "order.json", order)
        self._attend(job)
        return {"job": key, "found": found, "since": order.get("since")}

    def known(self, key: str) -> bool:
        """Tell whether there is a job of this key."""
        return order_in(self.place / key / "order.json") is not None

    def ended(self, key: str) -> list[str]:
        """Return the file names of this job's failed or cancelled attempts."""
        job = self.place / key
        failed, result = list(job.glob("failed*.json")), job / "result.json"
        if "error" in (result_in(result) or {}):
            failed.append(job / f"failed{len(failed)}.json")  # its name once the job is handed in again
        return [path.stem for path in (*failed, *_cancelled(job))]

    def collect(self, ticket: Mapping[str, Any], circuits: Sequence[Program], shots: int) -> list[Shots] | None:
        """Return the shots of a job; None while it is not done."""
        job = self._folder(ticket.get("job"))
        if order_in(job / "order.json") is None:
            raise LostJobError(f"the job was cancelled: {job.name}" if _cancelled(job) else
                               f"no job {job.name!r} lies at {self.place}")  # fmt: skip
        if (job / "result.json").exists():
            return shots_in(job / "result.json")
        self._attend(job)
        return None

    def job_status(self, ticket: Mapping[str, Any]) -> dict[str, Any]:
        """Return the status of a job, and its start time while it waits."""
        job = self._folder(ticket.get("job"))
        order = order_in(job / "order.json")
        if order is None:
            return {"state": "cancelled" if _cancelled(job) else "gone"}
        if (result := result_in(job / "result.json")) is not None:
            if "error" in result:
                return {"state": "failed", "why": result["error"]}
            return {"state": "done", "seconds": result.get("seconds")}
        if order["due"] <= time.time():
            return {"state": "runs"}
        return {"state": "waits", "starts": _moment(order["due"])}

    def cancel(self, ticket: Mapping[str, Any]) -> None:
        """Cancel a job that has not ended; its worker checks for the order before it runs."""
        job = self._folder(ticket.get("job"))
        if not (job / "result.json").exists():
            with suppress(FileNotFoundError):  # it was cancelled before, or is not here
                (job / "order.json").replace(job / f"cancelled{len(_cancelled(job))}.json")

    def _folder(self, name: object) -> Path:
        """Return the folder of the job of this name; a name that leads elsewhere is refused."""
        if not _is_job(name):
            raise BackendError(f"expected the name of a job in letters and digits, got {repr(name)[:60]}")
        return self.place / name

    def _lost(self, job: Path) -> bool:
        """Tell whether the job ended without shots; its result is put aside so that it can be tried again."""
        with _alone(job) as free:
            result = job / "result.json"
            if not (free and "error" in (result_in(result) or {})):
                return False
            result.replace(job / f"failed{len(list(job.glob('failed*')))}.json")
            return True

    def _attend(self, job: Path) -> None:
        """Start a worker if there is none; of two started at once, the lock lets one work."""
        for ended in [each for each, worker in list(_WORKERS.items()) if worker.poll() is not None]:
            _WORKERS.pop(ended, None)
        if job in _WORKERS:  # it may be loading, and have no lock yet
            return
        with _alone(job) as free:
            idle = free and not (job / "result.json").exists()
        if not idle:
            return
        path = [os.path.abspath(p or os.curdir) for p in sys.path]  # noqa: PTH100
        start = [sys.executable, "-c", _START.format(module=__name__), json.dumps(path), str(job)]
        with (job / "log").open("ab") as log:
            _WORKERS[job] = subprocess.Popen(
                start, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )


def work(place: str) -> None:
    """Run in the worker: wait until the job is due, run it, and write the result."""
    job = Path(place)
    with _alone(job) as free:
        if not free or (job / "result.json").exists():
            return
        order = _due(job)
        if order is None:
            return
        with (job / "paid").open("a", encoding="utf-8") as paid:
            paid.write(f"{time.time()}\n")
        circuits = [Program.parse(text) for text in order["circuits"]]
        try:
            device = get(order["device"]).sampler()
            began = time.monotonic()
            runs = device.run(circuits, order["shots"], order["seed"])
            used = round(time.monotonic() - began, 3)
            write(job / "result.json", {"runs": [_told(run) for run in runs], "seconds": used})
        except Exception as error:  # noqa: BLE001 (it is told to whoever collects the job)
            write(job / "result.json", {"error": f"{type(error).__name__}: {error}"})


def _due(job: Path) -> dict[str, Any] | None:
    """Return the order of a job once it is due; None if it was cancelled before."""
    while (order := order_in(job / "order.json")) is not None:
        left = order["due"] - time.time()
        if left <= 0:
            return order
        time.sleep(min(LOOK, left))
    return None


def order_in(path: Path) -> dict[str, Any] | None:
    """Return the order of a job (what to run, and when); None if there is none."""
    order = kept(path, "the order of a job")
    if order is not None:
        seed, due, circuits = order.get("seed"), order.get("due"), order.get("circuits")
        require(path, order.get("device"), "the name of a device in 'device'", isinstance(order.get("device"), str))
        require(path, order.get("shots"), "a number of shots in 'shots'", is_count(order.get("shots")))
        require(path, seed, "a whole number or null in 'seed'", seed is None or type(seed) is int)
        require(path, due, "seconds since 1970 in 'due'", is_number(due) and due < LATEST)  # type: ignore[operator]
        require(path, circuits, "a list of programs in 'circuits'", _is_list(circuits, str))
    return order


def result_in(path: Path) -> dict[str, Any] | None:
    """Return the result of a job: its runs, or its error; None if there is none."""
    result = kept(path, "the result of a job")
    if result is not None and "error" in result:
        require(path, result["error"], "a text in 'error'", isinstance(result["error"], str))
    elif result is not None:
        require(path, result.get("runs"), "a list of runs in 'runs'", _is_list(result.get("runs"), dict))
        seconds = result.get("seconds")
        require(path, seconds, "a number or null in 'seconds'", seconds is None or is_number(seconds))
    return result


def _is_list(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


def _cancelled(job: Path) -> list[Path]:
    """Return the cancelled orders of a job."""
    return list(job.glob("cancelled*.json"))


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _told(run: Shots) -> dict[str, Any]:
    counts = [[list(key), times] for key, times in run.counts.items()]
    ordered = None if run.sequence is None else [list(outcome) for outcome in run.sequence]
    return {
        "answers": list(run.answers),
        "counts": counts,
        "sequence": ordered,
        "provenance": plain(asdict(run.provenance)),
    }


def shots_in(path: Path) -> list[Shots]:
    """Return the shots of a job from its result; `LostJobError` if it failed."""
    result, job = result_in(path), path.parent.name
    if result is None or "error" in result:
        raise LostJobError(f"the job {job} failed: {result['error'] if result else 'it has no result'}")
    return [_run(path, told, job) for told in result["runs"]]


def _run(path: Path, told: Mapping[str, Any], job: str) -> Shots:
    answers: Any
    counts: Any
    answers, counts, ordered = told.get("answers"), told.get("counts"), told.get("sequence")
    require(path, answers, "names in 'answers'", _is_list(answers, str))
    require(path, counts, "a list of [outcome, times] in 'counts'", _is_list(counts, list) and all(
        len(each) == 2 and is_count(each[1]) and _is_outcome(each[0], answers) for each in counts
    ))  # fmt: skip
    require(path, ordered, "outcomes or null in 'sequence'", ordered is None or (
        isinstance(ordered, list) and all(_is_outcome(each, answers) for each in ordered)
    ))  # fmt: skip
    return Shots(
        tuple(answers),
        {tuple(key): times for key, times in counts},
        _provenance(path, told.get("provenance"), job),
        None if ordered is None else tuple(tuple(outcome) for outcome in ordered),
    )


def _is_outcome(value: object, answers: Any) -> bool:
    return isinstance(value, list) and len(value) == len(answers) and all(is_count(each, math.inf) for each in value)


def _provenance(path: Path, told: Any, job: str) -> Provenance:
    names = {each.name for each in fields(Provenance)}
    require(path, told, "an object in 'provenance'", isinstance(told, dict) and told.keys() <= names)
    for name in ("asked", "returned"):
        require(path, told.get(name), f"a number of shots in {name!r}", is_count(told.get(name)))
    for name in ("versions", "details"):
        require(path, told.get(name), f"an object in {name!r}", isinstance(told.get(name, {}), dict))
    for name, kind in (("backend", str), ("calibrated", str), ("seed", int)):
        value = told.get(name)
        require(
            path, value, f"{name!r} as it is written", isinstance(value, kind) or (value is None and name != "backend")
        )
    return Provenance(**{**told, "job": job})


def write(path: Path, value: Any) -> None:
    """Write a file atomically."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("w", encoding="utf-8") as file:
        json.dump(value, file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


@contextmanager
def _alone(job: Path) -> Iterator[bool]:
    """Hold the lock of a job; yields False if another process has it."""
    with (job / "lock").open("a", encoding="utf-8") as lock:
        yield taken(lock)
