"""Many controls without ancillas."""

from __future__ import annotations

import numpy as np
import pytest

from qchess.circuits.compiling.bare import without_ancillas
from qchess.circuits.compiling.compiler import compile_program
from qchess.circuits.operations import Operation, h, iswap, ry, rz, swap, x, z
from qchess.circuits.program import Branch, Program, when
from qchess.circuits.unitary import unitary

GATES = [
    x("p"), x("p", 0.3), z("p"), z("p", 0.7), h("p"), ry("p", 0.4), rz("p", 1.1), swap("p", "q"), iswap("p", "q"),
    iswap("p", "q", -0.6),
]  # fmt: skip


def on(program: Program, like: Program) -> np.ndarray:
    """The matrix of a program over the qubits of another one, in their order."""
    return np.asarray(unitary(Program(*(z(q, 0.0) for q in like.qubits), *program)))


@pytest.mark.parametrize("spare", [0, 1])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
@pytest.mark.parametrize("gate", GATES, ids=str)
def test_any_gate_under_many_controls_keeps_its_matrix_and_takes_no_wire(gate: Operation, count: int, spare: int):
    operation = gate.when({f"c{k}": k % 3 % 2 for k in range(count)})
    program = Program(operation, *(h(f"s{k}") for k in range(spare)))
    compiled = compile_program(without_ancillas(program), level="exact")
    assert compiled.ancillas == ()
    assert np.abs(on(compiled.program, program) - on(program, program)).max() < 1e-12


def test_what_has_few_controls_stays_as_it_is():
    program = Program(h("a"), iswap("a", "b", 0.5).when(c=0), z("a"))
    assert without_ancillas(program) == program


def test_cases_of_a_branch_may_borrow_any_wire_of_the_program():
    deep = x("t").when(a=1, b=1, c=1)
    program = Program.parse("h s\nread m: s") + Program(when("m", {1: Program(deep)}))
    written = without_ancillas(program)
    assert compile_program(written, level="exact").ancillas == ()
    case = next(case for step in written if isinstance(step, Branch) for _, case in step.cases)
    assert set(case.qubits) > set(deep.qubits)
    assert np.abs(on(case, program) - on(Program(deep), program)).max() < 1e-12
