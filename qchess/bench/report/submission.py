"""Whether a result file can be added to the project's, and what is missing if not."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from qchess.bench.adapters import catalogue
from qchess.bench.case import SIZES, Case
from qchess.bench.corpus.listing import corpus
from qchess.bench.report.machines import REFERENCE, ratio
from qchess.bench.report.outcomes import counted
from qchess.bench.report.rows import TIMES, rankings
from qchess.bench.report.text import aligned
from qchess.bench.running import source
from qchess.bench.running.results import FORMAT, Results, described, plain

#: how many names of one kind are printed
SHOWN = 5


@dataclass
class Submission:
    """A valid result file, compared with this version's corpus and adapters."""

    results: Results
    #: the cases of this version's corpus whose names are in the file
    now: dict[str, Case] = field(init=False)

    def __post_init__(self) -> None:
        named = self.results.plan.cases
        if self.results.plan.format != FORMAT:
            self.now = {}
            return
        largest = max((case["size"] for case in named.values()), key=SIZES.index)
        self.now = {case.name: case for case in corpus(largest, _shared(named)) if case.name in named}

    def missing(self) -> list[str]:
        """Return what keeps the file from being added, a sentence each."""
        if (found := self.results.plan.format) != FORMAT:
            return [f"expected a file of {FORMAT!r}, got {found!r}: measure again with this version"]
        return [*self._of_the_corpus(), *self._of_the_runs(), *self._of_the_starts()]

    def _of_the_corpus(self) -> Iterator[str]:
        cases, told = self.results.plan.cases, described(self.now.values())
        if strange := [name for name in cases if name not in self.now]:
            yield f"not in the corpus of this version: {_some(strange)}"
        if changed := [name for name in told if told[name]["hash"] != cases[name]["hash"]]:
            yield f"other circuits than in the corpus of this version: {_some(changed)}; measure them again"
        if other := [name for name in told if name not in changed and told[name] != cases[name]]:
            keys = dict.fromkeys(key for name in other for key in told[name] if told[name][key] != cases[name][key])
            yield f"other features than in the corpus of this version: {_some(other)}, in {', '.join(keys)}"

    def _of_the_runs(self) -> Iterator[str]:
        plan, runs = self.results.plan, self.results.runs
        for name in plan.simulators:
            if lacks := [case for case in plan.cases if (name, case) not in runs]:
                yield f"{name} has no run of {_some(lacks)}; go on with the same call of `qchess bench run`"
        if not counted(self.results, REFERENCE)["ok"]:
            yield f"{REFERENCE} did no case, but its times give the scale of the machine; add it to the file"

    def _of_the_starts(self) -> Iterator[str]:
        starts = self.results.starts
        if bare := [name for name in starts if starts[name]["outcome"] == "ok" and "adapter" not in starts[name]]:
            yield f"no hash of the adapter of {_some(bare)}; measure again with this version"
        if far := [name for name in starts if Path(name).is_absolute()]:
            yield f"expected files named from the folder that they are in, got {_some(far)}"

    def table(self) -> str:
        """Return the machine, and a line for each simulator."""
        plan, loads = self.results.plan, [run["load"] for run in self.results.runs.values()]
        told = ", ".join(f"{key} {value}" for key, value in plan.machine.items())
        lines = [
            f"machine: {told}",
            f"settings: {', '.join(f'{k} {plain(v)}' for k, v in vars(plan.settings).items())}",
        ]
        if loads:
            middle = statistics.median(loads)
            busy = " (busy: the machine had other work)" if middle > (plan.machine["cores"] or 1) else ""
            lines.append(f"load while it ran: median {middle:g}, from {min(loads):g} to {max(loads):g}{busy}")
        heads = ("simulator", "runs", "ok", "remarked", f"times {REFERENCE}", "adapter", "versions")
        by = TIMES[next(iter(rankings(self.results)), "warm")]
        said = f"times {REFERENCE}: {by}, the geometric mean over so many cases that both did"
        return "\n".join([*lines, "", *aligned([heads, *map(self._row, plan.simulators)]), said])

    def _row(self, name: str) -> tuple[str, ...]:
        runs = [run for (simulator, _), run in self.results.runs.items() if simulator == name]
        start = self.results.starts.get(name, {"outcome": "not started"})
        return (
            name, f"{len(runs)} of {len(self.results.plan.cases)}", str(counted(self.results, name)["ok"]),
            str(sum(bool(run.get("remarks")) for run in runs)), ratio(self.results, name),
            _adapter(name, start.get("adapter")) if start["outcome"] == "ok" else start["outcome"],
            ", ".join(f"{package} {version}" for package, version in start.get("versions", {}).items()),
        )  # fmt: skip


def _adapter(name: str, found: str | None) -> str:
    """Return whether an adapter is this version's one of that name. Only ours are loaded by the word of a file."""
    if found is None:
        return "unknown"
    base = name.partition(",")[0]
    ours = any(row.name == base for row in catalogue.CATALOGUE)
    here = source.told(base, catalogue.get(base)).get("adapter") if ours else None
    if here is None:
        return f"{found[:12]}, a separate file or package"
    return "this version's" if here == found else f"{found[:12]}, not this version's"


def suggested(results: Results) -> str:
    """Return a name for the file: the processor and the corpus."""
    told = f"{results.plan.machine['processor'] or 'unknown'} {results.plan.corpus}".lower()
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"\(r\)|\(tm\)|processor|cpu", " ", told)).strip("_")[:60].rstrip("_")


def _shared(names: Mapping[str, object]) -> str:
    """Return the common prefix of all names, so that only that part of the corpus is made."""
    first, last = min(names), max(names)
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))


def _some(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
