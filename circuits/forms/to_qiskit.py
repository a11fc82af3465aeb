"""Export a program to Qiskit, exactly: gates with phases, questions as measurements, branches as feed-forward.

Each qubit, flag and answer is a register of its own name, so Qiskit's drawings show the squares. The circuit's
``metadata`` lists the wires' names here. Qubit k of the circuit is ``program.qubits[k]``, so
``qiskit.quantum_info.Operator`` of the circuit equals `Program.unitary`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from qchess.circuits.forms.asking import asked, flips, literal, widths
from qchess.circuits.operations import Gate, Operation, Qubit, fresh
from qchess.circuits.program import Branch, Program, Question, ReadOut, Step

if TYPE_CHECKING:
    from qiskit import QuantumCircuit
    from qiskit.circuit import Clbit
    from qiskit.circuit import Gate as QiskitGate
    from qiskit.circuit import Qubit as Wire


def to_qiskit(program: Program) -> QuantumCircuit:
    """Return the program as a ``qiskit.QuantumCircuit`` with mid-circuit measurements and control flow.

    A question about more than one qubit is computed into a flag qubit ``?name``, measured and
    uncomputed. ``metadata["qubits"]`` names the wires in order, ``metadata["answers"]`` maps each
    answer to its classical register; bit k is bit k of the answer. Qiskit's texts have the last bit first.

    >>> to_qiskit(Program.parse("h a\\nask hit: a=1")).metadata
    {'qubits': ['a'], 'answers': {'hit': 'hit'}}
    """
    return _Writer(program).circuit


class _Writer:
    """Holds the circuit being written, with its wires by name."""

    def __init__(self, program: Program) -> None:
        from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

        taken = set(program.qubits)
        bits = widths(program)
        board = [QuantumRegister(1, qubit) for qubit in program.qubits]
        self.flags = {step.name: "" for step in asked(program) if isinstance(step, Question) and not literal(step)}
        for name in self.flags:
            self.flags[name] = fresh(f"?{name}", taken)
        self.answers = {name: ClassicalRegister(size, fresh(name, taken)) for name, size in bits.items()}
        flags = [QuantumRegister(1, name) for name in self.flags.values()]
        self.circuit: QuantumCircuit = QuantumCircuit(*board, *flags, *self.answers.values())
        names = (*program.qubits, *self.flags.values())
        self.circuit.metadata = {
            "qubits": list(names),
            "answers": {name: register.name for name, register in self.answers.items()},
        }
        self.wires: dict[Qubit, Wire] = dict(zip(names, self.circuit.qubits, strict=True))
        self.write(self.circuit, program)

    def write(self, circuit: QuantumCircuit, program: Program) -> None:
        """Append the steps of a program to the circuit or to the body of a branch."""
        for step in program:
            self.step(circuit, step)

    def step(self, circuit: QuantumCircuit, step: Step) -> None:
        """Append one step; a discard needs nothing."""
        if isinstance(step, Operation):
            for gate, wires in parts(step):
                circuit.append(gate, [self.wires[q] for q in wires])
        elif isinstance(step, Question):
            self.question(circuit, step)
        elif isinstance(step, ReadOut):
            circuit.measure([self.wires[q] for q in step.qubits], list(self.answers[step.name]))
        elif isinstance(step, Branch):
            self.branch(circuit, step)

    def question(self, circuit: QuantumCircuit, question: Question) -> None:
        """Measure the qubit asked about, or a flag that is 1 where the predicate holds."""
        bit: Clbit = self.answers[question.name][0]
        only = literal(question)
        qubit, value = only or (self.flags[question.name], 1)
        compute = () if only else flips(question.predicate, qubit)
        turn = Program(*compute) if value else Program(Operation(Gate("X"), (qubit,)))
        self.write(circuit, turn)
        circuit.measure(self.wires[qubit], bit)
        self.write(circuit, turn)

    def branch(self, circuit: QuantumCircuit, branch: Branch) -> None:
        """Append an ``if`` for one case, an ``if``-``else`` for both values of a bit, otherwise a ``switch``."""
        register = self.answers[branch.name]
        cases = {value: self.body(circuit, case) for value, case in branch.cases if 0 <= value < 2**register.size}
        qubits, bits = circuit.qubits, circuit.clbits
        if len(cases) == 1:
            [(value, body)] = cases.items()
            circuit.if_test((register, value), body, qubits, bits)
        elif register.size == 1 and cases:
            circuit.if_else((register, 1), cases[1], cases[0], qubits, bits)
        elif cases:
            circuit.switch(register, list(cases.items()), qubits, bits)

    def body(self, circuit: QuantumCircuit, case: Program) -> QuantumCircuit:
        """Return the case as a block over all wires and bits of the surrounding circuit."""
        block = circuit.copy_empty_like()
        block.metadata = {}
        self.write(block, case)
        return block


def parts(operation: Operation) -> list[tuple[QiskitGate, tuple[Qubit, ...]]]:
    """Return the operation as Qiskit gates with exactly its matrix; X^t is H Z^t H, with only Z^t controlled."""
    gate, targets = operation.gate, operation.targets
    if gate.name != "X" or gate.parameter in (1.0, 0.5):
        return [_controlled(_gate(gate), operation)]
    turn = (_gate(Gate("H")), targets)
    return [turn, _controlled(_gate(Gate("Z", gate.parameter)), operation), turn]


def _controlled(gate: QiskitGate, operation: Operation) -> tuple[QiskitGate, tuple[Qubit, ...]]:
    """Return the gate where the controls match; Qiskit puts controls first and reads their values as one number."""
    controls = operation.controls
    if not controls:
        return gate, operation.targets
    state = sum(1 << k for k, (_, value) in enumerate(controls) if value)
    controlled = gate.control(len(controls), ctrl_state=state, annotated=False)
    return controlled, (*(q for q, _ in controls), *operation.targets)


def _gate(gate: Gate) -> QiskitGate:
    """Return the Qiskit gate of the same matrix, without controls."""
    from qiskit.circuit import library

    t = gate.parameter
    match gate.name:
        case "ISWAP":
            return library.iSwapGate() if t == 1.0 else library.XXPlusYYGate(-math.pi * t, 0)
        case "SWAP":
            return library.SwapGate()
        case "H":
            return library.HGate()
        case "RY":
            return library.RYGate(t)
        case "RZ":
            return library.RZGate(t)
        case "X":
            return library.XGate() if t == 1.0 else library.SXGate()
    return library.ZGate() if t == 1.0 else library.PhaseGate(math.pi * t)
