"""Circuits for a Google device: its gates and neighbours, placed by calibration, and validated.

The steps are gate set, routing, gate set again, and the device's own validation. Candidates are the whole device,
with the vendor's router, and the best patches; the highest expected fidelity wins. No answer is fed forward: the
processors have no classical control.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from qchess.backends.devices.chips import UNKNOWN, Chip, Gate
from qchess.backends.devices.faults import WRONG, Step, faults_in
from qchess.backends.devices.readout import unflipped
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit
from qchess.circuits.program import Program

if TYPE_CHECKING:
    import cirq

#: how many patches are tried
PATCHES = 6
#: the gates that programs are compiled to, each with the names of its vendor's classes
NATIVE = {"cz": ("CZPowGate",), "sqrt_iswap": ("ISwapPowGate", "FSimGate")}
NANOSECOND = 1e-9


@dataclass(frozen=True, slots=True)
class Placed:
    """A circuit as the processor gets it, its qubits, and the expected fidelity."""

    circuit: cirq.Circuit
    spots: tuple[Any, ...]
    pairs: tuple[tuple[Any, Any], ...]
    #: for each answer the device's qubits that are read for it, bit by bit
    reads: Mapping[str, tuple[Any, ...]]
    fidelity: float
    #: the expected error of the shots with a valid number of pieces; infinite if not computed
    undetected: float = math.inf
    #: the same for shots with twirled readings
    twirled: float = math.inf
    #: whether both include the systematic angle errors of two-qubit gates
    angles: bool = False

    @property
    def qubits(self) -> tuple[str, ...]:
        """Return the names of the device's qubits in use."""
        return tuple(map(str, self.spots))

    @property
    def two_qubit_gates(self) -> int:
        """Return the number of two-qubit gates on the device."""
        return len(self.pairs)


def check_gate(gate: str) -> None:
    """Refuse a gate that no Google processor is compiled to."""
    if gate not in NATIVE:
        raise BackendError(f"a Google processor is compiled to {' or '.join(NATIVE)}, got {gate!r}")


class DeviceCompiler:
    """Compiles programs for one device and one of its gates; the same program is compiled once."""

    def __init__(
        self, device: Any, figures: Any, *, gate: str = "cz", calibrated: str | None = None, placement: bool = True
    ) -> None:
        check_gate(gate)
        self.device, self.figures, self.gate, self.placement = device, figures, gate, placement
        whole = device.metadata.nx_graph
        self.chip = chip_of(whole, figures, gate, calibrated)
        self.graph = _told_part(whole, self.chip)
        self._angles = {} if figures is None else _angles(figures, gate)
        self._gates = self._target_gates()
        self._done: dict[tuple[Program, frozenset[Any]], Placed] = {}

    def compile(self, program: Program) -> Placed:
        """Return the program on its best qubits."""
        key = (program, self.chip.banned)
        if key not in self._done:
            plain = unflipped(program)
            self._done[key] = self._best(program) if plain is None else _turned(self.compile(plain))
        return self._done[key]

    def _best(self, program: Program) -> Placed:
        """Return the most faithful candidate."""
        return self._told(max(self._candidates(program), key=lambda placed: placed.fidelity))

    def _told(self, placed: Placed) -> Placed:
        """Return the circuit with the expected error of its kept shots, if it can be computed."""
        faults = faults_in(_steps(placed))
        if faults is None:
            return placed
        chip, angles = self.chip, bool(self._angles) and self._angles.keys() >= set(placed.pairs)
        if angles:  # a gate's error holds what its angles do
            faults = faults.with_angles(_steps(placed, self._angles))
            pairs = {pair: max(0.0, chip.pairs[pair] - _error(self._angles[pair])) for pair in placed.pairs}
            chip = replace(chip, pairs={**chip.pairs, **pairs})
        place, spans = dict(enumerate(placed.spots)), self._spans(placed.circuit)
        one, other = (faults.undetected(chip, place, spans, twirled=twirled) for twirled in (False, True))
        return replace(placed, undetected=one, twirled=other, angles=angles)

    def _spans(self, circuit: cirq.Circuit) -> list[tuple[float, float]]:
        """Return when the non-virtual gates, then the readings, begin and end, moment by moment."""
        found: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
        begin = 0.0
        for moment in circuit:
            gates = [gate for gate in self._gates_of(moment) if not gate.virtual]
            for gate in gates:
                found[gate.measures].append((begin, begin + gate.seconds))
            begin += max((gate.seconds for gate in gates), default=0.0)
        return found[False] + found[True]

    def fixed(self, program: Program, place: Mapping[Qubit, Any]) -> Placed:
        """Return the program with each qubit fixed to this device qubit; pairs that share a gate are neighbours."""
        import cirq

        written = program.to_cirq().transform_qubits({cirq.NamedQubit(q): spot for q, spot in place.items()})
        return self._judged(self._native(written))

    def ban(self, qubits: Sequence[Any]) -> None:
        """Take qubits out of use; circuits compiled on them are compiled anew."""
        self.chip = self.chip.without(qubits)

    def default(self, program: Program) -> Placed:
        """Return the program as the vendor's router places it."""
        return self._routed(self._native(program.to_cirq()), self.graph)

    def _candidates(self, program: Program) -> Iterator[Placed]:
        written = program.to_cirq()
        native = self._native(written)
        everything = self._routed(native, self.graph)
        size = len(written.all_qubits())
        patches = self.chip.patches(size, PATCHES) if size > 1 and (self.placement or self.chip.banned) else []
        if size > 1 and (not patches or self.chip.banned.isdisjoint(everything.spots)):
            yield everything
        for patch in patches:
            yield self._routed(native, self.graph.subgraph(patch))
        if size == 1:
            best = min(self.chip.qubits, key=lambda q: self.chip.read_out[q] + self.chip.one_qubit.get(q, 0.0))
            yield self._judged(self._native(written.transform_qubits(dict.fromkeys(written.all_qubits(), best))))

    def _routed(self, native: cirq.Circuit, graph: Any) -> Placed:
        """Return a circuit of the device's gates on the qubits of a graph."""
        import cirq

        if all(len(op.qubits) < 2 or cirq.is_measurement(op) for op in native.all_operations()):
            spots = sorted(
                (q for q in graph if q not in self.chip.banned), key=lambda q: self.chip.read_out.get(q, 1.0)
            )
            return self._judged(native.transform_qubits(dict(zip(sorted(native.all_qubits()), spots, strict=False))))
        return self._judged(self._native(cirq.RouteCQC(graph)(native).unfreeze()))

    def _judged(self, circuit: cirq.Circuit) -> Placed:
        try:
            self.device.validate_circuit(circuit)
        except ValueError as error:
            raise BackendError(f"the device refuses its circuit: {error}") from error
        gates = list(self._gates_of(circuit))
        used = tuple(sorted({q for gate in gates for q in gate.qubits}))
        pairs = tuple((g.qubits[0], g.qubits[1]) for g in gates if len(g.qubits) == 2 and not g.measures)
        return Placed(circuit, used, pairs, _reads(circuit), self.chip.expected(gates))

    def _native(self, circuit: cirq.Circuit) -> cirq.Circuit:
        import cirq

        return cirq.optimize_for_target_gateset(circuit, gateset=self._gates, max_num_passes=None)

    def _target_gates(self) -> Any:
        """Return the device's own gate set for the chosen gate."""
        import cirq

        wanted = {"cz": cirq.CZ, "sqrt_iswap": cirq.ISWAP**0.5}[self.gate]
        kinds = {"cz": "CZ", "sqrt_iswap": "SqrtIswap"}[self.gate]
        for found in self.device.metadata.compilation_target_gatesets:
            if kinds in type(found).__name__ and wanted in found:
                return found
        told = [type(found).__name__ for found in self.device.metadata.compilation_target_gatesets]
        raise BackendError(f"this processor has no {self.gate} gate; it compiles to {', '.join(told)}")

    def _gates_of(self, circuit: cirq.Circuit | cirq.Moment) -> Iterator[Gate[Any]]:
        import cirq

        times = self.figures.gate_times_ns if self.figures is not None else {}
        for op in circuit.all_operations() if isinstance(circuit, cirq.Circuit) else circuit:
            gate = op.gate
            seconds = next((t for kind, t in times.items() if isinstance(gate, kind)), 25.0) * NANOSECOND
            virtual = isinstance(gate, cirq.ZPowGate) or not op.qubits
            yield Gate(tuple(op.qubits), seconds, cirq.is_measurement(op), virtual)


def _turned(placed: Placed) -> Placed:
    """Return the circuit on the same qubits, with every bit flipped before it is read."""
    import cirq

    turn = cirq.PhasedXZGate(x_exponent=1, z_exponent=0, axis_phase_exponent=0)
    moments: list[cirq.Moment] = []
    for moment in placed.circuit:
        read = [q for op in moment if cirq.is_measurement(op) for q in op.qubits]
        moments += [cirq.Moment(turn(q) for q in read), moment] if read else [moment]
    return replace(placed, circuit=cirq.Circuit(moments))


def _steps(placed: Placed, angles: Mapping[tuple[Any, ...], Any] | None = None) -> list[Step]:
    """Return the operations on wires, numbered among the qubits in use.

    With `angles` each two-qubit gate is followed by its systematic error.
    """
    import cirq

    wire, steps = {spot: k for k, spot in enumerate(placed.spots)}, list[Step]()
    for op in placed.circuit.all_operations():
        on = tuple(wire[q] for q in op.qubits)
        if cirq.is_measurement(op):
            steps.append(Step(on, reads=True))
        elif on:  # Cirq's first qubit is the highest bit of a matrix
            matrix = cirq.unitary(op, None) if len(on) in WRONG else None
            steps.append(Step(on[::-1], matrix, fails=not isinstance(op.gate, cirq.ZPowGate)))
            if angles and len(on) == 2:
                steps.append(Step(on[::-1], angles[op.qubits]))
    return steps


def _angles(figures: Any, gate: str) -> dict[tuple[Any, ...], Any]:
    """Return the systematic error of this gate on each pair, as a matrix, if the calibration gives it."""
    import cirq

    return {
        tuple(what.qubits): cirq.unitary(turn)
        for what, turn in figures.fsim_errors.items() if what.gate_type.__name__ in NATIVE[gate]
    }  # fmt: skip


def _error(unwanted: Any) -> float:
    """Return the average error of a two-qubit gate by an unwanted rotation."""
    return float(1 - abs(unwanted.trace()) ** 2 / 16) * 4 / 5


def _reads(circuit: cirq.Circuit) -> dict[str, tuple[Any, ...]]:
    """Return for each answer the qubits that are read for it, bit by bit."""
    import cirq

    return {
        cirq.measurement_key_name(op): tuple(op.qubits) for op in circuit.all_operations() if cirq.is_measurement(op)
    }


def _told_part(graph: Any, chip: Chip[Any]) -> Any:
    """Return the graph without the pairs of unknown error, if it stays connected."""
    import networkx as nx

    told = graph.edge_subgraph([edge for edge in graph.edges if chip.pairs[edge] < UNKNOWN])
    return told if len(told) and nx.is_connected(told) else graph


def chip_of(graph: Any, figures: Any, gate: str, calibrated: str | None) -> Chip[Any]:
    """Return the figures of a device in our form; without a calibration all qubits and pairs are alike.

    Google gives the probability e of a Pauli; that is the error e / (1 + 2^-n) of a gate on n qubits, an average over
    their states, as other vendors give it. A missing error is UNKNOWN if others are given; a qubit without figures for
    its gates or reading is not used.
    """
    errors = {} if figures is None else _gate_errors(figures, gate)
    readings = {} if figures is None else {(q,): (low + high) / 2 for q, (low, high) in figures.readout_errors.items()}
    qubits = [(q,) for q in sorted(graph.nodes)]
    pairs = _known([way for edge in graph.edges for way in (edge, edge[::-1])], errors, 0.01)
    one_qubit = {q: error for (q,), error in _known(qubits, errors, 0.001).items()}
    read_out = {q: error for (q,), error in _known(qubits, readings, 0.02).items()}
    if figures is None:
        return Chip(pairs, read_out, one_qubit, calibrated=calibrated)
    relaxation = {q: t * NANOSECOND for q, t in figures.t1_ns.items()}
    dephasing = {q: 1 / (1 / figures.tphi_ns[q] + 0.5 / t) * NANOSECOND
                 for q, t in figures.t1_ns.items() if figures.tphi_ns.get(q)}  # fmt: skip
    untold = frozenset(q for q in read_out if max(read_out[q], one_qubit[q]) >= UNKNOWN)
    flips = {q: (low, high) for q, (low, high) in figures.readout_errors.items()}
    return Chip(pairs, read_out, one_qubit, relaxation, dephasing, calibrated, untold, flips)


def _gate_errors(figures: Any, gate: str) -> dict[tuple[Any, ...], float]:
    """Return the average errors of the one-qubit gates and of this two-qubit gate, the latter in both orders."""
    errors: dict[tuple[Any, ...], float] = {}
    for what, pauli in figures.gate_pauli_errors.items():
        qubits = tuple(what.qubits)
        if what.gate_type.__name__ in (NATIVE[gate] if len(qubits) == 2 else ("PhasedXZGate",)):
            errors[qubits] = errors[qubits[::-1]] = pauli / (1 + 0.5 ** len(qubits))
    return errors


def _known(
    places: Iterable[tuple[Any, ...]], told: Mapping[tuple[Any, ...], float], alike: float
) -> dict[tuple[Any, ...], float]:
    """Return the error of each place: as given, UNKNOWN if only others are given, the same for all if none is."""
    here = {place: told.get(place) for place in places}
    untold = alike if set(here.values()) == {None} else UNKNOWN
    return {place: untold if error is None else error for place, error in here.items()}
