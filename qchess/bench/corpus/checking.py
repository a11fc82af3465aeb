"""Check the amplitudes of a corpus by independent methods.

    sparse, cirq, aer              the case through registers on that engine, in one run
    qasm2-qiskit, qasm3-qiskit     the exported file, loaded by Qiskit and run on its state vector
    qasm2-cirq, qasm3-cirq         the same with Cirq

A file is equal up to a global phase, so one is fitted. Questions get their recorded answers in every method: a
measurement of a loaded circuit is a projection, and its conditions are followed. A method that cannot do a case says
why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qchess import backends
from qchess.bench.case import Case
from qchess.bench.corpus.exports import exported
from qchess.circuits.chances import chances
from qchess.circuits.operations import Qubit
from qchess.circuits.predicates import where
from qchess.circuits.program import Branch
from qchess.circuits.registers import Registers
from qchess.circuits.sources import FixedAnswers
from qchess.errors import InvalidMoveError, QchessError

if TYPE_CHECKING:
    from qiskit import QuantumCircuit

Amplitudes = Mapping[int, complex]
Vector = NDArray[np.complex128]
ENGINES = ("sparse", "cirq", "aer")
FILES = ("qasm2-qiskit", "qasm3-qiskit", "qasm2-cirq", "qasm3-cirq")
WAYS = (*ENGINES, *FILES)
#: smaller amplitudes count as 0
NOISE = 1e-12
_WIRE = re.compile(r"// (?:qubit|ancilla) (.+) = (\w+)\[0\]")
_ANSWER = re.compile(r"// answer (.+) = (\w+)$", re.MULTILINE)


class UnsupportedError(QchessError):
    """A method cannot do a case; the message says why."""


class Checked(NamedTuple):
    """The result of one method for one case: the largest error, or why it cannot do the case."""

    case: Case
    way: str
    error: float | None
    reason: str = ""


def check(cases: Iterable[Case], ways: Sequence[str], most: int) -> Iterator[Checked]:
    """Check every case of at most `most` wires by every method."""
    for case in cases:
        for way in ways if len(case.wires) <= most else ():
            try:
                found = error(case, amplitudes(case, way))
                yield Checked(case, way, max(found, odds_error(case, way) if way in ENGINES else 0.0))
            except UnsupportedError as reason:
                yield Checked(case, way, None, str(reason))


def amplitudes(case: Case, way: str) -> Amplitudes:
    """Return the case's amplitudes by one of the methods."""
    if way in ENGINES:
        return on_engine(case, way)
    if way not in FILES:
        raise InvalidMoveError(f"amplitudes are checked by one of {', '.join(WAYS)}, got {way!r}")
    form, _, toolkit = way.partition("-")
    text = exported(case, form).decode() if _exports(case, form) else ""
    return _loaders()[toolkit](case, text, form)


def error(case: Case, found: Amplitudes) -> float:
    """Return the largest error of the amplitudes from the reference, up to a global phase.

    If the reference has every amplitude, weight elsewhere is an error of its size.
    """
    overlap = sum(a.conjugate() * found.get(key, 0) for key, a in case.reference.items())
    turn = overlap / abs(overlap) if overlap else 1
    worst = max(abs(found.get(key, 0) - turn * a) for key, a in case.reference.items())
    if len(case.reference) == case.branches:
        worst = max([worst, *(abs(a) for key, a in found.items() if key not in case.reference)])
    return max(worst, abs(sum(abs(a) ** 2 for a in found.values()) - 1))


# -- engines ------------------------------------------------------------------------------------------------


def on_engine(case: Case, name: str) -> Amplitudes:
    """Compute the amplitudes through registers on one of our engines."""
    registers = Registers(backends.engine(name), case.full)
    registers = registers.run(case.program, FixedAnswers(case.answers) if case.answers else None).registers
    if case.kept:
        registers = registers.project(where(case.kept), 1)
    return registers.amplitudes(case.wires[::-1])


def odds_error(case: Case, name: str) -> float:
    """Return the largest error of a joint answer's probability, on one of our engines."""
    names = case.program.answers
    found = chances(Registers(backends.engine(name), case.full), case.program) if names else {}
    odds = {tuple(dict(given).get(answer) for answer in names): p for given, p in found.items()}
    return max((abs(odds.get(key, 0) - case.odds.get(key, 0)) for key in odds.keys() | case.odds.keys()), default=0.0)


# -- files --------------------------------------------------------------------------------------------------


def _exports(case: Case, form: str) -> bool:
    if form == "qasm2" and any(_nested(step) for step in case.program):
        raise UnsupportedError("OpenQASM 2 has no nested branches")
    return True


def _nested(step: object) -> bool:
    return isinstance(step, Branch) and any(isinstance(inner, Branch) for _, program in step.cases for inner in program)


def _loaders() -> dict[str, Callable[[Case, str, str], Amplitudes]]:
    return {"qiskit": _by_qiskit, "cirq": _by_cirq}


def told(case: Case, text: str) -> tuple[dict[str, Qubit], dict[str, int]]:
    """Return what a file says of its names: register -> wire, and classical register -> recorded answer."""
    wires = {name: wire for wire, name in _WIRE.findall(text)}
    return wires, {name: case.answers[answer] for answer, name in _ANSWER.findall(text) if answer in case.answers}


def _by_qiskit(case: Case, text: str, form: str) -> Amplitudes:
    from qiskit import qasm2, qasm3

    circuit = (qasm2 if form == "qasm2" else qasm3).loads(text)
    wires, answers = told(case, text)
    names = [wires[register.name] for register in circuit.qregs]
    state = np.zeros((2,) * len(names), np.complex128)
    state[(0,) * len(names)] = 1
    walk = _QiskitWalk(answers, {bit: (reg.name, k) for reg in circuit.cregs for k, bit in enumerate(reg)})
    return _kept(case, names, walk.run(circuit, state, list(range(len(names)))))


@dataclass
class _QiskitWalk:
    """Follows a circuit with its classical bits as recorded; axis k of the state is qubit k."""

    answers: Mapping[str, int]
    bits: Mapping[Any, tuple[str, int]]

    def run(self, circuit: QuantumCircuit, state: Vector, axes: list[int]) -> Vector:
        """Return the state after the circuit, whose qubit k is axis ``axes[k]``."""
        for item in circuit.data:
            mine = [axes[circuit.find_bit(q).index] for q in item.qubits]
            if item.operation.name == "measure":
                register, place = self.bits[item.clbits[0]]
                state = project(state, mine[0], self.answers.get(register, 0) >> place & 1)
            elif item.operation.name == "if_else":
                state = self._branch(item.operation, state, mine)
            else:
                state = turned(state, item.operation.to_matrix(), mine[::-1])
        return state

    def _branch(self, operation: Any, state: Vector, axes: list[int]) -> Vector:
        register, value = operation.condition
        name = register.name if hasattr(register, "size") else self.bits[register][0]
        chosen = operation.blocks[0] if self.answers.get(name) == value else None
        if chosen is None and len(operation.blocks) > 1:
            chosen = operation.blocks[1]
        return state if chosen is None else self.run(chosen, state, axes)


def _by_cirq(case: Case, text: str, form: str) -> Amplitudes:
    import cirq
    from cirq.contrib.qasm_import import circuit_from_qasm

    if form == "qasm3" and case.feed_forward:
        raise UnsupportedError("Cirq's reader of OpenQASM 3 has no blocks")
    wires, answers = told(case, text)
    circuit = circuit_from_qasm(text)
    names = list(wires.values())
    axis: dict[cirq.Qid, int] = {cirq.NamedQubit(f"{register}_0"): k for k, register in enumerate(wires)}
    state = np.zeros((2,) * len(names), np.complex128)
    state[(0,) * len(names)] = 1
    for operation in circuit.all_operations():
        if operation.classical_controls:
            if not _holds(operation, answers):
                continue
            operation = operation.without_classical_controls()
        mine = [axis[q] for q in operation.qubits]
        if cirq.is_measurement(operation):
            register, _, place = cirq.measurement_key_name(operation).rpartition("_")
            state = project(state, mine[0], answers.get(register, 0) >> int(place) & 1)
        else:
            state = turned(state, cirq.unitary(operation), mine)
    return _kept(case, names, state)


def _holds(operation: Any, answers: Mapping[str, int]) -> bool:
    """Tell whether the recorded answers fulfil a conditional operation's conditions."""
    import cirq

    store = cirq.ClassicalDataDictionaryStore()
    for key in {key for control in operation.classical_controls for key in control.keys}:
        name, _, place = str(key).rpartition("_")
        store.record_measurement(key, [answers.get(name, 0) >> int(place) & 1], [cirq.LineQubit(0)])
    return all(control.resolve(store) for control in operation.classical_controls)


# -- vectors, one axis a wire ---------------------------------------------------------------------------------


def turned(state: Vector, matrix: Vector, axes: list[int]) -> Vector:
    """Return the state after a gate; the first axis is the gate's most significant qubit."""
    count = len(axes)
    tensor = np.asarray(matrix).reshape((2,) * (2 * count))
    moved = np.tensordot(tensor, state, axes=(list(range(count, 2 * count)), axes))
    return np.asarray(np.moveaxis(moved, list(range(count)), axes))


def project(state: Vector, axis: int, value: int) -> Vector:
    """Return the state with this value of a wire, normalised."""
    kept = np.zeros_like(state)
    place = (slice(None),) * axis + (value,)
    kept[place] = state[place]
    return np.asarray(kept / np.linalg.norm(kept))


def _kept(case: Case, names: list[Qubit], state: Vector) -> Amplitudes:
    """Return the amplitudes over the case's wires, its flags post-selected; other wires must end in 0."""
    for q, value in case.kept.items():
        state = project(state, names.index(q), value)
    for k, q in enumerate(names):
        if q not in case.wires:
            state = project(state, k, 0)
    for q in [q for q in case.wires if q not in names]:  # lowering left nothing to do there
        state = np.stack([state, np.zeros_like(state)], axis=-1)
        names = [*names, q]
    order = [names.index(q) for q in case.wires] + [k for k, q in enumerate(names) if q not in case.wires]
    vector = np.transpose(state, order).reshape(2 ** len(case.wires), -1)[:, 0]
    support = np.flatnonzero(np.abs(vector) > NOISE)
    return dict(zip(support.tolist(), vector[support].tolist(), strict=True))
