"""Read a Qiskit circuit as a program, gate by gate and with each phase: the inverse of `to_qiskit`.

A library gate that the vocabulary has is read as that gate, with any controls; others are read through their
definition. Measurements at the end are left out. A circuit that continues after a measurement is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from qchess.circuits.errors import ProgramError
from qchess.circuits.operations import Operation, Qubit, cnot, fresh, h, iswap, ry, rz, swap, x, z

if TYPE_CHECKING:
    from qiskit import QuantumCircuit, QuantumRegister

#: how deep definitions may be nested
DEPTH = 100


class UnreadableError(ProgramError):
    """The circuit is not a program of operations; `place` is the instruction's index from 0, or None."""

    def __init__(self, told: str, place: int | None = None) -> None:
        super().__init__(told)
        self.place = place


class Read(NamedTuple):
    """A circuit that was read: its wires in order, and the operations of each instruction."""

    wires: tuple[Qubit, ...]
    instructions: tuple[tuple[Operation, ...], ...]

    @property
    def operations(self) -> list[Operation]:
        """Return all operations, in order."""
        return [operation for each in self.instructions for operation in each]


def from_qiskit(circuit: QuantumCircuit) -> Read:
    """Return the operations of a circuit, up to a global phase.

    A wire is named like its register if that has one bit, else ``register[k]``; without a register, by its number.

    >>> from qiskit import QuantumCircuit
    >>> made = QuantumCircuit(2)
    >>> _ = made.h(0), made.crx(0.5, 0, 1, ctrl_state=0)
    >>> read = from_qiskit(made)
    >>> read.wires, len(read.operations)
    (('q[0]', 'q[1]'), 3)
    """
    from qiskit.circuit import Barrier, Delay, Measure, Reset

    wires = _names(circuit)
    if circuit.parameters:
        free = ", ".join(sorted(str(each) for each in circuit.parameters))
        raise UnreadableError(f"expected a value for each parameter, {free} has none")
    done: set[int] = set()
    used: set[int] = set()
    found = []
    for place, item in enumerate(circuit.data):
        mine = [circuit.find_bit(q).index for q in item.qubits]
        gate = item.operation
        ours: list[Operation] = []
        if isinstance(gate, Measure):
            done.update(mine)
        elif not isinstance(gate, Barrier | Delay) and (not isinstance(gate, Reset) or used & {*mine}):
            if again := done & {*mine}:
                wire = wires[min(again)]
                raise UnreadableError(f"{wire} is measured, and {gate.name!r} acts on it after that", place)
            try:
                ours = _read(gate, [wires[k] for k in mine], DEPTH)[0]
            except ProgramError as error:
                raise UnreadableError(str(error), place) from None
            used.update(mine)
        found.append(tuple(ours))
    return Read(wires, tuple(found))


def _names(circuit: QuantumCircuit) -> tuple[Qubit, ...]:
    placed = [circuit.find_bit(qubit).registers for qubit in circuit.qubits]
    names = [_name(*places[0]) if places else "" for places in placed]
    taken = set(names)
    return tuple([name or fresh(f"q{k}", taken) for k, name in enumerate(names)])


def _name(register: QuantumRegister, place: int) -> Qubit:
    return str(register.name) if register.size == 1 else f"{register.name}[{place}]"


#: operations, and a phase in half turns
Part = tuple[list[Operation], float]


def _read(gate: Any, wires: Sequence[Qubit], depth: int) -> Part:
    """Return the operations of one gate on these wires."""
    from qiskit.circuit import ControlledGate, Gate
    from qiskit.circuit.library import UGate

    if not isinstance(gate, Gate):
        raise ProgramError(f"{gate.name!r} is not a gate; only gates and measurements at the end can be read")
    for kind in type(gate).__mro__:
        if kind.__name__ in _RULES and kind.__module__.startswith("qiskit.circuit.library"):
            return _RULES[kind.__name__]([float(value) for value in gate.params], wires)
    if isinstance(gate, ControlledGate):
        count = gate.num_ctrl_qubits
        inner, phase = _read(gate.base_gate, wires[count:], depth)
        if isinstance(gate.base_gate, UGate) and len(gate.params) > 3:  # CU has the phase that U has not
            phase += float(gate.params[3]) / math.pi
        controls = {wire: gate.ctrl_state >> k & 1 for k, wire in enumerate(wires[:count])}
        return list(_under(controls, inner, phase)), 0.0
    return _defined(gate, wires, depth)


def _defined(gate: Any, wires: Sequence[Qubit], depth: int) -> Part:
    """Return a gate through its definition."""
    from qiskit.circuit import Barrier, Delay

    definition = gate.definition
    if definition is None or not depth:
        raise ProgramError(f"no engine has the gate {gate.name!r}: it has no definition")
    operations: list[Operation] = []
    phase = float(definition.global_phase) / math.pi
    for item in definition.data:
        if not isinstance(item.operation, Barrier | Delay):
            more, turn = _read(item.operation, [wires[definition.find_bit(q).index] for q in item.qubits], depth - 1)
            operations += more
            phase += turn
    return operations, phase


def _under(controls: dict[Qubit, int], inner: Sequence[Operation], phase: float) -> Iterator[Operation]:
    """Yield the operations where the controls hold; a frame that cancels needs no controls."""
    if len(inner) > 2 and inner[0].inverse() == inner[-1]:
        yield inner[0]
        yield from _under(controls, inner[1:-1], 0.0)
        yield inner[-1]
    else:
        yield from (operation.when(controls) for operation in inner)
    rest = dict(controls)
    while rest and phase % 2:
        wire, value = rest.popitem()
        yield z(wire, phase if value else -phase).when(rest)
        if value:
            break


def _u(theta: float, phi: float, lam: float, wire: Qubit) -> list[Operation]:
    return [z(wire, lam / math.pi), ry(wire, theta), z(wire, phi / math.pi)]


def _xx_plus_yy(p: Sequence[float], w: Sequence[Qubit]) -> Part:
    turn = p[1] / math.pi
    return [z(w[0], turn), iswap(w[0], w[1], -p[0] / math.pi), z(w[0], -turn)], 0.0


#: Qiskit library class -> function of its parameters and wires
_RULES: dict[str, Callable[[Sequence[float], Sequence[Qubit]], Part]] = {
    "IGate": lambda p, w: ([], 0.0),
    "XGate": lambda p, w: ([x(w[0])], 0.0),
    "YGate": lambda p, w: ([z(w[0]), x(w[0])], 0.5),
    "ZGate": lambda p, w: ([z(w[0])], 0.0),
    "HGate": lambda p, w: ([h(w[0])], 0.0),
    "SGate": lambda p, w: ([z(w[0], 0.5)], 0.0),
    "SdgGate": lambda p, w: ([z(w[0], -0.5)], 0.0),
    "TGate": lambda p, w: ([z(w[0], 0.25)], 0.0),
    "TdgGate": lambda p, w: ([z(w[0], -0.25)], 0.0),
    "SXGate": lambda p, w: ([x(w[0], 0.5)], 0.0),
    "SXdgGate": lambda p, w: ([x(w[0], -0.5)], 0.0),
    "PhaseGate": lambda p, w: ([z(w[0], p[0] / math.pi)], 0.0),
    "U1Gate": lambda p, w: ([z(w[0], p[0] / math.pi)], 0.0),
    "U2Gate": lambda p, w: (_u(math.pi / 2, p[0], p[1], w[0]), 0.0),
    "U3Gate": lambda p, w: (_u(p[0], p[1], p[2], w[0]), 0.0),
    "UGate": lambda p, w: (_u(p[0], p[1], p[2], w[0]), 0.0),
    "RXGate": lambda p, w: ([x(w[0], p[0] / math.pi)], -p[0] / 2 / math.pi),
    "RYGate": lambda p, w: ([ry(w[0], p[0])], 0.0),
    "RZGate": lambda p, w: ([rz(w[0], p[0])], 0.0),
    "RZZGate": lambda p, w: ([cnot(w[0], w[1]), rz(w[1], p[0]), cnot(w[0], w[1])], 0.0),
    "SwapGate": lambda p, w: ([swap(w[0], w[1])], 0.0),
    "iSwapGate": lambda p, w: ([iswap(w[0], w[1])], 0.0),
    "XXPlusYYGate": _xx_plus_yy,
    "GlobalPhaseGate": lambda p, w: ([], p[0] / math.pi),
}
