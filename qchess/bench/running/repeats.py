"""Several times of one run: what is kept of them, and whether what a file says of them can be."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

#: at most so many times are kept one by one
KEPT = 100
#: what is told of times beside their number
TOLD = ("lower", "desk", "low", "high")


def middle(taken: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """The medians of several times, with each of the clock's and their quartiles.

    Of more than `KEPT` times every second counts, or every third, and so on: what is kept is spread over all of them.
    """
    kept = taken[:: _step(len(taken))]
    walls = [float(f"{took['wall']:.6g}") for took in kept]
    low, wall, high = quartiles(walls)
    kinds = dict.fromkeys(key for took in kept for key in took)
    return {
        "runs": len(taken),
        **{kind: statistics.median(took.get(kind, 0.0) for took in kept) for kind in kinds},
        "wall": wall,
        "low": low,
        "high": high,
        "each": walls,
    }


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """The lower quartile, the median and the upper quartile, the smallest and the largest value included."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [*values] * 3
    return low, middle, high


def faults(value: Mapping[str, Any], where: str, form: int) -> Iterator[str]:
    """A sentence if times of a file cannot be: a median lies between its quartiles, what was not repeated has none."""
    if form == 1:
        return
    there, runs = [name for name in (*TOLD, "each") if name in value], value["runs"]
    if runs == 0 and there:
        yield f"{where} has {there[0]} of 0 runs"
    elif runs and not set(TOLD) <= set(there):
        yield f"{where} needs lower, desk, low and high of {runs} runs"
    elif runs and not value["low"] * (1 - 1e-9) <= value["wall"] <= value["high"] * (1 + 1e-9):
        low, wall, high = (value[name] for name in ("low", "wall", "high"))
        yield f"expected low, wall, high of {where} in this order, got {low:g}, {wall:g}, {high:g}"
    elif "each" in value:
        yield from _faults_of_each(value, where)


def _faults_of_each(value: Mapping[str, Any], where: str) -> Iterator[str]:
    each, runs = value["each"], value["runs"]
    if len(each) != (count := len(range(runs)[:: _step(runs)])):
        yield f"expected {count} times in {where}.each, of {runs} runs, got {len(each)}"
        return
    for name, found in zip(("low", "wall", "high"), quartiles(each), strict=True):
        if not math.isclose(value[name], found, rel_tol=1e-9, abs_tol=1e-15):
            yield f"{where}.{name} is {value[name]:g}, and that of {where}.each is {found:g}"
            return


def _step(runs: int) -> int:
    """Every which time is kept."""
    return -(-runs // KEPT)
