"""Circuits of Qiskit, read as programs."""

from __future__ import annotations

import random

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit.library import get_standard_gate_name_mapping
from qiskit.quantum_info import Operator

from qchess.circuits.forms.from_qiskit import UnreadableError, from_qiskit
from qchess.circuits.operations import cnot, h, x, z
from qchess.circuits.program import Program
from qchess.circuits.unitary import unitary

GATES = {
    name: gate
    for name, gate in get_standard_gate_name_mapping().items()
    if isinstance(gate, Gate) and name != "global_phase"
}


def distance(circuit: QuantumCircuit) -> float:
    """How far what was read is from the circuit's own matrix, up to a phase."""
    read = from_qiskit(circuit)
    matrix = np.asarray(unitary(Program(*(z(q, 0.0) for q in read.wires), *read.operations)))
    own = np.asarray(Operator(circuit).data)
    turn = np.vdot(own, matrix) / len(own)
    return float(np.abs(matrix - turn * own).max())


@pytest.mark.parametrize("controls", range(3))
@pytest.mark.parametrize("name", sorted(GATES))
def test_each_gate_of_the_library_has_its_matrix_under_any_controls(name: str, controls: int):
    dice = random.Random(name)
    gate = GATES[name]
    if gate.params:
        gate = type(gate)(*(dice.uniform(-3, 3) for _ in gate.params))
    for state in range(2**controls):
        held = gate.control(controls, ctrl_state=state, annotated=False) if controls else gate
        circuit = QuantumCircuit(held.num_qubits)
        circuit.append(held, dice.sample(range(held.num_qubits), held.num_qubits))
        assert distance(circuit) < 1e-9, state


def test_a_gate_of_ones_own_is_read_as_it_is_defined_whatever_its_name():
    body = QuantumCircuit(2, name="own", global_phase=0.7)
    body.cx(0, 1)
    body.ry(0.3, 1)
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.append(body.to_gate().control(1), [0, 2, 1])
    assert distance(circuit) < 1e-12
    assert cnot("q[2]", "q[1]").when({"q[0]": 1}) in from_qiskit(circuit).operations
    other = QuantumCircuit(1, name="h")
    other.x(0)
    circuit.append(other.to_gate(), [0])
    assert from_qiskit(circuit).operations[-1] == x("q[0]")


def test_measurements_at_the_end_and_resets_at_the_start_are_left_out():
    circuit = QuantumCircuit(2, 2)
    circuit.reset(0)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.h(1)
    circuit.measure(1, 1)
    assert from_qiskit(circuit).operations == [h("q[0]"), h("q[1]")]


def test_what_is_no_gate_is_refused_by_its_place():
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    later = circuit.copy()
    later.cx(0, 1)
    with pytest.raises(UnreadableError, match=r"q\[0\] is measured, and 'cx' acts on it after that") as found:
        from_qiskit(later)
    assert found.value.place == 2
    circuit.h(1)
    circuit.reset(1)
    with pytest.raises(UnreadableError, match="'reset' is not a gate"):
        from_qiskit(circuit)
