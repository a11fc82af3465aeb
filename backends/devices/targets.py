"""Circuits for a Qiskit target: placed by calibration, compiled once per calibration, and judged.

The vendor's default layout at its highest level is one candidate. Others are compiled for the best patches of the chip,
several times with different seeds. The highest expected fidelity wins. The candidate with the fewest two-qubit gates,
and then the winner, are also tried wherever else they fit unchanged. Of the places that are at least as faithful, the
one whose errors are best detected (`faults`) is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qchess.backends.devices.chips import UNKNOWN, Chip, Gate, places
from qchess.backends.devices.faults import faults_of
from qchess.backends.devices.readout import unflipped
from qchess.backends.devices.sampler import Capabilities
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program

if TYPE_CHECKING:
    from qiskit import QuantumCircuit
    from qiskit.transpiler import PassManager, Target

#: operations of a target that are not gates
NO_GATES = (
    "measure", "reset", "measure_2", "reset_2", "delay", "barrier",
    "if_else", "for_loop", "while_loop", "switch_case", "break_loop",
)  # fmt: skip
#: implemented as a change of frame, at no cost
VIRTUAL = ("rz", "p", "u1", "z", "s", "sdg", "t", "tdg", "id", "barrier", "delay")
#: how many patches are tried, and with how many seeds each
PATCHES, SEEDS = 6, 3
#: how many of the places where a circuit fits are tried
FITS = 8


@dataclass(frozen=True, slots=True)
class Placed:
    """A circuit as the machine will get it, its qubits, and the expected fidelity of all its shots."""

    made: QuantumCircuit
    circuit: QuantumCircuit
    qubits: tuple[int, ...]
    pairs: tuple[tuple[int, ...], ...]
    fidelity: float
    #: the expected error of the shots with a valid number of pieces; infinite if not computed
    undetected: float = math.inf
    #: the same for shots with twirled readings
    twirled: float = math.inf

    @property
    def two_qubit_gates(self) -> int:
        """Return the number of two-qubit gates on the chip."""
        return len(self.pairs)


class TargetCompiler:
    """Compiles programs for one target; the same program and calibration are compiled once."""

    def __init__(
        self, target: Target, *, calibrated: str | None = None, placement: bool = True,
        flips: Mapping[int, tuple[float, float]] | None = None,
    ) -> None:  # fmt: skip
        self.target, self.placement = without_gaps(target), placement
        self.chip = replace(chip_of(target, calibrated), flips=flips or {})
        #: whether the target reports errors; an ideal simulator has none, and all its qubits are connected
        self.knows = bool(self.chip.pairs)
        self._default: PassManager | None = None
        self._small: dict[tuple[int, ...], list[PassManager]] = {}
        self._done: dict[tuple[Program, str | None, frozenset[int]], Placed] = {}

    def compile(self, program: Program) -> Placed:
        """Return the program on its best qubits."""
        key = (program, self.chip.calibrated, self.chip.banned)
        if key not in self._done:
            plain = unflipped(program)
            self._done[key] = self._best(program) if plain is None else self._turned(self.compile(plain))
        return self._done[key]

    def _turned(self, placed: Placed) -> Placed:
        """Return the circuit on the same qubits, with every bit flipped before it is read."""
        turned = placed.circuit.copy_empty_like()
        for one in placed.circuit.data:
            if one.operation.name == "measure":
                turned.x(one.qubits[0])
            turned.append(one)
        if self.knows and "x" not in self.target.operation_names:
            turned = self._as_it_is(range(self.target.num_qubits), turned, level=0)
        return replace(placed, circuit=turned)

    def _best(self, program: Program) -> Placed:
        """Return the most faithful candidate, or one as faithful with fewest gates and better detected errors."""
        default = self.default(program)
        known = list(self._patched(default.made))
        if not known or self.chip.banned.isdisjoint(default.qubits):
            known.insert(0, default)
        best = max(known, key=lambda placed: placed.fidelity)
        fewest = min(known, key=lambda placed: (placed.two_qubit_gates, -placed.fidelity))
        tried = (best,) if fewest is best else (fewest, best)
        moved = (other for placed in tried for other in self._elsewhere(placed, best.fidelity))
        return self._told(next((other for other in moved if other.fidelity >= best.fidelity), best))

    def _told(self, placed: Placed) -> Placed:
        """Return the circuit with the expected error of its kept shots, if it can be computed."""
        if not self.knows or placed.undetected < math.inf or (faults := faults_of(placed.circuit, VIRTUAL)) is None:
            return placed
        spans = _spans(_gates(placed.circuit, self.target))
        place = {wire: wire for wire in faults.wires}
        one, other = (faults.undetected(self.chip, place, spans, twirled=twirled) for twirled in (False, True))
        return replace(placed, undetected=one, twirled=other)

    def default(self, program: Program) -> Placed:
        """Return the program as the vendor's highest level places it."""
        from qiskit.transpiler import generate_preset_pass_manager

        if self._default is None:
            self._default = generate_preset_pass_manager(optimization_level=3, target=self.target, seed_transpiler=0)
        made = program.to_qiskit()
        return self._judged(made, self._default.run(made))

    def seconds(self, program: Program) -> float | None:
        """Return the duration of one shot of the compiled circuit, readings included, in seconds; None if unknown."""
        gates = [gate for gate in _gates(self.compile(program).circuit, self.target) if not gate.virtual]
        return max(end for _, end in _spans(gates)) if gates and all(gate.seconds for gate in gates) else None

    def fixed(self, program: Program, place: Mapping[Qubit, int]) -> QuantumCircuit:
        """Return the program with each qubit fixed to this qubit of the chip."""
        return self._as_it_is(tuple(place[q] for q in program.qubits), program.to_qiskit(), level=0)

    def ban(self, qubits: Sequence[int]) -> None:
        """Take qubits out of use; circuits compiled on them are compiled anew."""
        self.chip = self.chip.without(qubits)

    def _patched(self, made: QuantumCircuit) -> Iterator[Placed]:
        """Yield the circuit on each of the best patches."""
        patches = self.chip.patches(len(made.qubits), PATCHES) if self.placement and self.knows else []
        for patch in patches:
            for passes in self._passes(patch):
                yield self._judged(made, self._on(patch, passes.run(made)))

    def _elsewhere(self, placed: Placed, least: float) -> Iterator[Placed]:
        """Yield the compiled circuit on other places where it fits unchanged, with the least undetected error."""
        faults = faults_of(placed.circuit, VIRTUAL) if self.placement and self.knows else None
        if faults is None:
            return
        small = _on_wires(placed.circuit, faults.wires)
        found = places(self.chip, faults, least=least, count=FITS)
        for place in sorted(found, key=lambda place: faults.undetected(self.chip, place)):
            patch = tuple(place[wire] for wire in faults.wires)
            yield self._told(self._judged(placed.made, self._as_it_is(patch, small, level=1)))

    def _passes(self, patch: tuple[int, ...]) -> list[PassManager]:
        """Return the pass managers for a patch, treated as a separate machine."""
        from qiskit.transpiler import generate_preset_pass_manager

        if patch not in self._small:
            small = part_of(self.target, patch)
            self._small[patch] = [
                generate_preset_pass_manager(optimization_level=3, target=small, seed_transpiler=seed)
                for seed in range(SEEDS)
            ]
        return self._small[patch]

    def _as_it_is(self, patch: Sequence[int], circuit: QuantumCircuit, *, level: int) -> QuantumCircuit:
        """Return the circuit with its qubit k on ``patch[k]``."""
        from qiskit.transpiler import generate_preset_pass_manager

        passes = generate_preset_pass_manager(
            optimization_level=level, target=part_of(self.target, patch), initial_layout=list(range(len(patch))),
            seed_transpiler=0,
        )  # fmt: skip
        return self._on(patch, passes.run(circuit))

    def _on(self, patch: Sequence[int], circuit: QuantumCircuit) -> QuantumCircuit:
        """Return a circuit of the patch on the qubits of the whole machine."""
        from qiskit import QuantumCircuit, QuantumRegister

        whole = QuantumCircuit(QuantumRegister(self.target.num_qubits, "q"), *circuit.cregs)
        whole.compose(circuit, [whole.qubits[q] for q in patch], whole.clbits, inplace=True)
        whole.metadata = circuit.metadata
        return whole

    def _judged(self, made: QuantumCircuit, circuit: QuantumCircuit) -> Placed:
        gates = list(_gates(circuit, self.target))
        used = tuple(sorted({q for gate in gates for q in gate.qubits}))
        pairs = tuple(gate.qubits for gate in gates if len(gate.qubits) == 2 and not gate.measures)
        return Placed(made, circuit, used, pairs, self.chip.expected(gates) if self.knows else 1.0)


def _on_wires(circuit: QuantumCircuit, wires: Sequence[int]) -> QuantumCircuit:
    """Return the circuit without its unused qubits; qubit k is ``wires[k]``."""
    from qiskit import QuantumCircuit, QuantumRegister

    small = QuantumCircuit(QuantumRegister(len(wires), "q"), *circuit.cregs, metadata=circuit.metadata)
    number = {circuit.qubits[wire]: k for k, wire in enumerate(wires)}
    for one in circuit.data:
        if all(q in number for q in one.qubits):
            small.append(one.operation, [number[q] for q in one.qubits], one.clbits)
    return small


def chip_of(target: Target, calibrated: str | None) -> Chip[int]:
    """Return the figures of a target; missing ones are worse than any given (`_errors`).

    A qubit whose gates or reading do not work, or lack figures that others have, is not used.
    """
    pairs: dict[tuple[int, int], float] = {}
    one_qubit: dict[int, float] = {}
    reading: dict[int, float] = {}
    for (name, where), error in _errors(target).items():
        if name == "measure":
            reading[where[0]] = error
        elif len(where) == 2:
            for pair in (where, where[::-1]):
                pairs[pair] = min(error, pairs.get(pair, 1.0))
        elif len(where) == 1:
            one_qubit[where[0]] = max(error, one_qubit.get(where[0], 0.0))
    qubits = range(target.num_qubits or 0)
    read_out = {q: reading.get(q, UNKNOWN if any(reading.values()) else 0.0) for q in qubits}
    figures = target.qubit_properties or []
    relaxation = {q: one.t1 for q, one in enumerate(figures) if getattr(one, "t1", None)}
    dephasing = {q: one.t2 for q, one in enumerate(figures) if getattr(one, "t2", None)}
    dead = frozenset(q for q in qubits if max(read_out[q], one_qubit.get(q, 0.0)) >= UNKNOWN)
    return Chip(pairs, read_out, one_qubit, relaxation, dephasing, calibrated, dead)


def _errors(target: Target) -> dict[tuple[str, tuple[int, ...]], float]:
    """Return the error of each gate and reading at each of its places.

    A missing error is UNKNOWN if the target gives that of other places: of the same operation, or of any of its kind if
    none is given at this place. If another operation of the kind is given at the place, its error is used. A kind
    without any figures, as on an ideal simulator, has no errors.
    """
    names = [name for name in target.operation_names if name == "measure" or name not in (*NO_GATES, *VIRTUAL)]
    found = {
        (name, where): getattr(figures, "error", None)
        for name in names for where, figures in (target[name] or {}).items() if where is not None
    }  # fmt: skip
    told = [key for key, error in found.items() if error is not None]
    operations = {name for name, _ in told}
    places = {(name == "measure", frozenset(where)) for name, where in told}
    kinds = {(reads, len(on)) for reads, on in places}
    errors: dict[tuple[str, tuple[int, ...]], float] = {}
    for (name, where), error in found.items():
        place, kind = (name == "measure", frozenset(where)), (name == "measure", len(where))
        if error is not None:
            errors[name, where] = float(error)
        elif name in operations or (kind in kinds and place not in places):
            errors[name, where] = UNKNOWN
        elif place not in places:
            errors[name, where] = 0.0
    return errors


def without_gaps(target: Target) -> Target:
    """Return the same target with every missing error filled in, for the vendor's layout."""
    from qiskit.transpiler import InstructionProperties

    gaps = [(name, where) for (name, where), error in _errors(target).items()
            if error == UNKNOWN and getattr(target[name][where], "error", None) is None]  # fmt: skip
    if not gaps:
        return target
    filled = part_of(target, range(target.num_qubits))
    for name, where in gaps:
        duration = getattr(target[name][where], "duration", None)
        filled.update_instruction_properties(name, where, InstructionProperties(duration, UNKNOWN))
    return filled


def _gates(circuit: QuantumCircuit, target: Target) -> Iterator[Gate[int]]:
    place = {bit: k for k, bit in enumerate(circuit.qubits)}
    for instruction in circuit.data:
        name, where = instruction.operation.name, tuple(place[q] for q in instruction.qubits)
        known = name in target.operation_names and target[name]
        figures = known.get(where) if known else None
        seconds = getattr(figures, "duration", None) or 0.0
        yield Gate(where, seconds, name == "measure", name in VIRTUAL)


def _spans(gates: Iterable[Gate[int]]) -> list[tuple[float, float]]:
    """Return when the non-virtual gates, then the readings, begin and end: as soon as their qubits are free."""
    found: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    ready: dict[int, float] = {}
    for gate in gates:
        if not gate.virtual:
            begin = max(ready.get(q, 0.0) for q in gate.qubits)
            ready.update(dict.fromkeys(gate.qubits, begin + gate.seconds))
            found[gate.measures].append((begin, begin + gate.seconds))
    return found[False] + found[True]


def part_of(target: Target, patch: Sequence[int]) -> Target:
    """Return the target of some qubits of a machine; qubit k is ``patch[k]``."""
    from qiskit.transpiler import Target

    place = {q: k for k, q in enumerate(patch)}
    figures = target.qubit_properties
    part = Target(
        num_qubits=len(patch), dt=target.dt, qubit_properties=[figures[q] for q in patch] if figures else None
    )
    for name in target.operation_names:
        everywhere = target[name]
        if everywhere is None or None in everywhere:
            part.add_instruction(target.operation_from_name(name), name=name)
            continue
        here = {tuple(place[q] for q in where): one for where, one in everywhere.items()
                if all(q in place for q in where)}  # fmt: skip
        if here:
            part.add_instruction(target.operation_from_name(name), here, name=name)
    return part


def capabilities_of(target: Target, *, quantum: bool, most: int | None = None) -> Capabilities:
    """Return the machine's capabilities from its target."""
    names = set(target.operation_names)
    native = "cz" if "cz" in names else "cx" if names & {"cx", "ecr"} else None
    if native is None and not names & {"rzz", "iswap", "xx_plus_yy"}:
        raise BackendError(f"expected a two-qubit gate that qchess can compile to, got {sorted(names)}")
    limits = [n for n in (target.num_qubits, most) if n is not None]
    return Capabilities(
        mid_measure="measure" in names,
        reset="reset" in names,
        feed_forward=bool(names & {"if_else", "switch_case"}),
        native_2q=native or "cx",
        max_qubits=min(limits, default=None),
        ordered=True,
        quantum=quantum,
    )
