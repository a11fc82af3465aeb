"""How long something took: by the clock, by the processor with all that was started, and kept waiting by others.

The clocks are bound when this is imported, before any simulator is: what a simulator does to `time` changes nothing.
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
#: of a time, the share that a run may do nothing, or leave to others, without a remark; and seconds, as some clocks
#: count in hundredths
IDLE, LEAST = 0.2, 0.03
#: seconds above which files of the first format tell the processor's time
OLD_STEPS = 0.05
#: repeats whose times are kept one by one, at most
KEPT = 100
#: so many times the run, lowering is no mere translation
MUCH = 1000


def timed(action: Callable[[], T]) -> tuple[T, dict[str, float]]:
    """What an action gives, and its seconds.

    ``wall`` is the clock's; ``cpu`` the processor's, of this process and of children that have ended; ``queued`` is how
    long it was ready to work and others had the processor.
    """
    queue, processor = _queued(), _processor()
    began = perf_counter()
    made = action()
    wall = perf_counter() - began
    return made, {"wall": wall, "cpu": _processor() - processor, "queued": _queued() - queue}


def spent(took: Mapping[str, float]) -> float:
    """The seconds that something took, by the clock.

    Files of the first format took the processor's time for what is longer than some milliseconds.
    """
    if "queued" in took:
        return took["wall"]
    return took.get("spent", took["cpu"] if took["wall"] > OLD_STEPS else took["wall"])


def middle(taken: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """The medians of several times, with each of the clock's and their quartiles.

    Of more than `KEPT` times every second counts, or every third, and so on: what is kept is spread over all of them.
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
    """The lower quartile, the median and the upper quartile, the smallest and the largest value included."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [*values] * 3
    return low, middle, high


def step(runs: int) -> int:
    """Every which time is kept."""
    return -(-runs // KEPT)


def _processor() -> float:
    ended = os.times()
    with suppress(ImportError):
        from resource import RUSAGE_CHILDREN, getrusage

        children = getrusage(RUSAGE_CHILDREN)
        return process_time() + children.ru_utime + children.ru_stime
    return process_time() + ended.children_user + ended.children_system


def _queued() -> float:
    """Seconds that this process was ready to work and did not; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


class Process(NamedTuple):
    """Another process of a run's session, with the seconds of the processor that it and its own children used."""

    pid: int
    seconds: float


def others(session: int) -> Iterator[Process]:
    """The other processes of a session, as far as the system tells."""
    me = os.getpid()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and int(folder.name) != me:
                yield Process(int(folder.name), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK"))


class Company:
    """Watches what the processes that a run has started do while it is timed."""

    def __init__(self) -> None:
        self.session = os.getsid(0)
        self.before = self._seconds()

    def _seconds(self) -> float:
        return sum(process.seconds for process in others(self.session))

    def remarks(self, taken: Sequence[Mapping[str, float]], allowed: set[int] | None) -> dict[str, str]:
        """What a reader of these times must know, by kind: that it waited, worked elsewhere or beforehand, or took more
        processors.
        """
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
        """The processors on which any thread or process of the run may work."""
        found: set[int] = set()
        for pid in (os.getpid(), *(process.pid for process in others(self.session))):
            for task in Path(f"/proc/{pid}/task").glob("*"):
                with suppress(OSError):
                    found |= os.sched_getaffinity(int(task.name))
        return found
