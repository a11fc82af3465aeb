"""Mitigation: estimated odds without read-out errors, for display only.

The misreading rate of each spot is measured, and the matrix from true to read outcomes is inverted on the outcomes
seen: with e0 = P(1 read for 0) and e1 = P(0 read for 1),

    A[seen, was] = product over the bits of  [1-e0  e1 ; e0  1-e1][seen bit, was bit],    shares = A odds.

Solving for the odds may leave some of them below 0, so no answer is ever drawn from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from qchess.backends.devices.postselection import TOLD, value_of
from qchess.backends.devices.recipes import Recipe
from qchess.backends.devices.sampler import Shots
from qchess.circuits.running import Pause

#: for each bit how often 1 is read for 0, and 0 for 1
Errors = Sequence[Sequence[float]]
#: more different outcomes than this are not solved for, and more joint ones not reported
MOST = 2048
#: a spot misread half of the time says nothing; beyond this the matrix cannot be inverted
WORST = 0.45


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
