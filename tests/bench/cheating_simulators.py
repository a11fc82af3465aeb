"""Simulators for tests: each wins a race by what is no simulation, or hides what it costs."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from qchess.bench.adapters import Adapter, Circuit
from tests.bench.faulty_simulators import simulate

State = Any

WAIT = 0.1
_ANSWERS: dict[Any, State] = {}


def waits(circuit: Circuit) -> State:
    """Nobody's processor is used while it waits for another machine."""
    time.sleep(WAIT)
    return simulate(circuit)


def lets_others_work(circuit: Circuit) -> State:
    """Its work is a child's."""
    code = f"import time\nwhile time.process_time() < {WAIT}: pass"
    subprocess.run([sys.executable, "-S", "-c", code], check=True)
    return simulate(circuit)


@functools.cache
def _worker() -> subprocess.Popen[bytes]:
    code = f"""
import sys, time
for line in sys.stdin:
    end = time.process_time() + {WAIT}
    while time.process_time() < end:
        pass
    print(flush=True)
"""
    return subprocess.Popen([sys.executable, "-S", "-u", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def keeps_a_worker(circuit: Circuit) -> State:
    """Its work is a child's that does not end."""
    worker = _worker()
    assert worker.stdin
    assert worker.stdout
    worker.stdin.write(b"\n")
    worker.stdin.flush()
    worker.stdout.readline()
    return simulate(circuit)


def takes_all_processors(circuit: Circuit) -> State:
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    return simulate(circuit)


def takes_all_in_a_thread(circuit: Circuit) -> State:
    thread = threading.Thread(target=_spread, daemon=True)
    thread.start()
    while not _SPREAD.is_set():
        time.sleep(0.001)
    return simulate(circuit)


_SPREAD = threading.Event()


def _spread() -> None:
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    _SPREAD.set()
    time.sleep(1000)


def _without_phases(circuit: Circuit) -> Any:
    return circuit.wires, tuple(step for step in circuit.steps if step.name != "Z")


def remembers_circuits(circuit: Circuit) -> State:
    """Never meets one again."""
    if circuit not in _ANSWERS:
        _ANSWERS[circuit] = _work(circuit)
    return _ANSWERS[circuit]


def remembers_all_but_phases(circuit: Circuit) -> State:
    key = _without_phases(circuit)
    if key not in _ANSWERS:
        _ANSWERS[key] = simulate(circuit)
    return _ANSWERS[key]


def remembers_its_first_answer(circuit: Circuit) -> State:
    return _ANSWERS.setdefault("first", simulate(circuit))


def finds_answers_on_disk(circuit: Circuit) -> State:
    """Leaves its answers to the processes that come after it."""
    name = f"{abs(hash(_without_phases(circuit)))}.npy"
    kept = Path(os.environ["QCHESS_TEST_FAULT"]).with_name(name)
    if kept.exists() and name not in _ANSWERS:
        return np.load(kept)
    _ANSWERS[name] = True
    state = simulate(circuit)
    np.save(kept, state)
    return state


def zeros_from_the_second_call_on(circuit: Circuit) -> State:
    _ANSWERS["calls"] = _ANSWERS.get("calls", 0) + 1
    return simulate(circuit) if _ANSWERS["calls"] == 1 else np.zeros(2**circuit.wires)


def leaves_out_the_last_gate_when_warm(circuit: Circuit) -> State:
    _ANSWERS["calls"] = _ANSWERS.get("calls", 0) + 1
    return simulate(circuit if _ANSWERS["calls"] == 1 else circuit.prefix(len(circuit.steps) - 1))


def _work(circuit: Circuit, seconds: float = WAIT) -> State:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return simulate(circuit)


class _Lazy(Mapping[int, complex]):
    """Works when it is asked."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit

    @functools.cached_property
    def state(self) -> State:
        return _work(self.circuit)

    def __getitem__(self, key: int) -> complex:
        return complex(self.state[key])

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    def __len__(self) -> int:
        return 1 << self.circuit.wires


def lazy(circuit: Circuit) -> State:
    return _Lazy(circuit)


class _Later(_Lazy):
    """Works in a thread that goes on after the call."""

    def __init__(self, circuit: Circuit) -> None:
        super().__init__(circuit)
        self.made: list[State] = []
        self.thread = threading.Thread(target=lambda: self.made.append(_work(circuit)))
        self.thread.start()

    @functools.cached_property
    def state(self) -> State:
        self.thread.join()
        return self.made[0]


def later(circuit: Circuit) -> State:
    return _Later(circuit)


def stops_the_clock(circuit: Circuit) -> State:
    time.sleep(WAIT)
    for name in ("time", "monotonic", "perf_counter", "process_time"):
        setattr(time, name, lambda: 0.0)
    return simulate(circuit)


def norm_of_46(circuit: Circuit) -> State:
    """Right where it is likely to be looked at, and far too large elsewhere."""
    state = simulate(circuit)
    empty = np.flatnonzero(np.abs(state) < 1e-12)
    state[empty[len(empty) // 2 :]] = np.sqrt(46.0 / len(empty))
    return state


class Prepared(Adapter):
    """Its run is done while it is made ready."""

    name = "prepared"

    def desk(self, lowered: Circuit) -> State:
        return _work(lowered)

    def run(self, lowered: Circuit, desk: State) -> State:
        return desk

    def amplitudes(self, state: State, keys: Any) -> Any:
        return state[list(keys)].tolist()

    def norm(self, state: State) -> float:
        return float(np.vdot(state, state).real)


class Lowered(Prepared):
    """Its run is done while the circuit is written in its own form."""

    name = "lowered"

    def lower(self, circuit: Circuit) -> State:
        return _work(circuit, 2 * WAIT)  # a remark comes from a thousand times the run on

    def desk(self, lowered: State) -> State:
        return lowered


def planted(circuit: Circuit) -> State:
    """Plays the trick whose name stands in a file just now, so that one process can be asked for every one."""
    state: State = globals()[Path(os.environ["QCHESS_TEST_FAULT"]).read_text()](circuit)
    return state
