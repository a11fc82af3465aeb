"""The fields of a result file, line by line, and a strict check.

`docs/bench_results.md` describes the same fields in words; a test compares the two.
"""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qchess.bench.adapters.adapter import PRECISIONS
from qchess.bench.case import SIZES, TRACKS, hash_of
from qchess.bench.questions.cases import QUESTIONS
from qchess.bench.running import repeats
from qchess.bench.running.results import FORMATS, OUTCOMES, Plan, Results
from qchess.bench.running.verifying import FAITHFUL, TOLERANCE, norm_off
from qchess.errors import InvalidMoveError
from qchess.reading import json_object, shown

#: limits of numbers and of counts
MOST, MOST_COUNT = 1e18, 2**63
#: the ways in which a state can be wrong
KINDS = (
    "order", "conjugated", "norm", "phases", "amplitudes", "truncated", "not finite", "repeat", "new", "answers",
    "counts", "values", "noise",
)  # fmt: skip
NEWLINE = b"\n"
Value = Callable[[Any], bool]


@dataclass(frozen=True)
class Kind:
    """The allowed values; `words` describe them in the page and in messages."""

    words: str
    fits: Value

    def faults(self, value: Any, where: str, form: int) -> Iterator[str]:
        """Yield a sentence if the value does not fit."""
        if not self.fits(value):
            yield f"expected {self.words} in {where}, got {reprlib.repr(value)}"


@dataclass(frozen=True)
class Many:
    """A list of values of one kind, or an object (`of_names`) with one for each name."""

    kind: Kind | Record | Many
    of_names: bool = False

    @property
    def words(self) -> str:
        """Return the description, like `Kind.words`."""
        return f"{'an object, by name' if self.of_names else 'a list'}: {self.kind.words}"

    def faults(self, value: Any, where: str, form: int) -> Iterator[str]:
        """Yield a sentence for each value that does not fit."""
        if not isinstance(value, dict if self.of_names else list):
            yield f"expected {self.words} in {where}, got {reprlib.repr(value)}"
            return
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            if not NAME.fits(str(key)):
                yield f"expected names in {where}, got {reprlib.repr(key)}"
            else:
                yield from self.kind.faults(each, f"{where}.{key}", form)


@dataclass(frozen=True)
class Field:
    """One field: its kind, whether it is required, and the file formats that have it."""

    kind: Kind | Many | Record
    needed: bool = True
    formats: tuple[int, ...] = (1, 2)


def _no_rule(value: Mapping[str, Any], where: str, form: int) -> Iterator[str]:
    yield from ()


@dataclass(frozen=True)
class Record:
    """An object with these fields and no others; `title` is its heading on the page."""

    title: str
    fields: Mapping[str, Field]
    #: further checks, once every field fits
    rule: Callable[[Mapping[str, Any], str, int], Iterator[str]] = _no_rule

    @property
    def words(self) -> str:
        """Return the description, like `Kind.words`."""
        return f"see {self.title}"

    def faults(self, value: Any, where: str, form: int) -> Iterator[str]:
        """Yield a sentence for each field that is missing, unknown or does not fit."""
        within = f"{where}." if where else ""
        if not isinstance(value, dict):
            yield f"expected an object in {where}, got {reprlib.repr(value)}"
            return
        known = {name: each for name, each in self.fields.items() if form in each.formats}
        found = [f"{within}{name} is missing" for name, each in known.items() if each.needed and name not in value]
        for name, each in value.items():
            if name not in known:
                found.append(f"unknown field {reprlib.repr(name)}{f' in {where}' if where else ''}")
            else:
                found += known[name].kind.faults(each, f"{within}{name}", form)
        yield from found or self.rule(value, where, form)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < MOST_COUNT


def _is_number(value: Any) -> bool:
    return _is_whole(value) or isinstance(value, float)


def _one_of(*values: str) -> Kind:
    return Kind("one of " + ", ".join(value or "(empty)" for value in values), lambda value: value in values)


def _maybe(kind: Kind) -> Kind:
    return Kind(f"{kind.words}, or null", lambda value: value is None or kind.fits(value))


TEXT = Kind("text", _is_text)
LINE = Kind("one line of text", lambda value: _is_text(value) and value.isprintable())
NAME = Kind("a name", lambda value: LINE.fits(value) and bool(value.strip()))
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
WHOLE = Kind("a whole number", _is_whole)
COUNT = Kind("a whole number, 0 or more", lambda value: _is_whole(value) and value >= 0)
POSITIVE = Kind("a whole number, 1 or more", lambda value: _is_whole(value) and value > 0)
NUMBER = Kind("a number, 0 or more", lambda value: _is_number(value) and 0 <= value < MOST)
SHARE = Kind("a number from 0 to 1", lambda value: _is_number(value) and 0 <= value <= 1)
SECONDS = Kind("seconds, 0 or more", NUMBER.fits)
BYTES = Kind("bytes, 0 or more", COUNT.fits)
HASH = Kind("64 digits from 0 to f", lambda value: isinstance(value, str) and bool(re.fullmatch("[0-9a-f]{64}", value)))
LIMIT = Kind("seconds, above 0", lambda value: NUMBER.fits(value) and value > 0)
#: of a wrong state
ANY = Kind("a number, 0 or more, Infinity or NaN", lambda value: _is_number(value) and not value < 0)
REAL = Kind("a number, also Infinity or NaN", _is_number)
NOTE = Kind("text, a number, or true or false", lambda value: _is_text(value) or _is_number(value) or FLAG.fits(value))


TIME = Record("Time", {
    "wall": Field(SECONDS), "cpu": Field(SECONDS), "queued": Field(SECONDS, formats=(2,)),
})  # fmt: skip
TIMES = Record("Several times", {
    "runs": Field(COUNT), **TIME.fields,
    **{name: Field(SECONDS, needed=False, formats=(2,)) for name in ("lower", "desk", "low", "high")},
    "each": Field(Many(SECONDS), needed=False, formats=(2,)),
    "least": Field(SECONDS, needed=False, formats=(1,)), "spent": Field(SECONDS, needed=False, formats=(1,)),
}, repeats.faults)  # fmt: skip
MEMORY = Record("Memory", {"base": Field(BYTES), "peak": Field(BYTES)})
SETTINGS = Record("Settings", {
    "seconds": Field(LIMIT), "memory": Field(Kind("bytes, 1 or more", POSITIVE.fits)), "warm": Field(SECONDS),
    "least": Field(COUNT), "shots": Field(COUNT), "seed": Field(WHOLE), "starts": Field(COUNT),
    "threads": Field(POSITIVE, needed=False, formats=(2,)),
    "precision": Field(_one_of("own", *PRECISIONS), needed=False, formats=(2,)),
})  # fmt: skip
MACHINE = Record("Machine", {
    "processor": Field(LINE), "cores": Field(_maybe(POSITIVE)), "memory_gb": Field(NUMBER), "system": Field(LINE),
    "python": Field(LINE),
})  # fmt: skip
CASE = Record("Case", {
    "hash": Field(HASH), "size": Field(_one_of(*SIZES), formats=(2,)), "family": Field(NAME),
    "game": Field(_maybe(NAME)), "track": Field(_one_of(*TRACKS)),
    "question": Field(_one_of(*QUESTIONS[1:]), needed=False, formats=(2,)),
    **{name: Field(COUNT) for name in (
        "wires", "lives", "operations", "two_qubit", "depth", "peak", "final", "register"
    )},
    **{name: Field(FLAG) for name in ("clifford", "feed_forward", "post_selected")},
})  # fmt: skip
PLAN = Record("First line", {
    "format": Field(_one_of(*FORMATS)), "corpus": Field(LINE), "hash": Field(HASH), "simulators": Field(Many(NAME)),
    "settings": Field(SETTINGS), "machine": Field(MACHINE), "cases": Field(Many(CASE, of_names=True)),
    "series": Field(Many(Many(NAME), of_names=True), needed=False, formats=(2,)),
})  # fmt: skip
START = Record("Start line", {
    "what": Field(_one_of("start")), "simulator": Field(NAME), "load": Field(NUMBER),
    "outcome": Field(_one_of("ok", "missing")), "why": Field(TEXT, needed=False), "import": Field(TIME, needed=False),
    "memory": Field(MEMORY, needed=False), "label": Field(NAME, needed=False),
    "precision": Field(_one_of(*TOLERANCE), needed=False), "approximate": Field(FLAG, needed=False),
    "versions": Field(Many(LINE, of_names=True), needed=False),
    "options": Field(Many(LINE, of_names=True), needed=False), "offers": Field(Many(NAME), needed=False),
    "adapter": Field(HASH, needed=False, formats=(2,)), "machine": Field(MACHINE, needed=False, formats=(2,)),
})  # fmt: skip
#: fields on a state, and on a program with questions, for runs that ended well or wrong
STATE = (
    "lower", "first", "memory", "read", "keys", "kind", "why", "error", "fidelity", "elsewhere", "norm", "notes"
)  # fmt: skip
REPEATS = ("warm", "new", "remarks")
ANSWERS = ("lower", "answers", "shots", "memory", "kind", "why")
#: fields on a question about a state
ASKED = ("lower", "first", "how", "memory", "kind", "why")
#: the fields allowed for each kind of case
GIVES = {
    "answers": {*ANSWERS}, "state": {*STATE, *REPEATS, "shots"},
    "question": {*ASKED, *REPEATS, "shots", "values", "off"},
}  # fmt: skip
#: what a simulator says of itself after a good start
SAYS = ("import", "memory", "label", "precision", "approximate", "versions", "options", "offers")
RUN = Record("Run line", {
    "what": Field(_one_of("run")), "simulator": Field(NAME), "case": Field(NAME), "hash": Field(HASH),
    "load": Field(NUMBER), "outcome": Field(_one_of(*OUTCOMES)), "why": Field(TEXT, needed=False),
    "kind": Field(_one_of("", *KINDS), needed=False), "gate": Field(TEXT, needed=False),
    **{name: Field(TIME, needed=False) for name in ("lower", "first", "read", "sample", "answers")},
    "warm": Field(TIMES, needed=False), "new": Field(TIMES, needed=False, formats=(2,)),
    "remarks": Field(Many(TEXT, of_names=True), needed=False, formats=(2,)),
    "memory": Field(MEMORY, needed=False), "keys": Field(COUNT, needed=False), "shots": Field(COUNT, needed=False),
    "samples_wrong": Field(TEXT, needed=False), "error": Field(ANY, needed=False),
    "fidelity": Field(SHARE, needed=False), "elsewhere": Field(ANY, needed=False),
    "norm": Field(_maybe(ANY), needed=False, formats=(2,)),
    "notes": Field(Many(NOTE, of_names=True), needed=False), "desk": Field(TIME, needed=False, formats=(2,)),
    "stopped": Field(TEXT, needed=False),
    "how": Field(TEXT, needed=False, formats=(2,)), "values": Field(Many(REAL), needed=False, formats=(2,)),
    "off": Field(ANY, needed=False, formats=(2,)), "machine": Field(MACHINE, needed=False, formats=(2,)),
})  # fmt: skip
RECORDS = (PLAN, SETTINGS, MACHINE, CASE, START, RUN, TIME, TIMES, MEMORY)


def checked(path: Path) -> tuple[Results | None, list[str]]:
    """Return the results of a file, or each fault as a sentence with its line number."""
    file = _Checked()
    found = list(file.faults(path.read_bytes()))
    if found:
        return None, found
    results = Results(Plan.from_json(json.dumps(file.plan)))
    for line in file.lines:
        results.take(json.dumps(line))
    return results, []


@dataclass
class _Checked:
    """A file as far as it was read."""

    plan: dict[str, Any] = field(default_factory=dict)
    lines: list[dict[str, Any]] = field(default_factory=list)
    starts: dict[str, dict[str, Any]] = field(default_factory=dict)
    runs: set[tuple[str, str]] = field(default_factory=set)

    def faults(self, data: bytes) -> Iterator[str]:
        """Yield each fault; if the first line is not a plan, only that."""
        head, *lines = data.split(NEWLINE)
        broken = False
        for told in self._of_head(head):
            broken = True
            yield f"line 1: {told}"
        if broken:
            return
        if not lines or lines.pop():
            yield f"line {data.count(NEWLINE) + 1}: it is incomplete, the file was cut off there"
        for number, line in enumerate(lines, 2):
            yield from (f"line {number}: {told}" for told in self._of_line(line))

    @property
    def form(self) -> int:
        """Return the number of the file's format."""
        return FORMATS.index(self.plan["format"]) + 1

    def _of_head(self, line: bytes) -> Iterator[str]:
        try:
            self.plan = _parsed(line)
        except InvalidMoveError as error:
            yield str(error)
            return
        if self.plan.get("format") not in FORMATS:
            came = shown(self.plan.get("format"))
            yield f"this is no file of `qchess bench run` (expected the format {FORMATS[-1]!r}, got {came})"
            return
        if found := list(PLAN.faults(self.plan, "", self.form)):
            yield from found
            return
        names, cases = self.plan["simulators"], self.plan["cases"]
        if not names or not cases:
            yield f"expected simulators and cases, got {len(names)} and {len(cases)}"
        elif self.form > 1:  # an older file does not say the sizes, which its hash has in it
            now = hash_of((name, case["size"], case["hash"]) for name, case in cases.items())
            if now != self.plan["hash"]:
                yield f"hash is {self.plan['hash']}, and that of its cases is {now}"
        listed = dict.fromkeys(name for each in self.plan.get("series", {}).values() for name in each)
        yield from (f"case {name!r} of a series is not in the first line" for name in listed if name not in cases)
        yield from (f"simulator {name!r} appears twice" for name in dict.fromkeys(names) if names.count(name) > 1)

    def _of_line(self, line: bytes) -> Iterator[str]:
        try:
            data = _parsed(line)
        except InvalidMoveError as error:
            yield str(error)
            return
        record = {"start": START, "run": RUN}.get(str(data.get("what")))
        if record is not RUN:  # its runs are judged, even if it is no start that fits
            again = str(data.get("simulator")) in self.starts
            self.starts.setdefault(str(data.get("simulator")), {})
        if record is None:
            yield f"expected start or run in what, got {reprlib.repr(data.get('what'))}"
        elif found := list(record.faults(data, "", self.form)):
            yield from found
        elif data["simulator"] not in self.plan["simulators"]:
            yield f"simulator {data['simulator']!r} is not in the first line"
        else:
            self.lines.append(data)
            yield from self._of_start(data, again) if record is START else self._of_run(data)

    def _of_start(self, data: dict[str, Any], again: bool) -> Iterator[str]:
        if again:
            yield f"simulator {data['simulator']!r} starts a second time"
        if lacks := list(self._lacks(data, SAYS if data["outcome"] == "ok" else ("why",), START)):
            yield from lacks
        else:
            self.starts[data["simulator"]] = data

    def _of_run(self, data: Mapping[str, Any]) -> Iterator[str]:
        name, outcome, case = data["simulator"], data["outcome"], self.plan["cases"].get(data["case"])
        told = f"{name!r} on {data['case']!r}"
        if case is None:
            yield f"case {data['case']!r} is not in the first line"
            return
        if data["hash"] != case["hash"]:
            yield f"{told} is a run of another circuit: its hash is {data['hash']}, the first line's {case['hash']}"
        if (name, data["case"]) in self.runs:
            yield f"{told} appears twice"
        self.runs.add((name, data["case"]))
        start = self.starts.get(name)
        if start is None:
            yield f"{told} comes before the start of {name!r}"
        elif start.get("outcome") == "missing" != outcome:
            yield f"{told} is {outcome}, and its simulator is missing"
        asks = "answers" if case["feed_forward"] else "question" if case.get("question") else "state"
        if strange := {*data} & set().union(*GIVES.values()) - GIVES[asks]:
            yield f"{told} has {', '.join(sorted(strange))}, which its case does not give"
        repeats = () if outcome != "ok" or "stopped" in data else REPEATS
        answers = [name for name in ANSWERS if (name, self.form) != ("lower", 1)]  # it was in the time of answers
        needed = {"answers": answers, "question": [*ASKED, *repeats], "state": [*STATE, *repeats]}[asks]
        lacks = list(self._lacks(data, needed if outcome in ("ok", "wrong") else ["why"], RUN))
        yield from lacks or _verdict(data, start or {}, self.form)

    def _lacks(self, data: Mapping[str, Any], names: Iterable[str], record: Record) -> Iterator[str]:
        missing = [name for name in names if self.form in record.fields[name].formats and name not in data]
        if missing:
            yield f"the outcome is {data['outcome']}, and there is no {', '.join(missing)}"


def _verdict(data: Mapping[str, Any], start: Mapping[str, Any], form: int) -> Iterator[str]:
    """Check whether a run's outcome fits its other fields."""
    outcome, kind, why = data["outcome"], data.get("kind", ""), data["why"]
    if outcome == "ok" and (kind or why):
        yield f"it is ok, and kind is {kind!r}, why is {reprlib.repr(why)}"
    elif outcome != "ok" and (not why or (outcome == "wrong" and not kind)):
        yield f"it is {outcome}, and {'kind' if why else 'why'} is empty"
    if outcome != "ok" or "error" not in data:
        return
    if not all(NUMBER.fits(data[name]) for name in ("error", "elsewhere")):
        yield f"it is ok, and error is {data['error']}, elsewhere is {data['elsewhere']}"
    elif form > 1 and start.get("outcome") == "ok":
        tolerance, norm = TOLERANCE[start["precision"]], data["norm"]
        near = data["fidelity"] >= FAITHFUL if start["approximate"] else data["error"] <= tolerance
        if not near or norm_off(norm, tolerance, start["approximate"]):
            yield f"it is ok, and error is {data['error']:g}, fidelity {data['fidelity']:g}, norm {norm}"


def _parsed(line: bytes) -> dict[str, Any]:
    """Return the object on a line."""
    if len(line.decode("utf-8", "replace").splitlines()) > 1:
        raise InvalidMoveError("expected line breaks only between objects")
    return json_object(line, "an object", finite=False)
