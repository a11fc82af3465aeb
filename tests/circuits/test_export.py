"""Exports say exactly what the program says: unitaries entry by entry, branch probabilities by chi-square."""

import os
import random
import xml.etree.ElementTree as ElementTree
from collections import Counter
from functools import cache

import numpy as np
import pytest
from scipy import stats

from qchess.circuits import patterns
from qchess.circuits.errors import BackendError, ProgramError
from qchess.circuits.operations import PARAMETRIC, SIZES, Gate, Operation, cnot, h, iswap, ry, x, z
from qchess.circuits.predicates import ALWAYS, NEVER, Predicate, empty, full, where
from qchess.circuits.program import Branch, Program, Question, ReadOut, ask, discard, read, when
from qchess.circuits.unitary import apply, unitary

SHOTS = 2000
#: how many programs go through OpenQASM, and how many branching ones run, slowly
PROGRAMS = int(os.environ.get("QCHESS_CIRCUITS", "40"))
BRANCHING = PROGRAMS // 3
NAMES = ("b1", "C3", "x y", "gate", "wN1")


# -- random programs ----------------------------------------------------------------------------------


def random_operation(rng, qubits):
    name = rng.choice(list(SIZES))
    parameter = rng.choice([1.0, 0.5, -0.5, 0.25, -1.0, rng.uniform(-4, 4)]) if name in PARAMETRIC else 1.0
    mixed = rng.sample(qubits, len(qubits))
    size = SIZES[name]
    if len(mixed) < size:
        return h(mixed[0])
    controls = mixed[size : size + rng.randint(0, 2)]
    valued = tuple(sorted((q, rng.randint(0, 1)) for q in controls))
    return Operation(Gate(name, parameter), tuple(mixed[:size]), valued)


def random_unitary_program(seed):
    rng = random.Random(seed)
    qubits = list(NAMES[: rng.randint(2, 5)])
    return Program(*(random_operation(rng, qubits) for _ in range(6)))


def random_predicate(rng, qubits):
    def cube():
        return where({q: rng.randint(0, 1) for q in rng.sample(qubits, rng.randint(1, 2))})

    return rng.choice([cube(), cube(), cube() | cube(), ~cube()])


def random_branching_program(seed, nested=True):
    rng = random.Random(seed)
    qubits = list(NAMES[: rng.randint(2, 4)])

    def some(count):
        return [random_operation(rng, qubits) for _ in range(count)]

    inner = Program(ask("deep", random_predicate(rng, qubits)), when("deep", {rng.randint(0, 1): Program(*some(2))}))
    cases = {0: Program(*some(2)), 1: Program(*some(2), inner if nested else Program())}
    return Program(
        *(ry(q, rng.uniform(0.3, 2.8)) for q in qubits),
        *some(3),
        ask("first", random_predicate(rng, qubits)),
        when("first", cases),
        *some(2),
        read("both", *rng.sample(qubits, 2)),
        when("both", {2: Program(*some(2)), rng.choice([0, 1, 3]): Program(*some(1))}),
        read("last", *qubits),
    )


# -- a small exact runner: every path with its probability ----------------------------------------------


def paths(program, order, state, answers):
    """Yields (answers, state) of every run; the norm squared of a state is the run's probability."""
    for k, step in enumerate(program):
        rest = Program(*program.steps[k + 1 :])
        if isinstance(step, Operation):
            state = apply(step, state, order)
        elif isinstance(step, Question | ReadOut):
            for value, part in outcomes(step, order, state):
                yield from paths(rest, order, part, {**answers, step.name: value})
            return
        elif isinstance(step, Branch):
            yield from paths(step.follow(answers[step.name]) + rest, order, state, answers)
            return
    yield answers, state


def outcomes(step, order, state):
    def value(index):
        bits = {q: index >> k & 1 for k, q in enumerate(order)}
        if isinstance(step, Question):
            return int(step.predicate.holds(bits.__getitem__))
        return sum(bits[q] << k for k, q in enumerate(step.qubits))

    values = np.array([value(index) for index in range(len(state))])
    for found in np.unique(values):
        part = np.where(values == found, state, 0)
        if np.vdot(part, part).real > 1e-12:
            yield int(found), part


def branch_probabilities(program):
    start = np.zeros(2 ** len(program.qubits), dtype=complex)
    start[0] = 1
    found: Counter[tuple[tuple[str, int], ...]] = Counter()
    for answers, state in paths(program, program.qubits, start, {}):
        found[tuple(sorted(answers.items()))] += np.vdot(state, state).real
    assert abs(sum(found.values()) - 1) < 1e-9
    return found


def chi_square_p(counts, exact):
    """The p-value of the counts; rare outcomes are pooled, impossible ones are a certain failure."""
    if any(exact.get(key, 0) < 1e-9 for key in counts):
        return 0.0
    shots = sum(counts.values())
    common = [key for key, p in exact.items() if p * shots >= 5]
    observed = [counts.get(key, 0) for key in common]
    expected = [exact[key] * shots for key in common]
    if shots - sum(expected) > 1:
        observed.append(shots - sum(observed))
        expected.append(shots - sum(expected))
    return 1.0 if len(expected) < 2 else stats.chisquare(observed, np.array(expected) * shots / sum(expected)).pvalue


# -- running what was exported --------------------------------------------------------------------------


def asked_on_the_way(pairs, program):
    """The answers of one shot without those its path never asked: registers hold 0 there."""
    answers = {}

    def follow(part):
        for step in part:
            if isinstance(step, Question | ReadOut):
                answers[step.name] = pairs[step.name]
            elif isinstance(step, Branch):
                follow(step.follow(answers[step.name]))

    follow(program)
    return tuple(sorted(answers.items()))


@cache
def aer_target():
    """What Aer can do; asked for it once, as it works it out anew each time."""
    from qiskit_aer import AerSimulator

    return AerSimulator().target


def aer_counts(circuit, program, seed, names=None):
    from qiskit import transpile
    from qiskit_aer import AerSimulator

    names = names or circuit.metadata["answers"]
    simulator = AerSimulator(seed_simulator=seed)
    found = (
        simulator.run(transpile(circuit, target=aer_target(), optimization_level=0), shots=SHOTS).result().get_counts()
    )
    registers = [register.name for register in reversed(circuit.cregs)]
    counts: Counter[tuple[tuple[str, int], ...]] = Counter()
    for key, count in found.items():
        values = {name: int(bits, 2) for name, bits in zip(registers, key.split(), strict=True)}
        pairs = {name: values[register] for name, register in names.items()}
        counts[asked_on_the_way(pairs, program)] += count
    return counts


def cirq_counts(circuit, program, seed, shots=SHOTS):
    import cirq

    result = cirq.Simulator(seed=seed, dtype=np.complex128).run(circuit, repetitions=shots)
    counts: Counter[tuple[tuple[str, int], ...]] = Counter()
    for shot in range(shots):
        last = {name: record[shot, -1] for name, record in result.records.items()}
        pairs = {name: sum(int(bit) << k for k, bit in enumerate(bits)) for name, bits in last.items()}
        counts[asked_on_the_way(pairs, program)] += 1
    return counts


def qiskit_matrix(circuit):
    from qiskit.quantum_info import Operator

    return Operator(circuit).data


def cirq_matrix(circuit, names):
    import cirq

    order = [cirq.NamedQubit(name) for name in reversed(names)]
    return circuit.unitary(qubit_order=order, qubits_that_should_be_present=order, dtype=np.complex128)


def load(text, version, toolkit):
    if toolkit == "cirq":
        from cirq.contrib.qasm_import import circuit_from_qasm

        return circuit_from_qasm(text)
    from qiskit import qasm2, qasm3

    return (qasm2 if version == 2 else qasm3).loads(text)


def loaded_matrix(text, version, toolkit, size):
    """What the loaded file does to the program's qubits, its ancillas being 0 before and after."""
    said = [line for line in text.splitlines() if line.startswith(("// qubit", "// ancilla"))]
    wires = [line.split(" = ")[1].split("[")[0] + "_0" for line in said]
    circuit = load(text, version, toolkit)
    matrix = qiskit_matrix(circuit) if toolkit == "qiskit" else cirq_matrix(circuit, wires)
    return matrix[: 2**size, : 2**size]


def same_up_to_phase(first, second):
    """|tr(A^+ B)| / n is 1 for unitaries only if they differ by a phase."""
    return abs(abs(np.vdot(first, second)) / len(first) - 1) < 1e-7


# -- laws -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_qiskit_has_the_unitary_of_the_program_with_its_phase(seed):
    program = random_unitary_program(seed)
    assert np.allclose(qiskit_matrix(program.to_qiskit()), unitary(program), atol=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_cirq_has_the_unitary_of_the_program_with_its_phase(seed):
    program = random_unitary_program(seed)
    assert np.allclose(cirq_matrix(program.to_cirq(), program.qubits), unitary(program), atol=1e-7)


def check_qasm(seed):
    program = random_unitary_program(seed)
    for version in (2, 3):
        text = program.qasm(version)
        for toolkit in ("qiskit", "cirq"):
            matrix = loaded_matrix(text, version, toolkit, len(program.qubits))
            assert same_up_to_phase(matrix, unitary(program)), (seed, version, toolkit)


@pytest.mark.parametrize("seed", range(24))
def test_open_qasm_2_and_3_keep_the_unitary_in_qiskit_and_cirq(seed):
    check_qasm(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24, PROGRAMS))
def test_open_qasm_2_and_3_keep_the_unitary_in_qiskit_and_cirq_for_many_programs(seed):
    check_qasm(seed)


def check_feed_forward(seed):
    program = random_branching_program(seed)
    exact = branch_probabilities(program)
    assert chi_square_p(aer_counts(program.to_qiskit(), program, seed), exact) > 1e-4


@pytest.mark.parametrize("seed", range(5))
def test_branches_run_on_aer_with_the_exact_probabilities(seed):
    check_feed_forward(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5, BRANCHING))
def test_branches_run_on_aer_with_the_exact_probabilities_for_many_programs(seed):
    check_feed_forward(seed)


def check_qasm_feed_forward(seed, version):
    program = random_branching_program(seed, nested=version == 3)
    text = program.qasm(version)
    said = [line.removeprefix("// answer ").split(" = ") for line in text.splitlines() if line.startswith("// answer")]
    counts = aer_counts(load(text, version, "qiskit"), program, seed, dict(said))
    assert chi_square_p(counts, branch_probabilities(program)) > 1e-4


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("seed", range(2))
def test_open_qasm_keeps_the_branches(seed, version):
    check_qasm_feed_forward(seed, version)


@pytest.mark.slow
@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("seed", range(2, BRANCHING))
def test_open_qasm_keeps_the_branches_of_many_programs(seed, version):
    check_qasm_feed_forward(seed, version)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_branches_run_on_cirq_with_the_exact_probabilities(seed):
    program = random_branching_program(seed)
    counts = cirq_counts(program.to_cirq(), program, seed, shots=300)
    assert chi_square_p(counts, branch_probabilities(program)) > 1e-4


# -- cases ------------------------------------------------------------------------------------------------

ONE_NAME_IN_TWO_CASES = Program(
    h("a"),
    ask("side", full("a")),
    when(
        "side",
        {
            0: Program(ry("b", 0.7), ask("there", full("b") & empty("a"))),
            1: Program(ry("c", 2.1), ask("there", empty("c") & full("a"))),
        },
    ),
    when("there", {1: Program(x("d"))}),
    read("end", "d", "a"),
)


def test_one_answer_asked_in_two_cases_is_the_answer_of_the_case_that_ran():
    exact = branch_probabilities(ONE_NAME_IN_TWO_CASES)
    for counts in (
        aer_counts(ONE_NAME_IN_TWO_CASES.to_qiskit(), ONE_NAME_IN_TWO_CASES, 1),
        cirq_counts(ONE_NAME_IN_TWO_CASES.to_cirq(), ONE_NAME_IN_TWO_CASES, 1, shots=500),
    ):
        assert chi_square_p(counts, exact) > 1e-4


def test_a_read_out_inside_a_branch_steers_what_follows_in_both_toolkits():
    inside = Program(h("b"), x("c"), read("pair", "b", "c"), when("pair", {3: Program(x("d")), 2: Program(h("d"))}))
    program = Program(h("a"), read("a", "a"), when("a", {1: inside}), read("end", "d"))
    exact = branch_probabilities(program)
    assert chi_square_p(aer_counts(program.to_qiskit(), program, 2), exact) > 1e-4
    assert chi_square_p(cirq_counts(program.to_cirq(), program, 2, shots=500), exact) > 1e-4


@pytest.mark.parametrize(("predicate", "answer"), [(ALWAYS, 1), (NEVER, 0)])
def test_a_question_about_nothing_has_its_certain_answer(predicate, answer):
    program = Program(h("a"), ask("sure", predicate), when("sure", {answer: Program(x("b"))}), read("end", "b"))
    expected = {(("end", 1), ("sure", answer))}
    assert set(aer_counts(program.to_qiskit(), program, 3)) == expected
    assert set(cirq_counts(program.to_cirq(), program, 3, shots=20)) == expected


def test_the_first_qubit_of_a_read_out_is_bit_0_everywhere():
    program = Program(x("a"), read("m", "a", "b", "c"), when("m", {1: Program(x("d"))}), read("end", "d"))
    expected = {(("end", 1), ("m", 1))}
    assert set(aer_counts(program.to_qiskit(), program, 4)) == expected
    assert set(cirq_counts(program.to_cirq(), program, 4, shots=20)) == expected


def test_qubit_names_survive_in_every_export():
    import cirq

    program = Program(*(h(name) for name in NAMES))
    circuit = program.to_qiskit()
    assert [(register.name, register.size) for register in circuit.qregs] == [(name, 1) for name in NAMES]
    drawn = str(circuit.draw("text")).splitlines()
    assert all(any(line.strip().startswith(f"{name}:") for line in drawn) for name in NAMES)
    assert circuit.metadata["qubits"] == list(NAMES)
    assert program.to_cirq().all_qubits() == {cirq.NamedQubit(name) for name in NAMES}
    assert all(f"// qubit {name} = " in program.qasm(version) for name in NAMES for version in (2, 3))
    assert "qubit[1] b1;" in program.qasm(3)
    assert "qreg wN1[1];" in program.qasm(2)
    assert "gate;" not in program.qasm(3), "a keyword names no register"


def test_each_qubit_is_a_register_of_its_own_name_in_qiskit():
    program = Program(h("board"), h("b1"), ask("hit", full("board", "b1")), read("b1", "b1"))
    circuit = program.to_qiskit()
    assert [(register.name, register.size) for register in circuit.qregs] == [("board", 1), ("b1", 1), ("?hit", 1)]
    assert circuit.metadata["qubits"] == ["board", "b1", "?hit"]
    assert [circuit.metadata["answers"][name] for name in ("hit", "b1")] == ["hit", "b1'"]


def test_an_answer_and_a_qubit_may_share_a_name():
    program = Program(x("hit"), ask("hit", full("hit", "a")), when("hit", {0: Program(x("a"))}), read("a", "a"))
    expected = {(("a", 1), ("hit", 0))}
    assert set(aer_counts(program.to_qiskit(), program, 5)) == expected
    assert set(cirq_counts(program.to_cirq(), program, 5, shots=20)) == expected
    assert set(aer_counts(load(program.qasm(3), 3, "qiskit"), program, 5, {"hit": "q_3", "a": "q_4"})) == expected


def test_a_question_leaves_its_flag_clean_and_learns_nothing_else():
    """Interference: b1 splits, the board is asked something certain, and merges back to b1 certainly."""
    split, merge = patterns.split("b1", "a3", "c3"), patterns.merge("a3", "c3", "b1")
    certain = ask("one", full("a3") | full("c3"))
    program = Program(x("b1"), split, certain, merge, read("home", "b1"))
    expected = {(("home", 1), ("one", 1))}
    assert set(aer_counts(program.to_qiskit(), program, 6)) == expected
    assert set(cirq_counts(program.to_cirq(), program, 6, shots=50)) == expected


def test_a_discard_puts_nothing_in_the_circuit():
    program = Program(h("a"), discard("a"))
    assert program.to_qiskit().size() == 1
    assert len(list(program.to_cirq().all_operations())) == 1


def test_the_empty_program_exports_as_an_empty_circuit():
    assert Program().to_qiskit().num_qubits == 0
    assert not Program().to_cirq()
    assert Program().qasm(2).startswith("OPENQASM 2.0;")


# -- planted mistakes are caught -----------------------------------------------------------------------


def test_a_wrong_control_value_is_caught():
    right, wrong = Program(iswap("a", "b", 0.5).when(c=0)), Program(iswap("a", "b", 0.5).when(c=1))
    assert not np.allclose(qiskit_matrix(wrong.to_qiskit()), unitary(right), atol=1e-3)
    assert not same_up_to_phase(loaded_matrix(wrong.qasm(3), 3, "qiskit", 3), unitary(right))


def test_a_wrong_sign_of_iswap_is_caught():
    from qiskit import QuantumCircuit
    from qiskit.circuit.library import XXPlusYYGate

    right, circuit = Program(iswap("a", "b", 0.5)), QuantumCircuit(2)
    circuit.append(XXPlusYYGate(+np.pi / 2, 0), [0, 1])
    assert not same_up_to_phase(qiskit_matrix(circuit), unitary(right))
    assert same_up_to_phase(qiskit_matrix(circuit), unitary(right.inverse()))


def test_a_lost_phase_is_caught_where_phases_count():
    program = Program(x("a", 0.25))
    assert np.allclose(qiskit_matrix(program.to_qiskit()), unitary(program))
    assert not np.allclose(loaded_matrix(program.qasm(3), 3, "qiskit", 1), unitary(program)), "QASM drops the phase"


def test_a_branch_on_the_wrong_value_is_caught():
    def steered(value):
        return Program(ry("a", 0.8), ask("hit", full("a")), when("hit", {value: Program(x("b"))}), read("end", "b"))

    counts = aer_counts(steered(1).to_qiskit(), steered(1), 7)
    assert chi_square_p(counts, branch_probabilities(steered(1))) > 1e-4
    assert chi_square_p(counts, branch_probabilities(steered(0))) < 1e-9


# -- errors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("export", [Program.to_cirq, Program.to_qiskit, Program.qasm])
def test_a_branch_on_an_answer_nobody_asked_for_is_refused(export):
    with pytest.raises(ProgramError, match="nothing asks \\['hit'\\]"):
        export(Program(when("hit", {1: Program(x("a"))})))


def test_one_name_for_answers_of_different_sizes_is_refused():
    cases = {0: Program(read("m", "b")), 1: Program(read("m", "b", "c"))}
    with pytest.raises(BackendError, match="'m' has 1 bits in one branch, 2 in another"):
        Program(ask("hit", full("a")), when("hit", cases)).to_qiskit()


def test_open_qasm_2_refuses_branches_inside_branches():
    inner = Program(ask("deep", full("b")), when("deep", {1: Program(x("a"))}))
    program = Program(ask("hit", full("a")), when("hit", {1: inner}))
    assert "if (deep == 1)" in program.qasm(3)
    with pytest.raises(BackendError, match="'hit' has one; take version 3"):
        program.qasm(2)


def test_an_unknown_version_of_open_qasm_is_refused():
    with pytest.raises(ProgramError, match="version 2 and version 3, got 4"):
        Program(x("a")).qasm(4)


# -- the picture ------------------------------------------------------------------------------------------


def test_the_picture_is_well_formed_and_escapes_names():
    odd = Program(h('<a & "b">'), cnot('<a & "b">', "\x07"), z("c").when(a=0))
    program = odd + patterns.capture("s", "t", "e", ("p",))
    root = ElementTree.fromstring(program.svg())
    texts = ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert '<a & "b">' in texts
    assert "if hit = 1:" in texts


@pytest.mark.parametrize("seed", range(5))
def test_every_program_has_a_picture(seed):
    root = ElementTree.fromstring(random_branching_program(seed).svg())
    assert float(root.attrib["width"]) > 0
    assert ElementTree.fromstring(Program(Question("q", Predicate(()))).svg()) is not None
