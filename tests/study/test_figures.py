"""The figures of `qchess.study` against dense textbook definitions, on 200 random states, to 1e-10."""

from __future__ import annotations

import math
import random
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
import pytest

import qchess
from qchess import backends, study
from qchess.circuits import Program, Registers, ask, full, h, iswap, split, where
from qchess.study.reduced import factor
from qchess.study.subject import StudyError

STATES = 200
CLOSE = 1e-10
NAMES = ("a1", "b1", "c1", "d1", "e1", "f1")


class Case(NamedTuple):
    """Registers, and the same state as a dense vector: bit k of an index is ``NAMES[k]``."""

    world: Registers
    dense: np.ndarray
    names: tuple[str, ...]


def random_group(rng: random.Random, size: int) -> dict[int, complex]:
    """Amplitudes on a random part of all basis states, some of them with plain phases."""
    keys = rng.sample(range(2**size), rng.randint(1, 2**size))
    plain = rng.random() < 0.3
    raw = {key: rng.choice((1, -1, 1j, -1j)) if plain else complex(rng.gauss(0, 1), rng.gauss(0, 1)) for key in keys}
    norm = math.sqrt(sum(abs(a) ** 2 for a in raw.values()))
    return {key: a / norm for key, a in raw.items()}


def case(seed: int) -> Case:
    """A random state of two to six squares, prepared in one group or two."""
    rng = random.Random(seed)
    names = NAMES[: rng.randint(2, 6)]
    first = rng.randint(1, len(names))
    order = rng.sample(names, len(names))
    groups = [tuple(order[:first]), tuple(order[first:])]
    told = [(group, random_group(rng, len(group))) for group in groups if group]
    dense = np.zeros(2 ** len(names), dtype=complex)
    for index in range(len(dense)):
        amplitude = 1 + 0j
        for group, table in told:
            amplitude *= table.get(sum((index >> names.index(q) & 1) << k for k, q in enumerate(group)), 0)
        dense[index] = amplitude
    return Case(Registers.prepared(backends.engine("sparse"), told), dense, names)


@cache
def cases() -> tuple[Case, ...]:
    """All of these states."""
    return tuple(case(seed) for seed in range(STATES))


# -- the dense definitions --------------------------------------------------------------------------------


def dense_rows(one: Case, wanted: tuple[str, ...]) -> np.ndarray:
    """The state as a matrix: rows are the wanted squares (the first the lowest bit), columns all others."""
    n = len(one.names)
    axes = [n - 1 - one.names.index(q) for q in reversed(wanted)]
    others = [axis for axis in range(n) if axis not in axes]
    rows: np.ndarray = one.dense.reshape((2,) * n).transpose(axes + others).reshape(2 ** len(wanted), -1)
    return rows


def dense_reduced(one: Case, wanted: tuple[str, ...]) -> np.ndarray:
    rows = dense_rows(one, wanted)
    product: np.ndarray = rows @ rows.conj().T
    return product


def dense_entropy(one: Case, wanted: tuple[str, ...]) -> float:
    values = np.linalg.eigvalsh(dense_reduced(one, wanted))
    return float(-sum(p * math.log2(p) for p in values if p > 0))


PAULI = {"x": np.array([[0, 1], [1, 0]]), "y": np.array([[0, -1j], [1j, 0]]), "z": np.diag([1, -1])}


def dense_expectation(one: Case, square: str, letter: str) -> float:
    operator = np.eye(1)
    for name in one.names:
        operator = np.kron(PAULI[letter] if name == square else np.eye(2), operator)
    return float((one.dense.conj() @ operator @ one.dense).real)


def dense_concurrence(one: Case, pair: tuple[str, str]) -> float:
    """Wootters (1998), eq. 6-9: from the vectors of a decomposition, by the overlaps with their flipped ones."""
    vectors = dense_rows(one, pair).T
    flip = np.kron(PAULI["y"], PAULI["y"])
    overlaps = np.array([[v.conj() @ flip @ w.conj() for w in vectors] for v in vectors])
    values = np.linalg.svd(overlaps, compute_uv=False)
    return float(max(0.0, 2 * values[0] - values.sum()))


def groups_of(one: Case) -> list[tuple[str, ...]]:
    rng = random.Random(len(one.names))
    return [tuple(rng.sample(one.names, rng.randint(1, len(one.names)))) for _ in range(2)]


# -- figures ------------------------------------------------------------------------------------------------


def test_density_matrices_are_the_partial_traces_of_the_dense_vector() -> None:
    for one in cases():
        for wanted in groups_of(one):
            expected = dense_reduced(one, wanted)
            assert np.abs(study.reduced(one.world, *wanted) - expected).max() < CLOSE
            root = factor(one.world, *wanted)
            assert np.abs(root @ root.conj().T - expected).max() < CLOSE


def test_entropies_and_purities_are_those_of_the_dense_matrices() -> None:
    for one in cases():
        for wanted in groups_of(one):
            assert abs(study.entropy(one.world, *wanted) - dense_entropy(one, wanted)) < CLOSE
            expected = np.trace(np.linalg.matrix_power(dense_reduced(one, wanted), 2)).real
            assert abs(study.purity(one.world, *wanted) - expected) < CLOSE


def test_a_group_and_all_the_others_have_the_same_spectrum() -> None:
    for one in cases():
        mine = groups_of(one)[0]
        others = tuple(q for q in one.names if q not in mine)
        theirs = study.spectrum(one.world, *others) if others else np.ones(1)
        found = study.spectrum(one.world, *mine)
        size = max(len(found), len(theirs))
        assert np.abs(np.pad(found, (0, size - len(found))) - np.pad(theirs, (0, size - len(theirs)))).max() < CLOSE


def test_mutual_information_is_what_dense_entropies_say() -> None:
    for one in cases():
        a, b, *rest = one.names
        for first, second in (((a,), (b,)), ((b, *rest[:1]), (a, *rest[1:]))):
            separately = dense_entropy(one, first) + dense_entropy(one, second)
            expected = separately - dense_entropy(one, (*first, *second))
            assert abs(study.mutual_information(one.world, first, second) - expected) < CLOSE


def test_bloch_vectors_are_the_expectations_of_x_y_and_z() -> None:
    for one in cases():
        for square in one.names[:1]:
            found = study.bloch(one.world, square)
            for letter, value in zip("xyz", found, strict=True):
                assert abs(value - dense_expectation(one, square, letter)) < CLOSE
            assert abs((1 + found.length**2) / 2 - study.purity(one.world, square)) < CLOSE


def test_concurrence_is_wootters_on_the_dense_vector() -> None:
    for one in cases():
        for pair in list(combinations(one.names, 2))[:4]:
            assert abs(study.concurrence(one.world, *pair) - dense_concurrence(one, pair)) < CLOSE


def test_concurrence_agrees_with_the_eigenvalue_formula_in_fifty_digits() -> None:
    """Wootters (1998), eq. 7: the square roots of the eigenvalues of rho times its flip, worked out exactly enough."""
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(50):
        flip = mpmath.matrix([[0, 0, 0, -1], [0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0]])
        for one in cases()[:25]:
            rows = mpmath.matrix(dense_rows(one, one.names[:2]).tolist())
            rho = rows * rows.transpose_conj()
            values, _ = mpmath.eig(rho * flip * rho.conjugate() * flip)
            roots = sorted((mpmath.sqrt(abs(value)) for value in values), reverse=True)
            expected = max(0, roots[0] - roots[1] - roots[2] - roots[3])
            assert abs(study.concurrence(one.world, *one.names[:2]) - expected) < CLOSE


def test_overlaps_and_fidelities_are_inner_products_of_dense_vectors() -> None:
    by_size: dict[int, list[Case]] = {}
    for one in cases():
        by_size.setdefault(len(one.names), []).append(one)
    for same in by_size.values():
        for one, other in zip(same, same[1:] + same[:1], strict=True):
            expected = np.vdot(one.dense, other.dense)
            assert abs(study.overlap(one.world, other.world) - expected) < CLOSE
            assert abs(study.fidelity(one.world, other.world) - abs(expected) ** 2) < CLOSE


def test_the_fidelity_of_some_squares_is_the_best_overlap_of_purifications() -> None:
    """Uhlmann (1976): the trace norm of the product of two purifications, over what was traced out."""
    for one, other in zip(cases(), cases()[1:], strict=False):
        shared = tuple(q for q in one.names if q in other.names)[:3]
        between = dense_rows(one, shared).conj().T @ dense_rows(other, shared)
        expected = np.linalg.svd(between, compute_uv=False).sum() ** 2
        assert abs(study.fidelity(one.world, other.world, *shared) - expected) < CLOSE


def test_what_a_question_would_do_is_what_dense_projectors_do() -> None:
    for one in cases():
        asked = where({one.names[0]: 1, one.names[1]: 0})
        yes = np.array([index & 1 == 1 and not index & 2 for index in range(len(one.dense))])
        for consequence in study.asked(one.world, asked):
            kept = np.where(yes == bool(consequence.answers["asked"]), one.dense, 0)
            p = float((abs(kept) ** 2).sum())
            assert abs(consequence.probability - p) < CLOSE
            odds = abs(kept) ** 2 / p
            assert abs(consequence.entropy + sum(q * math.log2(q) for q in odds if q > 0)) < CLOSE
            for effect in consequence.effects:
                for qubit, value in effect.certain.items():
                    marginal = sum(q for index, q in enumerate(odds) if index >> one.names.index(qubit) & 1)
                    assert abs(marginal - value) < CLOSE


def test_a_read_out_tells_the_shannon_entropy_of_the_dense_odds() -> None:
    for one in cases():
        odds = abs(one.dense) ** 2
        assert abs(study.readout_entropy(one.world) + sum(p * math.log2(p) for p in odds if p > 0)) < CLOSE


# -- laws and known states ---------------------------------------------------------------------------------


def bell() -> Registers:
    return Registers(backends.engine(), full=["a1"]).run(Program(iswap("a1", "b1", 0.5))).registers


def test_half_a_move_makes_a_bell_pair() -> None:
    pair = bell()
    assert study.concurrence(pair, "a1", "b1") == pytest.approx(1, abs=CLOSE)
    assert study.mutual_information(pair, "a1", "b1") == pytest.approx(2, abs=CLOSE)
    assert study.bloch(pair, "a1").length == pytest.approx(0, abs=CLOSE)
    assert study.entropies(pair) == pytest.approx({"a1": 1, "b1": 1})


def test_a_piece_on_n_squares_has_pairs_of_concurrence_two_over_n() -> None:
    """Coffman, Kundu, Wootters (2000): the W state of n qubits, whose pairs all have concurrence 2/n."""
    for n in range(2, 8):
        table = {1 << k: 1 / math.sqrt(n) for k in range(n)}
        world = Registers.prepared(backends.engine(), [(tuple(f"a{k}" for k in range(n)), table)])
        assert study.concurrence(world, "a0", "a1") == pytest.approx(2 / n, abs=CLOSE)


def test_three_that_know_all_of_each_other_tell_nothing_in_pairs() -> None:
    """The GHZ state: a bit of mutual information a pair, and no concurrence."""
    world = Registers.prepared(backends.engine(), [(("a1", "b1", "c1"), {0: 2**-0.5, 7: 2**-0.5})])
    assert study.concurrence(world, "a1", "b1") == pytest.approx(0, abs=CLOSE)
    assert study.mutual_information(world, "a1", "b1") == pytest.approx(1, abs=CLOSE)
    assert study.mutual_information(world, "a1", ("b1", "c1")) == pytest.approx(2, abs=CLOSE)


def test_a_lone_square_may_be_open_and_entangled_with_nothing() -> None:
    world = Registers(backends.engine()).apply(h("a1"))
    assert study.entropy(world, "a1") == 0
    assert study.readout_entropy(world) == pytest.approx(1)
    assert study.bloch(world, "a1") == pytest.approx((1, 0, 0))


def test_certain_squares_have_a_place_in_a_density_matrix() -> None:
    world = bell().run(Program()).registers
    matrix = study.reduced(world, "c1", "a1")
    assert matrix.diagonal().real == pytest.approx([0.5, 0, 0.5, 0])  # c1 is empty and the lowest bit
    assert study.entropy(world, "c1") == 0


def test_a_register_of_more_than_sixty_squares_is_studied_without_a_vector() -> None:
    names = [f"q{k}" for k in range(90)]
    world = Registers(backends.engine(), full=["q0"])
    for a, b in pairwise(names):
        world = world.apply(iswap(a, b, 0.5))
    p = 1 - 0.5**45
    assert study.entropy(world, *names[:45]) == pytest.approx(-p * math.log2(p) + 45 * 0.5**45, abs=CLOSE)
    assert study.mutual_information(world, names[:2], names[2:]) == pytest.approx(2 * 0.811278124459, abs=1e-9)


def test_a_move_shows_in_what_an_answer_would_do() -> None:
    game = qchess.new("quantum-chess", seed=1)
    for move in ("b1^a3c3", "a7-a6", "c3^b5d5", "a6-a5"):
        game.play(move)
    hit, missed = study.asked(game, "d5-c7")
    assert (hit.probability, missed.probability) == pytest.approx((0.25, 0.75))
    (effect,) = hit.effects
    assert effect.qubits == game.position.registers.registers[0]
    assert not effect.left
    (effect,) = missed.effects
    assert (effect.branches, effect.branches_left) == (3, (2,))
    assert study.information(game, "d5-c7") == pytest.approx(0.811278124459)
    assert "hit=0 (0.75)" in str(missed)


def test_a_question_about_one_register_leaves_the_others_alone() -> None:
    world = Registers(backends.engine(), full=["b1", "g1"])
    world = world.run(split("b1", "a3", "c3") + split("g1", "f3", "h3")).registers
    for consequence in study.asked(world, full("a3")):
        assert [set(effect.qubits) for effect in consequence.effects] == [{"a3", "c3"}]
        assert consequence.entropy == pytest.approx(1)


def test_the_graph_has_a_component_for_each_register_of_a_game() -> None:
    import networkx as nx

    world = Registers(backends.engine(), full=["b1", "g1"])
    world = world.run(split("b1", "a3", "c3") + split("g1", "f3", "h3")).registers
    graph = study.entanglement(world)
    assert {frozenset(part) for part in nx.connected_components(graph)} == {frozenset(r) for r in world.registers}
    assert graph.edges["a3", "c3"] == pytest.approx({"mutual_information": 2, "concurrence": 1})
    assert graph.nodes["a3"] == pytest.approx({"probability": 0.5, "entropy": 1})


def test_the_detour_of_one_half_shows_in_the_overlap_and_not_in_the_odds() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    straight, detour = (qchess.new("quantum-chess", fen=fen, seed=1) for _ in range(2))
    for game, line in ((straight, "a1^a4d1 e8-e7"), (detour, "a1^a4d1 e8-e7 a4-b4 e7-e8 b4-a4 e8-e7")):
        for move in line.split():
            game.play(move)
    assert study.fidelity(straight, straight) == pytest.approx(1)
    assert study.fidelity(straight, detour) == pytest.approx(0, abs=CLOSE)
    assert study.fidelity(straight, detour, "a4") == pytest.approx(1)


def test_engines_agree_on_every_figure() -> None:
    found = []
    for name in ("sparse", "cirq"):
        world = Registers(backends.engine(name), full=["b1"]).run(split("b1", "a3", "c3")).registers
        assert study.concurrence(world, "a3", "c3") == pytest.approx(1, abs=1e-9)
        found.append(world)
    assert study.overlap(*found) == pytest.approx(1, abs=1e-9)


def test_what_does_not_differ_or_is_no_state_is_refused_in_words() -> None:
    with pytest.raises(StudyError, match="share no square"):
        study.mutual_information(bell(), ("a1", "b1"), "a1")
    with pytest.raises(StudyError, match="squares that differ"):
        study.entropy(bell(), "a1", "a1")
    with pytest.raises(StudyError, match="expected a game, a position or registers, got 7"):
        study.entropy(7, "a1")
    with pytest.raises(StudyError, match="a move given as text needs a game"):
        study.asked(bell(), "a1-b1")
    with pytest.raises(StudyError, match="11 squares at most, got 12"):
        study.reduced(bell(), *(f"a{k}" for k in range(12)))


def test_a_question_in_the_middle_of_a_run_can_be_studied() -> None:
    pause = bell().start(Program(ask("there", full("a1"))))
    assert study.entropy(pause, "a1") == pytest.approx(1)
