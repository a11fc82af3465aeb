"""Programs, compiled circuits and registers by the names of the field, against Qiskit's own figures."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from qchess import backends
from qchess.circuits import (
    Operation,
    Program,
    ProgramError,
    Registers,
    StateTooLargeError,
    ask,
    cnot,
    cx,
    discard,
    full,
    h,
    iswap,
    read,
    rx,
    ry,
    rz,
    s,
    split,
    swap,
    t,
    when,
    x,
    y,
    z,
)

ENGINE = backends.engine()
PROGRAMS = 60
NAMES = ("b1", "a3", "x y", "wN1", "c3")
#: gates that are one gate in Qiskit as well; it calls S and T phases, and a part of an iSWAP by its own name
GATES = (x, z, h, s, t, lambda q: x(q, 0.5), lambda q: z(q, 0.3), lambda q: ry(q, 0.7), lambda q: rz(q, -1.1))
PAIRS = (
    swap,
    iswap,
    cx,
    lambda a, b: iswap(a, b, 0.5),
    lambda a, b: h(a).control(b),
    lambda a, b: ry(a, 1.2).control(b),
)
THEIRS = {"s": "p", "t": "p", "iswap^t": "xx_plus_yy"}
MOVE = split("b1", "a3", "c3")


def random_program(seed: int) -> Program:
    rng = random.Random(seed)
    names = rng.sample(NAMES, rng.randint(2, 5))
    steps = [rng.choice(GATES)(rng.choice(names)) for _ in range(rng.randint(0, 5))]
    steps += [rng.choice(PAIRS)(*rng.sample(names, 2)) for _ in range(rng.randint(1, 5))]
    if len(names) > 2:
        a, b, c = rng.sample(names, 3)
        steps.append(rng.choice((x(a).control(b, c), swap(a, b).control(c))))
    rng.shuffle(steps)
    return Program(*steps)


def test_matrices_states_depths_and_counts_are_qiskits() -> None:
    from qiskit.quantum_info import Operator, Statevector

    for seed in range(PROGRAMS):
        program = random_program(seed)
        circuit = program.to_qiskit()
        assert circuit.metadata["qubits"] == list(program.qubits)
        assert [register.name for register in circuit.qregs] == list(program.qubits)
        matrix = program.unitary()
        assert np.allclose(Operator(circuit).data, matrix, atol=1e-9), program
        state = Registers(ENGINE).run(program).registers.statevector(program.qubits)
        assert np.allclose(Statevector(circuit).data, state, atol=1e-9), program
        assert np.allclose(matrix[:, 0], state, atol=1e-9)
        back = program.unitary(program.qubits[::-1])
        assert np.allclose(Operator(circuit.reverse_bits()).data, back, atol=1e-9)
        assert program.depth() == circuit.depth(), program
        assert program.num_qubits == circuit.num_qubits
        counted = Counter[str]()
        for name, count in program.count_ops().items():
            counted[THEIRS.get(name, name)] += count
        assert counted == dict(circuit.count_ops()), program


def test_y_rx_and_the_other_constructors_are_qiskits_gates() -> None:
    from qiskit.circuit import library

    for made, gate in (
        (y("a"), library.YGate()),
        (rx("a", 0.7), library.RXGate(0.7)),
        (rx("a", -3), library.RXGate(-3)),
    ):
        assert np.allclose(made.unitary(), gate.to_matrix())
        controlled = made.control("c").unitary(("c", "a"))
        assert np.allclose(controlled, gate.control(1).to_matrix()), "with its phase"
    assert (cx("a", "b"), s("a"), t("a")) == (cnot("a", "b"), z("a", 0.5), z("a", 0.25))
    assert x("a").control("b", "c") == x("a").when({"b": 1, "c": 1})
    for wrong in ((), (2,), ("b", 2)):
        with pytest.raises(ProgramError, match=r"such as x\('a'\)\.control\('b'\)"):
            x("a").control(*wrong)
    with pytest.raises(ProgramError, match="names each qubit once"):
        MOVE.control("q", "q")
    with pytest.raises(ProgramError, match="as control and as target"):
        MOVE.control("a3")


def test_a_program_is_indexed_and_sliced_as_its_steps() -> None:
    program = MOVE + ask("there", full("c3")) + when("there", {1: Program(x("a3"))}) + discard("b1")
    assert program[0] == iswap("b1", "a3", 0.5)
    assert program[-1] == discard("b1")
    assert program[:2] == MOVE
    assert program[::-1][::-1] == program
    assert list(program) == [program[k] for k in range(len(program))]
    assert program[:0] == Program()
    with pytest.raises(IndexError):
        program[9]


def test_questions_and_branches_are_counted_and_layered_and_promises_are_nothing() -> None:
    program = MOVE + ask("there", full("c3")) + when("there", {1: Program(x("a3"), h("a3")), 0: Program(x("q"))})
    assert (program + discard("b1")).depth() == program.depth() == 5
    assert program.count_ops() == {"iswap": 1, "iswap^t": 1, "ask": 1, "when": 1, "x": 2, "h": 1}
    assert Program(read("m", "a", "b"), read("n", "c")).depth() == 1
    assert Program().depth() == 0
    assert Program(discard("a")).depth() == 0


def test_a_matrix_needs_an_order_of_all_and_a_few_qubits_at_most() -> None:
    assert MOVE.unitary(("c3", "b1", "a3", "q")).shape == (16, 16)
    for order, words in (
        (("b1",), "lacks a3, c3"),
        ("b1", "got the text 'b1'"),
        (("b1", "b1"), "names each qubit once"),
    ):
        with pytest.raises(ProgramError, match=words):
            MOVE.unitary(order)
    with pytest.raises(StateTooLargeError, match="12 qubits at most, got 13"):
        Program(*(h(f"q{k}") for k in range(13))).unitary()
    with pytest.raises(ProgramError, match="taken as a unitary, got ask"):
        Program(ask("m", full("a"))).unitary()


def test_a_drawing_shows_itself_in_each_form() -> None:
    figure_of = pytest.importorskip("matplotlib.figure", reason="needs the extra `viz`")
    program = MOVE + ask("there", full("c3")) + when("there", {1: Program(cnot("a3", "c3"), swap("b1", "c3"))})
    things: tuple[Any, ...] = (program, program.compile())
    for thing in things:
        assert repr(thing.draw()) == thing.draw() == thing.draw("text") == str(thing)
        assert thing.draw("svg") == thing.svg() == thing._repr_svg_() == thing.draw("svg")._repr_svg_()
        figure = thing.draw("mpl")
        assert isinstance(figure, figure_of.Figure)
        assert figure._repr_png_().startswith(b"\x89PNG")
        told = [text.get_text() for text in figure.axes[0].texts]
        assert {"b1", "a3", "c3", "if there = 1:"} <= set(told)
        with pytest.raises(ProgramError, match="one of text, svg, mpl, got 'latex'"):
            thing.draw("latex")
    assert program.draw(20) == program.draw(columns=20) == program.draw("text", 20)
    assert program.draw(20) != program.draw(None) == program.draw()
    assert [text.get_text() for text in Program().draw("mpl").axes[0].texts] == ["(nothing)"]


def test_a_compiled_circuit_is_drawn_and_exported_with_its_layout() -> None:
    compiled = MOVE.compile("aware", known={"b1": 1, "a3": 0, "c3": 0})
    circuit = compiled.to_qiskit()
    assert circuit.metadata["layout"] == compiled.layout
    assert circuit.metadata["qubits"] == list(compiled.program.qubits)
    assert compiled.num_qubits == len(compiled.wires)
    assert compiled.counts() == {
        name: circuit.count_ops()[name.lower()] for name in compiled.counts() if name != "Z"
    } | {"Z": compiled.counts()["Z"]}


def test_a_dense_vector_takes_any_order_that_has_all_that_is_open() -> None:
    board = Registers(ENGINE, ["b1", "e1"]).run(MOVE + split("e1", "e2", "e3")).registers
    open_now = board.uncertain
    assert np.allclose(abs(board.statevector()) ** 2, [board.distribution(*open_now).get(k, 0) for k in range(16)])
    order = ("e2", "b1", "a3", "e3", "c3")
    found = board.statevector(order)
    assert {k: a for k, a in enumerate(found) if a} == pytest.approx(board.amplitudes(order))
    assert Registers(ENGINE, ["b1"]).statevector().tolist() == [1]
    assert Registers(ENGINE, ["b1"]).statevector(["b1"]).tolist() == [0, 1]
    with pytest.raises(ProgramError, match="every qubit in superposition, this one lacks a3"):
        board.statevector(("c3", "e2", "e3"))
    with pytest.raises(StateTooLargeError, match="25 qubits at most, got 30"):
        board.statevector([*open_now, *(f"q{k}" for k in range(26))])


def test_samples_have_the_odds_of_read_outs_and_come_from_a_seed() -> None:
    board = Registers(ENGINE, ["b1", "e1"]).run(MOVE + split("e1", "e2", "e3") + ry("c3", 0.5)).registers
    order, shots = ("e1", "c3", "a3", "e2"), 4000
    counts = board.sample(shots, 7, order)
    odds = {tuple(q for k, q in enumerate(order) if key >> k & 1): p for key, p in board.distribution(*order).items()}
    assert counts.keys() <= odds.keys()
    for key, p in odds.items():
        assert abs(counts.get(key, 0) - shots * p) < 5 * (shots * p * (1 - p)) ** 0.5, "five deviations"
    assert counts == board.sample(shots, random.Random(7), order) != board.sample(shots, 8, order)
    assert list(counts.values()) == sorted(counts.values(), reverse=True)
    assert Registers(ENGINE, ["e1"]).sample(3, 1, ["e1", "q"]) == {("e1",): 3}
    assert Registers(ENGINE).sample(2, 1) == {(): 2}
    assert board.sample(0) == {}
    with pytest.raises(ProgramError, match="a whole number, got -1"):
        board.sample(-1)


def test_values_with_hints_are_copied_and_kept_as_before() -> None:
    board = Registers(ENGINE, ["b1"]).run(MOVE).registers
    values: tuple[Any, ...] = (MOVE, MOVE.compile(), x("a").control("b"))
    for value in values:
        assert pickle.loads(pickle.dumps(value)) == copy.copy(value) == copy.deepcopy(value) == value
    assert pickle.loads(pickle.dumps(board)).same_as(board)
    assert not hasattr(MOVE, "append")
    assert isinstance(MOVE[0], Operation)
