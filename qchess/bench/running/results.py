"""A result file: the plan and the machine, then a line for each start of a simulator and for each of its runs.

A file grows: each call adds simulators and cases to the plan in its first line, and its runs. Existing lines stay, in
order. A run counts if its case has the hash in the plan; runs of a changed circuit are kept after the others, and count
again if that circuit comes back.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from qchess import reading
from qchess.bench.adapters.adapter import PRECISIONS
from qchess.bench.case import Case, hash_of
from qchess.bench.running.measuring import Settings
from qchess.errors import InvalidMoveError
from qchess.playing import journal

FORMAT = "qchess bench results 2"
#: readable formats; in the first, times above 50 ms are the processor's, and repeats are of the same circuit
FORMATS = ("qchess bench results 1", FORMAT)
#: separates the corpora of a file
AND = " and "
#: values of a start that differ each time
TIMES = ("load", "import", "memory", "machine")
#: the limits of what is read: simulators or cases in a list, the letters of a text, numbers
MOST, LONGEST, LARGEST = 100_000, 10_000, 2**63
OUTCOMES = ("ok", "wrong", "unsupported", "timeout", "memory", "crash", "missing")


@dataclass(frozen=True)
class Plan:
    """What is run, with what, on what; the first line of a file."""

    corpus: str
    simulators: tuple[str, ...]
    settings: Settings
    machine: Mapping[str, Any]
    #: name -> hash of each case, and a few of its features for tables and plots
    cases: Mapping[str, Mapping[str, Any]]
    hash: str
    format: str = FORMAT
    #: each family that is run at several numbers of wires, with the names of its cases
    series: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the plan as one line."""
        return json.dumps({
            "format": self.format, "corpus": self.corpus, "hash": self.hash, "simulators": list(self.simulators),
            "settings": self.settings.told(), "machine": dict(self.machine), "cases": dict(self.cases),
            **({"series": dict(self.series)} if self.series else {}),
        })  # fmt: skip

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Parse the plan from such a line."""
        data = reading.json_object(text, f"a file of {FORMAT!r}")
        reading.one_of(data.get("format"), "the format of a result file", FORMATS)
        series = reading.mapping(data.get("series", {}), "'series'")
        return cls(
            reading.text(data.get("corpus"), "'corpus'", LONGEST),
            tuple(reading.texts(data.get("simulators"), "'simulators'", MOST, LONGEST)),
            _settings(data.get("settings")),
            reading.mapping(data.get("machine"), "'machine'"),
            {name: _case(each) for name, each in reading.mapping(data.get("cases"), "'cases'").items()},
            reading.text(data.get("hash"), "'hash'", LONGEST),
            data["format"],
            {name: reading.texts(each, "a series", MOST, LONGEST) for name, each in series.items()},
        )

    def misfits(self, other: Plan) -> list[tuple[str, str, str]]:
        """Return the settings and machine properties in which another plan differs, with both values.

        Results of the two do not belong in one file. Cases and simulators may differ.
        """
        ours, theirs = ({"format": plan.format, **_said(plan.settings)} for plan in (self, other))
        return [*misfits(ours, theirs), *machines_misfit(self.machine, other.machine)]

    def joined(self, other: Plan) -> Plan:
        """Return the plan of both: new parts of the other come last, and its version of a case is used."""
        cases = {**self.cases, **other.cases}
        both = {**self.series, **other.series}
        series = {n: list(dict.fromkeys([*self.series.get(n, ()), *other.series.get(n, ())])) for n in both}
        simulators = tuple(dict.fromkeys([*self.simulators, *other.simulators]))
        whole = next((plan for plan in (self, other) if _hashes(plan.cases) == _hashes(cases)), None)
        if whole:  # an older file does not say what else is in the hash of its corpus
            return replace(
                self, simulators=simulators, cases=cases, corpus=whole.corpus, hash=whole.hash, series=series
            )
        parts = dict.fromkeys([*self.corpus.split(AND), *other.corpus.split(AND)])
        return replace(
            self, simulators=simulators, cases=cases, corpus=AND.join(parts), hash=_hash(cases), series=series
        )


def _settings(value: Any) -> Settings:
    data = reading.mapping(value, "'settings'")
    reading.known(data, "'settings'", [each.name for each in fields(Settings)])
    for name, each in data.items():
        if name == "precision":
            reading.one_of(each, "'precision'", ("own", *PRECISIONS))
        elif name in ("seconds", "warm"):
            reading.number(each, f"{name!r} of the settings", 0, LARGEST)
        else:
            low = -LARGEST if name == "seed" else 0
            reading.integer(each, f"{name!r} of the settings", low, LARGEST)
    return Settings(**data)


def _case(value: Any) -> dict[str, Any]:
    """Return a case as the first line has it, whose fields for tables and plots are what they should be."""
    data = reading.mapping(value, "a case")
    for name in ("hash", "family", "track"):
        reading.text(data.get(name), f"{name!r} of a case", LONGEST)
    for name in ("wires", "peak"):
        reading.integer(data.get(name), f"{name!r} of a case", 0, LARGEST)
    for name in ("clifford", "feed_forward"):
        reading.flag(data.get(name), f"{name!r} of a case")
    if data.get("game") is not None:
        reading.text(data["game"], "'game' of a case, or null,", LONGEST)
    return data


def misfits(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the keys whose values differ, with both."""
    return [
        (key, str(ours.get(key, "unknown")), str(theirs.get(key, "unknown")))
        for key in {**ours, **theirs}
        if ours.get(key) != theirs.get(key)
    ]


def machines_misfit(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the properties in which two machines differ, with both values."""
    return [(f"the machine's {key}", ours, theirs) for key, ours, theirs in misfits(first, second)]


def starts_misfit(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the differences of two starts of a simulator that forbid sharing a file, with both values."""
    found = misfits(*(dict(_of_start(start)) for start in (first, second)))
    return [row for row in found if row[0].endswith("outcome")] or found


def _of_start(start: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what a simulator says of itself and must be equal within a file."""
    name = start["simulator"]
    for key, value in start.items():
        if key == "versions":
            for package, version in value.items():
                yield f"the version of {package}" + ("" if package == name else f" for {name}"), version
        elif key not in TIMES:
            yield f"{name}'s {key}", str(value)


def differing(found: Iterable[tuple[str, str, str]], here: str, there: str) -> str:
    """Return one sentence on the differences; empty if there are none.

    >>> differing([("seconds", "5", "6")], "in the file", "now")
    'seconds is 5 in the file and 6 now'
    """
    return ", ".join(f"{key} is {ours} {here} and {theirs} {there}" for key, ours, theirs in found)


def _said(settings: Settings) -> dict[str, str]:
    """Return the settings as on the command line."""
    values = {**vars(settings), "memory": settings.memory / 1e9}
    return {key: plain(value) + (" GB" if key == "memory" else "") for key, value in values.items()}


def plain(value: float | str) -> str:
    """Return a word unchanged, and a number without needless digits: 5 for 5.0."""
    if isinstance(value, str):
        return value
    return short if float(short := f"{value:g}") == value else str(value)


def _hashes(cases: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    return {name: case["hash"] for name, case in cases.items()}


def _hash(cases: Mapping[str, Mapping[str, Any]]) -> str:
    return hash_of((name, case.get("size", ""), case["hash"]) for name, case in cases.items())


def described(cases: Iterable[Case]) -> dict[str, dict[str, Any]]:
    """Return what a result file keeps of each case."""
    return {
        case.name: {
            "hash": case.hash, "size": case.size, "family": case.family, "game": case.game, "track": case.track,
            "wires": len(case.wires), "lives": case.features.lives, "operations": case.features.operations,
            "two_qubit": case.features.two_qubit, "depth": case.features.depth, "peak": case.features.peak,
            "final": case.features.final, "register": case.features.register, "clifford": case.features.clifford,
            "feed_forward": case.feed_forward, "post_selected": bool(case.kept),
            **({"question": case.question} if case.question else {}),
        }
        for case in cases
    }  # fmt: skip


def plan_of(
    cases: Sequence[Case], corpus: str, simulators: Sequence[str], settings: Settings,
    series: Mapping[str, Sequence[str]] | None = None, machine: Mapping[str, Any] | None = None,
) -> Plan:  # fmt: skip
    """Return the plan of running these simulators on these cases, here or on machines of this kind."""
    from qchess.bench.running.machine import machine as here

    told = described(cases)
    return Plan(corpus, tuple(simulators), settings, machine or here(), told, _hash(told), series=series or {})


@dataclass
class Results:
    """The contents of a file: how each simulator started, and each of its runs by (simulator, case).

    `aside` are the runs of circuits that are no longer in the plan.
    """

    plan: Plan
    starts: dict[str, dict[str, Any]] = field(default_factory=dict)
    runs: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    aside: list[dict[str, Any]] = field(default_factory=list)

    def take(self, line: str) -> None:
        """Add one line."""
        data = reading.json_object(line, "a line of results", finite=False)
        is_start = reading.one_of(data.get("what"), "'what'", ("start", "run")) == "start"
        for name in ("simulator",) if is_start else ("simulator", "case", "hash"):
            reading.text(data.get(name), f"{name!r}", LONGEST)
        reading.one_of(data.get("outcome"), "'outcome'", OUTCOMES)
        reading.mapping(data.get("versions", {}), "'versions'")
        if is_start:
            self.starts[data["simulator"]] = data
        elif data["hash"] == self.plan.cases.get(data["case"], {}).get("hash"):  # the case is as it was then
            self.runs[data["simulator"], data["case"]] = data
        else:
            self.aside.append(data)

    def lines(self) -> list[dict[str, Any]]:
        """Return every line: by simulator and case in the order of the plan, then `aside`."""
        simulators = {name: place for place, name in enumerate(self.plan.simulators)}
        cases = {name: place for place, name in enumerate(self.plan.cases)}

        def place(line: Mapping[str, Any]) -> tuple[int, int]:
            return simulators.get(line["simulator"], len(simulators)), cases.get(line.get("case", ""), -1)

        return [*sorted([*self.starts.values(), *self.runs.values()], key=place), *self.aside]


class ResultFile(journal.Journal):
    """A result file being written; each result is on the disk before the next run begins.

    The plan becomes that of the file and of this call before anything is run. A file with other settings or from
    another machine is refused and left unchanged.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        super().__init__(path, plan.to_json(), lambda head: _check_same(path, Plan.from_json(head), plan))
        try:
            self.results = Results(Plan.from_json(self.head).joined(plan))
            deque(reading.each_line(path, self.lines, self.results.take), 0)
            self.head = self.results.plan.to_json()
            self.finish(self.lines)
        except BaseException:
            self.file.close()
            raise

    def keep(self, data: Mapping[str, Any]) -> None:
        """Store a result."""
        line = json.dumps(data)
        self.add(line)
        self.results.take(line)

    def changed(self) -> str:
        """Return a sentence on the runs of circuits that have changed since; empty if none."""
        count = sum(line["case"] in self.results.plan.cases for line in self.results.aside)
        if not count:
            return ""
        told = "they stay at its end but no longer count, and the new circuits are run instead"
        return f"runs of circuits that have changed since, in {self.path}: {count}; {told}"

    def tidy(self) -> None:
        """Put every line in the order of the plan."""
        self.finish(map(json.dumps, self.results.lines()))


def _check_same(path: Path, found: Plan, plan: Plan) -> None:
    if told := differing(found.misfits(plan), "in the file", "now"):
        raise InvalidMoveError(f"{path} was not changed: {told}")


def read(path: Path) -> Results:
    """Return the results of a file, finished or not; changes nothing."""
    head, lines = journal.read(path)
    if not head:
        raise InvalidMoveError(f"expected a result file of `qchess bench run`, {path} is empty")
    with reading.place(f"{path}, line 1"):
        results = Results(Plan.from_json(head))
    deque(reading.each_line(path, lines, results.take), 0)
    return results
