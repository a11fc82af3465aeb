"""Merge several result files that were measured in the same way."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from qchess.bench.running.results import Results, differing, misfits, read, starts_misfit
from qchess.errors import InvalidMoveError
from qchess.playing.journal import Journal


def merged(paths: Sequence[Path]) -> tuple[Results, int]:
    """Return the contents of the files together, and how many runs were left out as duplicates.

    Files with other settings, another machine, other circuits of the same names, or another version or adapter of a
    simulator are refused.
    """
    parts = [read(path) for path in paths]
    plan = parts[0].plan
    for number, part in enumerate(parts):
        for earlier in range(number):
            if told := differing(_misfits(parts[earlier], part), f"in {paths[earlier]}", f"in {paths[number]}"):
                raise InvalidMoveError(f"these files cannot be merged: {told}")
        plan = plan.joined(part.plan)
    whole, seen, again = Results(plan), set[tuple[str, ...]](), 0
    for part in parts:
        for line in part.lines():
            key = (line["simulator"], line.get("case", ""), line.get("hash", ""))
            again += key in seen and line["what"] == "run"
            if key not in seen:
                whole.take(json.dumps(line))
            seen.add(key)
    return whole, again


def _misfits(first: Results, second: Results) -> Iterator[tuple[str, str, str]]:
    """Yield the differences of two files that forbid merging them."""
    yield from first.plan.misfits(second.plan)
    cases = first.plan.cases.keys() & second.plan.cases.keys()
    yield from misfits(*({f"the hash of {n}": p.plan.cases[n]["hash"] for n in sorted(cases)} for p in (first, second)))
    for name in first.starts:
        if name in second.starts:
            yield from starts_misfit(first.starts[name], second.starts[name])


def write(path: Path, results: Results) -> None:
    """Write results to a new file."""
    if path.exists():
        raise InvalidMoveError(f"expected a new file for the results, but {path} exists already")
    with Journal(path, results.plan.to_json()) as file:
        file.finish(map(json.dumps, results.lines()))
