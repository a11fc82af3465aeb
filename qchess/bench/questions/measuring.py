"""One run of a case with a question about a final state: from the lowered circuit to the answer.

As with states, there are a first run, repeats, and circuits that are new to a running process. Each repeat ends with
flips and phases of other wires, which change the exact answer in a known way, so that no cache has it; all answers are
judged.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from time import perf_counter
from typing import Any

from qchess.bench.adapters.adapter import Adapter
from qchess.bench.adapters.circuit import Circuit, Step
from qchess.bench.case import Case
from qchess.bench.questions.cases import COUNTS, NOISE, VALUES
from qchess.bench.questions.judging import Chances, turned
from qchess.bench.questions.noise import Noisy, noise_of
from qchess.bench.questions.observables import neighbours, product, sign, written
from qchess.bench.questions.ways import Way, counts_of, values_of, whole
from qchess.bench.running.clock import Company, middle, timed
from qchess.bench.running.measuring import Settings, Tell, begin_memory, circuit_of, long, memory, processors
from qchess.bench.running.variants import QUARTERS, warm_up
from qchess.bench.running.verifying import FAITHFUL, TOLERANCE
from qchess.errors import BackendError


@dataclass(frozen=True)
class Turned:
    """A circuit followed by flips and phases of some wires."""

    circuit: Circuit
    flips: tuple[int, ...] = ()
    phases: tuple[int, ...] = ()

    @property
    def mask(self) -> int:
        """Return the flipped wires as a mask of keys."""
        return sum(1 << (self.circuit.wires - 1 - wire) for wire in self.flips)


def variants(circuit: Circuit, seed: str) -> Iterator[Turned]:
    """Yield variants without end: a phase before the first gate, without effect; flips and phases after the last."""
    rng = random.Random(seed)
    while True:
        first = Step("Z", rng.choice(QUARTERS), (rng.randrange(circuit.wires),))
        flips, phases = (tuple(sorted({rng.randrange(circuit.wires) for _ in range(2)})) for _ in range(2))
        last = [Step("X", 1.0, (wire,)) for wire in flips] + [Step("Z", 1.0, (wire,)) for wire in phases]
        yield Turned(replace(circuit, steps=(first, *circuit.steps, *last)), flips, phases)


class Asking(ABC):
    """A simulator and its question."""

    #: what a run reports beside times
    told: Mapping[str, Any] = {}

    def __init__(self, adapter: Adapter, case: Case, settings: Settings) -> None:
        way = way_of(adapter, case)
        if way is None:
            raise BackendError(f"{adapter.name} has no {case.question}")
        self.adapter, self.case, self.settings, self.way = adapter, case, settings, way

    def asked(self, turn: Turned, number: int) -> tuple[Any, dict[str, float]]:
        """Return the answer to one variant, with its times: of the clock, of lowering and of preparation."""
        lowered, lower = timed(lambda: self.way.lower(turn.circuit, *self.known()))
        desk, ready = timed(lambda: self.adapter.desk(lowered))
        wanted = self.wanted(number)
        found, took = timed(lambda: self.way.answer(lowered, desk, *wanted))
        return self.way.read(lowered, found), {**took, "lower": lower["wall"], "desk": ready["wall"]}

    def known(self) -> tuple[Any, ...]:
        """Return the extra arguments of lowering."""
        return ()

    @abstractmethod
    def wanted(self, number: int) -> tuple[Any, ...]:
        """Return the extra arguments of the run of this number."""

    @abstractmethod
    def judged(self, turn: Turned, found: Any) -> str:
        """Return what is wrong with an answer; empty if nothing is."""


class Counting(Asking):
    """A histogram of read-outs."""

    def __init__(self, adapter: Adapter, case: Case, settings: Settings) -> None:
        super().__init__(adapter, case, settings)
        self.chances = Chances.of(case, approximate=adapter.approximate)
        self.before: list[Mapping[int, int]] = []
        self.told = {"shots": settings.shots}

    def wanted(self, number: int) -> tuple[int, int]:
        """Return shots and a seed."""
        return self.settings.shots, self.settings.seed + number

    def judged(self, turn: Turned, found: Any) -> str:
        """Judge by the number, the exact probabilities, and the histogram of the run before."""
        counts = whole(found)
        if (shots := sum(counts.values())) != self.settings.shots or min(counts.values(), default=0) < 0:
            return f"{shots} read-outs came back instead of {self.settings.shots}"
        back = turned(counts, turn.mask)
        stale = next((told for old in self.before if (told := self.chances.again(counts, old))), "")
        stale = stale or next((told for old in self.before if (told := self.chances.again(back, old))), "")
        self.before = [counts, back]
        return self.chances.told(back) or stale


class Valuing(Asking):
    """Two expectations."""

    def __init__(self, adapter: Adapter, case: Case, settings: Settings) -> None:
        super().__init__(adapter, case, settings)
        chosen = product(case.detail["product"])
        self.observables = (neighbours(len(case.wires)), (chosen,))
        self.exact = (case.exact["neighbours"], case.exact["product"])
        self.off = SPARE if adapter.approximate else TOLERANCE[adapter.precision]

    def known(self) -> tuple[Any, ...]:
        """Return both observables."""
        return (self.observables,)

    def wanted(self, number: int) -> tuple[Any, ...]:
        """Return both observables."""
        return (self.observables,)

    def judged(self, turn: Turned, found: Any) -> str:
        """Judge by the exact values, whose terms the flips and phases have changed."""
        values = [float(value) for value in found]
        if len(values) != len(self.observables):
            return f"{len(values)} values came back instead of {len(self.observables)}"
        wrong, errors = [], []
        for value, observable, exact in zip(values, self.observables, self.exact, strict=True):
            turned_ = (sign(each, turn.flips, turn.phases) * term for each, term in zip(observable, exact, strict=True))
            right = math.fsum(turned_)
            errors.append(abs(value - right))
            if not errors[-1] <= self.off * len(observable):
                what = "the sum of Z Z" if len(observable) > 1 else written(observable[0])
                wrong.append(f"{what} is {value:.6g}, and should be {right:.6g}")
        self.told = {"values": values, "off": max(errors)}
        return ", ".join(wrong)


class Disturbing(Counting):
    """A histogram under noise, and all probabilities if the method computes them."""

    def __init__(self, adapter: Adapter, case: Case, settings: Settings) -> None:
        Asking.__init__(self, adapter, case, settings)
        self.exact = case.exact["chances"]
        self.chances = Chances.under_noise(case, approximate=adapter.approximate)
        self.before = []
        self.told = {"shots": settings.shots}

    def known(self) -> tuple[Any, ...]:
        """Return the strength."""
        return (self.case.detail["strength"],)

    def judged(self, turn: Turned, found: Noisy) -> str:
        """Judge the histogram by its probabilities, and these by the exact ones, within the precision."""
        told = super().judged(turn, found.counts)
        if found.chances is None:
            return told
        right = [self.exact[key ^ turn.mask] for key in range(len(self.exact))]
        off = max((abs(one - other) for one, other in zip(found.chances, right, strict=False)), default=math.inf)
        self.told = {"shots": self.settings.shots, "off": float(off)}
        limit = SPARE if self.adapter.approximate else TOLERANCE[self.adapter.precision]
        if len(found.chances) != len(right) or not off <= limit:
            return f"a probability is off by {off:.2g}"
        return told


#: the error of a term that a state of this fidelity may have
SPARE = 2 * math.sqrt(1 - FAITHFUL)
ASKINGS: Mapping[str, tuple[type[Asking], Callable[[Adapter], Way | None]]] = {
    COUNTS: (Counting, counts_of), VALUES: (Valuing, values_of), NOISE: (Disturbing, noise_of),
}  # fmt: skip


def way_of(adapter: Adapter, case: Case) -> Way | None:
    """Return how an adapter answers the question of a case; None if it cannot."""
    return ASKINGS[case.question][1](adapter)


def asking_of(adapter: Adapter, case: Case, settings: Settings) -> Asking:
    """Return a simulator and this case's question."""
    return ASKINGS[case.question][0](adapter, case, settings)


def measure(adapter: Adapter, case: Case, settings: Settings, tell: Tell) -> None:
    """Do a first run and repeats, and judge all."""
    asking, circuit = asking_of(adapter, case, settings), circuit_of(case)
    begin_memory()
    base = memory("VmRSS")
    tell({"phase": "first", "how": asking.way.how})
    found, took = asking.asked(Turned(circuit), 0)
    first = {key: took[key] for key in ("wall", "cpu", "queued")}
    tell({
        "phase": "verify", "first": first, "lower": {**dict.fromkeys(first, 0.0), "wall": took["lower"]},
        "memory": {"base": base, "peak": memory("VmHWM")},
    })  # fmt: skip
    told = asking.judged(Turned(circuit), found)
    tell({"outcome": "wrong" if told else "ok", "kind": case.question if told else "", "why": told, **asking.told})
    if told:
        return
    if long(first, settings):
        tell({"phase": "end", "warm": {"runs": 0, **first}, "remarks": {}})
        return
    tell({"phase": "warm"})
    _warm(asking, variants(circuit, f"{settings.seed} {case.hash}"), tell)


def _warm(asking: Asking, turns: Iterator[Turned], tell: Tell) -> None:
    allowed, company, began, settings = processors(), Company(), perf_counter(), asking.settings
    taken: list[dict[str, float]] = []
    while len(taken) < settings.least or (
        sum(took["wall"] for took in taken) < settings.warm
        and perf_counter() - began < 5 * settings.warm
        and len(taken) < 1000
    ):
        turn = next(turns)
        found, took = asking.asked(turn, len(taken) + 1)
        taken.append(took)
        if told := asking.judged(turn, found):
            why = f"right at first; in run {len(taken) + 1}, with other wires flipped: {told}"
            tell({"phase": "end", "outcome": "wrong", "kind": "repeat", "why": why})
            return
    tell({"phase": "end", "warm": middle(taken), "remarks": company.remarks(taken, allowed)})


def measure_new(adapter: Adapter, case: Case, settings: Settings, tell: Tell, number: int) -> None:
    """Run a variant in a process that has run another circuit before."""
    asking, circuit, allowed = asking_of(adapter, case, settings), circuit_of(case), processors()
    tell({"phase": "warm up"})
    asking.asked(Turned(warm_up(circuit)), number)
    turn = next(islice(variants(circuit, f"{settings.seed} new {case.hash}"), number, None))
    tell({"phase": "new"})
    company = Company()
    found, took = asking.asked(turn, 1000 + number)
    told = asking.judged(turn, found)
    tell({
        "phase": "end", "outcome": "wrong" if told else "ok", "why": told, "new": took,
        "remarks": company.remarks([took], allowed),
    })  # fmt: skip
