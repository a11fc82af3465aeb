"""A case in the file formats of others; all begin with every wire in 0 and flip those that start in 1.

    text      the program in its line form
    qasm2     OpenQASM 2, in h, x, s, sdg, rz and cx
    qasm3     OpenQASM 3, in the same gates
    cirq      Cirq's JSON, of native gates
    qiskit    Qiskit's QPY, of native gates

All but the first declare the case's wires in order, including unused ones. Ancillas occur only for a question about
several qubits, after the wires. None has post-selection: a comment or the case's file says which wires are flags.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

from qchess.bench.case import Case
from qchess.circuits.forms.qasm import qasm
from qchess.circuits.operations import Qubit, fresh, x
from qchess.circuits.program import Program
from qchess.errors import InvalidMoveError

#: format -> file extension
ENDINGS = {"text": "txt", "qasm2": "2.qasm", "qasm3": "3.qasm", "cirq": "cirq.json", "qiskit": "qpy"}


def whole(case: Case) -> Program:
    """Return the case's program from |0...0>."""
    return Program(*(x(q) for q in case.wires if q in case.full), case.program)


def exported(case: Case, form: str) -> bytes:
    """Return the case in a format, as bytes of a file."""
    makers: dict[str, Callable[[Program, Sequence[Qubit]], bytes]] = {
        "text": lambda program, wires: f"{program.text()}\n".encode(),
        "qasm2": lambda program, wires: qasm(program, 2, wires, ancillas=False).encode(),
        "qasm3": lambda program, wires: qasm(program, 3, wires, ancillas=False).encode(),
        "cirq": _cirq,
        "qiskit": _qiskit,
    }
    if form not in makers:
        raise InvalidMoveError(f"a case is exported as one of {', '.join(makers)}, got {form!r}")
    return makers[form](whole(case), case.wires)


def _cirq(program: Program, wires: Sequence[Qubit]) -> bytes:
    """Return Cirq's JSON; a first moment of identities keeps the order of the wires and the unused ones."""
    import cirq

    names = cirq.Moment(cirq.I(cirq.NamedQubit(q)) for q in wires)
    written: Any = cirq.to_json(cirq.Circuit(names) + program.to_cirq())
    return str(written).encode()


def _qiskit(program: Program, wires: Sequence[Qubit]) -> bytes:
    from qiskit import QuantumCircuit, QuantumRegister, qpy

    made = program.to_qiskit()
    names = made.metadata["qubits"]
    order = [*wires, *(q for q in names if q not in wires)]
    register = QuantumRegister(len(order), fresh("board", set(order)))
    whole = QuantumCircuit(register, *made.cregs, metadata={**made.metadata, "qubits": order})
    whole.compose(made, [order.index(q) for q in names], made.clbits, inplace=True)
    file = io.BytesIO()
    qpy.dump(whole, file)
    return file.getvalue()
