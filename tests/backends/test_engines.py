"""Every engine passes the one checker, and the checker notices what it is there for."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from qchess.backends.dense.aer_engine import AerEngine
from qchess.backends.dense.cirq_engine import CirqEngine
from qchess.backends.dense.engine import Vector
from qchess.backends.proving.checker import CheckError, Report, check_engine
from qchess.backends.proving.definition import Definition
from qchess.backends.sparse.engine import SparseEngine
from qchess.circuits.engine import Engine, Factors
from qchess.circuits.errors import BackendError, ImpossibleOutcomeError, MissingExtraError, StateTooLargeError
from qchess.circuits.operations import Gate, Operation, Qubit, cnot, h, iswap, x
from qchess.circuits.patterns import merge, split
from qchess.circuits.precision import SAME
from qchess.circuits.predicates import NEVER, full, where

MPS = "matrix_product_state"
#: Aer's chain of tensors forgets Schmidt coefficients below about 1e-8; every other engine gets 1e-9
ROUNDING = {"aer:mps": 1e-7}
HALF = math.sqrt(0.5)
#: how many random programs the slow tests run on each engine
PROGRAMS = int(os.environ.get("QCHESS_PROGRAMS", "50"))


def _engines() -> dict[str, Engine]:
    dense: tuple[Engine, ...] = (CirqEngine(), AerEngine(), AerEngine(MPS))
    return {"sparse": SparseEngine(), **{engine.name: engine for engine in dense}}


@pytest.fixture(scope="module")
def engines() -> dict[str, Engine]:
    """One of each engine, built once."""
    return _engines()


@pytest.fixture(params=["sparse", "cirq", "aer", "aer:mps"])
def engine(request: pytest.FixtureRequest, engines: dict[str, Engine]) -> Engine:
    """Each engine in turn."""
    return engines[request.param]


@pytest.fixture(params=["cirq", "aer", "aer:mps"])
def dense(request: pytest.FixtureRequest, engines: dict[str, Engine]) -> Engine:
    """Each dense engine in turn."""
    return engines[request.param]


def _check(engine: Engine, programs: int, **options: Any) -> Report:
    return check_engine(engine, programs=programs, tolerance=ROUNDING.get(engine.name, SAME), **options)


# -- the checker passes what is right --------------------------------------------------------------


def test_twenty_random_programs_agree_with_the_definition(engine: Engine) -> None:
    report = _check(engine, 20)
    assert (report.engine, report.programs) == (engine.name, 20)
    assert report.operations > 200
    assert report.questions > 30


def test_engines_agree_with_each_other(engines: dict[str, Engine]) -> None:
    report = check_engine(engines["cirq"], reference=engines["sparse"], programs=20, seed=1)
    assert report.reference == "sparse"
    assert report.worst < 1e-12


def test_compiled_kernels_agree_with_the_definition() -> None:
    # no state is small: every one of them is columns
    assert check_engine(SparseEngine(compiled=True), programs=60, seed=2).worst < 1e-12


@pytest.mark.long
def test_many_random_programs_agree_with_the_definition(engine: Engine) -> None:
    report = _check(engine, PROGRAMS)
    assert report.programs == PROGRAMS
    assert report.questions >= 3 * PROGRAMS


# -- the checker catches what is wrong ---------------------------------------------------------------


class WrongMergeSign(CirqEngine):
    """Turns every iSWAP with a negative exponent, and so every merge, the other way."""

    def apply(self, state: Vector, operation: Operation) -> Vector:
        gate = operation.gate
        if gate.name == "ISWAP" and gate.parameter < 0:
            operation = Operation(gate.inverse(), operation.targets, operation.controls)
        return super().apply(state, operation)


class SwappedControl(CirqEngine):
    """Takes the first control of every operation on the wrong value."""

    def apply(self, state: Vector, operation: Operation) -> Vector:
        if operation.controls:
            (qubit, value), *others = operation.controls
            operation = Operation(operation.gate, operation.targets, ((qubit, 1 - value), *others))
        return super().apply(state, operation)


class GlobalPhase(CirqEngine):
    """Turns X^t as a rotation RX, which is the same but for a global phase."""

    def apply(self, state: Vector, operation: Operation) -> Vector:
        turned = super().apply(state, operation)
        if operation.gate.name != "X" or operation.controls:
            return turned
        phase = np.exp(-0.5j * math.pi * operation.gate.parameter)
        return Vector(turned.qubits, turned.amplitudes * phase)


class WritesInPlace(CirqEngine):
    """Writes the result of an operation over the state that it was given."""

    def apply(self, state: Vector, operation: Operation) -> Vector:
        turned = super().apply(state, operation)
        state.amplitudes.setflags(write=True)
        state.amplitudes[:] = turned.amplitudes
        return turned


class NeverFactors(CirqEngine):
    """Calls every state whole once what is certain has left."""

    def factor(self, state: Vector, *, constants_only: bool = False) -> Factors:
        return super().factor(state, constants_only=True)


class ForgetsThePhase(CirqEngine):
    """Drops the phase that is left over by a factoring."""

    def factor(self, state: Vector, *, constants_only: bool = False) -> Factors:
        return super().factor(state, constants_only=constants_only)._replace(phase=1 + 0j)


class Unnormalised(CirqEngine):
    """Projects without making the norm 1 again."""

    def project(self, state: Vector, predicate: Any, answer: int) -> Vector:
        after = super().project(state, predicate, answer)
        chance = self.probability(state, predicate)
        return Vector(after.qubits, after.amplitudes * math.sqrt(chance if answer else 1 - chance))


class SwappedAnswers(CirqEngine):
    """Hands out the bits of a read-out in the wrong order."""

    def distribution(self, state: Vector, qubits: Sequence[Qubit]) -> dict[int, float]:
        return super().distribution(state, tuple(reversed(qubits)))


@pytest.mark.parametrize(
    "wrong",
    [
        WrongMergeSign,
        SwappedControl,
        GlobalPhase,
        WritesInPlace,
        NeverFactors,
        ForgetsThePhase,
        Unnormalised,
        SwappedAnswers,
    ],
)
def test_a_planted_error_is_caught(wrong: type[CirqEngine]) -> None:
    with pytest.raises(CheckError, match="engine 'cirq'"):
        check_engine(wrong(), programs=60)


class SparseMergeSign(SparseEngine):
    """The merge's sign error, in our own engine."""

    def apply(self, state: Any, operation: Operation) -> Any:
        if operation.gate.name == "ISWAP" and operation.gate.parameter < 0:
            operation = Operation(operation.gate.inverse(), operation.targets, operation.controls)
        return super().apply(state, operation)


def test_a_failed_check_shows_the_program_and_both_numbers() -> None:
    with pytest.raises(CheckError, match=r"(?s)engine 'sparse': .* is .*, 'definition' says .*Program\(.*iswap"):
        check_engine(SparseMergeSign(), programs=60)


# -- single rules, on every engine ---------------------------------------------------------------------


def test_bit_k_is_the_kth_qubit(engine: Engine) -> None:
    # One piece on a of a, b, c: no palindrome, so a reversed order cannot hide.
    state = engine.apply(engine.prepare(("a", "b", "c"), {0b001: 1}), x("b").when({"a": 1, "c": 0}))
    assert engine.amplitudes(state, ("a", "b", "c")) == pytest.approx({0b011: 1})
    assert engine.amplitudes(state, ("c", "b", "a")) == pytest.approx({0b110: 1})
    assert engine.distribution(state, ("c", "a")) == pytest.approx({0b10: 1})


def test_joining_keeps_each_bit_with_its_qubit(engine: Engine) -> None:
    joined = engine.join(engine.prepare(("a", "b"), {0b01: 1}), engine.prepare(("c",), {1: 1j}))
    assert engine.amplitudes(joined, ("a", "b", "c")) == {0b101: 1j}


def test_a_split_gives_both_targets_the_factor_i(engine: Engine) -> None:
    # |100> -> i(|010> + |001>)/sqrt 2, as in the patterns' own docstring
    state = _apply(engine, engine.prepare(("s", "t1", "t2"), {0b001: 1}), split("s", "t1", "t2").operations)
    assert engine.amplitudes(state, ("s", "t1", "t2")) == pytest.approx({0b010: 1j * HALF, 0b100: 1j * HALF})


def test_a_split_merged_again_is_the_piece_without_a_phase(engine: Engine) -> None:
    there_and_back = (*split("s", "a", "b").operations, *merge("a", "b", "s").operations)
    state = _apply(engine, engine.prepare(("s", "a", "b"), {0b001: 1}), there_and_back)
    assert engine.factor(state).constants == {"s": 1, "a": 0, "b": 0}
    assert engine.factor(state).phase == pytest.approx(1)


def test_one_answer_decides_a_whole_ghz_state(engine: Engine) -> None:
    qubits = ("a", "b", "c", "d")
    state = engine.prepare(qubits, {0: 1})
    state = _apply(engine, state, (h("a"), cnot("a", "b"), cnot("b", "c"), cnot("c", "d")))
    assert len(engine.factor(state).blocks) == 1
    assert engine.probability(state, full("c")) == pytest.approx(0.5)
    for answer in (0, 1):
        constants, phase, blocks = engine.factor(engine.project(state, full("c"), answer))
        assert constants == dict.fromkeys(qubits, answer)
        assert phase == pytest.approx(1)
        assert blocks == ()


def test_an_impossible_answer_cannot_be_forced(engine: Engine) -> None:
    state = engine.prepare(("a", "b"), {0b01: 1})
    with pytest.raises(ImpossibleOutcomeError, match="probability 0"):
        engine.project(state, where({"a": 0}), 1)
    with pytest.raises(ImpossibleOutcomeError):
        engine.project(state, NEVER, 1)


# -- factoring where no pair of qubits shows anything ---------------------------------------------------


def _five_qubit_code() -> dict[int, complex]:
    """The logical zero of the five-qubit code, whose stabilisers are XZZXI and its rotations."""
    vector = np.zeros(32)
    vector[0] = 1
    for turn in range(4):
        word = np.roll(list("XZZXI"), turn)
        flips = sum(1 << k for k in range(5) if word[k] == "X")
        signs = np.array([(-1) ** sum(key >> k & 1 for k in range(5) if word[k] == "Z") for key in range(32)])
        vector = vector + (signs * vector)[np.arange(32) ^ flips]
    vector = vector / np.linalg.norm(vector)
    return {key: complex(a) for key, a in enumerate(vector) if a}


def _reduced(state: Mapping[int, complex], kept: Sequence[int], size: int) -> np.ndarray[Any, Any]:
    """The density matrix of some of the qubits."""
    tensor = np.array([state.get(key, 0) for key in range(2**size)]).reshape((2,) * size)
    axes = [size - 1 - k for k in kept]
    matrix = np.moveaxis(tensor, axes, range(len(axes))).reshape(2 ** len(axes), -1)
    return np.asarray(matrix @ matrix.conj().T)


def test_no_two_qubits_of_the_five_qubit_code_know_of_each_other() -> None:
    # All two-qubit marginals are the even mixture, so every pair's mutual information is 0.
    state = _five_qubit_code()
    for pair in combinations(range(5), 2):
        assert _reduced(state, pair, 5) == pytest.approx(np.eye(4) / 4)


def test_a_whole_state_without_pair_correlations_stays_whole(engine: Engine) -> None:
    code = engine.prepare(tuple("abcde"), _five_qubit_code())
    pair = engine.prepare(("y", "z"), {0b01: HALF, 0b10: 1j * HALF})
    constants, _, blocks = engine.factor(engine.join(code, pair))
    assert constants == {}
    assert {frozenset(engine.qubits(block)) for block in blocks} == {frozenset("abcde"), frozenset("yz")}


def test_two_interleaved_pairs_are_told_apart(engine: Engine) -> None:
    for order in permutations("abcd"):
        state = engine.prepare(order, {0: 1})
        state = _apply(engine, state, (h("a"), h("b"), cnot("a", "c"), cnot("b", "d"), iswap("a", "c", 0.3)))
        blocks = {frozenset(engine.qubits(block)) for block in engine.factor(state).blocks}
        assert blocks == {frozenset("ac"), frozenset("bd")}


def test_ten_plus_states_fall_into_single_qubits(engine: Engine) -> None:
    qubits = tuple("abcdefghij")
    state = _apply(engine, engine.prepare(qubits, {0: 1}), [h(q) for q in qubits])
    assert {engine.qubits(block) for block in engine.factor(state).blocks} == {(q,) for q in qubits}


# -- the dense engines alone --------------------------------------------------------------------------


def test_a_register_beyond_the_limit_is_refused() -> None:
    for small in (CirqEngine(branch_limit=8), AerEngine(branch_limit=8)):
        with pytest.raises(StateTooLargeError, match="at most 8 amplitudes"):
            small.prepare("abcd", {0: 1})
        with pytest.raises(StateTooLargeError, match="4 qubits"):
            small.join(small.prepare("ab", {0: 1}), small.prepare("cd", {0: 1}))
        assert small.branches(small.prepare("abc", {0: 1})) == 1


def test_a_qubit_of_another_register_is_refused(dense: Engine) -> None:
    state = dense.prepare(("a", "b"), {0: 1})
    for ask in (
        lambda: dense.apply(state, x("z")),
        lambda: dense.probability(state, full("z")),
        lambda: dense.distribution(state, ("z",)),
        lambda: dense.amplitudes(state, ("a", "z")),
    ):
        with pytest.raises(BackendError, match="'z'"):
            ask()
    with pytest.raises(BackendError, match="both hold"):
        dense.join(state, dense.prepare(("b",), {0: 1}))


def test_a_start_that_is_none_is_refused(dense: Engine) -> None:
    with pytest.raises(BackendError, match="distinct"):
        dense.prepare(("a", "a"), {0: 1})
    with pytest.raises(BackendError, match=r"0\.\.3, got 4"):
        dense.prepare(("a", "b"), {4: 1})


def test_only_two_methods_of_aer_are_engines() -> None:
    with pytest.raises(BackendError, match="'stabilizer'"):
        AerEngine("stabilizer")


@pytest.mark.parametrize(
    ("package", "make", "wanted"), [("cirq", CirqEngine, "cirq-core"), ("qiskit_aer", AerEngine, "qiskit-aer")]
)
def test_a_missing_vendor_is_named(
    monkeypatch: pytest.MonkeyPatch, package: str, make: Callable[[], Engine], wanted: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=f"pip install {wanted}"):
        make()


def test_cirq_is_never_asked_to_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    # A measurement in the middle makes Cirq's simulator run once for every shot.
    import cirq

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a question went to Cirq")

    for simulator in (cirq.SimulatesSamples, cirq.SimulatesFinalState, cirq.SimulatesIntermediateState):
        for method in {"run", "simulate", "run_sweep", "simulate_sweep"} & set(vars(simulator)):
            monkeypatch.setattr(simulator, method, refuse)
    monkeypatch.setattr(cirq.MeasurementGate, "_act_on_", refuse)
    assert check_engine(CirqEngine(), programs=10, seed=3).questions >= 30


def test_every_gate_with_up_to_eight_controls_is_exact(dense: Engine) -> None:
    # Beyond the random programs' three controls: a long path on a crowded board.
    rng = np.random.default_rng(5)
    qubits = tuple(f"q{k}" for k in range(10))
    vector = rng.normal(size=1024) + 1j * rng.normal(size=1024)
    start = dict(enumerate((vector / np.linalg.norm(vector)).tolist()))
    gates = (
        Gate("ISWAP", 0.3),
        Gate("SWAP"),
        Gate("X", 0.7),
        Gate("Z", -1.2),
        Gate("H"),
        Gate("RY", 2.1),
        Gate("RZ", 1.3),
    )
    for controls in (4, 8):
        for gate in gates:
            names = [qubits[k] for k in rng.permutation(10)]
            targets, rest = tuple(names[: gate.size]), names[gate.size : gate.size + controls]
            operation = Operation(gate, targets, tuple((q, int(rng.integers(2))) for q in rest))
            got = dense.amplitudes(dense.apply(dense.prepare(qubits, start), operation))
            definition = Definition()
            expected = definition.amplitudes(definition.apply(definition.prepare(qubits, start), operation))
            assert max(abs(got[key] - expected[key]) for key in expected) < 1e-12


def _apply(engine: Engine, state: Any, operations: Sequence[Operation]) -> Any:
    for operation in operations:
        state = engine.apply(state, operation)
    return state
