"""Figures of `qchess.study` against Qiskit's own, on random programs and in games."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import qchess
from qchess import backends, study
from qchess.circuits import Program, Registers, cx, h, iswap, rx, ry, rz, swap, t, x, y

CLOSE = 1e-7
NAMES = ("a1", "b1", "c1", "d1", "e1")


def random_program(seed: int) -> Program:
    """A program on two to five squares that entangles most of them."""
    rng = random.Random(seed)
    names = NAMES[: rng.randint(2, 5)]
    steps: list[Any] = [h(q) for q in names if rng.random() < 0.6]
    for _ in range(rng.randint(3, 12)):
        a, b = rng.sample(names, 2)
        angle = rng.uniform(-3, 3)
        steps.append(rng.choice((cx(a, b), iswap(a, b, angle), swap(a, b), ry(a, angle), rz(a, angle), t(a), y(a),
                                 rx(a, angle), ry(a, angle).control(b), x(a, angle).control(b))))  # fmt: skip
    return Program(*steps, *(x(q, 2.0) for q in names))


def same_figures(world: Registers, order: tuple[str, ...], rng: random.Random) -> None:
    """Every figure of one state, squares chosen at random, as Qiskit has it of the dense vector."""
    from qiskit.quantum_info import DensityMatrix, Pauli, Statevector, concurrence, entropy, partial_trace, purity

    state = Statevector(world.statevector(order))
    mine = tuple(rng.sample(order, rng.randint(1, len(order) - 1)))
    # the squares in the order of the wires, as a partial trace leaves them
    mine = tuple(q for q in order if q in mine)
    rest = partial_trace(state, [k for k, q in enumerate(order) if q not in mine])
    assert np.allclose(study.reduced(world, *mine), rest.data, atol=CLOSE)
    assert study.entropy(world, *mine) == pytest.approx(entropy(rest, base=2), abs=CLOSE)
    assert study.purity(world, *mine) == pytest.approx(purity(rest).real, abs=CLOSE)
    square = rng.choice(order)
    alone = partial_trace(state, [k for k, q in enumerate(order) if q != square])
    assert tuple(study.bloch(world, square)) == pytest.approx(
        [DensityMatrix(alone).expectation_value(Pauli(letter)).real for letter in "XYZ"], abs=CLOSE
    )
    one, other = sorted(rng.sample(order, 2), key=order.index)
    pair = partial_trace(state, [k for k, q in enumerate(order) if q not in (one, other)])
    # of a square root of a density matrix half of the digits are left
    assert study.concurrence(world, one, other) == pytest.approx(concurrence(pair), abs=3e-7)


def programs_agree(count: int) -> None:
    from qiskit.quantum_info import Operator

    for seed in range(count):
        program = random_program(seed)
        assert np.allclose(Operator(program.to_qiskit()).data, program.unitary(), atol=1e-9)
        world = Registers(backends.engine()).run(program).registers
        same_figures(world, program.qubits, random.Random(seed))


def games_agree(count: int) -> int:
    """How many states of games had something to compare."""
    compared = 0
    for seed in range(count):
        name = qchess.games.names()[seed % len(qchess.games.names())]
        game, rng = qchess.new(name, seed=seed), random.Random(seed)
        for _ in range(10):
            moves = game.moves()
            if not moves:
                break
            game.play(rng.choice([move for move in moves if "^" in move] or moves))
            order = game.position.registers.uncertain
            if len(order) > 9:
                break
            if len(order) > 1:
                same_figures(game.position.registers, order, rng)
                compared += 1
    return compared


def test_figures_of_random_programs_are_qiskits() -> None:
    programs_agree(12)


def test_figures_in_games_are_qiskits() -> None:
    assert games_agree(6) > 12


@pytest.mark.slow
def test_figures_of_three_hundred_programs_and_sixty_games_are_qiskits() -> None:
    programs_agree(300)
    assert games_agree(60) > 120
