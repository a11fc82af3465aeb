"""What one run measures: lowering, the first run, amplitudes and their verdict, warm runs, samples.

It tells what it has as soon as it has it, so that a run that is stopped later has not measured in vain.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.circuit import Circuit
from qchess.bench.case import Case
from qchess.bench.running.diagnosing import first_wrong_gate
from qchess.bench.running.verifying import TOLERANCE, Expected, odds_told, samples_told, verify

T = TypeVar("T")
#: seconds above which the processor's time is exact enough
STEPS = 0.05
#: takes a piece of the result
Tell = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Settings:
    """What every run keeps to; a result tells it."""

    #: seconds of processor time, and bytes, after which a run is stopped
    seconds: float = 10.0
    memory: int = 4 * 10**9
    #: seconds that warm runs are repeated, at least `least` times
    warm: float = 0.2
    least: int = 3
    shots: int = 1000
    seed: int = 1
    #: fresh processes in which an import is timed
    starts: int = 1


def measure(adapter: Adapter, case: Case, settings: Settings, tell: Tell) -> None:
    """Runs one case and tells what is found."""
    if case.feed_forward:
        _answers(adapter, case, settings, tell)
        return
    circuit = Circuit.of(case.wires, case.full, case.program.operations)
    _begin_memory()
    base = memory("VmRSS")
    tell({"phase": "lower"})
    lowered, lower = timed(lambda: adapter.lower(circuit))
    tell({"lower": lower})
    first = _first(adapter, case, circuit, lowered, base, settings, tell)
    if first:
        tell({"phase": "warm"})
        tell({"phase": "end", "warm": _warm(adapter, lowered, first, settings)})


def _first(
    adapter: Adapter, case: Case, circuit: Circuit, lowered: Any, base: int, settings: Settings, tell: Tell
) -> Mapping[str, float] | None:
    """What the first run took; its state is verified, asked for read-outs, and forgotten. None if it is wrong."""
    desk = adapter.desk(lowered)
    tell({"phase": "first"})
    state, first = timed(lambda: adapter.run(lowered, desk))
    tell({"phase": "read", "first": first, "memory": {"base": base, "peak": memory("VmHWM")}})
    expected = expected_of(case)
    _, read = timed(lambda: adapter.amplitudes(state, list(expected.amplitudes)))
    tell({"phase": "verify", "read": read, "keys": len(expected.amplitudes)})
    if not _verified(adapter, circuit, state, expected, tell):
        return None
    if adapter.offers("sample"):
        tell({"phase": "sample"})
        found, sample = timed(lambda: list(adapter.sample(lowered, state, settings.shots, settings.seed)))
        tell({"sample": sample, "shots": len(found), "samples_wrong": samples_told(expected, found)})
    return first


def expected_of(case: Case) -> Expected:
    """What is known of the state of a case."""
    wires = len(case.wires)
    flags = sum(1 << (wires - 1 - case.wires.index(q)) for q in case.kept)
    weight = case.features.kept_probability if case.kept else 1.0
    return Expected(wires, case.reference, len(case.reference) >= case.branches, weight, flags)


def _verified(adapter: Adapter, circuit: Circuit, state: Any, expected: Expected, tell: Tell) -> bool:
    """Tells the verdict; of a wrong state also where it went wrong."""
    tolerance = TOLERANCE[adapter.precision]
    verdict = verify(
        expected,
        lambda keys: adapter.amplitudes(state, keys),
        adapter.totals(state),
        tolerance=tolerance,
        approximate=adapter.approximate,
    )
    found: dict[str, Any] = {
        "outcome": "ok" if verdict.right else "wrong",
        "kind": verdict.kind,
        "why": verdict.why,
        "error": verdict.error,
        "fidelity": verdict.fidelity,
        "elsewhere": verdict.elsewhere,
        "notes": adapter.notes(state),
    }
    tell(found)
    if not verdict.right and verdict.kind not in ("order", "truncated") and not adapter.approximate:
        tell({"phase": "diagnose"})
        tell({"gate": first_wrong_gate(adapter, circuit, tolerance)})
    return verdict.right


def _warm(adapter: Adapter, lowered: Any, first: Mapping[str, float], settings: Settings) -> dict[str, Any]:
    """The median of further runs; none where the first took so long that there is no time for them."""
    taken: list[dict[str, float]] = []
    if spent(first) > settings.seconds / 4:
        return {"runs": 0, **first, "spent": spent(first), "least": spent(first)}
    began = time.process_time()
    while len(taken) < settings.least or (time.process_time() - began < settings.warm and len(taken) < 1000):
        desk = adapter.desk(lowered)
        _, took = timed(lambda desk=desk: adapter.run(lowered, desk))  # type: ignore[misc]
        taken.append(took)
    return {
        "runs": len(taken),
        **{clock: statistics.median(took[clock] for took in taken) for clock in ("wall", "cpu")},
        "spent": statistics.median(map(spent, taken)),
        "least": min(map(spent, taken)),
    }


def _answers(adapter: Adapter, case: Case, settings: Settings, tell: Tell) -> None:
    """Runs a program that asks, so many shots, and compares its answers with the exact odds."""
    _begin_memory()
    base = memory("VmRSS")
    tell({"phase": "lower"})
    lowered, lower = timed(lambda: adapter.lower_answers(case.program, case.full))
    tell({"phase": "answers", "lower": lower})
    names = case.program.answers
    found, took = timed(lambda: list(adapter.answers(lowered, settings.shots, settings.seed)))
    counts: dict[tuple[int, ...], int] = {}
    for answers in found:
        joint = tuple([answers.get(name) or 0 for name in names])
        counts[joint] = counts.get(joint, 0) + 1
    told = _answers_told(case, counts, len(found))
    tell({
        "phase": "end", "outcome": "wrong" if told else "ok", "kind": "answers" if told else "", "why": told,
        "answers": took, "shots": len(found), "memory": {"base": base, "peak": memory("VmHWM")},
    })  # fmt: skip


def _answers_told(case: Case, counts: Mapping[tuple[int, ...], int], shots: int) -> str:
    """What is wrong with joint answers; one that was not asked counts as 0."""
    chances: dict[tuple[int, ...], float] = {}
    for joint, p in case.odds.items():
        plain = tuple([value or 0 for value in joint])
        chances[plain] = chances.get(plain, 0.0) + p
    if wrong := sum(n for joint, n in counts.items() if chances.get(joint, 0.0) < 1e-12):
        return f"{wrong} of {shots} runs gave answers of probability 0"
    number = {joint: k for k, joint in enumerate(chances)}
    seen = {number[joint]: n for joint, n in counts.items()}
    return odds_told({number[joint]: p for joint, p in chances.items()}, seen, shots)


def timed(action: Callable[[], T]) -> tuple[T, dict[str, float]]:
    """What an action gives, and its seconds: by the clock, and of this process's processor."""
    wall, processor = time.perf_counter(), time.process_time()
    made = action()
    return made, {"wall": time.perf_counter() - wall, "cpu": time.process_time() - processor}


def spent(took: Mapping[str, float]) -> float:
    """The seconds that something took: by the clock where it is short, by the processor where others may have run
    meanwhile. Some systems count the processor's time in steps of milliseconds.
    """
    return took["cpu"] if took["wall"] > STEPS else took["wall"]


def memory(field: str) -> int:
    """Bytes of this process's memory: ``VmRSS`` now, ``VmHWM`` at most so far; 0 where the system does not tell."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) * 1024
    return 0


def _begin_memory() -> None:
    """Lets the highest memory so far count from now."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
