"""Simulators for tests: a right one in a few lines, and others that each make one mistake."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from qchess.bench.adapters import Circuit, Step

State = Any  # an array of all amplitudes


def simulate(circuit: Circuit) -> State:
    """All amplitudes, by the definition: each gate's matrix on the axes of its wires, where the controls match."""
    state = np.zeros((2,) * circuit.wires, dtype=np.complex128)
    state[tuple(int(wire in circuit.full) for wire in range(circuit.wires))] = 1
    for step in circuit.steps:
        apply(state, step)
    return state.reshape(-1)


def apply(state: np.ndarray, step: Step) -> None:
    where: list = [slice(None)] * state.ndim
    for wire, value in step.controls:
        where[wire] = slice(value, value + 1)  # the axis stays, so that wires keep their numbers
    part, count = state[tuple(where)], len(step.targets)
    matrix = step.matrix().reshape((2,) * (2 * count))
    turned = np.tensordot(matrix, part, (range(count, 2 * count), step.targets))
    state[tuple(where)] = np.moveaxis(turned, range(count), step.targets)


def reversed_order(circuit: Circuit) -> State:
    return simulate(circuit).reshape((2,) * circuit.wires).transpose().reshape(-1)


def dropped_control(circuit: Circuit) -> State:
    """Forgets a control; the first one of all whose loss shows."""
    right = simulate(circuit)
    for without in controls_dropped(circuit):
        state = simulate(without)
        if abs(np.vdot(right, state)) < 0.99:
            return state
    return right


def controls_dropped(circuit: Circuit) -> Iterator[Circuit]:
    """The circuit without the last control of a gate, for each gate that has one."""
    for place, step in enumerate(circuit.steps):
        if step.controls:
            changed = (*circuit.steps[:place], step._replace(controls=step.controls[:-1]), *circuit.steps[place + 1 :])
            yield Circuit(circuit.wires, circuit.full, changed)


def wrong_sign(circuit: Circuit) -> State:
    return simulate(circuit).conj()


def wrong_phase(circuit: Circuit) -> State:
    """Every iSWAP is a SWAP with -i, so only signs of some branches differ."""
    state = simulate(circuit)
    state[np.flatnonzero(state)[::3]] *= -1
    return state


def half_the_norm(circuit: Circuit) -> State:
    return simulate(circuit) / np.sqrt(2)


def truncated(circuit: Circuit) -> State:
    """Keeps two Schmidt values in the middle, and makes the norm 1 again: nothing in the state tells."""
    matrix = simulate(circuit).reshape(2 ** (circuit.wires // 2), -1)
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    kept = (left[:, :2] * values[:2]) @ right[:2]
    return (kept / np.linalg.norm(kept)).reshape(-1)


def truncated_and_says_so(circuit: Circuit) -> State:
    return truncated(circuit)


truncated_and_says_so.approximate = True  # type: ignore[attr-defined]


def crashes(circuit: Circuit) -> State:
    os.kill(os.getpid(), signal.SIGSEGV)
    return simulate(circuit)


def raises(circuit: Circuit) -> State:
    raise ArithmeticError(f"no way on {circuit.wires} wires")


def leaves(circuit: Circuit) -> State:
    sys.exit(3)


def ten_gigabytes(circuit: Circuit) -> State:
    held = [np.ones(10**7) for _ in range(125)]
    return simulate(circuit) * held[0][0]


def refused_memory(circuit: Circuit) -> State:
    return np.ones(10**15)


def endless(circuit: Circuit) -> State:
    while True:
        pass


def asleep(circuit: Circuit) -> State:
    time.sleep(1000)
    return simulate(circuit)


def talks(circuit: Circuit) -> State:
    """Right, and noisy on every stream."""
    os.write(1, b"\x00\xffprogress: 100 %\n" * 1000)
    os.write(2, b"warning\n" * 1000)
    sys.stdout.write("done\n")
    return simulate(circuit)


def not_numbers(circuit: Circuit) -> State:
    return simulate(circuit) * np.nan


def too_short(circuit: Circuit) -> State:
    return simulate(circuit)[:-1]


def dictionary(circuit: Circuit) -> dict[int, complex]:
    state = simulate(circuit)
    return {int(key): complex(state[key]) for key in np.flatnonzero(state)}


def slow(circuit: Circuit) -> State:
    """Right; leaves a mark of every process that runs a circuit, takes its time, and waits where a gate is closed.

    The gate is a file beside the marks: so many marks may be there before runs wait.
    """
    marks = Path(os.environ["QCHESS_TEST_MARKS"])
    gate = marks.with_suffix(".gate")
    with marks.open("a") as file:
        file.write(f"{os.getpid()} {len(circuit.steps)} {circuit.wires} {hash(circuit.steps)}\n")
    time.sleep(0.1)
    while gate.exists() and len(marks.read_text().splitlines()) > int(gate.read_text()):
        time.sleep(0.01)
    return simulate(circuit)


def planted(circuit: Circuit) -> State:
    """Makes the mistake whose name stands in a file just now, so that one process can be asked for every one."""
    state: State = globals()[Path(os.environ["QCHESS_TEST_FAULT"]).read_text()](circuit)
    return state
