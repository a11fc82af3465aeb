"""What the exported forms of a case declare."""

from __future__ import annotations

import io

import pytest

from qchess.bench.case import Case
from qchess.bench.corpus import families
from qchess.bench.corpus.cases import cases
from qchess.bench.corpus.circuit import Circuit
from qchess.bench.corpus.exports import exported
from qchess.circuits.operations import h, x
from qchess.circuits.program import Program

NATIVE = {"native": "small"}


def many_controls() -> Case:
    """Wires that are declared against the order of their use, one that nothing touches, and many controls."""
    program = Program(h("b"), h("a"), h("c"), x("last").when(a=1, b=0, c=1))
    (case,) = cases(Circuit("many", "many", program, declared=("last", "idle", "c", "b", "a")), NATIVE)
    return case


@pytest.mark.parametrize("case", [many_controls(), *cases(families.linked_slides(2), NATIVE)], ids=lambda c: c.name)
@pytest.mark.parametrize(("form", "word"), [("qasm2", "qreg {}[1];"), ("qasm3", "qubit[1] {};")])
def test_an_export_declares_the_wires_in_their_order_and_no_ancilla(case: Case, form: str, word: str) -> None:
    lines = exported(case, form).decode().splitlines()
    assert [line for line in lines if line.startswith(word.split("{")[0])] == [word.format(q) for q in case.wires]


def test_exports_to_qiskit_and_cirq_hold_the_wires_in_their_order() -> None:
    import cirq
    from qiskit import qpy
    from qiskit.quantum_info import Statevector

    case = many_controls()
    (circuit,) = qpy.load(io.BytesIO(exported(case, "qiskit")))
    assert circuit.metadata["qubits"] == list(case.wires)
    found = Statevector(circuit.reverse_bits()).data
    read = cirq.read_json(json_text=exported(case, "cirq").decode())
    order = [operation.qubits[0] for operation in read[0]]
    assert [str(q) for q in order] == list(case.wires)
    for state in (found, read.final_state_vector(qubit_order=order, dtype=complex)):
        for key in range(32):
            assert state[key] == pytest.approx(case.reference.get(key, 0), abs=1e-7)
