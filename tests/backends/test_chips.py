"""What a calibration does not tell is worse than what it tells, and all vendors' errors of gates mean the same."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from qchess.backends.devices.chips import UNKNOWN
from qchess.backends.devices.targets import TargetCompiler, chip_of
from qchess.circuits import Program, cnot, h, read

GOOGLE = "cirq-google is not installed: pip install 'qchess[google]'"
LADDER = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7), (0, 4), (1, 5), (2, 6), (3, 7)]


def chain(size: int) -> Program:
    """A piece in so many places, more or less: each qubit is tied to the next."""
    names = [f"q{k}" for k in range(size)]
    return Program(h("q0"), *(cnot(a, b) for a, b in pairwise(names)), read("r", *names))


def ladder(seed: int) -> Any:
    """The target of two rows of four qubits with errors that a generator drew."""
    from qiskit.providers.fake_provider import GenericBackendV2

    edges = [[a, b] for pair in LADDER for a, b in (pair, pair[::-1])]
    return GenericBackendV2(8, ["rz", "sx", "x", "cz"], coupling_map=edges, seed=seed).target


def forget(target: Any, name: str, *places: tuple[int, ...]) -> None:
    """Leaves the error of an operation out at these places, or at all."""
    from qiskit.transpiler import InstructionProperties

    for where in places or tuple(target[name]):
        target.update_instruction_properties(name, where, InstructionProperties(target[name][where].duration, None))


def test_a_circuit_takes_its_longest_way_through_the_durations_of_the_target() -> None:
    """Qiskit's own estimate, of the circuit as it was compiled; without one of its durations nothing is said."""
    from qiskit.transpiler import InstructionProperties

    target = ladder(0)
    compiler = TargetCompiler(target)
    for size in (2, 5):
        made = compiler.compile(chain(size)).circuit
        assert compiler.seconds(chain(size)) == pytest.approx(made.estimate_duration(target))
    for where in target["cz"]:
        target.update_instruction_properties("cz", where, InstructionProperties(None, 0.01))
    assert TargetCompiler(target).seconds(chain(2)) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["measure", "sx"])
@pytest.mark.parametrize("seed", range(3))
def test_a_qubit_whose_error_is_not_told_is_left_for_those_that_are_told(seed: int, name: str) -> None:
    target, circuit = ladder(seed), chain(3)
    best = TargetCompiler(target).compile(circuit)
    for qubit in best.qubits:
        forget(target, name, (qubit,))
    compiler = TargetCompiler(target)
    placed = compiler.compile(circuit)
    assert set(placed.qubits).isdisjoint(best.qubits)
    assert placed.fidelity == pytest.approx(TargetCompiler(ladder(seed)).chip.expected(_gates(placed, target)))
    assert compiler.chip.banned == set(best.qubits)
    assert TargetCompiler(target).compile(chain(8)).fidelity < 0.5**3  # there are no others


def _gates(placed: Any, target: Any) -> Any:
    from qchess.backends.devices import targets

    return targets._gates(placed.circuit, target)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_pair_whose_error_is_not_told_is_left_for_those_that_are_told(seed: int) -> None:
    target, circuit = ladder(seed), chain(4)
    best = TargetCompiler(target).compile(circuit)
    pairs = {frozenset(pair) for pair in best.pairs}
    for pair in pairs:
        forget(target, "cz", *(where for where in target["cz"] if set(where) == pair))
    placed = TargetCompiler(target).compile(circuit)
    assert pairs.isdisjoint(map(frozenset, placed.pairs))
    assert placed.fidelity > 0.7


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [("measure",), ("sx", "x"), ("cz",), ("measure", "sx", "x", "cz")])
def test_a_kind_of_error_that_is_told_of_nobody_bans_nobody(kinds: tuple[str, ...]) -> None:
    target = ladder(0)
    for name in kinds:
        forget(target, name)
    compiler = TargetCompiler(target)
    assert not compiler.chip.banned
    assert compiler.compile(chain(4)).fidelity > TargetCompiler(ladder(0)).compile(chain(4)).fidelity
    assert len(compiler.compile(chain(8)).qubits) == 8


def test_an_operation_without_errors_does_not_hide_those_of_another() -> None:
    from qiskit.circuit.library import CXGate, SXdgGate

    plain, target = chip_of(ladder(1), None), ladder(1)
    target.add_instruction(CXGate(), dict.fromkeys(target["cz"]))
    target.add_instruction(SXdgGate(), dict.fromkeys(target["sx"]))
    assert chip_of(target, None) == plain


def test_a_second_kind_of_reading_is_no_gate() -> None:
    from qiskit.circuit import Measure
    from qiskit.transpiler import InstructionProperties

    plain, target = chip_of(ladder(1), None), ladder(1)  # IBM's Heron r2 and r3 have such an operation
    target.add_instruction(Measure(), {(q,): InstructionProperties(error=0.3) for q in range(8)}, name="measure_2")
    assert chip_of(target, None) == plain


def test_a_qubit_that_cannot_be_read_or_a_pair_that_only_another_gate_has_is_unknown() -> None:
    from qiskit.circuit.library import CXGate

    target = ladder(2)
    target.add_instruction(CXGate(), {(0, 7): None})
    chip = chip_of(target, None)
    assert chip.pairs[0, 7] == chip.pairs[7, 0] == UNKNOWN
    assert 7 not in chip.neighbours(0)


# -- Google ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def willow() -> tuple[Any, Any]:
    pytest.importorskip("cirq_google", reason=GOOGLE)
    from qchess.backends.google import vendor

    return vendor.virtual("willow_pink")


@pytest.mark.slow
def test_pauli_errors_of_google_become_averages_over_all_states(willow: tuple[Any, Any]) -> None:
    import cirq

    from qchess.backends.google.compiling import chip_of

    device, figures = willow
    chip = chip_of(device.metadata.nx_graph, figures, "cz", None)
    for what, pauli in figures.gate_pauli_errors.items():
        if what.gate_type not in (cirq.CZPowGate, cirq.PhasedXZGate):
            continue
        size = 2 ** len(what.qubits)
        # Nielsen, quant-ph/0205035: the average fidelity of a channel is (sum |tr K|^2 + d) / (d^2 + d)
        traces = sum(abs(np.trace(k)) ** 2 for k in cirq.kraus(cirq.depolarize(pauli, len(what.qubits))))
        assert chip.error(what.qubits) == pytest.approx(1 - (traces + size) / (size**2 + size))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["read-out", "PhasedXZGate", "CZPowGate"])
def test_what_a_calibration_of_google_leaves_out_is_left_for_what_it_tells(willow: tuple[Any, Any], kind: str) -> None:
    from qchess.backends.google.compiling import DeviceCompiler

    device, figures = willow
    best, told = DeviceCompiler(device, figures).compile(chain(3)), copy.copy(figures)
    if kind == "read-out":
        told.readout_errors = {q: e for q, e in figures.readout_errors.items() if q not in best.spots}
    else:
        told.gate_pauli_errors = {
            what: e for what, e in figures.gate_pauli_errors.items()
            if what.gate_type.__name__ != kind or not set(what.qubits) <= set(best.spots)
        }  # fmt: skip
    placed = DeviceCompiler(device, told).compile(chain(3))
    if kind == "CZPowGate":
        assert set(map(frozenset, placed.pairs)).isdisjoint(map(frozenset, best.pairs))
    else:
        assert set(placed.spots).isdisjoint(best.spots)
    assert placed.fidelity > 0.7


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["read-out", "PhasedXZGate", "CZPowGate"])
def test_what_a_calibration_of_google_tells_of_nobody_bans_nobody(willow: tuple[Any, Any], kind: str) -> None:
    from qchess.backends.google.compiling import DeviceCompiler

    device, figures = willow
    told = copy.copy(figures)
    if kind == "read-out":
        told.readout_errors = {}
    else:
        told.gate_pauli_errors = {what: e for what, e in figures.gate_pauli_errors.items()
                                  if what.gate_type.__name__ != kind}  # fmt: skip
    compiler = DeviceCompiler(device, told)
    assert not compiler.chip.banned
    assert max(compiler.chip.pairs.values()) < UNKNOWN
    assert compiler.compile(chain(4)).fidelity > 0.5


@pytest.mark.parametrize("exponent", [0.5, 0.3, 1.0])
def test_a_split_takes_two_fractional_gates_as_it_takes_two_others(exponent: float) -> None:
    from qiskit import QuantumCircuit, transpile
    from qiskit.circuit.library import XXPlusYYGate

    circuit = QuantumCircuit(2)
    circuit.append(XXPlusYYGate(-np.pi * exponent), [0, 1])
    for basis in (["rzz", "rx", "rz", "sx", "x"], ["cz", "rz", "sx", "x"]):
        made = transpile(circuit, basis_gates=basis, optimization_level=3, seed_transpiler=1)
        assert made.count_ops()[basis[0]] == 2


@pytest.mark.slow
def test_the_fake_with_fractional_gates_tells_no_smaller_errors_for_them() -> None:
    pytest.importorskip("qiskit_ibm_runtime", reason="qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'")
    from qchess.backends.ibm import vendor

    target = vendor.fake("fractional").target
    assert {on: told.error for on, told in target["rx"].items()} == {
        on: told.error for on, told in target["sx"].items()
    }
