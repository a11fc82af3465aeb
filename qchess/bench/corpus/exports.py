"""A case in the forms that others read; all begin with every wire in 0 and make those full that start so.

    text      the program in its line form
    qasm2     OpenQASM 2, in h, x, s, sdg, rz and cx
    qasm3     OpenQASM 3, in the same gates
    cirq      Cirq's JSON, of native gates
    qiskit    Qiskit's QPY, of native gates

Post-selection is in none of them: a comment or the case's own file says which wires are flags.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from qchess.bench.case import Case
from qchess.circuits.operations import x
from qchess.circuits.program import Program
from qchess.errors import InvalidMoveError

#: form -> how its files end
ENDINGS = {"text": "txt", "qasm2": "2.qasm", "qasm3": "3.qasm", "cirq": "cirq.json", "qiskit": "qpy"}


def whole(case: Case) -> Program:
    """The case's program from |0...0>."""
    return Program(*(x(q) for q in case.wires if q in case.full), case.program)


def exported(case: Case, form: str) -> bytes:
    """The case in a form, as a file holds it."""
    makers: dict[str, Callable[[Program], bytes]] = {
        "text": lambda program: f"{program.text()}\n".encode(),
        "qasm2": lambda program: program.qasm(2).encode(),
        "qasm3": lambda program: program.qasm(3).encode(),
        "cirq": _cirq,
        "qiskit": _qiskit,
    }
    if form not in makers:
        raise InvalidMoveError(f"a case is exported as one of {', '.join(makers)}, got {form!r}")
    return makers[form](whole(case))


def _cirq(program: Program) -> bytes:
    import cirq

    written: Any = cirq.to_json(program.to_cirq())
    return str(written).encode()


def _qiskit(program: Program) -> bytes:
    from qiskit import qpy

    file = io.BytesIO()
    qpy.dump(program.to_qiskit(), file)
    return file.getvalue()
