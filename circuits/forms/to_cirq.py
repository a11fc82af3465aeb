"""Export a program to Cirq, exactly: gates with phases, questions as measurements, branches as controls.

Cirq has no conditional measurement. So a question in a branch always measures a clean flag. The flag is computed
only where the branch is taken, and otherwise carries the answer's earlier value. The latest record under an
answer's name is always the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from qchess.circuits.forms.asking import Asked, asked, flips, literal, widths
from qchess.circuits.operations import Gate, Operation, Qubit, cnot, fresh, x
from qchess.circuits.program import Branch, Program, Question, ReadOut

if TYPE_CHECKING:
    import cirq

Conditions = tuple["cirq.Condition", ...]


def to_cirq(program: Program) -> cirq.Circuit:
    """Return the program as a ``cirq.Circuit`` on qubits of the same names.

    Answers are measurement keys; the k-th measured bit is bit k of the answer. A key measured in several branches has
    one record for each; the last one counts.

    >>> print(to_cirq(Program.parse("iswap^0.5 b1 a3")))
    a3: ───iSwap───────
           │
    b1: ───iSwap^0.5───
    """
    return _Writer(program).circuit


class _Writer:
    """Holds the circuit being written; `path` is the conditions of the surrounding branches."""

    def __init__(self, program: Program) -> None:
        import cirq

        self.cirq = cirq
        self.circuit = cirq.Circuit()
        self.widths = widths(program)
        taken = set(program.qubits)
        self.flags = {name: [fresh(f"?{name}", taken)] for name in self.widths}
        for step in asked(program):
            flags = self.flags[step.name]
            flags.extend(fresh(f"?{step.name}.{k}", taken) for k in range(len(flags), self.widths[step.name]))
        self.times: Counter[str] = Counter()
        self.write(program, ())

    def write(self, program: Program, path: Conditions) -> None:
        """Append the steps of a program, all under these conditions."""
        for step in program:
            if isinstance(step, Operation):
                self.operate([step], path)
            elif isinstance(step, Question | ReadOut):
                self.ask(step, path)
            elif isinstance(step, Branch):
                before = self.times[step.name] - 1
                for value, case in step.cases:
                    if 0 <= value < 2 ** self.widths[step.name]:
                        self.write(case, (*path, self.equals(step.name, before, value)))

    def operate(self, operations: Iterable[Operation], path: Conditions) -> None:
        """Append operations under the conditions."""
        for operation in operations:
            made = cirq_operation(operation)
            self.circuit.append(made.with_classical_controls(*path) if path else made)

    def equals(self, name: str, record: int, value: int) -> cirq.Condition:
        """Return the condition that this record has the value; Cirq reads the first bit as the highest."""
        key, wide = self.cirq.MeasurementKey(name), self.widths[name]
        number = sum(1 << (wide - 1 - k) for k in range(wide) if value >> k & 1)
        return self.cirq.BitMaskKeyCondition(key, record, target_value=number, equal_target=True)

    def has_bit(self, name: str, record: int, bit: int) -> cirq.Condition:
        """Return the condition that one bit of this record is 1."""
        mask = 1 << (self.widths[name] - 1 - bit)
        return self.cirq.BitMaskKeyCondition(self.cirq.MeasurementKey(name), record, bitmask=mask)

    def ask(self, step: Asked, path: Conditions) -> None:
        """Measure directly where possible, otherwise through flags that are cleaned again."""
        only = literal(step) if isinstance(step, Question) else None
        if not path and only:
            self.measure(step.name, (only[0],), (not only[1],))
        elif not path and isinstance(step, ReadOut):
            self.measure(step.name, step.qubits)
        else:
            before, flags = self.times[step.name] - 1, self.flags[step.name]
            self.compute(step, path, before)
            self.measure(step.name, flags)
            self.compute(step, path, before)

    def compute(self, step: Asked, path: Conditions, before: int) -> None:
        """Set the flags to the answer on this path and to the earlier record elsewhere; applied twice, it cancels."""
        flags = self.flags[step.name]
        if path and before >= 0:
            for k, flag in enumerate(flags):
                old = self.has_bit(step.name, before, k)
                self.operate([x(flag)], (old,))
                self.operate([x(flag)], (*path, old))
        if isinstance(step, Question):
            self.operate(flips(step.predicate, flags[0]), path)
        else:
            self.operate([cnot(q, flag) for q, flag in zip(step.qubits, flags, strict=True)], path)

    def measure(self, name: str, qubits: Iterable[Qubit], inverted: tuple[bool, ...] = ()) -> None:
        """Append one more record of the answer."""
        wires = [self.cirq.NamedQubit(q) for q in qubits]
        self.circuit.append(self.cirq.measure(*wires, key=name, invert_mask=inverted))
        self.times[name] += 1


def cirq_operation(operation: Operation) -> cirq.Operation:
    """Return the operation in Cirq, with exactly its matrix."""
    import cirq

    made = cirq_gate(operation.gate).on(*map(cirq.NamedQubit, operation.targets))
    if not operation.controls:
        return made
    controls = [cirq.NamedQubit(q) for q, _ in operation.controls]
    return made.controlled_by(*controls, control_values=[value for _, value in operation.controls])


def cirq_gate(gate: Gate) -> cirq.Gate:
    """Return the Cirq gate of the same matrix, without controls."""
    import cirq

    t = gate.parameter
    match gate.name:
        case "SWAP":
            return cirq.SWAP
        case "H":
            return cirq.H
        case "RY":
            return cirq.ry(t)
        case "RZ":
            return cirq.rz(t)
    return {"ISWAP": cirq.ISWAP, "X": cirq.X, "Z": cirq.Z}[gate.name] ** t
