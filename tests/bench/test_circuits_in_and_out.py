"""Circuits in and out of the benchmark: what an export declares, and what a stranger's folder or family becomes."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from qchess.__main__ import main
from qchess.bench.case import Case
from qchess.bench.corpus import families, listing
from qchess.bench.corpus.cases import cases
from qchess.bench.corpus.circuit import Circuit
from qchess.bench.corpus.exports import exported
from qchess.circuits.operations import h, x
from qchess.circuits.program import Program

DOCS = Path(__file__).parents[2] / "docs"
NATIVE = {"native": "small"}


# -- out ----------------------------------------------------------------------------------------------------


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


def test_the_five_lines_of_the_page_read_an_export_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(listing, "listed", listing.small_states)
    page = (DOCS / "bench_corpus.md").read_text(encoding="utf-8")
    (shell, code), *_ = re.findall(
        r"```sh\n(qchess bench corpus [^`]*)```\n+```python\n([^`]*Statevector[^`]*)```", page
    )
    assert len([line for line in code.splitlines() if line and "import" not in line]) == 5
    monkeypatch.chdir(tmp_path)
    assert main(shell.split()[1:]) == 0
    exec(compile(code, "the page", "exec"), {})
    file = next(tmp_path.rglob("*.2.qasm"))
    file.write_text(file.read_text().replace("h s0[0];", "x s0[0];", 1))
    with pytest.raises(AssertionError):
        exec(compile(code, "the page", "exec"), {})
