"""What a fault does to the shots with the right number of pieces is worked out, and a place is chosen by it."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import undetected
from benchmarks.undetected import aware, flipping, moved, two_pieces
from qchess.backends.devices.chips import Chip, places
from qchess.backends.devices.faults import Faults, Step, faults_in, faults_of
from qchess.backends.devices.targets import VIRTUAL, Placed, TargetCompiler
from qchess.circuits import Program, ask, cnot, full, h, read, ry, slide, split, x
from qchess.circuits.compiling.compiler import compile_program
from tests.long import one_in

IBM = "qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'"


def faults(program: Program) -> Faults:
    found = faults_of(program.to_qiskit())
    assert found is not None
    return found


def pair_shares(found: Faults) -> list[float]:
    """The shares of the two-qubit gates, without the factor 1 + 1/4."""
    return [share / 1.25 for on, share in found.gates if len(on) == 2]


# -- shares ------------------------------------------------------------------------------------------------


def test_no_fault_of_a_split_piece_stays_unseen() -> None:
    # of (01 + 10)/sqrt 2 every X on one side changes the number, X on both exchanges the halves, Z turns a phase
    found = faults(Program(x("b"), h("a"), cnot("a", "b"), read("r", "a", "b")))
    assert pair_shares(found) == pytest.approx([0])
    assert found.readings[0, 1] == pytest.approx(0)  # both read wrongly: the other half
    assert found.readings[0,] == found.readings[1,] == pytest.approx(0)


def test_a_link_that_is_copied_further_hides_its_faults_and_two_copies_of_one_square_do_not() -> None:
    # a piece on p or q, a second on t where p is empty, else on s. X or Y on t alone (4 of 15 Paulis) leaves one piece
    # on t or s if s is made from t, and two or none if s is made from p
    first = Program(x("q"), x("t"), h("p"), cnot("p", "q"), cnot("p", "t"))
    end = read("r", "p", "q", "s", "t")
    chain = first + Program(x("s"), cnot("t", "s"), end)
    star = first + Program(cnot("p", "s"), end)
    assert pair_shares(faults(chain)) == pytest.approx([0, 4 / 15, 4 / 15])
    assert pair_shares(faults(star)) == pytest.approx([0, 0, 0])


def test_a_slide_of_a_full_piece_past_a_half_one_hides_no_fault() -> None:
    moves = split("q0", "q1", "q2") + slide("q3", "q4", ("q2",)) + Program(read("r", "q1", "q2", "q3", "q4"))
    shares = pair_shares(faults(aware(moves, ("q0", "q3"))))
    assert shares == pytest.approx([0, 0, 0])


def test_a_bit_read_wrongly_is_unseen_where_both_numbers_of_pieces_are_possible() -> None:
    # 0 with the chance 3/4, 1 with 1/4: exchanged, the odds are off by 1/2
    program = Program(ry("a", 2 * 0.5235987755982988), read("r", "a"))
    assert faults(program).readings[0,] == pytest.approx(0.5)


def test_what_is_no_gates_and_then_one_reading_is_not_worked_out() -> None:
    assert faults_of(Program(h("a"), ask("m", full("a")), h("a"), read("r", "a")).to_qiskit()) is None
    wide = Program(*(h(f"q{k}") for k in range(20)), read("r", *(f"q{k}" for k in range(20))))
    assert faults_of(wide.to_qiskit()) is None
    assert faults_of(Program(read("r", *(f"q{k}" for k in range(100)))).to_qiskit()) is None


@pytest.mark.parametrize("lies", [0.0, 0.02])
def test_the_undetected_error_is_that_of_a_noisy_simulation(lies: float) -> None:
    from qiskit_aer import AerSimulator
    from qiskit_aer.noise import NoiseModel, depolarizing_error

    circuit = aware(two_pieces(), ("q0", "q3")).to_qiskit()
    found, error = faults_of(circuit), 1e-6
    assert found is not None
    # a depolarizing channel of parameter p has the average error p/2 on one qubit and 3p/4 on two
    model = NoiseModel(basis_gates=["h", "x", "ry", "rz", "p", "cz", "cx", "z", "s", "sdg"])
    model.add_all_qubit_quantum_error(depolarizing_error(2 * error, 1), ["h", "x", "ry", "rz", "p", "z", "s", "sdg"])
    model.add_all_qubit_quantum_error(depolarizing_error(4 * error / 3, 2), ["cz", "cx"])
    rng = random.Random(5)
    flips = {q: (lies * rng.random(), 3 * lies * rng.random()) for q in range(6)}
    exact = odds_of(circuit, AerSimulator(method="density_matrix"))
    noisy = odds_of(circuit, AerSimulator(method="density_matrix", noise_model=model), flips)
    alike = Chip({(a, b): error for a in range(6) for b in range(6)}, dict.fromkeys(range(6), 0.0),
                 dict.fromkeys(range(6), error), flips=flips)  # fmt: skip
    assert moved(exact, noisy) == pytest.approx(found.undetected(alike, {k: k for k in range(6)}), rel=1e-3)


def odds_of(
    circuit: Any, simulator: Any, flips: Mapping[int, tuple[float, float]] | None = None
) -> dict[int, float]:  # fmt: skip
    """The odds of what a simulator of density matrices reads, where each qubit is read wrongly so often."""
    copy = circuit.remove_final_measurements(inplace=False)
    read = [circuit.find_bit(one.qubits[0]).index for one in circuit.data if one.operation.name == "measure"]
    for qubit, (zero, one) in (flips or {}).items():
        copy.append(flipping(zero, one), [qubit])
    copy.save_probabilities_dict(read)
    found: Mapping[int, float] = simulator.run(copy).result().data()["probabilities"]
    return dict(found)


def test_a_full_square_that_is_read_as_empty_is_as_bad_as_what_it_favours() -> None:
    # of (01 + 10)/sqrt 2 the half on b is lost with the chance 0.1, that on a never: 0.5 to 0.45, or 1/1.9 to 0.9/1.9
    found = faults(Program(x("b"), h("a"), cnot("a", "b"), read("r", "a", "b")))
    chip = Chip({(0, 1): 0.0, (1, 0): 0.0}, {0: 0.0, 1: 0.05}, {0: 0.0, 1: 0.0}, flips={1: (0.0, 0.1)})
    assert found.undetected(chip, {0: 0, 1: 1}) == pytest.approx(1 / 1.9 - 0.5)
    assert found.undetected(replace(chip, flips={}), {0: 0, 1: 1}) == pytest.approx(0)  # either half as often
    alike = replace(chip, flips=dict.fromkeys((0, 1), (0.0, 0.1)))
    assert found.undetected(alike, {0: 0, 1: 1}) == pytest.approx(0)


def test_the_half_whose_qubit_loses_its_excitation_sooner_is_kept_less_often() -> None:
    # of (01 + 10)/sqrt 2 a tenth of the half on a is lost until it is read, and a twentieth of the half on b
    found = faults(Program(x("b"), h("a"), cnot("a", "b"), read("r", "a", "b")))
    at = {qubit: found.wires[k] for k, qubit in enumerate(Program(x("b"), h("a")).qubits)}
    chip = Chip({(0, 1): 0.0, (1, 0): 0.0}, {0: 0.0, 1: 0.0}, {0: 0.0, 1: 0.0}, {at["a"]: 1.0, at["b"]: 2.0})
    spans = [(0.0, 0.0)] * 3 + [(0.1, 0.2)] * 2
    assert found.undetected(chip, {0: 0, 1: 1}, spans) == pytest.approx(0.475 / 0.925 - 0.5)
    assert found.undetected(chip, {0: 0, 1: 1}) == pytest.approx(0)


@pytest.mark.parametrize("seed", range(4))
def test_the_cost_of_a_place_is_no_less_than_the_error_that_stays_unseen(seed: int) -> None:
    found, rng = faults(aware(two_pieces(), ("q0", "q3"))), random.Random(seed)
    pairs = {(a, b): 1e-4 * rng.random() for a in range(6) for b in range(6)}
    single = [{q: 1e-4 * rng.random() for q in range(6)} for _ in range(2)]
    chip, place = Chip(pairs, single[0], single[1]), {k: k for k in range(6)}
    assert 0 < found.undetected(chip, place) < 1.01 * found.cost(chip, place)


# -- places ------------------------------------------------------------------------------------------------


def fork_of(chip_size: int, rng: random.Random, edges: list[tuple[int, int]]) -> Chip[int]:
    pairs = {pair: error for a, b in edges for error in [rng.uniform(0.002, 0.02)] for pair in ((a, b), (b, a))}
    return Chip(pairs, {q: rng.uniform(0.005, 0.05) for q in range(chip_size)}, dict.fromkeys(range(chip_size), 3e-4))


EDGES = [(0, 1), (1, 2), (2, 3), (3, 4), (1, 5), (5, 6), (3, 7), (7, 8), (4, 8)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_place_that_is_found_is_the_best_of_all(seed: int) -> None:
    found, chip = faults(aware(two_pieces(), ("q0", "q3"))), fork_of(9, random.Random(seed), EDGES)
    wired = {on for on, _ in found.gates if len(on) == 2}

    def fits(place: Mapping[int, int]) -> bool:
        return all((place[a], place[b]) in chip.pairs for a, b in wired)

    everywhere = (dict(zip(found.wires, spots, strict=True)) for spots in permutations(range(9), len(found.wires)))
    best = min(found.cost(chip, place) for place in everywhere if fits(place))
    place, *_ = places(chip, found, least=0.0, count=3)
    assert fits(place)
    assert found.cost(chip, place) == pytest.approx(best)


def test_a_place_that_is_less_faithful_than_asked_or_not_to_be_used_is_not_found() -> None:
    found, chip = faults(aware(two_pieces(), ("q0", "q3"))), fork_of(9, random.Random(0), EDGES)
    assert not places(chip, found, least=0.999, count=3)
    for place in places(chip.without([5]), found, least=0.0, count=3):
        assert 5 not in place.values()
    assert not places(chip.without([1, 3]), found, least=0.0, count=3)  # no qubit has three neighbours any more


# -- on a target -----------------------------------------------------------------------------------------------


def line_and_fork(worse: float) -> TargetCompiler:
    """The compiler of a line of six good qubits and a fork of six more, whose gates fail so much more often."""
    from qiskit.circuit import Measure, Parameter
    from qiskit.circuit.library import CZGate, RZGate, SXGate, XGate
    from qiskit.transpiler import InstructionProperties, Target

    target = Target(num_qubits=12)
    alone = {(q,): InstructionProperties(error=1e-4, duration=1e-8) for q in range(12)}
    for gate in (SXGate(), XGate()):
        target.add_instruction(gate, alone)
    target.add_instruction(RZGate(Parameter("a")), {(q,): InstructionProperties(error=0.0) for q in range(12)})
    target.add_instruction(Measure(), {(q,): InstructionProperties(error=0.01) for q in range(12)})
    line, fork = [(k, k + 1) for k in range(5)], [(6, 7), (7, 8), (8, 9), (7, 10), (9, 11)]
    errors = [(pair, 0.005) for pair in line] + [(pair, 0.005 * worse) for pair in fork]
    both = {way: InstructionProperties(error=e, duration=1e-7) for pair, e in errors for way in (pair, pair[::-1])}
    target.add_instruction(CZGate(), both)
    return TargetCompiler(target)


@pytest.mark.parametrize(("worse", "gates"), [(1.0, 5), (1.05, 5), (9.0, 6)])
def test_a_forked_circuit_goes_where_the_chip_forks_unless_a_swap_costs_less(worse: float, gates: int) -> None:
    compiler, circuit = line_and_fork(worse), aware(two_pieces(), ("q0", "q3"))
    placed = compiler.compile(circuit)
    assert placed.two_qubit_gates == gates
    assert placed.fidelity >= compiler.default(circuit).fidelity


@pytest.mark.slow
def test_a_circuit_moves_to_where_its_errors_show_and_loses_no_fidelity_by_that() -> None:
    from qiskit.providers.fake_provider import GenericBackendV2

    circuit, edges = aware(two_pieces(), ("q0", "q3")), [[a, b] for pair in EDGES for a, b in (pair, pair[::-1])]
    better = []
    for seed in range(5):
        target = GenericBackendV2(9, ["rz", "sx", "x", "cz"], coupling_map=edges, seed=seed).target
        compiler = TargetCompiler(target)
        placed, default = compiler.compile(circuit), compiler.default(circuit)
        best = max([default, *compiler._patched(default.made)], key=lambda one: one.fidelity)
        assert placed.fidelity >= best.fidelity
        assert placed.two_qubit_gates == 5
        better.append(unseen(compiler, placed) < 0.9 * unseen(compiler, best))
    assert sum(better) >= 2


def unseen(compiler: TargetCompiler, placed: Placed) -> float:
    """The undetected error of a circuit where it is."""
    found = faults_of(placed.circuit, VIRTUAL)
    assert found is not None
    return found.undetected(compiler.chip, {wire: wire for wire in found.wires})


def test_a_moved_circuit_reads_the_same_answers() -> None:
    from qiskit_aer import AerSimulator

    placed = line_and_fork(1.0).compile(aware(two_pieces(), ("q0", "q3")))
    assert placed.undetected < 0.01  # it was moved
    counts = AerSimulator(seed_simulator=1).run(placed.circuit, shots=4000).result().get_counts()
    shown = {int(text, 2): n for text, n in counts.items()}
    # q2 and q3; q1 and q4; q1 and q5
    assert set(shown) == {0b001100, 0b010010, 0b100010}
    assert abs(shown[0b001100] - 2000) < 5 * 1000**0.5


@pytest.mark.slow
@pytest.mark.parametrize(("name", "runs"), one_in(2, [("marrakesh", False), ("sherbrooke", True)]))
def test_the_fragment_takes_five_gates_on_a_fake_and_its_errors_show(name: str, runs: bool) -> None:
    """Compiles for both kinds of chips, and runs on one: nearly all of a run is the vendor's noise of all its gates."""
    pytest.importorskip("qiskit_ibm_runtime", reason=IBM)
    from qchess.backends.ibm.devices import fake_sampler

    sampler = fake_sampler(name)
    assert sampler.compiler is not None
    most = {"naive": 37, "exact": 12, "aware": 5}
    known = {f"q{k}": int(k in (0, 3)) for k in range(6)}
    for level, gates in most.items():
        compiled = compile_program(two_pieces(), level=level, basis=sampler.capabilities.native_2q, known=known)
        placed = sampler.compiler.compile(compiled.program)
        assert placed.two_qubit_gates <= gates
        assert placed.fidelity >= sampler.compiler.default(compiled.program).fidelity
    assert placed.undetected < 0.005
    if runs:
        [shots] = sampler.run([compiled.program], 3000, 0)
        two = {key: n for (key,), n in shots.counts.items() if key.bit_count() == 2}
        wrong = sum(n for key, n in two.items() if key not in (0b001100, 0b010010, 0b100010)) / sum(two.values())
        assert wrong < 0.005


# -- told and true -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("machine", one_in(3, [*undetected.IBM, *undetected.GOOGLE]))
def test_the_error_told_of_a_machine_is_nearly_that_of_its_density_matrix(machine: str) -> None:
    if machine in undetected.GOOGLE:
        pytest.importorskip("cirq_google", reason="cirq-google is not installed: pip install 'qchess[google]'")
    else:
        pytest.importorskip(
            "qiskit_ibm_runtime", reason="qiskit-ibm-runtime is not installed: pip install 'qchess[ibm]'"
        )
    page = Path(__file__, "../../../docs/devices_measured.md").resolve().read_text(encoding="utf-8")
    for angles in (False, True)[: 1 + (machine in undetected.GOOGLE)]:
        for row in undetected.rows(machine, angles):
            assert str(row).partition(" | ")[2] in page
            assert row.told == pytest.approx(row.true, rel=0.1)
            assert row.told_twirled == pytest.approx(row.true_twirled, rel=0.2)


def test_angles_that_are_always_wrong_are_counted_where_they_are_told() -> None:
    # a piece on wire 1, and a CZ that swaps a little besides: the other wire gets sin^2 of the angle
    turn, cz = np.eye(4, dtype=complex), np.diag([1, 1, 1, -1])
    turn[1:3, 1:3] = [[math.cos(0.2), -1j * math.sin(0.2)], [-1j * math.sin(0.2), math.cos(0.2)]]
    steps = [Step((1,), np.array([[0, 1], [1, 0]])), Step((0, 1), cz), Step((0, 1), reads=True)]
    perfect = Chip({(0, 1): 0.0, (1, 0): 0.0}, {0: 0.0, 1: 0.0}, {0: 0.0, 1: 0.0})
    found = faults_in(steps)
    assert found is not None
    assert found.undetected(perfect, {0: 0, 1: 1}) == pytest.approx(0)
    always = found.with_angles([*steps[:2], Step((0, 1), turn), steps[2]])
    assert always.undetected(perfect, {0: 0, 1: 1}) == pytest.approx(math.sin(0.2) ** 2)
