"""The compiled kernels are the clear version; nothing but the width of a state decides which one serves."""

import functools
import operator
import random
from typing import Any

import numpy as np
import pytest

from qchess import backends
from qchess.backends.sparse import asking
from qchess.backends.sparse.columns import PerThread, numbers
from qchess.backends.sparse.engine import SparseEngine
from qchess.circuits import (
    BackendError,
    ImpossibleOutcomeError,
    Program,
    Registers,
    StateTooLargeError,
    cz,
    h,
    iswap,
    ry,
    split,
    swap,
    where,
    x,
    z,
)
from qchess.circuits.kernels.library import library

CLEAR = SparseEngine(compiled=False)
COMPILED = SparseEngine(compiled=True)


def slowly(*numbers: int) -> list[Any]:
    return [pytest.param(n, marks=pytest.mark.slow) for n in numbers]


def random_state(rng: np.random.Generator, qubits: int, branches: int) -> tuple[list[str], dict[int, complex]]:
    keys = {int.from_bytes(rng.bytes(max(33, qubits // 8 + 1)), "little") % 2**qubits for _ in range(branches)}
    values = rng.normal(size=len(keys)) + 1j * rng.normal(size=len(keys))
    values /= np.linalg.norm(values)
    return [f"q{k}" for k in range(qubits)], dict(zip(sorted(keys), values.tolist(), strict=True))


def same(a: dict[int, complex], b: dict[int, complex]) -> bool:
    return all(abs(a.get(key, 0) - b.get(key, 0)) < 1e-12 for key in a.keys() | b.keys())


@pytest.mark.parametrize("qubits", [5, 40, 65, *slowly(64, 100, 128, 129, 200, 256, 257, 400, 1024)])
def test_kernels_do_what_the_clear_version_does(qubits: int) -> None:
    rng, choose = np.random.default_rng(qubits), random.Random(qubits)
    names, amplitudes = random_state(rng, qubits, 60)
    clear, compiled = CLEAR.prepare(names, amplitudes), COMPILED.prepare(names, amplitudes)
    for _ in range(40):
        a, b, c, d = choose.sample(names, 4)
        operation = choose.choice([iswap(a, b, 0.5), iswap(a, b, -1), swap(a, b), x(a), h(a), z(a, 0.3), ry(a, 1.1)])
        if choose.random() < 0.7:
            operation = operation.when({c: choose.randint(0, 1), d: choose.randint(0, 1)})
        if len(clear) > 1000:
            asked = where({a: 1, b: 0}) | where({c: 1})
            assert CLEAR.probability(clear, asked) == pytest.approx(COMPILED.probability(compiled, asked), abs=1e-12)
            clear, compiled = (e.project(s, asked, 1) for e, s in ((CLEAR, clear), (COMPILED, compiled)))
        clear, compiled = CLEAR.apply(clear, operation), COMPILED.apply(compiled, operation)
        assert compiled.columns is not None
        keys = numbers(compiled.columns.keys)
        assert keys == sorted(set(keys))
        assert same(CLEAR.amplitudes(clear, names), COMPILED.amplitudes(compiled, names))


def test_a_program_of_more_gates_than_the_workspace_has_room_for_is_run_whole() -> None:
    rng, choose = np.random.default_rng(3), random.Random(3)
    names, amplitudes = random_state(rng, 8, 40)
    steps = [(ry if k % 2 else z)(choose.choice(names), 0.01 * (k + 1)) for k in range(300)]
    made = [engine.run(engine.prepare(names, amplitudes), steps, {}) for engine in (CLEAR, COMPILED)]
    assert same(*(engine.amplitudes(state, names) for engine, state in zip((CLEAR, COMPILED), made, strict=True)))


@pytest.mark.parametrize("kept", [0, 2**16])
@pytest.mark.parametrize("qubits", [9, 64, 100, 300])
def test_answers_are_those_of_the_clear_version_in_the_workspace_and_beside_it(
    kept: int, qubits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "KEPT", kept)
    monkeypatch.setattr(asking, "_SPACES", PerThread())
    names, amplitudes = random_state(np.random.default_rng(qubits), qubits, 60)
    clear, compiled = CLEAR.prepare(names, amplitudes), COMPILED.prepare(names, amplitudes)
    far = names[-1]
    single, many = where({"q1": 1, far: 0}), where({"q1": 1, far: 0}) | where(q2=0, q3=1)
    crowd = [where({f"q{k}": 1, f"q{k + 1}": 0, far: k % 2}) for k in range(7)]
    crowd += [where({f"q{k}": 0, f"q{k + 1}": 1, "q8": k % 2}) for k in range(7)] + [where(q0=k, q7=k) for k in (0, 1)]
    left = []
    for asked in (single, many, functools.reduce(operator.or_, crowd, single), single):
        for answer in (1, 0, 1):
            assert COMPILED.probability(compiled, asked) == pytest.approx(CLEAR.probability(clear, asked), abs=1e-12)
            left.append((COMPILED.project(compiled, asked, answer), CLEAR.project(clear, asked, answer)))
    for ours, theirs in left:  # none was written over by those after it
        assert same(COMPILED.amplitudes(ours, names), CLEAR.amplitudes(theirs, names))
    sure = left[0][0]
    assert COMPILED.probability(sure, single) == pytest.approx(1, abs=1e-12)
    for answer, error in ((0, ImpossibleOutcomeError), (2, BackendError)):
        with pytest.raises(error, match="answer"):
            COMPILED.project(sure, single, answer)
    for ask in (COMPILED.probability, lambda state, asked: COMPILED.project(state, asked, 1)):
        with pytest.raises(BackendError, match="not 'nowhere'"):
            ask(compiled, where(q1=1, nowhere=0))


@pytest.mark.parametrize("kept", [asking.KEPT, 0])
def test_the_odds_of_columns_from_elsewhere_are_plain_numbers_where_no_machine_code_serves(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state may come from a process with other kernels; a record takes no number of NumPy's."""
    state = SparseEngine(compiled=True).prepare(("a", "b"), {0: 0.6, 3: 0.8})
    served = library("qchess.backends.sparse.reading_kernels")
    assert served.report()
    monkeypatch.setattr(served, "_functions", {})
    monkeypatch.setattr(asking, "_SPACES", PerThread())
    monkeypatch.setattr(asking, "KEPT", kept)
    found = SparseEngine().probability(state, where({"a": 1}))
    assert type(found) is float
    assert found == pytest.approx(0.64)


def test_kernels_refuse_what_passes_the_limit_and_count_partners() -> None:
    engine = SparseEngine(branch_limit=64, compiled=True)
    state = engine.prepare(["a"], {0: 1})
    for k in range(6):
        state = engine.apply(engine.join(state, engine.prepare([f"q{k}"], {0: 1})), h(f"q{k}"))
    assert engine.branches(state) == 64
    assert engine.branches(engine.apply(state, iswap("q0", "q1", 0.5))) == 64  # every branch has its partner
    with pytest.raises(StateTooLargeError, match="the limit is 64"):
        engine.apply(state, iswap("q0", "a", 0.5))


def test_a_register_wider_than_128_qubits_stays_exact() -> None:
    engine = backends.engine("sparse")
    board = Registers(engine).apply(h("q0"), *(x(f"q{k}").when({"q0": 1}) for k in range(1, 160)))
    assert [len(qubits) for qubits in board.registers] == [160]
    assert board.probability(where({"q0": 1, "q159": 1})) == pytest.approx(0.5)
    assert board.project(where({"q80": 1})).full == {f"q{k}" for k in range(160)}


@pytest.mark.parametrize("qubits", [62, 63, 64, 127, 128, 129, 140, 250, 256, 257, *slowly(1024, 1275)])
def test_registers_of_any_width_are_factored_completely(qubits: int) -> None:
    names = [f"q{k}" for k in range(qubits)]
    wires = Registers(backends.engine("sparse")).apply(h("q0"), *(x(q).when({"q0": 1}) for q in names[1:]))
    for extra in (2, 8):  # as a table, and as columns where they can hold it
        tied = [cz(f"s{k}", names[-1 - k]) for k in range(extra)]
        board = wires.apply(*(h(f"s{k}") for k in range(extra)), *tied)
        assert [len(held) for held in board.registers] == [qubits + extra]
        assert board.probability(names[-1]) == pytest.approx(0.5)
        assert sorted(map(len, board.apply(*tied).registers)) == [1] * extra + [qubits]


@pytest.mark.parametrize("engine", [CLEAR, COMPILED, backends.engine("cirq")], ids=["clear", "compiled", "cirq"])
@pytest.mark.parametrize("t", [1e-3, 1e-6, 1e-9, 1e-12])
def test_a_tie_too_weak_to_be_seen_keeps_nobody_else_together(engine: Any, t: float) -> None:
    pairs = Registers(engine, ["a"]).apply(iswap("a", "b", t), h("c"), x("d").when({"c": 1}))
    met = pairs.apply(cz("c", "b"), cz("c", "b"))
    assert sorted(map(sorted, met.registers)) == [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize(
    "engine", [SparseEngine(8, compiled=False), SparseEngine(8, compiled=True)], ids=["clear", "compiled"]
)
def test_at_the_limit_what_adds_no_branch_goes_on(engine: SparseEngine) -> None:
    board = Registers(engine).apply(*(h(f"q{k}") for k in range(3)), cz("q0", "q1"), cz("q1", "q2"))
    assert board.branches() == (8,)
    for operation in (z("q0", 0.3), x("e"), iswap("q0", "e"), iswap("q0", "q2", 0.5)):
        assert board.apply(operation.when({"q1": 1})).branches() in {(8,), (4,), (8, 2)}
    with pytest.raises(StateTooLargeError, match="the limit is 8"):
        board.apply(iswap("q0", "e", 0.5).when({"q1": 1}))


@pytest.mark.parametrize("name", ["sparse", "cirq"])
def test_an_engine_takes_only_what_is_a_state_of_its_qubits(name: str) -> None:
    engine = backends.engine(name)
    for qubits, key in ((("a", "a"), 0), (("a", "b"), 4), (("a", "b"), -1)):
        with pytest.raises(BackendError):
            engine.prepare(qubits, {key: 1})
    state = engine.prepare(("a", "b"), {1: 0.6, 2: 0.8})
    for order in (("a",), (), ("a", "b", "c"), ("a", "a")):
        with pytest.raises(BackendError, match="order"):
            engine.amplitudes(state, order)


def test_no_state_loads_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    original = builtins.__import__

    def refuse(name: str, *args: object, **kwargs: object) -> object:
        assert name != "numba", "a state asked for a compiler in this process"
        return original(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    board = Registers(SparseEngine(), ["b1"]).run(split("b1", "a3", "c3")).registers
    for k in range(8):
        board = board.apply(h(f"q{k}"), cz(f"q{k}", "a3"))
    assert board.run(Program(iswap("a3", "d5", 0.5))).registers.branches()


@pytest.mark.parametrize("compiled", [False, True])
def test_random_products_of_entangled_blocks_are_recovered_block_for_block(compiled: bool) -> None:
    engine = SparseEngine(compiled=compiled)
    for seed in range(30):
        recover(engine, seed)


def test_missing_branches_tie_only_what_the_sums_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products of blocks with few branches each: with the look at the keys and without, the same blocks come out."""
    from qchess.backends.sparse import factoring

    states = [sparse_product(CLEAR, seed) for seed in range(60)]
    found = [blocks_of(CLEAR, state) for state in states]
    monkeypatch.setattr(factoring, "_tied", lambda table, positions: {positions[0]})
    assert found == [blocks_of(CLEAR, state) for state in states]
    assert found == [blocks_of(COMPILED, sparse_product(COMPILED, seed)) for seed in range(60)]
    assert {len(blocks) for blocks in found} >= {1, 2, 3}


def sparse_product(engine: SparseEngine, seed: int) -> Any:
    """One to three blocks of three to six qubits with 2-7 branches, none of whose qubits is certain, interleaved."""
    rng = np.random.default_rng(seed)
    state = engine.prepare((), {0: 1})
    for k in range(1 + seed % 3):
        size = int(rng.integers(3, 7))
        names = [f"q{k}.{j}" for j in range(size)]
        low, high = int(rng.integers(0, 2**size)), 2**size - 1
        keys = {low, low ^ high, *rng.integers(0, 2**size, int(rng.integers(0, 6))).tolist()}
        values = rng.normal(size=len(keys)) + 1j * rng.normal(size=len(keys))
        values /= np.linalg.norm(values)
        part = engine.prepare(names, dict(zip(sorted(keys), values.tolist(), strict=True)))
        state = engine.join(state, part)
    order = list(engine.qubits(state))
    rng.shuffle(order)
    return engine.prepare(order, engine.amplitudes(state, order))


def blocks_of(engine: SparseEngine, state: Any) -> set[frozenset[str]]:
    factors = engine.factor(state)
    assert not factors.constants
    return {frozenset(engine.qubits(block)) for block in factors.blocks}


def test_large_products_are_recovered_through_slices() -> None:
    """From 4,096 branches on the kernel looks at slices first: products of blocks, whole and cut through."""
    for seed in range(100, 112):
        recover(COMPILED, seed, least=13)


@pytest.mark.long
def test_five_hundred_random_products_are_recovered() -> None:
    engine = SparseEngine()
    for seed in range(500):
        recover(engine, seed)


def recover(engine: SparseEngine, seed: int, least: int = 12) -> None:
    """Blocks of 1-6 qubits in random states, joined on shuffled qubits, up to 16; and factored again."""
    rng = np.random.default_rng(seed)
    names = [f"q{k}" for k in range(16)]
    rng.shuffle(names)
    state, blocks, used = engine.prepare((), {0: 1}), [], 0
    while used < least:
        size = int(rng.integers(1, 5 if used else 6))
        qubits, used = tuple(names[used : used + size]), used + size
        values = rng.normal(size=2**size) + 1j * rng.normal(size=2**size)
        values /= np.linalg.norm(values)
        part = engine.prepare(qubits, dict(enumerate(values.tolist())))
        blocks.append(frozenset(qubits))
        state = engine.join(state, part)
    factors = engine.factor(state)
    assert {frozenset(engine.qubits(block)) for block in factors.blocks} == set(blocks)
    assert factors.constants == {}
    again = factors.blocks[0]
    for block in factors.blocks[1:]:
        again = engine.join(again, block)
    scaled = {key: a * factors.phase for key, a in engine.amplitudes(again, names[:used]).items()}
    assert same(scaled, engine.amplitudes(state, names[:used]))


def test_a_state_without_pair_correlations_that_is_no_product_stays_whole() -> None:
    """The code state of the five-qubit code: all pairs are maximally mixed, yet no cut is a product."""
    engine = SparseEngine()
    plus = (0b00000, 0b10010, 0b01001, 0b10100, 0b01010, 0b00101)
    minus = (0b11011, 0b00110, 0b11000, 0b11101, 0b00011, 0b11110, 0b01111, 0b10001, 0b01100, 0b10111)
    keys = {**dict.fromkeys(plus, 1), **dict.fromkeys(minus, -1)}
    names = [f"q{k}" for k in range(5)]
    state = engine.prepare(names, {key: sign / 4 for key, sign in keys.items()})
    vector = np.zeros(32, complex)
    for key, amplitude in engine.amplitudes(state, names).items():
        vector[key] = amplitude
    for a in range(5):
        for b in range(a):
            pair = vector.reshape([2] * 5).transpose([a, b, *[k for k in range(5) if k not in (a, b)]]).reshape(4, 8)
            assert np.allclose(pair @ pair.conj().T, np.eye(4) / 4)
    assert [set(block.qubits) for block in engine.factor(state).blocks] == [set(names)]
    alone = engine.join(state, engine.prepare(["z"], {0: 0.6, 1: 0.8}))
    assert {frozenset(block.qubits) for block in engine.factor(alone).blocks} == {frozenset(names), frozenset({"z"})}
