"""Orders: the circuits for one question, and how their shots become the answer.

An order has a circuit for each register that the question touches. It is made before anything is sent, and gives
the width and length of the circuits; what no device could do is refused here.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from qchess.backends.devices.deadline import Clock
from qchess.backends.devices.recipes import Recipe, asked_part, made_again, recipe
from qchess.backends.devices.sampler import Capabilities, Shots
from qchess.backends.devices.sifting import Sifted, figures, sift
from qchess.circuits.compiling.compiler import Compiled, compile_program
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program, Question
from qchess.circuits.registers import Registers
from qchess.circuits.running import Pause

#: a replay from which fewer valid shots than this are expected is not worth its cost
FEWEST = 3
#: a register of more branches is shown only in the part asked about
WHOLE = 64
#: how many observed answers are reported, the most frequent first
TOLD = 64


@dataclass(frozen=True, slots=True)
class Order:
    """One circuit for each register in question, and how each is to be read."""

    recipes: tuple[Recipe, ...]
    compiled: tuple[Compiled, ...]
    #: True: only the qubits asked about are prepared
    part: bool = False

    @property
    def circuits(self) -> list[Program]:
        """Return the circuits to send."""
        return [each.program for each in self.compiled]

    @property
    def details(self) -> dict[str, Any]:
        """Return the size of the circuits together, and which part of the register they show."""
        wires = [len(each.program.qubits) for each in self.compiled]
        sizes: dict[str, Any] = {
            "circuits": len(self.compiled),
            "two_qubit_gates": sum(each.two_qubit_count() for each in self.compiled),
            "depth": max((each.depth() for each in self.compiled), default=0),
            "qubits": max(wires, default=0),
            "widths": wires,
        }
        if any(left_out := [each.left_out for each in self.recipes]):
            sizes["left_out"] = left_out
        made = sorted({each.made for each in self.recipes})
        return {**sizes, "made": "+".join(made)}


def order(
    pause: Pause, can: Capabilities, *, strategy: str, level: str, shots: int, clock: Clock, part: bool = False,
    parts: bool = True,
) -> Order:  # fmt: skip
    """Return the circuits that this question needs on a machine with these capabilities.

    With `part`, or if the whole is too much for any machine, only the qubits asked about are prepared; without `parts`
    that is an error.
    """
    registers = pause.registers
    members: dict[tuple[Qubit, ...], list[Qubit]] = {}
    for q in pause.step.qubits:
        if registers.known(q) is None:
            members.setdefault(registers.register_of(q), []).append(q)
    recipes, compiled = [], []
    for qubits, asked in members.items():
        made = _fitting(pause, qubits, asked, can, strategy, level, clock, part, parts)
        recipes.append(made[0])
        compiled.append(made[1])
    past = max((len(each.past) for each in recipes), default=0)
    if past and shots / 2**past < FEWEST:
        raise BackendError(
            f"{past} past answers would leave about {shots / 2**past:.2g} of {shots} shots in a replay; "
            f"at least {FEWEST} are needed: use more shots, or strategy=reprepare"
        )
    return Order(tuple(recipes), tuple(compiled), part)


def _fitting(
    pause: Pause, qubits: tuple[Qubit, ...], asked: Sequence[Qubit],
    can: Capabilities, strategy: str, level: str, clock: Clock, part: bool, parts: bool,
) -> tuple[Recipe, Compiled]:  # fmt: skip
    """Return the whole register if the machine can hold it; otherwise, when re-preparing, the qubits asked about."""
    registers, most = pause.registers, can.max_qubits
    fits = most is None or len(qubits) <= most
    preparing, size = strategy == "reprepare", len(qubits)
    register = registers.register(qubits[0])
    small = register is not None and register.branches <= WHOLE
    if fits and not (preparing and part) and (small or not preparing):
        whole, circuit = _whole(registers, qubits, can, strategy, level, clock)
        if most is None or len(circuit.program.qubits) <= most:
            return whole, circuit
        qubits = circuit.program.qubits
    if preparing and len(asked) < size and not parts:
        raise BackendError(
            f"a register of {size} qubits could be sent in part only ({len(asked)} of them): parts=refuse forbids it"
        )
    if preparing and (most is None or len(asked) <= most):
        shown = asked_part(registers, tuple(asked), clock)
        circuit = _compiled(shown.program, level, can.native_2q)
        if most is None or len(circuit.program.qubits) <= most:
            return shown, circuit
    raise BackendError(f"the machine has {most} qubits, and the circuit needs {len(qubits)}")


def _whole(
    registers: Registers, qubits: tuple[Qubit, ...], can: Capabilities, strategy: str, level: str, clock: Clock
) -> tuple[Recipe, Compiled]:
    """Return the whole register by the strategy; when re-preparing, with the shorter circuit."""
    whole = recipe(registers, qubits, strategy, clock)
    circuit = _compiled(whole.program, level, can.native_2q)
    again = made_again(registers, qubits) if strategy == "reprepare" else None
    if again is None:
        return whole, circuit
    other = _compiled(again.program, level, can.native_2q)
    fits = can.max_qubits is None or len(other.program.qubits) <= can.max_qubits
    return (again, other) if fits and _effort(other) < _effort(circuit) else (whole, circuit)


def _effort(circuit: Compiled) -> tuple[int, int]:
    """Return the sort key between two circuits of one state: two-qubit gates, then wires."""
    return circuit.two_qubit_count(), len(circuit.program.qubits)


@lru_cache(maxsize=256)
def _compiled(program: Program, level: str, basis: str) -> Compiled:
    return compile_program(program, level=level, basis=basis, known=dict.fromkeys(program.qubits, 0))


@dataclass(frozen=True, slots=True)
class Reading:
    """What the shots of an order say."""

    sifted: tuple[Sifted, ...]
    #: for each circuit the figures that distinguish its shots from coin flips
    figures: tuple[dict[str, Any], ...]

    @property
    def empty(self) -> bool:
        """Tell whether a register was left without a valid shot."""
        return not all(part.kept for part in self.sifted)

    @property
    def ordered(self) -> bool:
        """Tell whether the machine gave the order of its shots."""
        return all(part.sequence is not None for part in self.sifted)

    def tally(self) -> dict[str, Any]:
        """Return what was kept and dropped, over all circuits."""
        dropped: Counter[str] = Counter()
        for part in self.sifted:
            dropped.update(part.dropped)
        kept = sum(part.kept.total() for part in self.sifted)
        return {"kept": kept, "dropped": dict(dropped), "figures": list(self.figures)}

    def like_coins(self) -> dict[str, Any] | None:
        """Return the figures of a circuit whose shots look like coin flips, else None."""
        return next((told for told in self.figures if told.get("like_coins")), None)


def read(ordered: Order, runs: Sequence[Shots], fidelities: object = None) -> Reading:
    """Return the valid shots, circuit by circuit; `fidelities` are the expected ones, if known."""
    sifted = tuple(sift(made, shots) for made, shots in zip(ordered.recipes, runs, strict=True))
    known = dict(enumerate(fidelities)) if isinstance(fidelities, list) else {}  # those of a ticket come from a file
    told = (
        figures(made, shots, part.kept.total(), known.get(k))
        for k, (made, shots, part) in enumerate(zip(ordered.recipes, runs, sifted, strict=True))
    )
    return Reading(sifted, tuple(told))


def answer(pause: Pause, ordered: Order, reading: Reading, rng: random.Random) -> tuple[int, dict[str, Any]]:
    """Return the answer of the first valid shot, and how all valid shots would have answered.

    If a machine only gives counts, the first shot is unknown; one is drawn, and the details say so.
    """
    firsts = []
    for part in reading.sifted:
        if part.sequence is not None:
            firsts.append(part.sequence[0])
        else:
            outcomes = sorted(part.kept)
            firsts.append(rng.choices(outcomes, [part.kept[outcome] for outcome in outcomes])[0])
    picked = "the first valid shot" if reading.ordered else "one of the counted valid shots, by a pseudo-random number"
    return value_of(pause, ordered.recipes, firsts), {"picked": picked, **_observed(pause, ordered, reading)}


def _observed(pause: Pause, ordered: Order, reading: Reading) -> dict[str, Any]:
    """Return how often the valid shots gave each answer, and the Hellinger fidelity with the exact odds.

    For several registers the shots are paired in their order.
    """
    found: Counter[int] = Counter()
    if len(reading.sifted) == 1:
        for outcome, times in reading.sifted[0].kept.items():
            found[value_of(pause, ordered.recipes, [outcome])] += times
    elif reading.ordered:
        for outcomes in zip(*(part.sequence or () for part in reading.sifted), strict=False):
            found[value_of(pause, ordered.recipes, list(outcomes))] += 1
    else:
        return {}
    shots = found.total()
    agreement = sum(math.sqrt(p * found[value] / shots) for value, p in pause.odds.items()) ** 2
    observed = {str(value): times for value, times in found.most_common(TOLD)}
    return {"observed": observed, "agreement": round(agreement, 6)}


def value_of(pause: Pause, recipes: Sequence[Recipe], outcomes: Sequence[int]) -> int:
    """Return the answer to the question if each register had these outcomes."""
    bits: dict[Qubit, int] = {}
    for made, key in zip(recipes, outcomes, strict=True):
        bits.update((q, key >> k & 1) for k, q in enumerate(made.qubits))

    def value(qubit: Qubit) -> int:
        return bits[qubit] if qubit in bits else int(pause.registers.known(qubit) == 1)

    if isinstance(pause.step, Question):
        return int(pause.step.predicate.holds(value))
    return sum(value(q) << k for k, q in enumerate(pause.step.qubits))


def odds_told(odds: Mapping[int, float]) -> dict[str, float]:
    """Return the exact odds in the form of a record, the likeliest first."""
    likeliest = sorted(odds.items(), key=lambda pair: (-pair[1], pair[0]))[:TOLD]
    return {str(value): p for value, p in likeliest}
