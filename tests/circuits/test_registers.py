"""Laws of registers: they are the dense state, factored; nothing is lost, and history tells all of it."""

import math
import pickle
import random
from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest

from qchess import backends
from qchess.backends import FixedAnswers, Seeded
from qchess.circuits import (
    ImpossibleOutcomeError,
    Operation,
    Program,
    ProgramError,
    Registers,
    StateTooLargeError,
    ask,
    capture,
    cnot,
    cz,
    discard,
    h,
    iswap,
    jump,
    merge,
    merge_slide,
    read,
    ry,
    slide,
    split,
    split_slide,
    swap,
    when,
    where,
    x,
    z,
)
from qchess.circuits.unitary import apply

ENGINE = backends.engine("sparse")


def dense(registers: Registers, names: list[str]) -> np.ndarray:
    vector = np.zeros(2 ** len(names), complex)
    for key, amplitude in registers.amplitudes(names).items():
        vector[key] += amplitude
    return vector


def random_operation(rng: random.Random, names: list[str]) -> Operation:
    a, b, *_ = chosen = rng.sample(names, len(names))
    operation = rng.choice(
        [
            iswap(a, b, rng.choice([1, 0.5, -0.5, -1, 0.3, 2, 0])),
            iswap(a, b),
            swap(a, b),
            x(a, rng.choice([1, 0.5, 0.2])),
            z(a, rng.uniform(-1, 1)),
            ry(a, rng.choice([math.pi, 2 * math.pi, 0.4])),
            h(a),
            cz(a, b),
        ]
    )
    free = [q for q in chosen if q not in operation.qubits]
    return operation.when({q: rng.randint(0, 1) for q in rng.sample(free, rng.choice([0, 0, 1, 2]) % (len(free) + 1))})


def bits_of(key: int, names: list[str]) -> Callable[[str], int]:
    return lambda qubit: key >> names.index(qubit) & 1


def walk(seed: int, steps: int = 25):
    """A random walk on registers and on the dense vector side by side, with forced answers."""
    rng = random.Random(seed)
    names = [f"q{k}" for k in range(rng.randint(2, 7))]
    full = [q for q in names if rng.random() < 0.5]
    registers = Registers(ENGINE, full)
    vector = np.zeros(2 ** len(names), complex)
    vector[sum(1 << names.index(q) for q in full)] = 1
    for _ in range(steps):
        operations = [random_operation(rng, names) for _ in range(rng.choice([1, 1, 2, 4]))]
        registers = registers.apply(*operations)  # one run: what waits in between is factored at its end
        for operation in operations:
            vector = apply(operation, vector, names)
        if rng.random() < 0.2:
            a, b = rng.sample(names, 2)
            asked = where({a: 1, b: 0}) if rng.random() < 0.5 else ~where({a: 1, b: 0})
            true = np.array([asked.holds(bits_of(k, names)) for k in range(len(vector))])
            p = float((abs(vector[true]) ** 2).sum())
            assert registers.probability(asked) == pytest.approx(p, abs=1e-10)
            answer = int(rng.random() < p)
            registers = registers.run(Program(ask("m", asked)), FixedAnswers([answer])).registers
            vector = vector * (true == bool(answer))
            vector /= np.linalg.norm(vector)
        yield names, registers, vector


@pytest.mark.parametrize("seed", range(40))
def test_registers_are_the_dense_state_phases_included(seed: int) -> None:
    for names, registers, vector in walk(seed):
        assert abs(dense(registers, names) - vector).max() < 1e-9


@pytest.mark.parametrize("seed", range(12))
def test_the_components_of_the_entanglement_graph_are_the_registers(seed: int) -> None:
    for _, registers, _ in walk(seed):
        components = {frozenset(part) for part in nx.connected_components(registers.entanglement)}
        assert components == {frozenset(qubits) for qubits in registers.registers}


@pytest.mark.parametrize("seed", range(40))
def test_the_circuit_of_a_register_makes_it_again(seed: int) -> None:
    *_, (_, registers, _) = walk(seed)
    cone = registers.cone(*registers.uncertain)
    again = Registers(ENGINE).run(cone.program(), FixedAnswers(cone.answers().values())).registers
    for qubits in registers.registers:
        assert again._register_matches(registers, qubits, 1e-9)


@pytest.mark.parametrize("seed", range(100, 125))
def test_no_register_is_a_product(seed: int) -> None:
    for _, registers, _ in walk(seed):
        assert_whole(registers)


def amplitudes_of(registers: Registers, qubits: tuple[str, ...]) -> dict[int, complex]:
    register = registers.register(qubits[0])
    assert register is not None
    return register.amplitudes(qubits)


def assert_whole(registers: Registers) -> None:
    """No qubit of a register is certain, and every bipartition of a register has Schmidt rank above 1."""
    for qubits in registers.registers:
        assert all(1e-12 < registers.probability(q) < 1 - 1e-12 for q in qubits)
        n = len(qubits)
        vector = np.zeros(2**n, complex)
        for key, amplitude in amplitudes_of(registers, qubits).items():
            vector[key] = amplitude
        tensor = vector.reshape([2] * n)
        for cut in range(1, 2 ** (n - 1)):
            inside = [k for k in range(n) if cut >> k & 1]
            outside = [k for k in range(n) if k not in inside]
            matrix = tensor.transpose(inside + outside).reshape(2 ** len(inside), -1)
            assert np.linalg.svd(matrix, compute_uv=False)[1] > 1e-9


def test_split_then_merge_leaves_no_register() -> None:
    board = Registers(ENGINE, ["b1"]).run(split("b1", "a3", "c3")).registers
    assert [set(qubits) for qubits in board.registers] == [{"a3", "c3"}]
    after = board.run(merge("a3", "c3", "b1")).registers
    assert after.registers == ()
    assert after.full == {"b1"}
    assert after.phase == pytest.approx(1)


def test_split_slide_then_merge_slide_past_a_half_piece_leaves_only_the_half_piece() -> None:
    board = Registers(ENGINE, ["b1", "a1"]).run(split("b1", "a3", "d2")).registers
    apart = board.run(split_slide("a1", "a5", "c1", ("a3",), ())).registers
    assert len(apart.registers) == 1
    back = apart.run(merge_slide("a5", "c1", "a1", ("a3",), ())).registers
    assert back.full == {"a1"}
    assert set(back.registers[0]) == {"a3", "d2"}


def test_a_qubit_that_became_certain_and_was_turned_again_stands_alone() -> None:
    assert len(Registers(ENGINE).apply(h("a")).apply(swap("a", "b"), h("a")).registers) == 2


def test_a_ghz_register_leaves_nothing_behind_after_one_answer() -> None:
    names = [f"g{k}" for k in range(12)]
    ghz = Registers(ENGINE).apply(h(names[0]), *(cnot(names[0], q) for q in names[1:]))
    assert len(ghz.registers) == 1
    for answer in (0, 1):
        after = ghz.project(where({names[5]: answer}))
        assert after.registers == ()
        assert len(after.full) == 12 * answer


def test_a_question_that_is_certain_changes_nothing() -> None:
    board = Registers(ENGINE, ["b1"]).run(split("b1", "a3", "c3")).registers
    run = board.run(Program(ask("m", where({"a3": 1, "c3": 1}))))
    assert run.answers[0].value == 0
    assert run.answers[0].probability == 1
    assert run.registers.registers == board.registers


def test_a_conjunction_found_true_leaves_registers_apart() -> None:
    board = Registers(ENGINE, ["a", "b"]).run(split("a", "a1", "a2") + split("b", "b1", "b2")).registers
    assert board.project(where({"a1": 1, "b1": 1})).full == {"a1", "b1"}
    neither = board.project(where({"a1": 1, "b1": 1}), 0)
    assert len(neither.registers) == 1


def test_a_read_out_has_the_product_distribution_of_its_registers() -> None:
    board = Registers(ENGINE, ["a", "b", "c"]).run(split("a", "a1", "a2") + split("b", "b1", "b2")).registers
    odds = board.distribution("b1", "a2", "c")
    assert odds == {4: pytest.approx(0.25), 5: pytest.approx(0.25), 6: pytest.approx(0.25), 7: pytest.approx(0.25)}
    run = board.run(Program(read("m", "b1", "a2", "c")), Seeded(1))
    assert run.registers.registers == ()
    assert run.answers[0].probability == pytest.approx(0.25)


def test_what_is_discarded_is_forgotten_once_it_stands_alone() -> None:
    board = Registers(ENGINE, ["s", "v"]).run(split("v", "t", "u")).registers
    taken = board.run(capture("s", "t", "x1")).registers
    assert taken.known("t") == 1
    assert set(taken.registers[0]) == {"u", "x1"}  # x1 knows where the victim was
    looked = taken.project(where({"u": 1}))
    assert looked.registers == ()
    assert "x1" not in looked.home


def test_branches_follow_their_answers() -> None:
    program = Program(ask("m", where({"a": 1})), when("m", {1: Program(x("y")), 0: Program(x("n"))}))
    board = Registers(ENGINE).apply(h("a"))
    assert board.run(program, FixedAnswers([1])).registers.full == {"a", "y"}
    assert board.run(program, FixedAnswers([0])).registers.full == {"n"}


def test_a_forced_impossible_answer_is_refused_and_nothing_is_changed() -> None:
    board = Registers(ENGINE, ["b1"]).run(split("b1", "a3", "c3")).registers
    with pytest.raises(ImpossibleOutcomeError, match="probability 0"):
        board.run(Program(ask("m", where({"a3": 1, "c3": 1}))), FixedAnswers([1]))
    with pytest.raises(ImpossibleOutcomeError):
        board.project(where({"b1": 1}))
    assert board.probability("a3") == pytest.approx(0.5)


def test_the_branch_limit_refuses_before_anything_changes() -> None:
    engine = backends.engine("sparse", branch_limit=8)
    board = Registers(engine).apply(*(h(f"q{k}") for k in range(3)), cz("q0", "q1"), cz("q1", "q2"))
    assert board.branches() == (8,)
    with pytest.raises(StateTooLargeError, match="the limit is 8"):
        board.apply(iswap("q0", "e", 0.5))
    assert board.branches() == (8,)
    assert board.probability("q0") == pytest.approx(0.5)
    assert board.run(jump("q0", "e")).registers.branches() == (8,)  # a full move adds none


def test_a_slide_out_and_back_erases_the_record_and_keeps_the_sign() -> None:
    board = Registers(ENGINE, ["n", "r"]).run(split("n", "p", "q")).registers
    out = board.run(slide("r", "t", ("p",))).registers
    assert len(out.registers[0]) == 4
    back = out.run(slide("t", "r", ("p",))).registers
    assert back.full == {"r"}
    assert back.amplitudes(["p", "q", "r"]) == pytest.approx({0b101: 1j / 2**0.5, 0b110: -1j / 2**0.5})


def test_a_discarded_qubit_that_is_certain_is_forgotten_at_once() -> None:
    board = Registers(ENGINE, ["a", "b"]).run(Program(discard("a"))).registers
    assert board.full == {"b"}


def test_an_exchange_that_only_turns_a_phase_draws_nobody_in() -> None:
    board = Registers(ENGINE).apply(h("a"))
    for t in (2, 0, 4):
        assert board.apply(iswap("a", "b", t)).registers == (("a",),)


def test_a_whole_turn_about_y_leaves_a_certain_qubit_certain() -> None:
    for engine in (ENGINE, backends.engine("cirq")):
        turned = Registers(engine, ["a"]).apply(ry("a", 2 * math.pi))
        assert turned.known("a") == 1
        assert turned.phase == -1
        assert Registers(engine).apply(ry("a", math.pi)).known("a") == 1


def test_what_was_discarded_and_is_still_entangled_may_not_be_touched_again() -> None:
    board = Registers(ENGINE, ["v"]).run(split("v", "t", "u") + swap("t", "x1") + discard("x1")).registers
    for step in (x("x1"), x("u").when({"x1": 1}), ask("m", where({"x1": 1})), read("m", "u", "x1")):
        with pytest.raises(ProgramError, match="x1"):
            board.run(Program(step), Seeded(1))
    alone = board.project(where({"u": 1}))
    assert alone.apply(x("x1")).full == {"u", "x1"}  # forgotten, so the name is free again


def test_prepared_qubits_have_a_graph_and_no_circuit() -> None:
    board = Registers.prepared(ENGINE, [(("a", "b", "c"), {0: 0.6, 7: 0.8})])
    assert nx.is_connected(board.entanglement)
    with pytest.raises(ProgramError, match="no circuit made"):
        board.circuit()


@pytest.mark.parametrize(
    ("groups", "full", "complaint"),
    [
        ([(("a", "b"), {0: 1, 3: 1})], [], "sum to 1"),
        ([(("a",), {0: 0.6, 1: 0.8}), (("a", "c"), {0: 0.6, 3: 0.8})], [], "'a'"),
        ([(("a",), {0: 0.6, 1: 0.8})], ["a"], "'a'"),
    ],
)
def test_prepared_amplitudes_are_a_state_and_each_qubit_has_one(groups, full, complaint) -> None:
    with pytest.raises(ProgramError, match=complaint):
        Registers.prepared(ENGINE, groups, full)


def test_a_read_out_with_more_outcomes_than_the_limit_is_refused() -> None:
    names = [f"q{k}" for k in range(30)]
    board = Registers(ENGINE).apply(*map(h, names))
    with pytest.raises(StateTooLargeError, match="30 qubits"):
        board.run(Program(read("m", *names)), Seeded(1))
    assert len(board.registers) == 30


def test_amplitudes_ask_for_every_qubit_that_is_not_surely_empty() -> None:
    board = Registers(ENGINE, ["f"]).apply(h("a"))
    with pytest.raises(ProgramError, match="'f'"):
        board.amplitudes(["a"])


def test_earlier_lives_are_counted_from_one_on_backwards() -> None:
    board = Registers(ENGINE)
    for partner in "bcd":
        board = board.apply(h("a"), cnot("a", partner), ry(partner, 0.4), ry("a", 0.3)).project(where({"a": 1}))
    board = board.apply(h("a"), *(cz("a", partner) for partner in "bcd"))
    assert set(board.cone("a").program().qubits) == {"a", "a~1", "a~2", "a~3", *"bcd"}


def test_a_pickled_past_makes_the_same_circuit() -> None:
    board = Registers(ENGINE).apply(h("a"), cnot("a", "b"), ry("b", 0.4), h("c"), cnot("c", "d"), ry("d", 0.3))
    board = board.apply(cnot("b", "c")).project(where({"a": 1})).apply(h("a"), cz("a", "d"))
    copy = pickle.loads(pickle.dumps(board))
    for qubits in board.registers:
        assert copy.cone(*qubits) == board.cone(*qubits)
        assert copy.cone(*qubits).program() == board.cone(*qubits).program()


def test_an_earlier_life_has_a_wire_that_no_other_qubit_is_named_after() -> None:
    board = Registers(ENGINE).apply(h("a"), cnot("a", "b"), h("a~1"), cz("a~1", "b")).project(where({"a": 1}))
    board = board.apply(h("a"), cz("a", "a~1"))
    cone = board.cone(*board.uncertain)
    again = Registers(ENGINE).run(cone.program(), FixedAnswers(cone.answers().values())).registers
    for qubits in board.registers:
        assert set(again.register_of(qubits[0])) == set(qubits)
        assert again._register_matches(board, qubits, 1e-9)
