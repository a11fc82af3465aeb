"""Sifting: which shots of a device may be believed, and why the others may not.

    history      a past question came out otherwise than it was answered
    count        the number of pieces is one the exact state never shows
    impossible   the exact state gives this very outcome probability 0

The first reason that fits is the one that counts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from qchess.backends.devices.recipes import Recipe
from qchess.backends.devices.sampler import Shots

REASONS = ("history", "count", "impossible")


@dataclass(frozen=True, slots=True)
class Sifted:
    """How often each believable outcome came, and how many shots were dropped for each reason.

    `sequence` has the believable outcomes in the machine's own order, where it told that.
    """

    kept: Counter[int]
    dropped: Counter[str]
    sequence: tuple[int, ...] | None = None


def sift(recipe: Recipe, shots: Shots) -> Sifted:
    """Takes the shots of a recipe's circuit apart."""
    sifted = Sifted(Counter(), Counter(dict.fromkeys(REASONS, 0)))
    believed: dict[tuple[int, ...], int] = {}
    for values, times in shots.counts.items():
        said = dict(zip(shots.answers, values, strict=True))
        outcome = said[recipe.reading]
        if reason := _reason(recipe, said, outcome):
            sifted.dropped[reason] += times
        else:
            sifted.kept[outcome] += times
            believed[values] = outcome
    if shots.sequence is None:
        return sifted
    return Sifted(sifted.kept, sifted.dropped, tuple(believed[v] for v in shots.sequence if v in believed))


def _reason(recipe: Recipe, said: dict[str, int], outcome: int) -> str | None:
    """Why a shot is dropped, if it is."""
    if any(said[name] != answer for name, answer in recipe.past.items()):
        return "history"
    if outcome.bit_count() not in recipe.pieces:
        return "count"
    return None if outcome in recipe.possible else "impossible"
