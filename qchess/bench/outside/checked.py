"""Turn a Qiskit circuit into a case whose amplitudes two engines agree on.

Ours runs the circuit as it was read, gate by gate in our vocabulary. The other one is Aer, which runs Qiskit's own
circuit, so that a misread gate is detected too. Your own amplitudes, in a file beside the circuit, replace Aer's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from qchess import reading
from qchess.backends.sparse.engine import SparseEngine
from qchess.bench.case import Case
from qchess.bench.corpus import reference
from qchess.bench.corpus.cases import cases
from qchess.bench.corpus.circuit import Circuit
from qchess.bench.outside.files import LeftOutError
from qchess.circuits.errors import BackendError, StateTooLargeError
from qchess.circuits.forms.from_qiskit import Read, UnreadableError, from_qiskit
from qchess.circuits.program import Program
from qchess.errors import InvalidMoveError

if TYPE_CHECKING:
    from qiskit import QuantumCircuit
    from qiskit.transpiler import Target

#: the most wires for Aer's vector; above, its matrix product states are used with at most this many branches
DENSE, PRODUCT = 24, 512
#: Aer's methods, and the gates of the second one
VECTOR, PRODUCTS = "statevector", "matrix_product_state"
PLAIN = ("x", "h", "p", "rx", "ry", "rz", "u", "cx", "cp", "ccx")
#: how far two amplitudes may differ: of a vector, and of matrix product states or a file with few digits
EXACT, ROUGH = 1e-9, 1e-6
#: how far the norm of amplitudes of few digits may be from 1
LOOSE = 1e-4
#: up to this many wires the gate where the engines differ is searched
TRACED = 16
#: the place of an instruction of the circuit, in words; for None, the circuit
Where = Callable[[int | None], str]


class Apart(NamedTuple):
    """The largest difference of two states, and its key."""

    error: float
    key: int


class Compared(NamedTuple):
    """The distance of our state from another source's, its limit, and the source."""

    apart: Apart
    tolerance: float
    other: str


def checked(circuit: QuantumCircuit, name: str, family: str, where: Where, own: Path | None = None) -> Iterator[Case]:
    """Yield the case of a circuit; raises `LeftOutError` if it cannot become one. `own` holds your own amplitudes."""
    try:
        read = from_qiskit(circuit)
    except UnreadableError as error:
        raise LeftOutError(f"{where(error.place)}: {error}") from None
    if not read.operations:
        raise LeftOutError(f"{where(None)}: expected gates, but no gate does anything")
    ours = made(read, name, family)
    try:
        passed = reference.passage(ours, read.wires)
    except StateTooLargeError:
        place = _too_large(read)
        gate = circuit.data[place].operation.name
        limit = f"more than {reference.BRANCHES:,} basis states have an amplitude after this {gate!r}"
        raise LeftOutError(f"{where(place)}: {limit}, too many for our exact engine") from None
    found = dict(passed.amplitudes)
    try:
        apart, tolerance, other = _compared(circuit, found, passed.peak, own)
    except BackendError as error:
        raise LeftOutError(f"{where(None)}: {error}") from None
    if not apart.error <= tolerance:
        parted = _parting(circuit, read) if other == "Aer" and len(read.wires) <= TRACED else None
        at = f"the amplitude of {apart.key:0{len(read.wires)}b}"
        raise LeftOutError(f"{where(parted)}: our engine and {other} differ by {apart.error:.2g} in {at}")
    yield from cases(ours, {"native": "small"})


def _compared(circuit: QuantumCircuit, found: Mapping[int, complex], peak: int, own: Path | None) -> Compared:
    """Compare our amplitudes with another source's."""
    wires = circuit.num_qubits
    if own:
        return Compared(_apart(found, _own(own, wires)), ROUGH, str(own))
    if wires <= DENSE:
        return Compared(_apart(found, _vector(circuit)), EXACT, "Aer")
    if peak <= PRODUCT:
        return Compared(_apart(found, _product(circuit, list(found))), ROUGH, "Aer")
    raise BackendError(
        f"{wires} wires with {peak} branches are too many for a second engine, which takes {DENSE} wires or {PRODUCT} "
        "branches; add the amplitudes in a file NAME.reference.json"
    )


def made(read: Read, name: str, family: str) -> Circuit:
    """Return the circuit of the corpus: every declared wire in order, each starting in 0."""
    return Circuit(name, family, Program(*read.operations), declared=read.wires).steady()


def _too_large(read: Read) -> int:
    """Return the first instruction after which there are too many branches."""
    engine = SparseEngine(reference.BRANCHES)
    state = engine.run(None, (), dict.fromkeys(read.wires, 0))
    for place, operations in enumerate(read.instructions):
        try:
            state = engine.run(state, operations)
        except StateTooLargeError:
            return place
    return len(read.instructions) - 1


def _apart(found: Mapping[int, complex], other: Mapping[int, complex] | np.ndarray) -> Apart:
    """Return the largest difference of two states, up to a global phase."""
    keys = np.fromiter(found, np.int64 if max(found) < 2**62 else object, len(found))
    ours = np.fromiter(found.values(), np.complex128, len(found))
    if isinstance(other, np.ndarray):
        theirs = other[keys]
        other[keys] = 0
        beside = int(np.argmax(np.abs(other)))
        rest = Apart(float(abs(other[beside])), beside)
    else:
        theirs = np.array([other.get(int(key), 0) for key in keys], np.complex128)
        rest = max((Apart(abs(a), key) for key, a in other.items() if key not in found), default=Apart(0.0, 0))
    overlap = np.vdot(ours, theirs)
    errors = np.abs(theirs - ours * (overlap / abs(overlap) if abs(overlap) > ROUGH else 1))
    worst = int(np.argmax(errors))
    return max(Apart(float(errors[worst]), int(keys[worst])), rest)


# -- the other engine -----------------------------------------------------------------------------------------


def _vector(circuit: QuantumCircuit) -> np.ndarray:
    """Return all amplitudes by Aer; the first wire is the first digit of a key."""
    from qiskit import transpile

    turned = _gates_alone(circuit).reverse_bits()
    return np.array(_saved(transpile(turned, target=_target(), optimization_level=0), VECTOR))


@cache
def _target() -> Target:
    """Return what Aer's vector method runs, kept because Qiskit asks a simulator again for every gate."""
    from qiskit_aer import AerSimulator

    return AerSimulator(method=VECTOR).target


def _product(circuit: QuantumCircuit, keys: list[int]) -> dict[int, complex]:
    """Return these amplitudes by Aer's matrix product states; if their norm is 1, all others are 0.

    Aer's own reading of them is wrong after internal swaps (qiskit-aer issue 2235).
    """
    from qiskit import transpile

    plain = transpile(_gates_alone(circuit), basis_gates=PLAIN, optimization_level=0)
    tensors, between = _saved(plain, PRODUCTS)
    weighted = [[np.asarray(one) * weight for one in pair] for pair, weight in zip(tensors, [*between, 1], strict=True)]
    found = {}
    for key in keys:
        row = np.ones((1, 1), np.complex128)
        for pair, digit in zip(weighted, f"{key:0{circuit.num_qubits}b}", strict=True):
            row = row @ pair[int(digit)]
        found[key] = complex(row[0, 0])
    return found


def _saved(circuit: QuantumCircuit, method: str) -> Any:
    """Return what Aer's method saves of the final state."""
    from qiskit_aer import AerSimulator

    simulator = AerSimulator(method=method, max_parallel_threads=1)
    getattr(circuit, f"save_{method}")()
    result = simulator.run(circuit).result()
    if not result.success:
        raise BackendError(f"Aer cannot run it: {result.status}")
    return result.data()[method]


def _gates_alone(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return the circuit without final measurements, and without resets of wires that are in 0.

    Gates defined in the file are replaced by their definitions, since Aer knows gates only by name.
    """
    from qiskit.circuit import ControlledGate, Measure, Reset

    gates = circuit.copy_empty_like()
    for item in circuit.data:
        gate = item.operation
        if isinstance(gate, Measure | Reset):
            continue
        known = isinstance(gate, ControlledGate) or gate.base_class.__module__.startswith("qiskit.circuit.library")
        if known or gate.definition is None:
            gates.append(item)
        else:
            gates.compose(_gates_alone(gate.definition), item.qubits, inplace=True)
    return gates


def _parting(circuit: QuantumCircuit, read: Read) -> int | None:
    """Return the first instruction after which the engines differ."""

    def part(count: int) -> float:
        shorter = circuit.copy_empty_like()
        shorter.data = circuit.data[:count]
        ours = made(Read(read.wires, read.instructions[:count]), "part", "part")
        return _apart(dict(reference.passage(ours, read.wires).amplitudes), _vector(shorter)).error

    low, high = 1, len(circuit.data)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if part(middle) > EXACT else (middle + 1, high)
    return low - 1


# -- the reader's own amplitudes ------------------------------------------------------------------------------


def _own(path: Path, wires: int) -> dict[int, complex]:
    """Read every nonzero amplitude: key, a digit per wire in the order of declaration -> [real, imaginary]."""
    try:
        told = reading.json_object(path.read_text(encoding="utf-8"), "the amplitudes")
    except (UnicodeDecodeError, InvalidMoveError):
        raise LeftOutError(f'{path}: expected JSON like {{"{"0" * wires}": [1.0, 0.0]}}') from None
    found = {}
    for key, value in told.items():
        if len(key) != wires or set(key) - {"0", "1"}:
            raise LeftOutError(
                f"{path}: a key has a digit, 0 or 1, for each of {wires} wires, got {reading.shown(key)}"
            )
        if not isinstance(value, list) or len(value) != 2 or not all(type(part) in (int, float) for part in value):
            raise LeftOutError(f"{path}: expected [real, imaginary] for {key}, got {reading.shown(value)}")
        found[int(key, 2)] = complex(*value)
    norm = math.fsum(abs(a) ** 2 for a in found.values())
    if abs(norm - 1) > LOOSE:
        raise LeftOutError(f"{path}: expected all amplitudes, whose squares have the sum 1, got the sum {norm:.6g}")
    return found
