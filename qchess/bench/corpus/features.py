"""Features of a circuit, counted without running it.

The six of SupermarQ (Tomesh et al. 2022, section IV) are defined for one- and two-qubit gates, so they are counted on
the lowered form, with n wires and E two-qubit gates, which make a graph:

    communication     mean share of the other wires that a wire has gates with
    critical depth    share of the two-qubit gates that lie on the longest path
    entanglement      share of the gates that act on two wires
    parallelism       (gates / depth - 1) / (n - 1)
    liveness          share of wires and layers in which a wire is busy
    measurement       share of the layers with a measurement before later steps
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.program import Branch, Discard, Program, Question, ReadOut, Step

#: angles this close to a quarter turn count as one
ROUNDING = 1e-12


class Layer(NamedTuple):
    """The depth of a wire or an answer: layers, and two-qubit gates on the longest path to it."""

    depth: int = 0
    pairs: int = 0


def everything(program: Program) -> Iterator[Operation | Question | ReadOut]:
    """Yield every step, including those of all cases."""
    for step in program:
        if isinstance(step, Branch):
            for _, case in step.cases:
                yield from everything(case)
        elif not isinstance(step, Discard):
            yield step


def depth(program: Program) -> int:
    """Return the number of layers, each step as early as possible; a branch counts its deepest case."""
    return max((layer.depth for layer in _layers(program, {}).values()), default=0)


def two_qubit(program: Program) -> int:
    """Count the operations on exactly two wires, over all cases."""
    return sum(len(step.qubits) == 2 for step in everything(program) if isinstance(step, Operation))


def wider(program: Program) -> int:
    """Count the operations on more than two wires, over all cases."""
    return sum(len(step.qubits) > 2 for step in everything(program) if isinstance(step, Operation))


def is_clifford(program: Program) -> bool:
    """Tell whether every operation is a Clifford gate and every question is about single qubits."""
    return all(_clifford(step) for step in everything(program))


def _clifford(step: Operation | Question | ReadOut) -> bool:
    if isinstance(step, Question):
        return len(step.predicate.cubes) == 1 and len(step.predicate.cubes[0]) == 1
    if isinstance(step, ReadOut):
        return True
    name, t = step.gate.name, step.gate.parameter
    if step.controls:
        return len(step.controls) == 1 and name in ("X", "Z") and t % 1 == 0
    if name in ("RY", "RZ"):
        return abs(math.remainder(t, math.pi / 2)) < ROUNDING
    return name in ("H", "SWAP") or (name == "ISWAP" and t % 1 == 0) or (name in ("X", "Z") and t % 0.5 == 0)


def supermarq(lowered: Program, wires: int) -> dict[str, float]:
    """Return the six features of a circuit of one- and two-qubit gates on this many wires."""
    steps = list(everything(lowered))
    pairs = [step.qubits for step in steps if isinstance(step, Operation) and len(step.qubits) == 2]
    layers = _layers(lowered, {}).values()
    longest = max(layers, default=Layer())
    deep = longest.depth
    busy = sum(len(step.qubits) for step in steps)
    return {
        "communication": _part(2 * len(set(map(frozenset, pairs))), wires * (wires - 1)),
        "critical depth": _part(max((layer.pairs for layer in layers), default=0), len(pairs)),
        "entanglement": _part(len(pairs), len(steps)),
        "parallelism": max(0.0, _part(_part(len(steps), deep) - 1, wires - 1)),
        "liveness": min(1.0, _part(busy, wires * deep)),
        "measurement": _part(_early(lowered), deep),
    }


def _part(count: float, whole: float) -> float:
    return count / whole if whole else 0.0


def _early(program: Program) -> int:
    """Count the measurements that have steps after them."""
    steps = list(everything(program))
    last = max((k for k, step in enumerate(steps) if isinstance(step, Operation)), default=-1)
    return sum(not isinstance(step, Operation) for step in steps[:last])


def _layers(program: Program, ready: dict[str, Layer]) -> dict[str, Layer]:
    """Return the layer of each wire and each answer, each step as early as possible."""
    after = dict(ready)
    for step in program:
        if isinstance(step, Branch):
            after = _of_branch(step, after)
        elif not isinstance(step, Discard):
            end = _end(step, after)
            after.update(dict.fromkeys(step.qubits, end))
            if not isinstance(step, Operation):
                after[_answer(step.name)] = end
    return after


def _end(step: Step, after: dict[str, Layer]) -> Layer:
    before = [after.get(q, Layer()) for q in step.qubits]
    pair = isinstance(step, Operation) and len(step.qubits) == 2
    return Layer(max(b.depth for b in before) + 1, max(b.pairs for b in before) + pair)


def _of_branch(branch: Branch, ready: dict[str, Layer]) -> dict[str, Layer]:
    """Return the layers after a branch: cases begin when the answer is there; a wire counts its deepest case."""
    waits = [ready.get(q, Layer()) for q in (*branch.qubits, _answer(branch.name))]
    begin = Layer(max(w.depth for w in waits), max(w.pairs for w in waits))
    entry = {**ready, **dict.fromkeys(branch.qubits, begin)}
    ends = [entry, *(_layers(case, entry) for _, case in branch.cases)]
    wires = dict.fromkeys(wire for end in ends for wire in end)
    return {wire: max(end.get(wire, Layer()) for end in ends) for wire in wires}


def _answer(name: str) -> Qubit:
    return f"answer {name}"
