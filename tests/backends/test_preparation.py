"""A preparation makes exactly the state it was given, phases included, and is short for game states."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qchess import backends
from qchess.backends.devices.preparation import BRANCH_LIMIT, preparation
from qchess.circuits import BackendError, Program, Registers, slide, split
from qchess.circuits.compiling.compiler import LEVELS, compile_program
from qchess.circuits.compiling.lowering import BASES

Amplitudes = Mapping[int, complex]


def prepared(program: Program, order: Sequence[str]) -> Amplitudes:
    """The amplitudes after the program, run by the exact engine from all zeros."""
    return Registers(backends.engine()).run(program).registers.amplitudes(order)


def distance(first: Amplitudes, second: Amplitudes) -> float:
    """The largest difference of two states' amplitudes, after one common phase."""
    top = max(second, key=lambda key: abs(second[key]))
    turn = cmath.rect(1, cmath.phase(second[top]) - cmath.phase(first.get(top, 1)))
    return max(abs(turn * first.get(key, 0) - second.get(key, 0)) for key in first.keys() | second.keys())


def normalised(amplitudes: Amplitudes) -> dict[int, complex]:
    norm = math.sqrt(sum(abs(a) ** 2 for a in amplitudes.values()))
    return {key: a / norm for key, a in amplitudes.items()}


def position() -> Registers:
    """Two pieces, three splits, one slide past a square that may be full: six branches on six squares."""
    moves = split("b1", "a3", "c3") + split("d4", "d5", "d6") + slide("d5", "h5", ("a3",)) + split("c3", "e1", "e2")
    return Registers(backends.engine(), full=["b1", "d4"]).run(moves).registers


@st.composite
def states(draw: st.DrawFn) -> tuple[tuple[str, ...], dict[int, complex]]:
    size = draw(st.integers(1, 6))
    keys = draw(st.sets(st.integers(0, 2**size - 1), min_size=1, max_size=12))
    parts = st.floats(0.05, 1).flatmap(lambda r: st.floats(-3.1, 3.1).map(lambda angle: cmath.rect(r, angle)))
    return tuple(f"q{k}" for k in range(size)), normalised({key: draw(parts) for key in sorted(keys)})


@pytest.mark.slow
@given(states())
@settings(max_examples=30)
def test_any_state_is_prepared_with_its_relative_phases(state: tuple[tuple[str, ...], dict[int, complex]]) -> None:
    qubits, amplitudes = state
    assert distance(prepared(preparation(qubits, amplitudes), qubits), amplitudes) < 1e-12


@pytest.mark.slow
def test_a_dense_state_is_prepared_too() -> None:
    qubits = tuple("abcdef")
    amplitudes = normalised({key: cmath.rect(1 + key % 5, key * key) for key in range(64)})
    assert distance(prepared(preparation(qubits, amplitudes), qubits), amplitudes) < 1e-12


def test_a_small_amplitude_is_not_lost() -> None:
    amplitudes = normalised({0b00: 1, 0b11: 1e-9j})
    made = prepared(preparation(("a", "b"), amplitudes), ("a", "b"))
    turned = made[0b11] / made[0b00]
    assert abs(turned - 1e-9j) < 1e-20


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("level", LEVELS)
def test_the_compiled_preparation_makes_the_same_state(level: str, basis: str) -> None:
    board = position()
    [qubits] = board.registers
    amplitudes = board.each[0].amplitudes(qubits)
    circuit = preparation(qubits, amplitudes)
    compiled = compile_program(circuit, level=level, basis=basis, known=dict.fromkeys(circuit.qubits, 0))
    order = [compiled.layout.get(q, q) for q in qubits] + list(compiled.ancillas)
    assert distance(prepared(compiled.program, order), amplitudes) < 1e-10


@pytest.mark.parametrize(
    ("amplitudes", "most"),
    [
        ({0b000: 1, 0b001: 1, 0b010: 2, 0b011: 2, 0b100: 1j, 0b101: 1j, 0b110: 2j, 0b111: 2j}, 0),  # a product
        ({0b001: 1, 0b010: 1j}, 1),  # a split piece: one gate makes a Bell pair
        ({0b000: 1, 0b111: 1}, 2),  # three qubits that agree: two gates can connect them
        ({0b001: 1, 0b010: 1, 0b100: 1}, 4),  # a piece on three squares
    ],
)
def test_simple_states_need_few_two_qubit_gates(amplitudes: Amplitudes, most: int) -> None:
    circuit = preparation(("a", "b", "c"), normalised(amplitudes))
    compiled = compile_program(circuit, level="aware", basis="cz", known=dict.fromkeys(circuit.qubits, 0))
    assert compiled.two_qubit_count() <= most


def test_a_state_with_too_many_branches_is_refused() -> None:
    uniform = dict.fromkeys(range(512), 512**-0.5 + 0j)
    with pytest.raises(BackendError, match="at most 256 branches can be prepared, the state has 512"):
        preparation([f"q{k}" for k in range(9)], uniform)


def test_as_many_branches_are_prepared_as_the_limit_says_and_no_more() -> None:
    names = [f"q{k}" for k in range(9)]
    full = dict.fromkeys(range(BRANCH_LIMIT), BRANCH_LIMIT**-0.5 + 0j)
    assert len(preparation(names, full))
    with pytest.raises(BackendError, match=f"at most {BRANCH_LIMIT} branches"):
        preparation(names, {**full, BRANCH_LIMIT: 0.1 + 0j})
