"""Two result files beside each other: what changed its outcome, and what its time."""

from __future__ import annotations

from collections.abc import Sequence

from qchess.bench.report.rows import Row, mean, rows
from qchess.bench.report.tables import Table
from qchess.bench.running.results import Results

#: a time that changed by less is the machine's mood
NOTABLE = 1.25


def compared(first: Results, second: Results) -> str:
    """What is common to both, as text for the terminal."""
    old = {(row.simulator, row.case): row for row in rows(first)}
    new = {(row.simulator, row.case): row for row in rows(second)}
    both = [key for key in old if key in new]
    same = [key for key in both if old[key].data["hash"] == new[key].data["hash"]]
    pairs = [(old[key], new[key]) for key in same]
    parts = [f"{len(old)} runs and {len(new)}; {len(same)} are of the same simulator on the same circuit"]
    if len(same) < len(both):
        parts.append(f"{len(both) - len(same)} cases of the same name are other circuits, and are left out")
    parts += [*_conditions(first, second), _ratios(pairs).markdown(), *_changes(pairs), *_slower(pairs)]
    return "\n".join(parts)


def _conditions(first: Results, second: Results) -> list[str]:
    """In what machines, versions and limits differ."""
    told = []
    for name in ("machine", "settings"):
        a, b = (getattr(r.plan, name) for r in (first, second))
        a, b = (value if isinstance(value, dict) else vars(value) for value in (a, b))
        told += [f"{name}: {key} {a.get(key)} -> {b.get(key)}" for key in {**a, **b} if a.get(key) != b.get(key)]
    for simulator in first.starts.keys() & second.starts.keys():
        a, b = (r.starts[simulator].get("versions", {}) for r in (first, second))
        told += [f"{simulator}: {key} {a.get(key)} -> {b.get(key)}" for key in {**a, **b} if a.get(key) != b.get(key)]
    return told


def _ratios(pairs: Sequence[tuple[Row, Row]]) -> Table:
    """For each simulator: the geometric mean of new over old times, and how many cases changed notably."""
    lines = []
    for simulator in dict.fromkeys(old.simulator for old, _ in pairs):
        ratios = [
            new.seconds / old.seconds
            for old, new in pairs
            if old.simulator == simulator and old.seconds and new.seconds
        ]
        if ratios:
            faster, slower = sum(r < 1 / NOTABLE for r in ratios), sum(r > NOTABLE for r in ratios)
            lines.append((simulator, str(len(ratios)), f"{mean(ratios):.2f}", str(faster), str(slower)))
    return Table(("simulator", "cases", "new / old", "faster", "slower"), tuple(lines))


def _changes(pairs: Sequence[tuple[Row, Row]]) -> list[str]:
    """Every outcome that changed."""
    return [
        f"{old.simulator} on {old.case}: {old.outcome} -> {new.outcome} {new.data.get('why', '')}".rstrip()
        for old, new in pairs
        if old.outcome != new.outcome
    ]


def _slower(pairs: Sequence[tuple[Row, Row]], most: int = 10) -> list[str]:
    """The times that grew most."""
    grown = [(new.seconds / old.seconds, old) for old, new in pairs if old.seconds and new.seconds]
    grown = sorted((g for g in grown if g[0] > NOTABLE), key=lambda g: -g[0])[:most]
    return [f"{row.simulator} on {row.case}: {ratio:.1f} times as long" for ratio, row in grown]
