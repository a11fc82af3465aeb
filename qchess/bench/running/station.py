"""The process of one simulator: it imports it once, and forks a process for each run.

A fork starts with only the import done, so a run cannot disturb the next one. The station watches the run's memory and
processor time and stops it at its limits. It ends, and its run with it, when its parent process is gone: its questions
come by descriptor 0. The simulator's own output goes nowhere.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from qchess.bench.case import Case
from qchess.bench.questions import measuring as asking
from qchess.bench.running import clock, source
from qchess.bench.running.clock import middle, timed
from qchess.bench.running.measuring import Settings, Tell, long, measure, measure_new, memory

#: seconds between checks of a run, and of the other processes that it may have started
LOOK, FAR = 0.01, 0.25
#: a waiting run uses no processor: its clock limit is this many times its limit, minus time taken by others;
#: more if the system does not report that
PATIENCE, BLIND = 2, 40
#: the most new processes for one circuit
MOST = 9
#: a function that measures and reports
Measure = Callable[[Any, Case, Settings, Tell], None]
#: the words of a simulator that was refused memory
REFUSED = ("MemoryError", "bad_alloc", "Unable to allocate", "Insufficient memory", "Cannot allocate memory")


@dataclass
class Watched:
    """A run as seen by the station."""

    pid: int
    pipe: int
    complaints: BinaryIO
    began: float = field(default_factory=time.monotonic)
    told: bytes = b""
    #: why it was stopped, if it was
    stopped: str = ""
    highest: int = 0

    def stop(self, why: str) -> None:
        """End the run and whatever it started."""
        self.stopped = why
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


def station(name: str, settings: Settings) -> Callable[[Case | None], dict[str, Any] | None]:
    """Import a simulator in the process, and return what answers: with what it is, or with the result of a case."""
    for output in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)
    adapter, about = _loaded(name, settings)
    gc.collect()
    gc.freeze()
    return lambda case: about if case is None else _run(adapter, case, settings)


def _loaded(name: str, settings: Settings) -> tuple[Any, dict[str, Any]]:
    """Return the adapter with its simulator imported, and the import's cost; or None and why not."""
    from qchess.bench.adapters import catalogue

    before = memory("VmRSS")
    try:
        adapter = catalogue.get(name)
        adapter.threads = settings.threads
        if settings.precision != "own":
            adapter.against = adapter.compute_in(settings.precision)
        if absent := adapter.absent():
            return None, {"outcome": "missing", "why": absent}
        _, took = timed(adapter.load)
    except (ImportError, OSError, ValueError) as error:
        return None, {"outcome": "missing", "why": f"{type(error).__name__}: {error}"}
    return adapter, {
        "outcome": "ok", "import": took, "memory": {"base": before, "peak": memory("VmRSS")},
        "label": adapter.name, "precision": adapter.precision, "approximate": adapter.approximate,
        "versions": adapter.versions(), "options": {k: str(v) for k, v in adapter.options.items()},
        "offers": [what for what in ("sample", "answers") if adapter.offers(what)],
        **source.told(name, adapter),
    }  # fmt: skip


def _run(adapter: Any, case: Case, settings: Settings) -> dict[str, Any] | None:
    """Return the result of one case: one process for its first run and repeats, others for new circuits."""
    if refused := _refused(adapter, case, settings):
        return refused
    first, again = (asking.measure, asking.measure_new) if case.question else (measure, measure_new)
    result = _forked(adapter, case, settings, first)
    if result is None or result["outcome"] != "ok" or "stopped" in result or "first" not in result:
        return result
    if long(result["first"], settings):
        return {**result, "new": {"runs": 0, **result["first"]}}
    taken: list[dict[str, float]] = []
    remarks = result["remarks"]
    while len(taken) < settings.least or (sum(took["wall"] for took in taken) < settings.warm and len(taken) < MOST):
        found = _forked(adapter, case, settings, partial(again, number=len(taken)))
        if found is None:
            return None
        if found["outcome"] == "wrong":
            del result["warm"]
            why = f"right at first; wrong as a new circuit in a running process: {found['why']}"
            return {**result, "outcome": "wrong", "kind": "new", "why": why}
        if found["outcome"] != "ok":
            return {**result, "stopped": f"new: {found['outcome']}, {found['why']}"}
        taken.append(found["new"])
        remarks = {**found["remarks"], **remarks}
    return {**result, "new": middle(taken), "remarks": remarks}


def _forked(adapter: Any, case: Case, settings: Settings, work: Measure) -> dict[str, Any] | None:
    """Return the report of a forked process; None if the parent process has ended."""
    cpus = _quietest(settings.threads)
    inward, outward = os.pipe()
    complaints = tempfile.TemporaryFile()  # noqa: SIM115  # it lives as long as the run
    pid = os.fork()
    if pid == 0:
        os.close(inward)
        _child(adapter, case, settings, work, outward, complaints.fileno(), cpus)
    os.close(outward)
    with complaints:
        return _watched(Watched(pid, inward, complaints), settings)


def _refused(adapter: Any, case: Case, settings: Settings) -> dict[str, Any] | None:
    """Return a result known before starting: not supported, or certainly too large."""
    from qchess.bench.adapters.circuit import Circuit

    if adapter.against:
        return {"outcome": "unsupported", "why": adapter.against}
    if case.feed_forward:
        return None if adapter.offers("answers") else {"outcome": "unsupported", "why": "no feed-forward"}
    circuit = Circuit.of(case.wires, case.full, case.program.operations)
    objects = getattr(adapter, "objection_to_asking", adapter.objection) if case.question else adapter.objection
    if objection := objects(circuit):
        return {"outcome": "unsupported", "why": objection}
    if case.question:
        way = asking.way_of(adapter, case)
        if way is None:
            return {"outcome": "unsupported", "why": f"{case.question} is asked for, but it cannot give that"}
        if circuit.wires > way.most:
            return {"outcome": "unsupported", "why": f"no {case.question} of {circuit.wires} wires; {way.most} at most"}
        way.ready(circuit.wires)
    if (needed := adapter.needs(circuit)) > settings.memory:
        return {"outcome": "memory", "why": f"{needed / 1e9:,.0f} GB for {circuit.wires} wires; not started"}
    return None


def _child(
    adapter: Any, case: Case, settings: Settings, work: Measure, outward: int, complaints: int, cpus: set[int] | None
) -> None:
    """Measure, report, and exit; never returns."""
    code = 1
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(complaints, 2)
        if cpus is not None:
            os.sched_setaffinity(0, cpus)
        _bound(settings)
        pipe = os.fdopen(outward, "w")

        def tell(piece: Mapping[str, Any]) -> None:
            pipe.write(json.dumps(piece) + "\n")
            pipe.flush()

        adapter.wake()
        work(adapter, case, settings, tell)
        code = 0
    except BaseException:  # noqa: BLE001  # whatever a simulator raises is the result of its run
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _bound(settings: Settings) -> None:
    """Set limits that hold even without the watcher."""
    import resource

    seconds = int(2 * settings.seconds * settings.threads) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _watched(run: Watched, settings: Settings) -> dict[str, Any] | None:
    """Wait for a run to end, and stop it at its limits; None if the parent process has ended."""
    elsewhere, looked = 0.0, run.began
    while True:
        ready, _, _ = select.select([run.pipe, 0], [], [], LOOK)
        if run.pipe in ready:
            piece = os.read(run.pipe, 65536)
            run.told += piece
            if not piece:
                break
        if 0 in ready:  # nothing is asked while a run lasts, so this is the end
            run.stop("the parent process has ended")
        run.highest = max(run.highest, held := _held(run.pid))
        if held > settings.memory:
            run.stop("memory")
        elif _spent(run.pid, elsewhere, settings) > settings.seconds or _waited(run) > settings.seconds:
            run.stop("timeout")
        if (now := time.monotonic()) - looked > FAR:
            looked, elsewhere = now, sum(at.seconds for at in clock.others(run.pid) if at.pid != run.pid)
    os.close(run.pipe)
    _, status = os.waitpid(run.pid, 0)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(run.pid, signal.SIGKILL)  # what it may have left behind
    return None if run.stopped == "the parent process has ended" else _result(run, status, settings)


def _result(run: Watched, status: int, settings: Settings) -> dict[str, Any]:
    """Return a run's report, and how it ended."""
    result: dict[str, Any] = {}
    for line in run.told[: run.told.rfind(b"\n") + 1].splitlines():
        result.update(json.loads(line))
    phase = result.pop("phase", "start")
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0 and not run.stopped:
        return result
    outcome, why = _end(run, status, settings)
    verified = result.get("outcome") == "ok"
    if verified and phase in ("sample", "warm"):  # the state was right; what came after it was not
        return {**result, "stopped": f"{phase}: {outcome}"}
    if result.get("outcome") == "wrong":
        return result
    highest = {"memory": {"base": 0, **result.get("memory", {}), "peak": run.highest}}
    return {**result, **highest, "outcome": outcome, "why": f"{why}, while: {phase}"}


def _end(run: Watched, status: int, settings: Settings) -> tuple[str, str]:
    """Return the outcome of a run that was stopped or ended badly."""
    run.complaints.seek(0)
    lines = run.complaints.read().decode("utf-8", "replace").strip().splitlines()
    last = lines[-1].strip()[:300] if lines else ""
    if run.stopped == "memory":
        return "memory", f"passed {settings.memory / 1e9:g} GB"
    if run.stopped == "timeout" or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        return "timeout", f"passed {settings.seconds:g} s"
    if any(word in line for line in lines[-3:] for word in REFUSED):
        return "memory", last
    if os.WIFSIGNALED(status):
        return "crash", " ".join(filter(None, (f"ended by {signal.Signals(os.WTERMSIG(status)).name}", last)))
    return "crash", last or f"ended with code {os.WEXITSTATUS(status)}"


def _held(pid: int) -> int:
    """Return a process's current memory; 0 if the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def _spent(pid: int, elsewhere: float, settings: Settings) -> float:
    """Return the processor seconds that count for the limit of a run, including its other processes.

    The limit is per core; one thread may not work longer while the others are idle.
    """
    share = (_processor(pid) + elsewhere) / settings.threads
    return share if settings.threads == 1 else max(share, _processor(pid, f"/task/{pid}"))


def _processor(pid: int, part: str = "") -> float:
    """Return the processor seconds of a process or thread; 0 if the system does not say."""
    try:
        fields = Path(f"/proc/{pid}{part}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if len(fields) > 12 else 0.0


def _waited(run: Watched) -> float:
    """Return the clock seconds that count for the limit of a run."""
    wall = time.monotonic() - run.began
    try:
        queued = int(Path(f"/proc/{run.pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return wall / BLIND
    return (wall - queued) / PATIENCE


def _quietest(count: int) -> set[int] | None:
    """Return the `count` processors that were most idle since the last check; None if threads cannot be pinned."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    mine, idle = sorted(os.sched_getaffinity(0)), {}
    with suppress(OSError):
        for line in Path("/proc/stat").read_text().splitlines():
            name, *times = line.split()
            if name.startswith("cpu") and name != "cpu":
                idle[int(name[3:])] = int(times[3])
    gained = {cpu: idle.get(cpu, 0) - _LAST.get(cpu, 0) for cpu in mine}
    _LAST.update(idle)
    return set(sorted(mine, key=lambda cpu: (gained[cpu], cpu))[-count:])


_LAST: dict[int, int] = {}
