"""Time something: by the clock, by the processor with all children, and waiting for others.

The clocks are bound when this is imported, before any simulator: a simulator that changes `time` has no effect.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
#: the share of a time that a run may be idle, or wait, without a remark; and seconds, as some clocks
#: count in hundredths
IDLE, LEAST = 0.2, 0.03
#: files of the first format give processor time above this many seconds
OLD_STEPS = 0.05
#: the most repeats whose times are kept one by one
KEPT = 100
#: lowering that takes this many times the run is more than translation
MUCH = 1000


def timed(action: Callable[[], T]) -> tuple[T, dict[str, float]]:
    """Return the result of an action, and its seconds.

    ``wall`` is the clock's time; ``cpu`` the processor's, of this process and its ended children; ``queued`` is how
    long it was ready but others had the processor.
    """
    queue, processor = _queued(), _processor()
    began = perf_counter()
    made = action()
    wall = perf_counter() - began
    return made, {"wall": wall, "cpu": _processor() - processor, "queued": _queued() - queue}


def spent(took: Mapping[str, float]) -> float:
    """Return the seconds of the clock.

    Files of the first format used processor time above some milliseconds.
    """
    if "queued" in took:
        return took["wall"]
    return took.get("spent", took["cpu"] if took["wall"] > OLD_STEPS else took["wall"])


def middle(taken: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Return the medians of several times, with the clock's times and their quartiles.

    Of more than `KEPT` times every second is kept, or every third, and so on, spread over all of them.
    """
    kept = taken[:: step(len(taken))]
    walls = [float(f"{took['wall']:.6g}") for took in kept]
    low, wall, high = quartiles(walls)
    kinds = dict.fromkeys(key for took in kept for key in took)
    return {
        "runs": len(taken),
        **{kind: statistics.median(took.get(kind, 0.0) for took in kept) for kind in kinds},
        "wall": wall,
        "low": low,
        "high": high,
        "each": walls,
    }


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the lower quartile, the median and the upper quartile, the smallest and the largest value included."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [*values] * 3
    return low, middle, high


def step(runs: int) -> int:
    """Return the step at which times are kept."""
    return -(-runs // KEPT)


def _processor() -> float:
    ended = os.times()
    with suppress(ImportError):
        from resource import RUSAGE_CHILDREN, getrusage

        children = getrusage(RUSAGE_CHILDREN)
        return process_time() + children.ru_utime + children.ru_stime
    return process_time() + ended.children_user + ended.children_system


def _queued() -> float:
    """Return the seconds that this process was ready but did not run; 0 if the system does not say."""
    try:
        return int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


class Process(NamedTuple):
    """Another process of a run's session, with the processor seconds of it and its children."""

    pid: int
    seconds: float


def others(session: int) -> Iterator[Process]:
    """Yield the other processes of a session, if the system lists them."""
    me = os.getpid()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and int(folder.name) != me:
                yield Process(int(folder.name), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK"))


class Company:
    """Watches the processes that a run has started while it is timed."""

    def __init__(self) -> None:
        self.session = os.getsid(0)
        self.before = self._seconds()

    def _seconds(self) -> float:
        return sum(process.seconds for process in others(self.session))

    def remarks(self, taken: Sequence[Mapping[str, float]], allowed: set[int] | None) -> dict[str, str]:
        """Return remarks on these times by kind: waiting, work elsewhere or beforehand, or more processors."""
        elsewhere = max(0.0, self._seconds() - self.before)
        wall, cpu, queued = (sum(took[kind] for took in taken) for kind in ("wall", "cpu", "queued"))
        own = max(0.0, wall - queued)
        told = {}
        if elsewhere > max(LEAST, IDLE * cpu):
            told["others"] = f"{elsewhere:.2g} s of the processor's time were other processes', in {own:.2g} s"
        elif own - cpu > max(LEAST, IDLE * own):
            told["waits"] = f"it waited for {own - cpu:.2g} of {own:.2g} s and did nothing"
        for kind, share, what in (("desk", 1, "making ready"), ("lower", MUCH, "lowering")):
            before = sum(took[kind] for took in taken)
            if before > max(LEAST, share * wall):
                told[kind] = f"{what}, which is not timed, takes {before:.2g} s beside {wall:.2g} s"
        if allowed is not None and not (wide := self._widest()) <= allowed:
            told["processors"] = f"it took {len(wide)} processors, where {len(allowed)} is given"
        return told

    def _widest(self) -> set[int]:
        """Return the processors on which any thread or process of the run may work."""
        found: set[int] = set()
        for pid in (os.getpid(), *(process.pid for process in others(self.session))):
            for task in Path(f"/proc/{pid}/task").glob("*"):
                with suppress(OSError):
                    found |= os.sched_getaffinity(int(task.name))
        return found
