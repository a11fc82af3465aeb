"""Recipes: circuits that make a register, by either strategy, and read all of it at the end.

    reprepare   a short circuit prepares the present state from its exact amplitudes
    replay      the register's whole history runs again, questions included

Every qubit of the register is read, not only those asked about. So each shot shows its number of pieces and whether it
is possible in the exact state; the answer is computed from the bits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qchess.backends.deadline import Clock
from qchess.backends.devices.preparation import preparation
from qchess.circuits.engine import Engine
from qchess.circuits.errors import BackendError
from qchess.circuits.forms.asking import flips
from qchess.circuits.operations import Operation, Qubit, fresh
from qchess.circuits.precision import CERTAIN
from qchess.circuits.predicates import Predicate, where
from qchess.circuits.program import Program, Question, ReadOut, Step
from qchess.circuits.registers import Registers

#: without a time limit
NO_LIMIT = Clock(None)
#: a longer history is never shorter than a preparation
LONGEST = 60
STRATEGIES = ("reprepare", "replay")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A circuit from |0...0> that ends with the read-out `reading` of a register's qubits."""

    program: Program
    qubits: tuple[Qubit, ...]
    reading: str
    #: every possible outcome of the qubits in the exact state; bit k is ``qubits[k]``
    possible: frozenset[int]
    #: the answers to past questions; a shot with others belongs to another history
    past: Mapping[str, int] = field(default_factory=dict)
    #: how the circuit was made: "prepared", "made again", "replayed", or "prepared in part"
    made: str = "prepared"
    #: how many qubits of the register the circuit leaves out
    left_out: int = 0

    @property
    def pieces(self) -> frozenset[int]:
        """Return the possible numbers of full qubits in the exact state."""
        return frozenset(key.bit_count() for key in self.possible)


def recipe(registers: Registers, qubits: tuple[Qubit, ...], strategy: str, clock: Clock = NO_LIMIT) -> Recipe:
    """Return the recipe of the register of exactly these qubits."""
    if strategy not in STRATEGIES:
        raise BackendError(f"a device's strategy is one of {', '.join(STRATEGIES)}, got {strategy!r}")
    ((register, _),) = registers.held(qubits)
    amplitudes = register.amplitudes(qubits)
    possible = frozenset(key for key, a in amplitudes.items() if abs(a) ** 2 > CERTAIN)
    if strategy == "reprepare":
        steps: Sequence[Step] = preparation(qubits, amplitudes, clock).steps
        past: dict[str, int] = {}
    else:
        steps, past = _replayed(registers, qubits)
    reading = fresh("shot", set(past))
    made = "replayed" if strategy == "replay" else "prepared"
    return Recipe(Program(*steps, ReadOut(reading, qubits)), qubits, reading, possible, past, made)


def made_again(registers: Registers, qubits: tuple[Qubit, ...]) -> Recipe | None:
    """Return the operations that made the register; None if they include a question or given amplitudes."""
    cone = registers.cone(*qubits)
    if cone.unmade or len(cone.events) > LONGEST:
        return None
    steps = [step for step, _ in cone.steps()]
    if not all(isinstance(step, Operation) for step in steps):
        return None
    possible = frozenset(key for key, p in registers.distribution(*qubits).items() if p > CERTAIN)
    return Recipe(Program(*steps, ReadOut("shot", qubits)), qubits, "shot", possible, {}, "made again")


def asked_part(registers: Registers, asked: tuple[Qubit, ...], clock: Clock = NO_LIMIT) -> Recipe:
    """Return a recipe that reads these qubits of one register, without the others.

    It keeps only the odds of a read-out, so the phases are arbitrary. It is for registers wider than the machine.
    """
    left_out = len(registers.register_of(asked[0])) - len(asked)
    odds = registers.distribution(*asked)
    possible = frozenset(key for key, p in odds.items() if p > CERTAIN)
    roots = {key: complex(math.sqrt(odds[key])) for key in possible}
    steps = preparation(asked, roots, clock).steps
    made = "prepared in part" if left_out else "prepared"
    return Recipe(Program(*steps, ReadOut("shot", asked)), asked, "shot", possible, {}, made, left_out)


def outcomes(circuit: Program, engine: Engine) -> dict[tuple[int, ...], float]:
    """Return the exact odds of every outcome of a circuit: the values of its answers, in order."""
    reads = [step for step in circuit if isinstance(step, ReadOut)]
    gates = [step for step in circuit if isinstance(step, Operation)]
    if list(circuit) != [*gates, *reads]:
        raise BackendError(f"expected gates and then read-outs, got {circuit!r}")
    qubits = list(dict.fromkeys(q for step in reads for q in step.qubits))
    place = {q: k for k, q in enumerate(qubits)}
    return {
        tuple(sum((key >> place[q] & 1) << k for k, q in enumerate(step.qubits)) for step in reads): p
        for key, p in Registers(engine).apply(*gates).distribution(*qubits).items()
    }


def _replayed(registers: Registers, qubits: tuple[Qubit, ...]) -> tuple[list[Step], dict[str, int]]:
    """Return the history with a flag for each question, all flags read at the end, and the answers given.

    Reading flags at the end is possible on every device, and a simulator need not rerun the circuit for each shot.
    """
    cone = registers.cone(*qubits)
    if cone.unmade:
        raise BackendError(f"{list(cone.unmade)} were set to given amplitudes, so there is no history to replay")
    taken = set(cone.program().qubits) | set(qubits)
    steps: list[Step] = []
    readings: list[Step] = []
    past: dict[str, int] = {}
    for step, answer in cone.steps():
        if isinstance(step, Operation):
            steps.append(step)
        elif answer is not None:
            flag = fresh(f"?{step.name}", taken)
            predicate, past[step.name] = _as_predicate(step, answer)
            steps.extend(flips(predicate, flag))
            readings.append(ReadOut(step.name, (flag,)))
    return steps + readings, past


def _as_predicate(step: Question | ReadOut, answer: int) -> tuple[Predicate, int]:
    if isinstance(step, Question):
        return step.predicate, answer
    return where({q: answer >> k & 1 for k, q in enumerate(step.qubits)}), 1
