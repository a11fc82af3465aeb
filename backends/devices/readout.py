"""Read-out errors: averaged by twirling, and corrected in the odds that are shown.

A chip reads a full square as empty more often than an empty one as full, so the kept shots are biased towards fewer
pieces. Twirling puts X on all wires just before the reading in half of the shots, and flips their bits back here. Then
each bit is misread with the mean of both probabilities:

    0 read as 1, and 1 read as 0:    (P(1 read for 0) + P(0 read for 1)) / 2

Both halves are mixed in a seeded random order. So the first shot is equally often from either half, and an answer
from one shot has no more bias than all of them.

Mitigation inverts the matrix from true to read outcomes on the outcomes seen: with e0 = P(1 read for 0) and
e1 = P(0 read for 1), which were measured for each spot,

    A[seen, was] = product over the bits of  [1-e0  e1 ; e0  1-e1][seen bit, was bit],    shares = A odds.

Solving for the odds may leave some of them below 0, so no answer is ever drawn from them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import numpy as np

from qchess.backends.devices.postselection import TOLD, value_of
from qchess.backends.devices.recipes import Recipe
from qchess.backends.devices.sampler import Shots
from qchess.circuits.operations import Operation, x
from qchess.circuits.program import Program, ReadOut, Step
from qchess.circuits.running import Pause

Outcome = tuple[int, ...]
#: for each bit how often 1 is read for 0, and 0 for 1
Errors = Sequence[Sequence[float]]
#: more different outcomes than this are not solved for, and more joint ones not reported
MOST = 2048
#: a spot misread half of the time says nothing; beyond this the matrix cannot be inverted
WORST = 0.45


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


def mitigated(
    pause: Pause, recipes: Sequence[Recipe], runs: Sequence[Shots], errors: Sequence[Mapping[str, Errors]]
) -> dict[str, float] | None:
    """Return the odds of each answer after mitigation, the likeliest first; None for too many outcomes."""
    parts = []
    for made, shots, wrong in zip(recipes, runs, errors, strict=True):
        seen: Counter[int] = Counter()
        for values, times in shots.counts.items():
            said = dict(zip(shots.answers, values, strict=True))
            if all(said[name] == answer for name, answer in made.past.items()):
                seen[said[made.reading]] += times
        if not seen or len(seen) > MOST:
            return None
        odds = {key: p for key, p in undone(seen, wrong[made.reading]).items() if key in made.possible}
        parts.append(odds)
    if prod(map(len, parts)) > MOST or not all(sum(part.values()) > 0 for part in parts):
        return None
    found: dict[int, float] = {}
    for outcomes in product(*(part.items() for part in parts)):
        answer = value_of(pause, recipes, [key for key, _ in outcomes])
        found[answer] = found.get(answer, 0.0) + prod(p for _, p in outcomes)
    total = sum(found.values())
    likeliest = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:TOLD]
    return {str(answer): round(p / total, 4) for answer, p in likeliest}


def undone(seen: Mapping[int, int], errors: Errors) -> dict[int, float]:
    """Return the odds of the outcomes seen, corrected for read-out errors.

    >>> undone({0: 90, 1: 10}, [(0.1, 0.0)])
    {0: 1.0, 1: 0.0}
    """
    keys = sorted(seen)
    bits = np.array([[key >> k & 1 for k in range(len(errors))] for key in keys])
    matrix = np.ones((len(keys), len(keys)))
    for k, pair in enumerate(errors):
        low, high = (min(float(e), WORST) for e in pair)
        one = np.array([[1 - low, high], [low, 1 - high]])
        matrix *= one[bits[:, k][:, None], bits[:, k][None, :]]
    matrix /= matrix.sum(axis=0)  # what was read as something that never came is lost
    shares = np.array([seen[key] for key in keys]) / sum(seen.values())
    odds = np.linalg.solve(matrix, shares)
    return {key: round(float(p), 12) + 0.0 for key, p in zip(keys, odds, strict=True)}


def errors_told(errors: Sequence[Mapping[str, Errors]]) -> list[dict[str, Any]]:
    """Return the errors in the form of a record."""
    return [{name: [[round(float(e), 4) for e in pair] for pair in each] for name, each in one.items()}
            for one in errors]  # fmt: skip
