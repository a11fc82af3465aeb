"""Circuits that are new to a simulator but have known states: a case with two more phases.

A phase (`Z` to the power 1/2, 1 or -1/2) before the first gate turns the whole state; one after the last turns every
amplitude with its wire in 1. So a variant costs the same as its case, no cache has it, and its amplitudes follow
exactly. Such phases are Clifford gates, which any simulator has.
"""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Iterator
from dataclasses import replace

from qchess.bench.adapters.circuit import Circuit, Step
from qchess.bench.running.verifying import Expected

QUARTERS = (0.5, 1.0, -0.5)


def variants(circuit: Circuit, expected: Expected, seed: str) -> Iterator[tuple[Circuit, Expected]]:
    """Yield variants without end, drawn by a seed, each with what is known of its state."""
    rng = random.Random(seed)
    before, after = circuit.full or range(circuit.wires), _divided(expected) or range(circuit.wires)
    while True:
        first = Step("Z", rng.choice(QUARTERS), (rng.choice(before),))
        last = Step("Z", rng.choice(QUARTERS), (rng.choice(after),))
        yield replace(circuit, steps=(first, *circuit.steps, last)), _turned(expected, last)


def _divided(expected: Expected) -> list[int]:
    """Return the wires that are 1 in some known keys and 0 in others, where a phase shows."""
    ones = zeros = 0
    for key, amplitude in expected.amplitudes.items():
        if abs(amplitude) > 1e-6:
            ones, zeros = ones | key, zeros | ~key
    both = ones & zeros
    return [wire for wire in range(expected.wires) if both >> (expected.wires - 1 - wire) & 1]


def _turned(expected: Expected, phase: Step) -> Expected:
    bit = 1 << (expected.wires - 1 - phase.targets[0])
    factor = cmath.exp(1j * math.pi * phase.parameter)
    return replace(expected, amplitudes={key: a * factor if key & bit else a for key, a in expected.amplitudes.items()})


def warm_up(circuit: Circuit) -> Circuit:
    """Return another circuit: a thousand entangled branches, and every kind of gate of this one, on as many wires.

    After it a simulator has met all kinds of gates, but not the circuit.
    """
    kinds = {(step.name, len(step.targets), tuple(value for _, value in step.controls)): step for step in circuit.steps}
    some = range(min(10, circuit.wires))
    steps = [Step("H", 1.0, (wire,)) for wire in some]
    steps += [Step("Z", 1.0, (wire,), ((wire - 1, 1),)) for wire in some[1:]]
    for step in kinds.values():
        wires = random.Random(len(steps)).sample(range(circuit.wires), len(step.all_wires))
        values = [value for _, value in step.controls]
        controls = tuple(zip(wires[: len(values)], values, strict=True))
        steps.append(Step(step.name, step.parameter, tuple(wires[len(values) :]), controls))
    return replace(circuit, steps=tuple(steps))
