"""Circuit batches: the circuits for one question, and what is expected of them.

A batch has a circuit for each register that the question touches. It is made before anything is sent, and gives
the width and length of the circuits; what no device could do is refused here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from qchess.backends.deadline import Clock
from qchess.backends.devices.postselection import expected
from qchess.backends.devices.readout import machine
from qchess.backends.devices.recipes import Recipe, asked_part, made_again, recipe
from qchess.backends.devices.sampler import BaseSampler, Capabilities, Shown
from qchess.circuits.compiling.compiler import Compiled, compile_program
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program
from qchess.circuits.registers import Registers
from qchess.circuits.running import Pause

#: a replay from which fewer valid shots than this are expected is not worth its cost
FEWEST = 3
#: a register of more branches is shown only in the part asked about
WHOLE = 64


@dataclass(frozen=True, slots=True)
class CircuitBatch:
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


def circuit_batch(
    pause: Pause, can: Capabilities, *, strategy: str, level: str, shots: int, clock: Clock, part: bool = False,
    parts: bool = True,
) -> CircuitBatch:  # fmt: skip
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
    return CircuitBatch(tuple(recipes), tuple(compiled), part)


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


class Foreseen(NamedTuple):
    """What would be sent for a question, in the form of its record, and each circuit as the machine gets it."""

    details: dict[str, Any]
    circuits: tuple[Shown, ...]
    #: for each circuit the machine's qubit on which each board qubit is read, if known
    places: tuple[dict[Qubit, str], ...]
    #: the budget that would be reserved, by unit
    reserves: Mapping[str, int]


def previewed(
    sampler: BaseSampler, batch: CircuitBatch, details: Mapping[str, Any], reserves: Mapping[str, int]
) -> Foreseen:  # fmt: skip
    """Return what a sampler would be sent for a batch; `details` is what is known already."""
    shown = sampler.show(batch.circuits)
    found = [Shown(circuit) for circuit in batch.circuits] if shown is None else shown
    twirled = bool(details.get("readout_twirling"))
    circuits = tuple(replace(one, details=machine(one.details, twirled)) for one in found)
    told = [dict(one.details) for one in circuits if one.details]
    known = dict(enumerate(details.get("expected_fidelities", ())))
    figures = [expected(made, known.get(k)) for k, made in enumerate(batch.recipes)]
    places = (dict(zip(made.qubits, one.reads.get(made.reading, ()), strict=False))
              for made, one in zip(batch.recipes, circuits, strict=True))  # fmt: skip
    more = {"machine": told, "figures": figures} if told else {"figures": figures}
    return Foreseen({**details, **more}, circuits, tuple(places), reserves)
