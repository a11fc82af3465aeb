"""A case in the forms that others read; all begin with every wire in 0 and make those full that start so.

    text      the program in its line form
    qasm2     OpenQASM 2, in h, x, s, sdg, rz and cx
    qasm3     OpenQASM 3, in the same gates
    cirq      Cirq's JSON, of native gates
    qiskit    Qiskit's QPY, of native gates

All but the first declare the case's wires in their order, also those that nothing touches. Ancillas are there only
where a question is asked of several qubits at once, behind the wires. Post-selection is in none of them: a comment or
the case's own file says which wires are flags.
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

#: form -> how its files end
ENDINGS = {"text": "txt", "qasm2": "2.qasm", "qasm3": "3.qasm", "cirq": "cirq.json", "qiskit": "qpy"}


def whole(case: Case) -> Program:
    """The case's program from |0...0>."""
    return Program(*(x(q) for q in case.wires if q in case.full), case.program)


def exported(case: Case, form: str) -> bytes:
    """The case in a form, as a file holds it."""
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
    """A first moment of identities holds the wires in their order; Cirq knows no other wires than those of gates."""
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
