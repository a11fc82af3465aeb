"""Whatever a sampler returns, raises or swallows becomes one announced failure, in time, and the game stands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qchess import backends
from qchess.backends.devices.adapters import AER
from qchess.backends.devices.sampler import Capabilities, Provenance, Shots
from qchess.backends.devices.source import DeviceError, DeviceSource, FallbackWarning
from qchess.backends.devices.subprocess_sampler import SubprocessSampler
from qchess.circuits import Program, Registers, ask, full, h, iswap, partial_split, read, split
from qchess.circuits.errors import BackendError, StateTooLargeError
from tests.backends.lateness import late_once
from tests.patience import PATIENCE

GOOD = Provenance("scripted", 100, 100)


class Odd:
    """A sampler whose run is any function at all."""

    name = "odd"
    capabilities = Capabilities()

    def __init__(self, run: Callable[..., Any]) -> None:
        self._run = run

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Any:
        return self._run(circuits)


def shots(counts: Any = None, provenance: Any = GOOD, answers: Any = ("shot",), sequence: Any = None) -> Shots:
    return Shots(answers, {(0b01,): 100} if counts is None else counts, provenance, sequence)


class Mean:
    """Its own repr fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


def raising(error: BaseException) -> Callable[..., Any]:
    def run(circuits: Any) -> Any:
        raise error

    return run


GARBAGE: dict[str, Callable[..., Any]] = {
    "None": lambda c: None,
    "a number": lambda c: 7,
    "text": lambda c: "shots",
    "bytes": lambda c: b"01",
    "a mapping": lambda c: {0: shots()},
    "a generator": lambda c: (shots() for _ in c),
    "an object without words": lambda c: Mean(),
    "no list entry": lambda c: [],
    "too many entries": lambda c: [shots(), shots()],
    "a list of None": lambda c: [None],
    "a list of counts": lambda c: [{(1,): 100}],
    "counts of None": lambda c: [Shots(("shot",), None, GOOD)],  # type: ignore[arg-type]
    "counts as a list": lambda c: [shots([(1,), 100])],
    "counts as text": lambda c: [shots("01")],
    "no counts": lambda c: [shots({})],
    "zero counts": lambda c: [shots({(0b01,): 0})],
    "negative counts": lambda c: [shots({(0b01,): -3})],
    "negative beside positive": lambda c: [shots({(0b01,): 100, (0b10,): -3})],
    "NaN": lambda c: [shots({(0b01,): float("nan")})],
    "infinity": lambda c: [shots({(0b01,): float("inf")})],
    "half a shot": lambda c: [shots({(0b01,): 0.5})],
    "a quasi-probability": lambda c: [shots({(0b01,): np.float64(0.4)})],
    "counts of text": lambda c: [shots({(0b01,): "100"})],
    "counts of True": lambda c: [shots({(0b01,): True})],
    "1e300 shots": lambda c: [shots({(0b01,): 10**300})],
    "text keys": lambda c: [shots({"01": 100})],
    "number keys": lambda c: [shots({1: 100})],
    "empty keys": lambda c: [shots({(): 100})],
    "long keys": lambda c: [shots({(1, 0): 100})],
    "keys of text": lambda c: [shots({("1",): 100})],
    "keys of None": lambda c: [shots({(None,): 100})],
    "negative keys": lambda c: [shots({(-1,): 100})],
    "keys too large": lambda c: [shots({(2**70,): 100})],
    "no answers": lambda c: [shots(answers=())],
    "answers of None": lambda c: [shots(answers=None)],
    "other answers": lambda c: [shots(answers=("other",))],
    "an answer twice": lambda c: [shots({(1, 1): 100}, answers=("shot", "shot"))],
    "no provenance": lambda c: [shots(provenance=None)],
    "a provenance of text": lambda c: [shots(provenance="job 7")],
    "a provenance without numbers": lambda c: [shots(provenance=Provenance("x", None, "many"))],  # type: ignore[arg-type]
    "another order": lambda c: [shots(sequence=((0b10,),) * 100)],
    "an order of numbers": lambda c: [shots(sequence=(1,) * 100)],
    "an error": raising(RuntimeError("the cryostat is warm")),
    "an interrupt of its own": raising(KeyboardInterrupt()),
    "SystemExit": raising(SystemExit(3)),
    "GeneratorExit": raising(GeneratorExit()),
    "StopIteration": raising(StopIteration(1)),
}


def half_piece() -> Registers:
    return Registers(backends.engine(), full=["s"]).run(split("s", "a", "b")).registers


@pytest.mark.parametrize("case", GARBAGE)
def test_garbage_is_a_device_error_or_an_announced_fallback_and_the_board_stands(case: str) -> None:
    board, question = half_piece(), Program(ask("m", full("a")))
    with pytest.raises(DeviceError, match="odd") as failure:
        board.run(question, DeviceSource(Odd(GARBAGE[case])))
    assert len(str(failure.value)) < 400
    json.dumps(failure.value.details, allow_nan=False)
    with pytest.warns(FallbackWarning, match="odd"):
        [answer] = board.run(question, DeviceSource(Odd(GARBAGE[case]), on_failure="fallback", seed=1)).answers
    assert answer.source == "seed 1, instead of device odd"
    json.dumps(answer.details, allow_nan=False)
    assert board.same_as(half_piece())


def test_a_provenance_that_json_cannot_hold_is_written_as_text() -> None:
    odd: Mapping[str, Any] = {"when": datetime(2026, 11, 21), "what": Mean(), "n": np.int64(3), "x": {1, 2}}
    origin = Provenance("odd", np.int64(100), 100, job=Mean(), calibrated=float("nan"), details=odd)  # type: ignore[arg-type]
    [answer] = half_piece().run(
        Program(ask("m", full("a"))), DeviceSource(Odd(lambda c: [shots(provenance=origin)]))
    ).answers  # fmt: skip
    told = json.loads(json.dumps(answer.details, allow_nan=False))
    assert told == answer.details
    assert told["machine"][0]["when"] == "2026-11-21T00:00:00"
    assert told["machine"][0]["n"] == 3


def test_half_a_character_in_what_a_device_says_can_be_sent() -> None:
    told = Provenance(
        "odd\ud800", 100, 100, job="ab\udfffü", versions={"a\ud800": "1"}, details={"physical": ["\ud800"]}
    )
    device = DeviceSource(Odd(lambda c: [shots(provenance=told)]), seed=1)
    [answer] = half_piece().run(Program(ask("m", full("a"))), device).answers
    json.dumps(answer.details, ensure_ascii=False).encode()
    assert (answer.details["backend"], answer.details["jobs"]) == ("odd?", ["ab?ü"])
    assert answer.details["versions"] == {"a?": "1"}
    assert [each["physical"] for each in answer.details["machine"]] == [["?"]]
    for error in (RuntimeError("lost \ud800"), BackendError("lost \ud800")):
        with pytest.raises(DeviceError, match=r"lost \?\)$") as failure:
            half_piece().run(Program(ask("m", full("a"))), DeviceSource(Odd(raising(error))))
        str(failure.value).encode()


def test_zero_counts_beside_others_are_no_shots() -> None:
    source = DeviceSource(Odd(lambda c: [shots({(0b01,): 0, (0b10,): np.int64(7)})]))
    [answer] = half_piece().run(Program(read("r", "a", "b")), source).answers
    assert (answer.value, answer.details["returned"]) == (0b10, 7)


# -- the order of shots -----------------------------------------------------------------------------


def test_the_answer_is_the_first_valid_shot_where_the_machine_tells_the_order() -> None:
    order = ((0b00,), (0b11,), (0b10,), *(((0b01,),) * 97))  # two impossible ones, then b, then a 97 times
    source = DeviceSource(Odd(lambda c: [Shots.in_order(("shot",), order, GOOD)]))
    answers = [half_piece().run(Program(read("r", "a", "b")), source).answers[0] for _ in range(5)]
    assert {answer.value for answer in answers} == {0b10}
    assert answers[0].details["picked"] == "the first valid shot"
    assert answers[0].details["observed"] == {"1": 97, "2": 1}
    assert answers[0].details["odds"] == pytest.approx({"1": 0.5, "2": 0.5})


def test_where_only_counts_are_told_the_record_says_that_a_number_picked_the_shot() -> None:
    [answer] = half_piece().run(Program(read("r", "a", "b")), DeviceSource(Odd(lambda c: [shots()]))).answers
    assert answer.details["picked"] == "one of the counted valid shots, by a pseudo-random number"


# -- a sampler in a process of its own ----------------------------------------------------------------


PERVERSE = """
    import os, sys, time
    from pathlib import Path
    from qchess.backends.devices.sampler import Capabilities, Provenance, Shots

    class Perverse:
        name, capabilities = "perverse", Capabilities()

        def __init__(self, does):
            self.does = does

        def run(self, circuits, shots, seed):
            print("noise on the output")
            if seed is None:
                time.sleep(0)
            elif self.does == "sleep":
                Path(__file__).with_name("asleep").touch()
                time.sleep(1000)
            elif self.does == "die":
                os._exit(7)
            elif self.does == "raise":
                class Local(Exception):
                    pass
                raise Local("not to be copied")
            return [Shots(c.answers, {(1,): shots}, Provenance("perverse", shots, shots)) for c in circuits]

    def refuse():
        raise ValueError("not today")
"""


@pytest.fixture
def perverse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., SubprocessSampler]]:
    (tmp_path / "perverse.py").write_text(textwrap.dedent(PERVERSE))
    monkeypatch.syspath_prepend(str(tmp_path))
    made: list[SubprocessSampler] = []

    def make(does: str = "answer") -> SubprocessSampler:
        made.append(SubprocessSampler("perverse:Perverse", {"does": does}))
        return made[-1]

    yield make
    for sampler in made:
        sampler.close()


CIRCUIT = Program(h("a"), read("shot", "a"))


def ended(sampler: SubprocessSampler) -> bool:
    """Whether its process was killed in the middle of its work, and no other was started since."""
    return sampler._child.ended


def test_a_process_of_its_own_answers_as_the_sampler_would(perverse: Callable[..., SubprocessSampler]) -> None:
    sampler = perverse()
    assert (sampler.name, sampler.capabilities) == ("perverse", Capabilities())
    [found] = sampler.run([CIRCUIT], 5, 1)
    assert dict(found.counts) == {(1,): 5}


def test_a_device_that_is_late_is_stopped_and_answers_the_next_question(
    perverse: Callable[..., SubprocessSampler], tmp_path: Path
) -> None:
    sampler = perverse("sleep")
    asleep = tmp_path / "asleep"
    with late_once(asleep.exists, "the device sleeps"), pytest.raises(DeviceError, match="no answer within 60 s"):
        half_piece().run(Program(ask("late", full("a"))), DeviceSource(sampler, timeout=60))
    assert ended(sampler)
    [found] = sampler.run([CIRCUIT], 5, None)  # in a new process, which was asked for no sleep
    assert found.total == 5


@pytest.mark.parametrize(("does", "message"), [("die", "exit status 7"), ("raise", "Local: not to be copied")])
def test_a_process_that_dies_or_raises_says_so_and_the_next_call_is_answered(
    perverse: Callable[..., SubprocessSampler], does: str, message: str
) -> None:
    sampler = perverse(does)
    with pytest.raises(DeviceError, match=message):
        half_piece().run(Program(ask("m", full("a"))), DeviceSource(sampler))
    assert sampler.run([CIRCUIT], 3, None)[0].total == 3


def test_a_sampler_that_cannot_be_made_says_why(perverse: Callable[..., SubprocessSampler]) -> None:
    perverse()
    with pytest.raises(ValueError, match="not today"):
        SubprocessSampler("perverse:refuse").ready()


ENDS = """
    import builtins, sys, threading
    from contextlib import suppress
    from pathlib import Path
    from qchess.backends.devices.subprocess_sampler import SubprocessSampler
    from qchess.circuits import Program, h, read
    from tests.patience import wait_until

    def run():
        with suppress(Exception):
            sampler.run([Program(h("a"), read("shot", "a"))], 5, 1)

    sampler = SubprocessSampler("perverse:Perverse", {"does": "sleep"})
    if sys.argv[1] == "running":
        threading.Thread(target=run, daemon=True).start()
        wait_until(Path(sys.argv[2]).exists, "the device sleeps")
    elif sys.argv[1] == "ready":
        sampler.ready()
    print(sampler._child.pid, flush=True)
"""


@pytest.mark.parametrize(
    ("state", "last"),
    [
        ("running", ""),
        ("running", "builtins.kept = sampler"),
        pytest.param("running", "sys.exit(0)", marks=pytest.mark.slow),
        pytest.param("running", "sampler.own = [sampler]; del sampler", marks=pytest.mark.slow),
        pytest.param("begun", "builtins.kept = sampler", marks=pytest.mark.slow),
        pytest.param("ready", "builtins.kept = sampler", marks=pytest.mark.slow),
    ],
)
def test_the_interpreter_ends_in_silence_and_takes_the_process_along(
    perverse: Callable[..., SubprocessSampler], tmp_path: Path, state: str, last: str
) -> None:
    command = [sys.executable, "-c", textwrap.dedent(ENDS) + last, state, str(tmp_path / "asleep")]
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=PATIENCE, env={**os.environ, "PYTHONPATH": path}
    )  # fmt: skip
    assert done.stderr.removeprefix("noise on the output\n") == ""  # what the sampler itself prints is its own
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)


class Asked(SubprocessSampler):
    """Remembers whether it was asked: a busy machine may still prepare the circuits when the time is over."""

    asked = False

    def run(self, circuits: Sequence[Program], shots: int, seed: int | None) -> Sequence[Shots]:
        self.asked = True
        return super().run(circuits, shots, seed)


@pytest.mark.slow
def test_a_call_that_takes_longer_than_its_seconds_is_ended_and_its_process_too_whatever_its_size() -> None:
    """Asks a process that is there already: it is the simulation that takes too long, not the start."""
    pytest.importorskip("qiskit_aer")
    sampler = Asked(f"{AER}:aer_sampler", {"noisy": True})
    try:
        for qubits in (16, 23):
            squares = [f"q{k}" for k in range(qubits)]
            board = Registers(backends.engine()).run(Program(*(h(q) for q in squares[:8]))).registers
            entangled = Program(*(iswap(a, b, 0.37) for _ in range(6) for a, b in pairwise(squares)))
            board = board.run(entangled).registers
            sampler.ready()
            source, sampler.asked = DeviceSource(sampler, timeout=1, strategy="replay"), False
            with pytest.raises(DeviceError, match="no answer within 1 s"):
                board.run(Program(ask("m", full(squares[0]))), source)
            assert ended(sampler) or not sampler.asked
    finally:
        sampler.close()


def test_a_register_too_wide_for_a_simulator_is_asked_only_for_the_part_that_matters() -> None:
    squares = [f"q{k}" for k in range(28)]
    board = Registers(backends.engine(), full=[squares[0]])
    board = board.run(Program(*(partial_split(a, b, f"x{b}", 0.3) for a, b in pairwise(squares)))).registers
    seen: list[int] = []

    def run(circuits: Sequence[Program]) -> list[Shots]:
        seen.extend(len(circuit.qubits) for circuit in circuits)
        return [Shots(c.answers, {(0,): 9}, GOOD) for c in circuits]

    odd = Odd(run)
    odd.capabilities = Capabilities(max_qubits=24)
    [answer] = board.run(Program(ask("m", full(board.uncertain[3]))), DeviceSource(odd)).answers
    assert seen == [1]
    assert answer.details["made"] == "prepared in part"
    with pytest.raises(DeviceError, match="has 24 qubits, and the circuit needs"):
        board.run(Program(ask("m", full(board.uncertain[3]))), DeviceSource(odd, strategy="replay"))


def test_aers_chains_refuse_what_they_would_die_on() -> None:
    # nine marks of quantum tic-tac-toe, each on two squares, joined into one register: 17 qubits end the process
    pytest.importorskip("qiskit_aer")
    pairs = ["a1b1", "b1c1", "c2c3", "a1b3", "a3b3", "a2c2", "a2b2", "a3c3"]
    engine = backends.engine("aer:mps")
    board = Registers(engine, full=[f"s{k}" for k in range(len(pairs))])
    with pytest.raises(StateTooLargeError, match="at most 32768 amplitudes, a register of 16 qubits needs"):
        engine.prepare([f"q{k}" for k in range(16)], {0: 1})
    marks = Program(*(iswap(f"s{k}", f"{pair}{k}", 0.5) for k, pair in enumerate(pairs)))
    board = board.run(marks).registers  # eight registers of two
    assert board.branches() == (2,) * 8
