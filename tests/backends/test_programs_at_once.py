"""A program run at once is the program by definition: kernels, clear code and plain matrices, phases included."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from qchess.backends import FixedAnswers
from qchess.backends.proving.definition import Definition, Plain
from qchess.backends.sparse import program as program_of_columns
from qchess.backends.sparse.columns import Columns, PerThread, numbers
from qchess.backends.sparse.engine import SparseEngine
from qchess.backends.sparse.state import columns_of
from qchess.circuits import (
    Pause,
    Program,
    Registers,
    Run,
    StateTooLargeError,
    ask,
    cnot,
    h,
    iswap,
    read,
    split,
    where,
    x,
    z,
)  # fmt: skip
from qchess.circuits.kernels import Bound, OutOfTimeError, deadline
from qchess.circuits.operations import Gate, Operation

CLEAR, COMPILED = SparseEngine(compiled=False), SparseEngine(compiled=True)
#: how many random programs the slow tests run, and a fifth as many deep ones; ten thousand take about an hour
PROGRAMS = int(os.environ.get("QCHESS_PROGRAMS", "300"))
WIDTHS = (2, 3, 5, 8, 20, 63, 64, 65, 100, 127, 128, 129, 150, 256, 260)


def operations(rng: random.Random, names: list[str], count: int, mixing: int) -> Iterator[Operation]:
    """Operations of all gates with up to three controls; those that can double the branches are few."""
    for _ in range(count):
        gate = rng.choice(
            [
                Gate("ISWAP", rng.choice([0.5, 1, -1, 3, rng.uniform(-2, 2)])),
                Gate("SWAP"),
                Gate("X", rng.choice([1, 1, 0.5, rng.uniform(-2, 2)])),
                Gate("Z", rng.choice([1, 0.5, rng.uniform(-2, 2)])),
                Gate("H"),
                Gate("RY", rng.choice([np.pi, rng.uniform(-7, 7)])),
                Gate("RZ", rng.uniform(-7, 7)),
            ]
        )
        if gate.block().mixes:
            mixing -= 1
            if mixing < 0:
                continue
        chosen = rng.sample(names, min(len(names), gate.size + rng.choice([0, 0, 1, 1, 2, 3])))
        if len(chosen) < gate.size:
            continue
        controls = {q: rng.randint(0, 1) for q in chosen[gate.size :]}
        yield Operation(gate, tuple(chosen[: gate.size])).when(controls)


def random_program(rng: random.Random, names: list[str], count: int, mixing: int, questions: int) -> Program:
    """Operations with questions and read-outs between them."""
    steps: list[object] = list(operations(rng, names, count, mixing))
    for k in range(questions):
        looked_at = rng.sample(names, min(len(names), rng.randint(1, 3)))
        values = {q: rng.randint(0, 1) for q in looked_at}
        asked = where(values) | where({looked_at[0]: 1 - values[looked_at[0]], looked_at[-1]: 1})
        step = read(f"m{k}", *looked_at) if rng.random() < 0.3 else ask(f"m{k}", rng.choice([where(values), asked]))
        steps.insert(rng.randint(len(steps) // 3, len(steps)), step)
    return Program(*steps)  # type: ignore[arg-type]


def walk(registers: Registers, program: Program, rng: random.Random) -> tuple[Run, list[tuple[dict[int, float], int]]]:
    """Runs the program, each question answered by chance; the odds on the way, and the answers."""
    at, asked = registers.start(program), []
    while isinstance(at, Pause):
        value = rng.choices(list(at.odds), list(at.odds.values()))[0]
        asked.append((dict(at.odds), value))
        at = at.resume(value)
    return at, asked


def worst_difference(a: dict[int, complex], b: dict[int, complex]) -> float:
    return max(abs(a.get(key, 0) - b.get(key, 0)) for key in a.keys() | b.keys())


def compare(seed: int, width: int, count: int, mixing: int, questions: int) -> float:
    """The worst difference between kernels, clear code and (where it can be written down) the definition."""
    rng = random.Random(seed)
    names = [f"q{k}" for k in range(width)]
    full = [q for q in names if rng.random() < 0.4]
    busy = rng.sample(names, min(width, rng.choice([4, 8, 12])))
    program = random_program(rng, rng.choice([names, busy]), count, mixing, questions)
    mine, asked = walk(Registers(COMPILED, full), program, random.Random(seed))
    theirs, also_asked = walk(Registers(CLEAR, full), program, random.Random(seed))
    assert [value for _, value in asked] == [value for _, value in also_asked]
    worst = 0.0
    for (odds, _), (others, _) in zip(asked, also_asked, strict=True):
        worst = max(worst, *(abs(odds[value] - others[value]) for value in odds))
    assert {frozenset(q) for q in mine.registers.registers} == {frozenset(q) for q in theirs.registers.registers}
    assert mine.registers.full == theirs.registers.full
    assert sorted(mine.registers.branches()) == sorted(theirs.registers.branches()), "noise left crumbs"
    ours = mine.registers.amplitudes(names)
    worst = max(worst, worst_difference(ours, theirs.registers.amplitudes(names)))
    uncertain = mine.registers.uncertain
    if uncertain:
        circuits = [registers.circuit(*uncertain) for registers in (mine.registers, theirs.registers)]
        # what a certain answer leaves out may be the rounding of a sum in one of them, and is no event then
        if len({len(circuit.answers) for circuit in circuits}) == 1:
            assert circuits[0] == circuits[1]
    for register in mine.registers.each:
        keys = numbers(register.state.columns.keys) if register.state.columns else []
        assert keys == sorted(set(keys))
    if width <= 8:
        vector = by_definition(program, full, names, asked)
        worst = max(worst, worst_difference(ours, {k: complex(vector[k]) for k in np.flatnonzero(vector).tolist()}))
    return worst


def by_definition(
    program: Program, full: list[str], names: list[str], asked: list[tuple[dict[int, float], int]]
) -> np.ndarray:
    """The whole vector, by matrices and sums; a question that was not open changes nothing."""
    definition, values = Definition(), [value for _, value in asked]
    state: Plain = definition.prepare(names, {sum(1 << k for k, q in enumerate(names) if q in full): 1})
    for step in program.steps:
        if isinstance(step, Operation):
            state = definition.apply(state, step)
        elif hasattr(step, "predicate"):
            p = definition.probability(state, step.predicate)
            if 1e-12 < p < 1 - 1e-12:
                state = definition.project(state, step.predicate, values.pop(0))
        else:
            odds = definition.distribution(state, step.qubits)
            if sum(p > 1e-12 for p in odds.values()) > 1:
                value = values.pop(0)
                wanted = where({q: value >> k & 1 for k, q in enumerate(step.qubits)})
                state = definition.project(state, wanted, 1)
    return state.vector


@pytest.mark.parametrize("width", WIDTHS)
def test_random_programs_run_at_once_are_the_clear_code_and_the_definition(width: int) -> None:
    assert max(compare(1000 * width + seed, width, 25, 8, 2) for seed in range(8)) < 1e-9


@pytest.mark.slow
def test_random_programs() -> None:
    rng = random.Random(10)
    worst = 0.0
    for seed in range(PROGRAMS):
        width = rng.choice([rng.randint(2, 8), rng.randint(2, 150)])
        worst = max(worst, compare(seed, width, rng.randint(5, 40), rng.randint(2, 9), rng.randint(0, 4)))
    assert worst < 1e-9


@pytest.mark.slow
def test_deep_circuits() -> None:
    rng = random.Random(11)
    worst = 0.0
    for seed in range(PROGRAMS // 5):
        worst = max(worst, compare(seed, rng.randint(2, 8), rng.randint(150, 300), 300, rng.randint(0, 5)))
    assert worst < 1e-9


@pytest.mark.parametrize("width", [6, 64, 100, 129, 256])
def test_a_program_on_a_state_whose_high_words_are_never_zero(width: int) -> None:
    """On random keys, all words of which vary: one call, one operation a call, and the clear code."""
    rng, choose = np.random.default_rng(width), random.Random(width)
    names = [f"q{k}" for k in range(width)]
    top = 1 << width - 1
    keys = sorted({int.from_bytes(rng.bytes(33), "little") % top | top for _ in range(40)})
    values = rng.normal(size=len(keys)) + 1j * rng.normal(size=len(keys))
    values /= np.linalg.norm(values)
    start = dict(zip(keys, values.tolist(), strict=True))
    for _ in range(6):
        steps = list(operations(choose, names, 20, 5))
        drawn_in = {"n0": 1, "n1": 0} if width < 256 else {}
        at_once = COMPILED.run(COMPILED.prepare(names, start), steps, drawn_in)
        clear = CLEAR.run(CLEAR.prepare(names, start), steps, drawn_in)
        slowly = COMPILED.run(COMPILED.prepare(names, start), (), drawn_in)
        for step in steps:
            slowly = COMPILED.apply(slowly, step)
        order = [*names, *drawn_in]
        expected = CLEAR.amplitudes(clear, order)
        assert worst_difference(COMPILED.amplitudes(at_once, order), expected) < 1e-12
        assert worst_difference(COMPILED.amplitudes(slowly, order), expected) < 1e-12


@pytest.mark.parametrize("kept", [4, 64])
def test_a_program_that_outgrows_its_workspace_goes_on_where_it_stood(
    kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_of_columns, "KEPT", kept)
    monkeypatch.setattr(program_of_columns, "_SPACES", PerThread())
    test_a_program_on_a_state_whose_high_words_are_never_zero(100)
    assert compare(5, 8, 60, 60, 1) < 1e-9


@pytest.mark.parametrize("budget", [1, 200])
def test_a_program_that_returns_after_every_operation_gives_the_same(
    budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_of_columns, "BUDGET", budget)
    for seed in range(5):
        assert compare(seed, 8, 60, 60, 1) < 1e-9


@pytest.mark.parametrize("width", [6, 70])
def test_phases_leave_the_keys_where_they_are(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that only turns phases copies the amplitudes and shares the keys, in a large state."""
    monkeypatch.setattr(program_of_columns, "SHARED", 16)
    names = [f"q{k}" for k in range(width)]
    rng = np.random.default_rng(6)
    values = rng.normal(size=(64, 2)) @ (1, 1j)
    start = dict(enumerate((values / np.linalg.norm(values)).tolist()))
    before = COMPILED.prepare(names, start)
    steps = [z("q1"), z("q2", 0.3).when(q0=0), cnot("q3", "q4"), cnot("q3", "q4"), z("q5", -0.5)]
    hop = [iswap("q1", "q5")]
    hopped, turned, moved = (COMPILED.run(before, done) for done in (hop, steps[:2], steps))
    assert columns_of(hopped).keys is columns_of(turned).keys is columns_of(before).keys
    assert columns_of(moved).keys is not columns_of(before).keys
    for state, done in ((hopped, hop), (turned, steps[:2]), (moved, steps)):
        expected = CLEAR.amplitudes(CLEAR.run(CLEAR.prepare(names, start), done), names)
        assert worst_difference(COMPILED.amplitudes(state, names), expected) < 1e-12
    assert COMPILED.amplitudes(before, names) == start
    for seed in range(5):
        assert compare(seed, 8, 60, 60, 1) < 1e-9


class Nameless(SparseEngine):
    """The engine without new names: an exchange with an empty qubit is an operation like any other."""

    renamed = None  # type: ignore[assignment]


@pytest.mark.parametrize("compiled", [False, True])
def test_an_exchange_with_an_empty_qubit_changes_names_only(compiled: bool) -> None:
    named, nameless = SparseEngine(compiled=compiled), Nameless(compiled=compiled)
    for seed in range(12):
        rng = random.Random(seed)
        names = [f"q{k}" for k in range(7)]
        program = random_program(rng, names, 25, 9, 1)
        hops = [iswap("q0", "e0"), iswap("e1", "q1", -1), Operation(Gate("SWAP"), ("q2", "e2")), iswap("q3", "e3", 3)]
        runs = [
            walk(Registers(engine, names[:3]), Program(*program.steps, *hops, h("e3")), random.Random(seed))[0]
            for engine in (named, nameless)
        ]
        ours, theirs = (run.registers for run in runs)
        assert ours.registers == theirs.registers
        assert ours.full == theirs.full
        order = [*names, *(f"e{k}" for k in range(4))]
        assert worst_difference(ours.amplitudes(order), theirs.amplitudes(order)) < 1e-12
        assert not ours.uncertain or ours.circuit() == theirs.circuit()


def test_a_run_that_is_interrupted_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stops a kernel between two calls, the registers that were given stay as they were."""
    board = Registers(COMPILED).apply(*(h(f"q{k}") for k in range(4)), *(x(f"q{k}").when(q0=1) for k in range(1, 4)))
    before = board.amplitudes([f"q{k}" for k in range(4)])
    calls = []

    def stop(self: object) -> None:
        calls.append(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Bound, "__call__", stop)
    with pytest.raises(KeyboardInterrupt):
        board.apply(h("q1"), iswap("q1", "e", 0.5))
    monkeypatch.undo()
    assert calls
    assert board.amplitudes([f"q{k}" for k in range(4)]) == before
    assert board.apply(h("q1")).branches()


#: slices of `long_work`, of some fifty, after which it is stopped
SLICES = 5


def long_work() -> tuple[Registers, Program]:
    """A program that takes some seconds: half moves back and forth on half a million branches."""
    names = [f"q{k}" for k in range(19)]
    board = Registers(SparseEngine(2**20, compiled=True)).apply(
        *(h(q) for q in names), *(x("t").when({q: 1}) for q in names)
    )
    return board, Program(*(iswap(names[k % 19], names[(k + 1 + k // 19 % 17) % 19], 0.37) for k in range(400)))


@pytest.mark.parametrize(("what", "said"), [(OutOfTimeError, "nothing was changed"), (KeyboardInterrupt, "^$")])
def test_a_deadline_and_an_interrupt_stop_a_long_run_at_its_next_slice(
    monkeypatch: pytest.MonkeyPatch, what: type[BaseException], said: str
) -> None:
    board, work = long_work()
    before, now, slices, whole = board.branches(), [0.0], [0], Bound.__call__

    def counted(bound: Bound) -> Any:
        done = whole(bound)
        slices[0] += 1
        if slices[0] == SLICES and what is KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)
        elif slices[0] == SLICES:
            now[0] = 1.0
        return done

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with monkeypatch.context() as patch:
            clock = SimpleNamespace(monotonic=lambda: now[0])
            patch.setattr(import_module("qchess.circuits.kernels.deadline"), "time", clock)
            patch.setattr(Bound, "__call__", counted)
            with pytest.raises(what, match=said), deadline(0.3):
                board.run(work)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert slices == [SLICES]
    assert board.branches() == before
    with deadline(60), deadline(120):
        assert board.apply(x("q0")).branches() == before


def test_what_passes_the_limit_in_the_middle_is_refused_as_a_whole() -> None:
    engine = SparseEngine(64, compiled=True)
    board = Registers(engine).apply(h("q0"), *(x(f"q{k}").when(q0=1) for k in range(1, 8)))
    grow = Program(*(h(f"q{k}") for k in range(8)), *(iswap(f"q{k}", f"q{k + 1}", 0.5) for k in range(7)))
    with pytest.raises(StateTooLargeError, match="the limit is 64; nothing was changed"):
        board.run(grow)
    assert board.branches() == (2,)


def test_gates_that_meet_and_cancel_never_grow_the_state() -> None:
    """Thirty qubits in H, tied in a ring, and H again where no neighbour is: 2^20 branches, and never 2^30."""
    names = [f"q{k}" for k in range(30)]
    ring = [z(names[k]).when({names[(k + 1) % 30]: 1}) for k in range(30)]
    again = [h(names[k]) for k in range(0, 30, 3)]
    board = Registers(SparseEngine(2**20, compiled=True)).apply(*map(h, names), *ring, *again)
    assert board.branches() == (2**20,)
    there_and_back = board.apply(*again, *ring, *map(h, names))
    assert there_and_back.uncertain == ()
    assert there_and_back.full == frozenset()


@pytest.mark.parametrize("pieces", [6, 10, 14])
def test_gates_that_bring_branches_together_again_do_not_wait(pieces: int) -> None:
    """Splits told in CX and turns: each piece is in more places on the way than before and after."""
    program = Program(
        *(split(f"s{k}", f"a{k}", f"b{k}") for k in range(3)), *(step for k in range(pieces) for step in _detour(k))
    )
    start = {qubit: int(qubit.startswith("s")) for qubit in program.qubits}
    small = SparseEngine(branch_limit=64, compiled=True)
    steps = [step for step in program if isinstance(step, Operation)]
    found = small.run(None, steps, start)
    assert small.branches(found) == 8
    assert error(small.amplitudes(found, program.qubits), gate_by_gate(steps, start, program.qubits)) < 1e-12


def _detour(k: int) -> list[Operation]:
    """A qubit that is turned, controls something, and is turned back."""
    wire, watched = f"w{k}", f"v{k}"
    return [h(wire), cnot(wire, watched), cnot(wire, watched), h(wire)]


def gate_by_gate(steps: list[Operation], start: dict[str, int], order: tuple[str, ...]) -> dict[int, complex]:
    state = CLEAR.prepare(tuple(start), {sum(value << k for k, value in enumerate(start.values())): 1})
    for step in steps:
        state = CLEAR.apply(state, step)
    return CLEAR.amplitudes(state, order)


def error(found: dict[int, complex], expected: dict[int, complex]) -> float:
    return max(abs(found.get(key, 0) - expected.get(key, 0)) for key in found.keys() | expected.keys())


def test_answers_that_are_told_lead_to_the_same_state_at_once() -> None:
    program = random_program(random.Random(3), [f"q{k}" for k in range(6)], 40, 12, 3)
    answers = walk(Registers(COMPILED, ["q0"]), program, random.Random(3))[1]
    told = Registers(COMPILED, ["q0"]).run(program, FixedAnswers([value for _, value in answers])).registers
    assert told.same_as(Registers(CLEAR, ["q0"]).run(program, FixedAnswers([value for _, value in answers])).registers)


# -- a fault that is planted is caught ------------------------------------------------------------------------


def caught() -> bool:
    """Whether twenty random programs find the fault."""
    try:
        return max(compare(seed, 8, 40, 12, 2) for seed in range(20)) > 1e-9
    except (AssertionError, ValueError, IndexError):
        return True


def test_nothing_is_caught_where_no_fault_is() -> None:
    assert not caught()


@pytest.mark.parametrize("fault", ["phase", "lost", "order", "noise"])
def test_a_fault_in_what_a_kernel_writes_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = program_of_columns.run

    def faulty(columns: Columns, *rest: object) -> Columns:
        keys, amplitude = run(columns, *rest)  # type: ignore[arg-type]
        keys, amplitude, n = keys.copy(), amplitude.copy(), len(amplitude)
        if fault == "phase":
            amplitude[-1] *= 1j if n > 1 else 1
        elif fault == "lost" and n > 3:
            return Columns(np.ascontiguousarray(keys[:, 1:]), amplitude[1:])
        elif fault == "order" and n > 1:
            keys[:, :2] = keys[:, 1::-1].copy()
        elif fault == "noise":
            free = next((k for k in range(256) if not (keys[0] == k).any()), None)
            if free is not None:
                at = int(np.searchsorted(keys[0], free))
                return Columns(np.insert(keys, at, free, axis=1), np.insert(amplitude, at, 1e-13))
        return Columns(keys, amplitude)

    monkeypatch.setattr(program_of_columns, "run", faulty)
    assert caught()


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program is coded anew, so that a fault in the coder is seen, and is not kept for the tests that follow."""
    from qchess.backends.sparse import coding

    monkeypatch.setattr(coding, "_kept", coding._kept.__wrapped__)


def test_a_short_program_is_coded_once_for_each_layout() -> None:
    from qchess.backends.sparse.coding import SHORT, Code, code_of

    steps = (iswap("a", "b", 0.5), iswap("b", "c"), x("d").when(a=1))
    here, there = {"a": 0, "b": 1, "c": 2, "d": 3}, {"d": 0, "b": 7, "c": 2, "a": 5, "e": 1}
    for bit in (here, there, here):
        code, alone = code_of(bit, steps), Code(dict(bit), steps)
        assert code is code_of({**bit, "far": 9}, list(steps))
        assert (code.numbers, code.matrices) == (alone.numbers, alone.matrices)
        assert {**bit, **code.moved} == alone.bit
        assert code.moved == {"b": bit["c"], "c": bit["b"]}
    assert code_of(here, steps).numbers != code_of(there, steps).numbers
    assert code_of(here, steps * SHORT) is not code_of(here, steps * SHORT)


@pytest.mark.usefixtures("nothing_kept")
def test_a_fault_in_how_gates_wait_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    from qchess.backends.sparse import coding

    monkeypatch.setattr(coding, "adjoint", lambda matrix: matrix)
    assert caught()


@pytest.mark.usefixtures("nothing_kept")
def test_a_fault_in_what_passes_a_control_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    from qchess.backends.sparse import coding

    monkeypatch.setattr(coding, "is_diagonal", lambda matrix: True)  # all that waits passes every control
    assert caught()


def test_a_fault_in_what_is_split_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    from qchess.backends.sparse import engine, splitting

    def half(columns: Columns, constants_only: bool) -> splitting.Product:
        return splitting.split(columns, constants_only=True)

    monkeypatch.setattr(engine, "_split", lambda: half)
    assert caught()
