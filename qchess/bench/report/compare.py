"""Compare two result files: which outcomes changed, and which times by more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from qchess.bench.report.changes import BARE, BUSY, FEW, FLOOR, Change, Whole, changes
from qchess.bench.report.rows import MEMORY, OURS, RANKINGS, TIMES, Row, held, rankings, rows
from qchess.bench.report.tables import Table
from qchess.bench.running.results import Results
from qchess.errors import InvalidMoveError

#: how many changed cases are listed
LISTED = 10


class Comparison:
    """The common part of two files, by one of the times of a run (new, warm or first), or by memory."""

    def __init__(self, first: Results, second: Results, by: str = "") -> None:
        self.by = _time(first, second, by)
        self.told = _conditions(first, second)
        self.what = "as much" if self.by == MEMORY else "as long"
        #: the words for a higher figure and a lower one
        self.words = ("more", "less") if self.by == MEMORY else ("slower", "faster")
        found = [held(rows(r, "", None)) if self.by == MEMORY else rows(r, self.by, None) for r in (first, second)]
        old, new = ({(row.simulator, row.case): row for row in each} for each in found)
        both = [key for key in old if key in new]
        same = [key for key in both if old[key].data["hash"] == new[key].data["hash"]]
        self.pairs = [(old[key], new[key]) for key in same]
        self.heads = [f"{len(old)} runs and {len(new)}; {len(same)} are of the same simulator on the same circuit"]
        if len(same) < len(both):
            self.heads.append(f"{len(both) - len(same)} cases of the same name are other circuits, and are left out")
        self.ended = [*_starts(first, second), *_outcomes(self.pairs)]
        #: the simulators with times in both files
        self.wholes = changes(self.pairs, _controls(first, second))
        self.changes = [change for whole in self.wholes for change in whole.changes]

    def failures(self, above: float) -> list[str]:
        """Return what fails a build: runs that are no longer good, and those slower by more than this factor."""
        found = [text for text, failed in self.ended if failed]
        found += [
            f"{whole.simulator} as a whole: {whole.factor:.2f} times {self.what}, on {len(whole.changes)} cases"
            for whole in self.wholes
            if whole.verdict == "slower" and whole.factor > above
        ]
        return found + [str(change) for change in _slowest(self.changes) if change.ratio > above]

    def text(self) -> str:
        """Return the whole comparison for the terminal."""
        parts = [*self.heads, *self.told, *self._rules(), _table(self.wholes, *self.words).markdown()]
        parts += [text for text, _ in self.ended]
        for what, found in zip(self.words, (_slowest(self.changes), _fastest(self.changes)), strict=True):
            parts += [f"{what}: {change}" for change in found[:LISTED]]
            parts += [f"{what}: {len(found) - LISTED} more"] if len(found) > LISTED else []
        return "\n".join(parts)

    def _rules(self) -> list[str]:
        if not self.changes:
            return ["the files have no times in common"]
        limits = sorted(change.limit for change in self.changes)
        bare = sum(change.old.spread is None or change.new.spread is None for change in self.changes)
        busy = sum(change.old.busy or change.new.busy for change in self.changes)
        return [
            f"times: {TIMES[self.by]}" if self.by in TIMES else "memory: of the first run, beyond the import",
            f"a case is {' or '.join(self.words)} where the quartiles of both files are apart by its limit, which "
            f"grows with both spreads and is {FLOOR} at least; here the limits go from "
            f"{limits[0]:.2f} to {limits[-1]:.2f}",
            *([f"{bare} of {len(limits)} cases have no spread, and a limit of {BARE} at least"] if bare else []),
            *([f"{busy} were run while the machine was busy, and have a limit of {BUSY:g} at least"] if busy else []),
            *self._machine(),
        ]

    def _machine(self) -> list[str]:
        """Return how the machine's speed changed, if simulators of the same code show it."""
        drift = median(whole.drift for whole in self.wholes)
        if 1 / FLOOR < drift < FLOOR:
            return []
        told = f"simulators whose versions are the same take {drift:.2f} times {self.what} as before"
        return [f"{told}: that is the machine's doing; only the rest counts"]


def compared(first: Results, second: Results, by: str = "") -> str:
    """Return the differences of two files, as text for the terminal."""
    return Comparison(first, second, by).text()


def _time(first: Results, second: Results, by: str) -> str:
    """Return the time to compare: the requested one, or the first that both files have."""
    if by == MEMORY:
        return by
    have = [rankings(results) for results in (first, second)]
    for which, names in zip(("first", "second"), have, strict=True):
        if by and by not in names:
            told = ", ".join(names) or "no times at all"
            raise InvalidMoveError(f"the {which} file has no times called {by!r}, it has {told}")
    return by or next((name for name in RANKINGS if all(name in names for names in have)), "first")


def _conditions(first: Results, second: Results) -> list[str]:
    """Return the differences of machines, versions and limits."""
    told = []
    for name in ("machine", "settings"):
        a, b = (getattr(r.plan, name) for r in (first, second))
        a, b = (value if isinstance(value, dict) else vars(value) for value in (a, b))
        told += [f"{name}: {key} {a.get(key)} -> {b.get(key)}" for key in {**a, **b} if a.get(key) != b.get(key)]
    for simulator in first.starts.keys() & second.starts.keys():
        a, b = (r.starts[simulator].get("versions", {}) for r in (first, second))
        told += [f"{simulator}: {key} {a.get(key)} -> {b.get(key)}" for key in {**a, **b} if a.get(key) != b.get(key)]
    return told


def _controls(first: Results, second: Results) -> set[str]:
    """Return simulators of others whose code is the same in both files, by their versions.

    None if precision or cores differ: then a common change is not the machine's.
    """
    if any(getattr(first.plan.settings, key) != getattr(second.plan.settings, key) for key in ("threads", "precision")):
        return set()
    return {
        start["label"]
        for name, start in first.starts.items()
        if start.get("versions")
        and start["versions"] == second.starts.get(name, {}).get("versions")
        and start["label"].partition(",")[0] not in OURS
    }


def _starts(first: Results, second: Results) -> list[tuple[str, bool]]:
    """Return every simulator whose start had another outcome, and whether that is worse."""
    pairs = [(old, second.starts[name]) for name, old in first.starts.items() if name in second.starts]
    return [
        _otherwise(f"{old['simulator']} starts", old, new) for old, new in pairs if old["outcome"] != new["outcome"]
    ]


def _outcomes(pairs: Sequence[tuple[Row, Row]]) -> list[tuple[str, bool]]:
    """Return every run with another outcome, and whether that is worse."""
    return [
        _otherwise(f"{old.simulator} on {old.case}", old.data, new.data)
        for old, new in pairs
        if old.outcome != new.outcome
    ]


def _otherwise(what: str, old: Mapping[str, object], new: Mapping[str, object]) -> tuple[str, bool]:
    text = f"{what}: {old['outcome']} -> {new['outcome']} {new.get('why') or ''}".rstrip()
    return text, old["outcome"] == "ok"


def _table(wholes: Sequence[Whole], slower: str, faster: str) -> Table:
    """Return for each simulator: new over old in the geometric mean, its interval, and the number of changed cases."""
    lines = [
        (
            whole.simulator, str(len(whole.changes)), f"{whole.factor:.2f}",
            "" if len(whole.changes) < FEW else "{:.2f} to {:.2f}".format(*whole.between),
            {"slower": slower, "faster": faster}.get(whole.verdict, ""),
            str(sum(change.faster for change in whole.changes)), str(sum(change.slower for change in whole.changes)),
        )
        for whole in wholes
    ]  # fmt: skip
    return Table(("simulator", "cases", "new / old", "between", "as a whole", faster, slower), tuple(lines))


def _slowest(changes: Sequence[Change]) -> list[Change]:
    return sorted((change for change in changes if change.slower), key=lambda change: -change.ratio)


def _fastest(changes: Sequence[Change]) -> list[Change]:
    return sorted((change for change in changes if change.faster), key=lambda change: change.ratio)
