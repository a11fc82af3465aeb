"""Devices answer as the exact state says, and whatever they get wrong is dropped, counted and announced."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
import threading
import warnings
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pytest

from qchess import backends
from qchess.backends.deadline import Worker
from qchess.backends.devices.cirq_sampler import CirqSampler
from qchess.backends.devices.qiskit_sampler import ChipNoise, aer_sampler
from qchess.backends.devices.recipes import STRATEGIES
from qchess.backends.devices.sampler import Capabilities, Provenance, Sampler, Shots
from qchess.backends.devices.source import DeviceError, DeviceSource, FallbackWarning
from qchess.circuits import (
    Answer,
    BackendError,
    Operation,
    Program,
    ReadOut,
    Registers,
    Step,
    ask,
    cnot,
    full,
    h,
    partial_split,
    read,
    slide,
    split,
    sqrt_x,
    where,
    x,
    z,
)
from tests.backends.lateness import late_once
from tests.patience import PATIENCE, wait_until

Counts = Mapping[tuple[int, ...], int]
#: chi-square at which a right distribution is called wrong once in a thousand times, by degrees of freedom
CHI_SQUARE = {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47, 5: 20.52}


class Scripted:
    """A sampler that returns what a function says; it can fail, hang, and lie."""

    name = "scripted"

    def __init__(self, script: Callable[[Program, int], Counts], **capabilities: Any) -> None:
        self.script = script
        self.capabilities = Capabilities(**capabilities)
        self.seen: list[Program] = []

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
        self.seen.extend(circuits)
        return [self._shots(circuit, shots, seed) for circuit in circuits]

    def _shots(self, circuit: Program, shots: int, seed: int | None) -> Shots:
        counts = self.script(circuit, shots)
        return Shots(circuit.answers, counts, Provenance(self.name, shots, sum(counts.values()), seed=seed))


def returning(counts: Counts) -> Scripted:
    return Scripted(lambda circuit, shots: counts)


def failing(circuit: Program, shots: int) -> Counts:
    raise RuntimeError("the cryostat is warm")


@pytest.fixture(scope="module")
def noisy() -> Sampler:
    return aer_sampler(ChipNoise())


@pytest.fixture(scope="module", params=["aer", "cirq"])
def ideal(request: pytest.FixtureRequest) -> Sampler:
    return aer_sampler() if request.param == "aer" else CirqSampler()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What a hanging sampler waits for; opened at the end, so that no thread outlives its test."""
    event = threading.Event()
    yield event
    event.set()


def position() -> Registers:
    """Two pieces on six squares, one register of six branches.

    b1 split to a3 and c3, d4 split to d5 and d6, the half on d5 slid to h5 past a3, c3 split to e1 and e2.
    """
    moves = split("b1", "a3", "c3") + split("d4", "d5", "d6") + slide("d5", "h5", ("a3",)) + split("c3", "e1", "e2")
    return Registers(backends.engine(), full=["b1", "d4"]).run(moves).registers


def half_piece() -> Registers:
    """One piece, half on a and half on b: (|10> + |01>) / sqrt 2 up to a phase."""
    return Registers(backends.engine(), full=["s"]).run(split("s", "a", "b")).registers


def put(board: Registers, question: Step, source: DeviceSource) -> Answer:
    return board.run(Program(question), source).answers[0]


def chi_square(values: Sequence[int], odds: Mapping[int, float]) -> float:
    seen = Counter(values)
    return sum((seen[value] - p * len(values)) ** 2 / (p * len(values)) for value, p in odds.items())


# -- answers agree with the exact state -----------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["reprepare", "replay"])
def test_two_hundred_questions_to_a_noisy_chip_are_answered_with_the_exact_odds(noisy: Sampler, strategy: str) -> None:
    board = position()
    [register] = board.registers
    assert len(register) == 6
    odds = board.distribution(*register)
    source = DeviceSource(noisy, strategy=strategy, shots=30, seed=7)
    answers = [put(board, read("r", *register), source) for _ in range(200)]

    assert {answer.value for answer in answers} <= odds.keys()  # what has probability 0 is never believed
    assert chi_square([answer.value for answer in answers], odds) < CHI_SQUARE[len(odds) - 1]
    dropped: Counter[str] = Counter()
    for answer in answers:
        details = answer.details
        assert answer.source == "device aer-noisy"
        assert details["strategy"] == strategy
        assert details["asked"] == details["returned"] == 30
        assert details["kept"] + sum(details["dropped"].values()) == 30
        dropped.update(details["dropped"])
    assert dropped["count"] > 100  # of 6000 shots; the noise is really there
    assert dropped["impossible"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_without_noise_nothing_but_other_histories_is_dropped(ideal: Sampler, strategy: str) -> None:
    board = position().project(full("a3", "h5") | full("e1"), 0)  # leaves 3/4 of the weight
    question = ask("m", full("h5") | where(d5=1, a3=0))
    source = DeviceSource(ideal, strategy=strategy, shots=100, seed=5)
    answers = [put(board, question, source) for _ in range(40)]
    odds = {1: board.probability(question.predicate), 0: 1 - board.probability(question.predicate)}
    assert chi_square([answer.value for answer in answers], odds) < CHI_SQUARE[1]
    assert all(answer.details["dropped"]["count"] == 0 for answer in answers)
    assert all(answer.details["dropped"]["impossible"] == 0 for answer in answers)
    share = sum(answer.details["dropped"]["history"] for answer in answers) / 4000
    expected = 0.25 if strategy == "replay" else 0.0
    assert abs(share - expected) < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_question_about_two_registers_runs_one_circuit_each(ideal: Sampler, strategy: str) -> None:
    board = Registers(backends.engine(), full=["s", "t", "w"])
    board = board.run(split("s", "a", "b") + split("t", "c", "d")).registers
    source = DeviceSource(ideal, strategy=strategy, shots=20, seed=2)
    answers = [put(board, read("r", "a", "c", "w"), source) for _ in range(60)]
    assert chi_square([answer.value for answer in answers], dict.fromkeys((4, 5, 6, 7), 0.25)) < CHI_SQUARE[3]
    assert all(answer.details["circuits"] == 2 and answer.details["asked"] == 40 for answer in answers)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_replay_interferes_as_the_exact_state_does(ideal: Sampler, sign: int) -> None:
    # (|00> + e^{+-i pi/3}|11>)/sqrt 2 under H on one and sqrt-X on the other: the odds tell the sign of the phase
    history = Program(h("a"), cnot("a", "b"), z("b", sign / 3), h("a"), sqrt_x("b"))
    board = Registers(backends.engine()).run(history).registers
    odds = board.distribution("a", "b")
    assert max(odds.values()) - min(odds.values()) > 0.4
    source = DeviceSource(ideal, strategy="replay", shots=20, seed=3)
    values = [put(board, read("r", "a", "b"), source).value for _ in range(60)]
    assert chi_square(values, odds) < CHI_SQUARE[3]


def test_a_certain_answer_costs_no_run() -> None:
    sampler = Scripted(failing)
    answer = put(half_piece(), ask("m", full("a", "b")), DeviceSource(sampler))
    assert (answer.value, answer.source, sampler.seen) == (0, "certain", [])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_equal_seeds_give_equal_answers_and_equal_records_but_for_the_time(noisy: Sampler, strategy: str) -> None:
    def game() -> list[tuple[int, dict[str, Any]]]:
        source = DeviceSource(noisy, strategy=strategy, shots=20, seed=11)
        answers = [put(position(), read("r", "a3", "h5", "e1"), source) for _ in range(8)]
        return [(answer.value, {k: v for k, v in answer.details.items() if k != "seconds"}) for answer in answers]

    assert game() == game()


def test_one_shot_answers_and_no_majority() -> None:
    # 30 of 100 shots say a: a majority would always answer b
    sampler = returning({(0b01,): 30, (0b10,): 70})
    source = DeviceSource(sampler, seed=1)
    values = [put(half_piece(), read("r", "a", "b"), source).value for _ in range(200)]
    assert chi_square(values, {0b01: 0.3, 0b10: 0.7}) < CHI_SQUARE[1]


def test_the_details_of_an_answer_can_be_written_down(noisy: Sampler) -> None:
    answer = put(position(), ask("m", full("h5")), DeviceSource(noisy, seed=1))
    details = answer.details
    assert json.loads(json.dumps(details)) == details
    assert {"backend", "strategy", "level", "asked", "returned", "kept", "dropped", "seed", "versions"} <= set(details)


# -- what a device gets wrong -----------------------------------------------------------------------


def test_shots_with_a_wrong_number_of_pieces_are_dropped_and_counted() -> None:
    sampler = returning({(0b00,): 40, (0b11,): 50, (0b10,): 10})
    answer = put(half_piece(), read("r", "a", "b"), DeviceSource(sampler, coins="allow", seed=0))
    assert answer.value == 0b10
    assert answer.details["dropped"] == {"history": 0, "count": 90, "impossible": 0}
    assert answer.details["kept"] == 10


def test_shots_of_probability_zero_are_dropped_though_their_number_of_pieces_is_right() -> None:
    board = Registers(backends.engine(), full=["s", "t"]).run(split("s", "a", "b") + split("t", "c", "d")).registers
    board = board.project(where(a=1, c=1) | where(b=1, d=1), 1)  # the pieces go together
    [register] = board.registers
    together = sum(1 << register.index(q) for q in "ac")
    apart = sum(1 << register.index(q) for q in "ad")
    source = DeviceSource(returning({(apart,): 99, (together,): 1}), coins="allow", seed=0)
    answer = put(board, ask("m", full("a")), source)
    assert answer.value == 1
    assert answer.details["dropped"] == {"history": 0, "count": 0, "impossible": 99}


def test_a_shot_that_is_no_more_than_rounding_to_the_exact_state_is_impossible() -> None:
    board = half_piece().run(partial_split("b", "c", "d", 1e-13)).registers
    assert 0 < board.probability("c") < 1e-12
    assert len(board.registers[0]) == 3
    shots: Counts = {(1 << board.registers[0].index(q),): 50 for q in "cd"}
    answer = put(board, read("r", "c", "d"), DeviceSource(returning(shots), seed=0))
    assert answer.value == 0b10
    assert answer.details["dropped"]["impossible"] == 50


def test_shots_of_another_history_are_dropped_in_a_replay() -> None:
    board = half_piece().run(split("b", "c", "d")).registers.project(full("d"), 0)

    def script(circuit: Program, shots: int) -> Counts:
        [*past, reading] = [step for step in circuit if isinstance(step, ReadOut)]
        assert [step.name for step in past] == ["m1"]
        only_a = sum(1 << k for k, q in enumerate(board.registers[0]) if q == "a")
        assert len(reading.qubits) == 2
        return {(1, only_a): 60, (0, only_a): 40}

    answer = put(board, ask("m", full("a")), DeviceSource(Scripted(script), strategy="replay", seed=0))
    assert answer.value == 1
    assert answer.details["dropped"] == {"history": 60, "count": 0, "impossible": 0}


def test_prepared_qubits_have_no_history_to_replay() -> None:
    board = Registers.prepared(backends.engine("sparse"), [(("a", "b"), {0: 0.6, 3: 0.8})])
    question = ask("m", where({"a": 1}))
    assert put(board, question, DeviceSource(CirqSampler(), seed=1)).value in (0, 1)
    with pytest.raises(DeviceError, match="no history to replay"):
        put(board, question, DeviceSource(CirqSampler(), strategy="replay", seed=1))


def test_more_shots_than_asked_are_kept_and_recorded_or_refused_as_the_player_chose() -> None:
    sampler = returning({(0b01,): 128})
    answer = put(half_piece(), read("r", "a", "b"), DeviceSource(sampler, shots=100, seed=0))
    assert (answer.details["asked"], answer.details["returned"], answer.details["kept"]) == (100, 128, 128)
    with pytest.raises(DeviceError, match="returned 128 shots instead of 100"):
        put(half_piece(), read("r", "a", "b"), DeviceSource(sampler, shots=100, seed=0, surplus="refuse"))


def test_fewer_shots_than_asked_are_used_and_recorded() -> None:
    answer = put(half_piece(), read("r", "a", "b"), DeviceSource(returning({(0b10,): 3}), shots=100, seed=0))
    assert (answer.value, answer.details["asked"], answer.details["returned"]) == (0b10, 100, 3)


# -- a device that fails ------------------------------------------------------------------------------

BAD: dict[str, tuple[Scripted, str]] = {
    "it raises": (Scripted(failing), "RuntimeError: the cryostat is warm"),
    "no shots at all": (returning({}), "no valid shot"),
    "only impossible piece counts": (returning({(0b11,): 100}), "no valid shot: dropped .*'count': 100"),
    "outcomes with a value too many": (returning({(1, 0): 5}), r"a value for each of \['shot'\], got \(1, 0\)"),
    "too few qubits": (Scripted(failing, max_qubits=0), "has 0 qubits, and the circuit needs 2"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_failure_is_raised_with_its_reason_and_changes_nothing(case: str) -> None:
    sampler, reason = BAD[case]
    board, before = half_piece(), half_piece()
    with pytest.raises(DeviceError, match=reason) as failure:
        put(board, ask("m", full("a")), DeviceSource(sampler))
    assert failure.value.details["backend"] == "scripted"
    assert failure.value.details["asked"] == 100
    assert board.same_as(before)
    assert board.registers == before.registers


@pytest.mark.parametrize("case", BAD)
def test_a_fallback_is_announced_and_stands_in_the_record(case: str) -> None:
    sampler, reason = BAD[case]
    source = DeviceSource(sampler, on_failure="fallback", fallback=backends.FixedAnswers([1], "my dice"))
    with pytest.warns(FallbackWarning, match=f"{reason}.*my dice answered 'm' instead"):
        answer = put(half_piece(), ask("m", full("a")), source)
    assert (answer.value, answer.source) == (1, "my dice, instead of device scripted")
    assert re.search(reason, answer.details["fallback"])


def test_a_fallback_says_how_many_shots_had_been_dropped() -> None:
    source = DeviceSource(returning({(0b11,): 77}), on_failure="fallback", seed=4)
    with pytest.warns(FallbackWarning):
        answer = put(half_piece(), ask("m", full("a")), source)
    assert answer.details["dropped"] == {"history": 0, "count": 77, "impossible": 0}
    assert answer.source == "seed 4, instead of device scripted"


def test_without_the_players_word_nothing_falls_back() -> None:
    with warnings.catch_warnings(record=True) as heard, pytest.raises(DeviceError):
        put(half_piece(), ask("m", full("a")), DeviceSource(Scripted(failing), fallback=backends.Seeded(1)))
    assert heard == []


def test_a_hanging_sampler_is_left_behind_and_not_called_again(gate: threading.Event) -> None:
    asked = threading.Event()

    def hang(circuit: Program, shots: int) -> Counts:
        asked.set()
        gate.wait(PATIENCE)
        return {(0b01,): shots}

    sampler = Scripted(hang)
    source = DeviceSource(sampler, timeout=60)
    with (
        late_once(asked.is_set, "the device is asked"),
        pytest.raises(DeviceError, match="TimeoutError: no answer within 60 s"),
    ):
        put(half_piece(), ask("m", full("a")), source)
    with pytest.raises(DeviceError, match="earlier call exceeded its 60 s and is still running"):
        put(half_piece(), ask("m", full("a")), source)
    assert len(sampler.seen) == 1


def test_a_device_that_was_late_once_is_asked_again_when_it_is_free(gate: threading.Event) -> None:
    asked = threading.Event()

    def hang_once(circuit: Program, shots: int) -> Counts:
        asked.set()
        gate.wait(PATIENCE)
        return {(0b01,): shots}

    source = DeviceSource(Scripted(hang_once), timeout=60, on_failure="fallback", seed=0)
    with (
        late_once(asked.is_set, "the device is asked"),
        pytest.warns(FallbackWarning, match="no answer within"),
    ):
        put(half_piece(), ask("m", full("a")), source)
    gate.set()
    wait_until(lambda: not source._worker.busy, "the late call has ended")
    assert put(half_piece(), read("r", "a", "b"), source).source == "device scripted"


def test_a_hanging_sampler_does_not_keep_the_interpreter_from_ending() -> None:
    code = textwrap.dedent("""
        import time
        from qchess.backends.deadline import Worker
        try:
            Worker(0.05).call(lambda: time.sleep(1000))
        except TimeoutError as error:
            print(error)
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "no answer within 0.05 s\n"


def test_threads_that_asked_a_device_live_on_and_hold_nothing_of_it() -> None:
    seen: list[tuple[threading.Thread, Callable[[], Any]]] = []

    def job() -> None:
        held = Scripted(failing)
        seen.append((threading.current_thread(), weakref.ref(held)))

    for _ in range(5):
        Worker[None](None).call(job)
    assert all(thread.is_alive() for thread, _ in seen)
    given = Scripted(failing)
    still = weakref.ref(given)
    Worker[bool](None).call(partial(isinstance, given, Scripted))
    del given
    wait_until(lambda: still() is None, "the thread has let its last job go")
    assert all(held() is None for _, held in seen)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
def test_a_forked_process_has_threads_of_its_own() -> None:
    code = textwrap.dedent("""
        import os
        from qchess.backends.deadline import Worker
        Worker(None).call(lambda: 1)
        if child := os.fork():
            raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        os._exit(Worker(30).call(lambda: 7))
    """)
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code]
    assert subprocess.run(command, timeout=PATIENCE, check=False).returncode == 7


@pytest.mark.slow
def test_a_device_that_loads_qiskit_when_it_is_asked_is_asked_again() -> None:
    pytest.importorskip("qiskit", reason="Qiskit is not installed")
    code = textwrap.dedent("""
        import qchess
        def executor(circuit, shots):
            from qiskit.primitives import StatevectorSampler
            return StatevectorSampler().run([circuit], shots=shots).result()[0].join_data().get_counts()
        for _ in range(3):
            game = qchess.new("quantum-chess", backend=qchess.backends.of(executor))
            for move in ("b1^a3c3", "d7-d5", "c3-d5"):
                played = game.play(move)
            print(played.answers[0].source)
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (0, "device executor executor\n" * 3), done.stderr


def test_a_sampler_that_returns_too_few_results_or_other_answers_has_failed() -> None:
    class Forgetful(Scripted):
        def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
            return []

    class Confused(Scripted):
        def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> list[Shots]:
            return [Shots(("other",), {(1,): 5}, Provenance("confused", shots, 5)) for _ in circuits]

    with pytest.raises(DeviceError, match="ran 0 circuits instead of 1"):
        put(half_piece(), ask("m", full("a")), DeviceSource(Forgetful(failing)))
    with pytest.raises(DeviceError, match=r"must answer \['shot'\], they answer \['other'\]"):
        put(half_piece(), ask("m", full("a")), DeviceSource(Confused(failing)))


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "guess"},
        {"level": "best"},
        {"on_failure": "ignore"},
        {"surplus": "sell"},
        {"coins": "keep"},
        {"parts": "sell"},
        {"shots": 0},
        {"timeout": 0},
        {"preflight": -1},
        {"mitigation": 0.5},
        {"least_fidelity": 1},
        {"least_fidelity": -0.01},
    ],
)
def test_an_unknown_choice_is_refused_before_the_game(options: dict[str, Any]) -> None:
    with pytest.raises(BackendError, match="got"):
        DeviceSource(returning({}), **options)


# -- samplers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("basis", ["cx", "cz", "sqrt_iswap"])
def test_a_sampler_gets_its_own_two_qubit_gate_and_no_other(basis: str) -> None:
    sampler = Scripted(lambda circuit, shots: {}, native_2q=basis)
    with pytest.raises(DeviceError):
        put(position(), ask("m", full("h5")), DeviceSource(sampler))
    [circuit] = sampler.seen
    pairs = {(step.gate.name, len(step.controls)) for step in circuit if isinstance(step, Operation)}
    assert {pair for pair in pairs if pair[0] in ("ISWAP", "SWAP") or pair[1]} == {
        {"cx": ("X", 1), "cz": ("Z", 1), "sqrt_iswap": ("ISWAP", 0)}[basis]
    }
    assert all(len(step.qubits) <= 2 for step in circuit if isinstance(step, Operation))


def test_a_sampler_keeps_the_order_of_answers_and_of_bits(ideal: Sampler) -> None:
    circuit = Program(x("b"), x("c"), read("late", "a", "b"), read("early", "c", "a", "b"))
    [shots] = ideal.run([circuit], 9, seed=1)
    assert shots.answers == ("late", "early")
    assert dict(shots.counts) == {(0b10, 0b101): 9}
    assert shots.provenance.returned == shots.total == 9


def test_a_sampler_with_a_seed_repeats_itself(ideal: Sampler) -> None:
    circuit = Program(h("a"), h("b"), read("r", "a", "b"))
    first, second = ideal.run([circuit, circuit], 500, seed=3), ideal.run([circuit, circuit], 500, seed=3)
    assert [shots.counts for shots in first] == [shots.counts for shots in second]
    assert first[0].counts != first[1].counts  # two circuits of one run do not share their chance


def test_a_sampler_refuses_what_reads_nothing(ideal: Sampler) -> None:
    with pytest.raises(BackendError, match="without a read-out"):
        ideal.run([Program(h("a"))], 1, seed=0)


def test_any_cirq_sampler_will_do() -> None:
    import cirq

    depolarized = cirq.DensityMatrixSimulator(noise=cirq.depolarize(0.01), seed=3)
    source = DeviceSource(CirqSampler(depolarized, name="noisy cirq"), shots=60, seed=3)
    answers = [put(half_piece(), read("r", "a", "b"), source) for _ in range(30)]
    assert {answer.value for answer in answers} == {0b01, 0b10}
    assert sum(answer.details["dropped"]["count"] for answer in answers) > 0
    assert "seed" not in answers[0].details  # its chance is its own
    with pytest.raises(DeviceError, match="no valid shot"):
        put(half_piece(), read("r", "a", "b"), DeviceSource(CirqSampler(cirq.ZerosSampler())))


# -- the catalogue ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "dropped"), [("aer-shots", False), pytest.param("aer-noisy", True, marks=pytest.mark.slow)]
)
def test_the_catalogue_has_devices(nearby: None, name: str, dropped: bool) -> None:
    backend = backends.get(name, shots=400)
    board = Registers(backend.engine, full=["s"]).run(split("s", "a", "b") + split("b", "c", "d")).registers
    [answer] = board.run(Program(ask("m", full("a"))), backend.source(seed=1)).answers
    assert answer.source == f"device {name}"
    assert bool(answer.details["dropped"]["count"]) is dropped


def test_a_wrong_option_of_a_device_is_refused_by_the_catalogue() -> None:
    with pytest.raises(BackendError, match="got 'ignore'"):
        backends.get("aer-shots", on_failure="ignore")
