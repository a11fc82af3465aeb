"""Read-out twirling: half of the shots are read with every bit flipped, and flipped back here.

A chip reads a full square as empty more often than an empty one as full, so the kept shots are biased towards fewer
pieces. With X on all wires just before the reading in half of the shots, each bit is misread with the mean of both
probabilities:

    0 read as 1, and 1 read as 0:    (P(1 read for 0) + P(0 read for 1)) / 2

Both halves are mixed in a seeded random order. So the first shot is equally often from either half, and an answer
from one shot has no more bias than all of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from qchess.backends.devices.sampler import Shots
from qchess.circuits.operations import Operation, x
from qchess.circuits.program import Program, ReadOut, Step

Outcome = tuple[int, ...]


def flipped(circuit: Program) -> Program:
    """Return the circuit, which ends in its readings, with X on every wire just before them.

    >>> from qchess.circuits import h, read
    >>> flipped(Program(h("a"), read("r", "a")))
    Program(h('a'), x('a'), read('r', 'a'))
    """
    gates, reads = _apart(circuit)
    return Program(*gates, *_turns(reads), *reads)


def unflipped(circuit: Program) -> Program | None:
    """Return the circuit without the X before its readings; None if one of them is missing.

    Both circuits are compiled to the same qubits and then flipped, so that the errors averaged are those of one qubit.
    """
    gates, reads = _apart(circuit)
    turns = _turns(reads)
    if not turns or gates[-len(turns) :] != turns or (*gates, *reads) != circuit.steps:
        return None
    return Program(*gates[: -len(turns)], *reads)


def _apart(circuit: Program) -> tuple[tuple[Step, ...], tuple[ReadOut, ...]]:
    """Return the gates of a circuit, and the readings at its end."""
    reads = tuple(step for step in circuit if isinstance(step, ReadOut))
    return tuple(step for step in circuit if not isinstance(step, ReadOut)), reads


def _turns(reads: Sequence[ReadOut]) -> tuple[Operation, ...]:
    return tuple(x(q) for step in reads for q in step.qubits)


def both(circuits: Sequence[Program]) -> list[Program]:
    """Return what is sent for these circuits, each with half of the shots: all unchanged, then all flipped."""
    return [*circuits, *map(flipped, circuits)]


def mixed(circuits: Sequence[Program], runs: Sequence[Shots], rng: random.Random) -> list[Shots]:
    """Return the shots of each circuit from both halves, flipped back."""
    half = len(circuits)
    return [_mixed(*each, rng) for each in zip(circuits, runs[:half], runs[half:], strict=True)]


def _mixed(circuit: Program, plain: Shots, turned: Shots, rng: random.Random) -> Shots:
    widths = {step.name: len(step.qubits) for step in circuit if isinstance(step, ReadOut)}
    masks = {name: 2 ** widths.get(name, 1) - 1 for name in turned.answers}

    def back(outcome: Outcome) -> Outcome:
        said = {name: value ^ masks[name] for name, value in zip(turned.answers, outcome, strict=True)}
        return tuple(said[name] for name in plain.answers)

    counts = Counter(plain.counts)
    for outcome, times in turned.counts.items():
        counts[back(outcome)] += times
    origin = replace(plain.provenance, asked=plain.provenance.asked + turned.provenance.asked, returned=counts.total())
    if plain.sequence is None or turned.sequence is None:
        return Shots(plain.answers, counts, origin)
    halves = iter(plain.sequence), map(back, turned.sequence)
    which = [0] * len(plain.sequence) + [1] * len(turned.sequence)
    rng.shuffle(which)
    return Shots(plain.answers, counts, origin, tuple(next(halves[k]) for k in which))


def symmetric(errors: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the misreading rates of twirled shots: the mean of both kinds."""
    return [{name: [((low + high) / 2,) * 2 for low, high in pairs] for name, pairs in one.items()} for one in errors]


def machine(told: Mapping[str, Any], twirled: bool) -> dict[str, Any]:
    """Return the record of a circuit's run, with the undetected error that applies to its shots.

    The vendor's own twirling of readings has the same effect.
    """
    kept = {key: value for key, value in told.items() if key != "undetected_error_twirled"}
    if (twirled or told.get("twirling")) and "undetected_error_twirled" in told:
        kept["undetected_error"] = told["undetected_error_twirled"]
    return kept
