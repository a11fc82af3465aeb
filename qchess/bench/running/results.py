"""A result file: what was run and where, then a line for each start of a simulator and for each of its runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qchess.bench.case import Case, corpus_hash
from qchess.bench.running.measuring import Settings
from qchess.errors import InvalidMoveError
from qchess.playing import journal

FORMAT = "qchess bench results 1"
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

    def to_json(self) -> str:
        """The plan as one line."""
        return json.dumps({
            "format": FORMAT, "corpus": self.corpus, "hash": self.hash, "simulators": list(self.simulators),
            "settings": vars(self.settings), "machine": dict(self.machine), "cases": dict(self.cases),
        })  # fmt: skip

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """The plan of such a line."""
        try:
            data = json.loads(text)
        except ValueError:
            data = None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InvalidMoveError(f"expected a file of {FORMAT!r}, its first line is {text[:80]!r}")
        settings = Settings(**data["settings"])
        return cls(data["corpus"], tuple(data["simulators"]), settings, data["machine"], data["cases"], data["hash"])

    def conflict(self, other: Plan) -> str:
        """In what another plan differs so much that none of its results is one of this; empty if in nothing.

        Cases and simulators may come and go: a run is known by its simulator and the hash of its case.
        """
        if self.settings != other.settings:
            return "settings"
        mine, theirs = dict(self.machine), dict(other.machine)
        return next((f"machine's {key}" for key in mine if mine[key] != theirs.get(key)), "")


def described(cases: Iterable[Case]) -> dict[str, dict[str, Any]]:
    """What a result file keeps of each case."""
    return {
        case.name: {
            "hash": case.hash, "family": case.family, "game": case.game, "track": case.track,
            "wires": len(case.wires), "lives": case.features.lives, "operations": case.features.operations,
            "two_qubit": case.features.two_qubit, "depth": case.features.depth, "peak": case.features.peak,
            "final": case.features.final, "register": case.features.register, "clifford": case.features.clifford,
            "feed_forward": case.feed_forward, "post_selected": bool(case.kept),
        }
        for case in cases
    }  # fmt: skip


def plan_of(cases: Sequence[Case], corpus: str, simulators: Sequence[str], settings: Settings) -> Plan:
    """The plan of running these simulators on these cases here."""
    from qchess.bench.running.machine import machine

    return Plan(corpus, tuple(simulators), settings, machine(), described(cases), corpus_hash(cases))


@dataclass
class Results:
    """What a file holds: how each simulator started, and each of its runs by (simulator, case)."""

    plan: Plan
    starts: dict[str, dict[str, Any]] = field(default_factory=dict)
    runs: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)

    def take(self, line: str) -> None:
        """Takes in one line."""
        data = json.loads(line)
        if data["what"] == "start":
            self.starts[data["simulator"]] = data
        elif data["hash"] == self.plan.cases.get(data["case"], {}).get("hash"):  # the case is as it was then
            self.runs[data["simulator"], data["case"]] = data


class ResultFile(journal.Journal):
    """A result file that is being written; each result is on the disk before the next run begins."""

    def __init__(self, path: Path, plan: Plan) -> None:
        super().__init__(path, plan.to_json(), lambda head: _check_same(path, Plan.from_json(head), plan))
        try:
            self.head = plan.to_json()  # it is written when everything is run
            self.results = Results(plan)
            for line in self.lines:
                self.results.take(line)
        except BaseException:
            self.file.close()
            raise

    def keep(self, data: Mapping[str, Any]) -> None:
        """Keeps a result."""
        line = json.dumps(data)
        self.add(line)
        self.results.take(line)

    def tidy(self) -> None:
        """Leaves every line in the order of the plan."""
        plan, lines = self.results.plan, []
        for simulator in plan.simulators:
            if simulator in self.results.starts:
                lines.append(self.results.starts[simulator])
            lines += [run for case in plan.cases if (run := self.results.runs.get((simulator, case)))]
        self.finish(json.dumps(line) for line in lines)


def _check_same(path: Path, found: Plan, plan: Plan) -> None:
    if differs := plan.conflict(found):
        raise InvalidMoveError(f"{path} holds other results: their {differs} is not what is asked for now")


def read(path: Path) -> Results:
    """The results of a file, finished or not; nothing is changed."""
    head, lines = journal.read(path)
    if not head:
        raise InvalidMoveError(f"expected a result file of `qchess bench run`, {path} is empty")
    results = Results(Plan.from_json(head))
    for line in lines:
        results.take(line)
    return results
