"""The measurements of one run: lowering, the first run, amplitudes and their verdict, samples, and repeats.

Every repeat is a variant that is new to the simulator. Its state is read before the clock stops: the weight of one
basis state is compared, so that no work can be postponed. The last state is verified like the first one.

Results are reported at once, so that a run stopped later has not been in vain.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.circuit import Circuit
from qchess.bench.case import Case
from qchess.bench.running.clock import Company, middle, spent, timed
from qchess.bench.running.diagnosing import first_wrong_gate
from qchess.bench.running.variants import variants, warm_up
from qchess.bench.running.verifying import TOLERANCE, Expected, Verdict, odds_told, samples_told, verify

#: called with a part of the result
Tell = Callable[[Mapping[str, Any]], None]
#: settings that are in a file only if not the defaults
LATER = ("threads", "precision")


@dataclass(frozen=True)
class Settings:
    """The settings of every run, stored with the results."""

    #: a run is stopped after this many seconds of processor time, or bytes
    seconds: float = 10.0
    memory: int = 4 * 10**9
    #: seconds of repeats in one process, and in new ones, at least `least` times each
    warm: float = 0.2
    least: int = 3
    shots: int = 1000
    seed: int = 1
    #: new processes in which an import is timed
    starts: int = 1
    #: processor cores of a run; the default number, and the default precision, are not stored in a file
    threads: int = 1
    #: "single", "double", or "own", which is the adapter's default
    precision: str = "own"

    def told(self) -> dict[str, Any]:
        """Return what is stored in a file; older files lack threads and precision."""
        return {key: v for key, v in vars(self).items() if key not in LATER or v != getattr(Settings, key)}


def measure(adapter: Adapter, case: Case, settings: Settings, tell: Tell) -> None:
    """Run one case and report the results."""
    if case.feed_forward:
        _answers(adapter, case, settings, tell)
        return
    circuit, expected = circuit_of(case), expected_of(case)
    begin_memory()
    base = memory("VmRSS")
    tell({"phase": "lower"})
    lowered, lower = timed(lambda: adapter.lower(circuit))
    tell({"lower": lower})
    first = _first(adapter, circuit, expected, lowered, base, settings, tell)
    if first is None:
        return
    if long(first, settings):
        tell({"phase": "end", "warm": {"runs": 0, **first}, "remarks": {}})
        return
    tell({"phase": "warm"})
    _warm(adapter, variants(circuit, expected, f"{settings.seed} {case.hash}"), settings, tell)


def measure_new(adapter: Adapter, case: Case, settings: Settings, tell: Tell, number: int) -> None:
    """Run a variant of the case in a process that has run another circuit before, and nothing of this one."""
    circuit, allowed = circuit_of(case), processors()
    tell({"phase": "warm up"})
    other = warm_up(circuit)
    lowered = adapter.lower(other)
    adapter.touch(adapter.run(lowered, adapter.desk(lowered)), 0)
    changed, expected = next(
        islice(variants(circuit, expected_of(case), f"{settings.seed} new {case.hash}"), number, None)
    )
    tell({"phase": "new"})
    lowered, lower = timed(lambda: adapter.lower(changed))
    desk, ready = timed(lambda: adapter.desk(lowered))
    company, key = Company(), random.Random(number).choice(list(expected.amplitudes))
    (state, weight), took = timed(lambda: reached(adapter, lowered, desk, key))
    taken = {**took, "lower": lower["wall"], "desk": ready["wall"]}
    told = _touched(adapter, expected, key, weight) or _judged(adapter, expected, state).why
    tell({
        "phase": "end", "outcome": "wrong" if told else "ok", "why": told, "new": taken,
        "remarks": company.remarks([taken], allowed),
    })  # fmt: skip


def circuit_of(case: Case) -> Circuit:
    """Return the circuit given to simulators."""
    return Circuit.of(case.wires, case.full, case.program.operations)


def long(took: Mapping[str, float], settings: Settings) -> bool:
    """Tell whether a run is too long for repeats; the cost of a start is then negligible."""
    return spent(took) > settings.seconds / 4


def reached(adapter: Adapter, lowered: Any, desk: Any, key: int) -> tuple[Any, float | None]:
    """Return the state, and the weight of one basis state in it, which forces deferred work."""
    state = adapter.run(lowered, desk)
    return state, adapter.touch(state, key)


def _first(
    adapter: Adapter, circuit: Circuit, expected: Expected, lowered: Any, base: int, settings: Settings, tell: Tell
) -> Mapping[str, float] | None:
    """Return the times of the first run, whose state is verified, sampled, and dropped. None if it is wrong."""
    key = next(iter(expected.amplitudes))
    tell({"phase": "desk"})
    desk, ready = timed(lambda: adapter.desk(lowered))
    tell({"phase": "first", "desk": ready})
    (state, _), first = timed(lambda: reached(adapter, lowered, desk, key))
    tell({"phase": "read", "first": first, "memory": {"base": base, "peak": memory("VmHWM")}})
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
    """Return what is known of the state of a case."""
    wires = len(case.wires)
    flags = sum(1 << (wires - 1 - case.wires.index(q)) for q in case.kept)
    weight = case.features.kept_probability if case.kept else 1.0
    return Expected(wires, case.reference, len(case.reference) >= case.branches, weight, flags)


def _judged(adapter: Adapter, expected: Expected, state: Any) -> Verdict:
    return verify(
        expected,
        lambda keys: adapter.amplitudes(state, keys),
        adapter.norm(state),
        tolerance=TOLERANCE[adapter.precision],
        approximate=adapter.approximate,
    )


def _verified(adapter: Adapter, circuit: Circuit, state: Any, expected: Expected, tell: Tell) -> bool:
    """Report the verdict; for a wrong state also where it went wrong."""
    verdict = _judged(adapter, expected, state)
    found: dict[str, Any] = {
        "outcome": "ok" if verdict.right else "wrong",
        "kind": verdict.kind,
        "why": verdict.why,
        "error": verdict.error,
        "fidelity": verdict.fidelity,
        "elsewhere": verdict.elsewhere,
        "norm": verdict.norm,
        "notes": adapter.notes(state),
    }
    tell(found)
    if not verdict.right and verdict.kind not in ("order", "truncated", "norm") and not adapter.approximate:
        tell({"phase": "diagnose"})
        tell({"gate": first_wrong_gate(adapter, circuit, TOLERANCE[adapter.precision])})
    return verdict.right


def _warm(adapter: Adapter, others: Iterator[tuple[Circuit, Expected]], settings: Settings, tell: Tell) -> None:
    """Do further runs, each of another variant."""
    rng, allowed, company, began = random.Random(settings.seed), processors(), Company(), perf_counter()
    taken: list[dict[str, float]] = []
    told = ""
    while len(taken) < settings.least or (
        sum(took["wall"] for took in taken) < settings.warm
        and perf_counter() - began < 5 * settings.warm
        and len(taken) < 1000
    ):
        circuit, expected = next(others)
        lowered, lower = timed(lambda circuit=circuit: adapter.lower(circuit))  # type: ignore[misc]
        desk, ready = timed(lambda lowered=lowered: adapter.desk(lowered))  # type: ignore[misc]
        key = rng.choice(list(expected.amplitudes))
        (state, weight), took = timed(lambda a=lowered, b=desk, c=key: reached(adapter, a, b, c))  # type: ignore[misc]
        taken.append({**took, "lower": lower["wall"], "desk": ready["wall"]})
        if told := _touched(adapter, expected, key, weight):
            break
    if told := told or _judged(adapter, expected, state).why:
        why = f"right at first; in run {len(taken) + 1} of the circuit, with other phases: {told}"
        tell({"phase": "end", "outcome": "wrong", "kind": "repeat", "why": why})
    else:
        tell({"phase": "end", "warm": middle(taken), "remarks": company.remarks(taken, allowed)})


def _touched(adapter: Adapter, expected: Expected, key: int, weight: float | None) -> str:
    """Return what is wrong with the weight that was read inside the clock; empty if nothing is, or if unreadable."""
    if weight is None or adapter.approximate:
        return ""
    wanted = abs(expected.amplitudes[key]) ** 2 * expected.weight
    if abs(weight - wanted) <= max(1e-6, 10 * TOLERANCE[adapter.precision]):
        return ""
    return f"a basis state of weight {wanted:.4g} has {weight:.4g}"


def processors() -> set[int] | None:
    """Return the processors this process may use; None if the system does not say."""
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None


def _answers(adapter: Adapter, case: Case, settings: Settings, tell: Tell) -> None:
    """Run a program with questions `shots` times, and compare its answers with the exact odds."""
    begin_memory()
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
    """Return what is wrong with joint answers; one that was not asked counts as 0."""
    chances: dict[tuple[int, ...], float] = {}
    for joint, p in case.odds.items():
        plain = tuple([value or 0 for value in joint])
        chances[plain] = chances.get(plain, 0.0) + p
    if wrong := sum(n for joint, n in counts.items() if chances.get(joint, 0.0) < 1e-12):
        return f"{wrong} of {shots} runs gave answers of probability 0"
    number = {joint: k for k, joint in enumerate(chances)}
    seen = {number[joint]: n for joint, n in counts.items()}
    return odds_told({number[joint]: p for joint, p in chances.items()}, seen, shots)


def memory(field: str) -> int:
    """Return bytes of this process's memory: ``VmRSS`` now, ``VmHWM`` at most so far; 0 if the system does not say."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) * 1024
    return 0


def begin_memory() -> None:
    """Reset the highest memory so far."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
