"""Check the repeated times of a run in a file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from qchess.bench.running.clock import quartiles, step

#: the fields of times beside their number
TOLD = ("lower", "desk", "low", "high")


def faults(value: Mapping[str, Any], where: str, form: int) -> Iterator[str]:
    """Yield a sentence for each impossible time: a median outside its quartiles, a spread without repeats."""
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
    if len(each) != (count := len(range(runs)[:: step(runs)])):
        yield f"expected {count} times in {where}.each, of {runs} runs, got {len(each)}"
        return
    for name, found in zip(("low", "wall", "high"), quartiles(each), strict=True):
        if not math.isclose(value[name], found, rel_tol=1e-9, abs_tol=1e-15):
            yield f"{where}.{name} is {value[name]:g}, and that of {where}.each is {found:g}"
            return
