"""A case of the benchmark: one circuit with its known properties, as a value stored in files.

A key over the wires is a number whose binary digits are the wires in order: the first wire is the most significant bit.
`Case.ket` writes it so.

The hash covers only the circuit, in a canonical text with every number exact. Amplitudes are not included, as their
last bits depend on the machine.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any

from qchess import reading
from qchess.circuits.operations import Qubit
from qchess.circuits.precision import WRITTEN
from qchess.circuits.program import Program
from qchess.errors import InvalidMoveError

#: the version of the canonical text; another version gives other hashes
FORMAT = "qchess bench case 1"
TRACKS = ("native", "lowered", "heavy-hex", "grid")
#: the tracks on a chip's graph
MAPPED = ("heavy-hex", "grid")
SIZES = ("small", "standard", "large")
#: how many amplitudes of each kind a case stores
LARGEST, RANDOM = 500, 500
#: the limits of what is read: of a list, and of a text
MOST, LONGEST = 1_000_000, 100_000
#: the fields of a case that asks a question about its final state
ASKS = ("question", "detail", "exact")


@dataclass(frozen=True)
class Features:
    """The counts of a circuit; branches are nonzero amplitudes of all wires together."""

    #: wires, and how many there would be without reuse
    qubits: int
    lives: int
    operations: int
    depth: int
    #: operations on exactly two wires, and on more
    two_qubit: int
    wider: int
    #: two-qubit gates after lowering to CX and one-qubit gates
    cx: int
    #: branches: the most at any time, and at the end, before flags are post-selected
    peak: int
    final: int
    #: the wires of the largest entangled group at any time, in the native form
    register: int
    clifford: bool
    #: the probability that all flags have their recorded values
    kept_probability: float = 1.0
    #: communication, critical depth, entanglement, parallelism, liveness, measurement; of the lowered form
    supermarq: Mapping[str, float] = field(default_factory=dict)

    @property
    def density(self) -> float:
        """Return the largest share of all basis states occupied at any time."""
        return self.peak / 2.0**self.qubits


@dataclass(frozen=True)
class Case:
    """One circuit of the corpus."""

    #: unique and readable: family, numbers, track
    name: str
    family: str
    game: str | None
    track: str
    #: the smallest corpus that contains it
    size: str
    wires: tuple[Qubit, ...]
    #: the wires that start in 1
    full: frozenset[Qubit]
    #: operations only, or (`feed_forward`) also questions, read-outs and branches
    program: Program
    #: flags that are post-selected at the end, with their values
    kept: Mapping[Qubit, int]
    features: Features
    #: key over `wires` -> amplitude, after post-selection, normalised: the largest and some random ones
    reference: Mapping[int, complex]
    #: the number of nonzero amplitudes in that state; `reference` has all of them if it has as many
    branches: int
    #: for a program with questions: the answers, in order, of the ending in `reference`; there are other endings
    answers: Mapping[str, int] = field(default_factory=dict)
    #: for a program with questions: each joint answer, in the order of `program.answers`, with its probability; one
    #: that was not asked for is None
    odds: Mapping[tuple[int | None, ...], float] = field(default_factory=dict)
    #: for a lowered or mapped case: the final wire of each wire of its native form
    layout: Mapping[Qubit, Qubit] = field(default_factory=dict)
    #: the question about the final state, as `bench.questions` names it; empty if amplitudes are compared
    question: str = ""
    #: for a question: its part in the hash, and its exact answer
    detail: Mapping[str, Any] = field(default_factory=dict)
    exact: Mapping[str, Any] = field(default_factory=dict)

    @property
    def feed_forward(self) -> bool:
        """Tell whether the program asks a question."""
        return bool(self.program.answers)

    @cached_property
    def hash(self) -> str:
        """Return the hash of the circuit; the same on every machine."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    def canonical(self) -> str:
        """Return the circuit as text: wires, start, flags, answers, then the program in its line form."""
        head = {
            "wires": self.wires,
            "full": sorted(self.full),
            "kept": sorted(self.kept.items()),
            "answers": list(self.answers.items()),
            **({"question": self.question, **self.detail} if self.question else {}),
        }
        return f"{FORMAT}\n{self.track}\n{json.dumps(head, sort_keys=True)}\n{self.program.text()}\n"

    def ket(self, key: int) -> str:
        """Return the digits of a key, one per wire in order."""
        return f"{key:0{len(self.wires)}b}"

    def data(self) -> dict[str, Any]:
        """Return the case as JSON values."""
        return {
            "format": FORMAT,
            "name": self.name,
            "hash": self.hash,
            "family": self.family,
            "game": self.game,
            "track": self.track,
            "size": self.size,
            "wires": list(self.wires),
            "full": sorted(self.full),
            "kept": dict(sorted(self.kept.items())),
            "answers": dict(self.answers),
            "layout": dict(self.layout),
            "features": {**asdict(self.features), "density": self.features.density},
            "branches": self.branches,
            "reference": {self.ket(key): [a.real, a.imag] for key, a in self.reference.items()},
            "odds": [[list(answers), p] for answers, p in self.odds.items()],
            "program": self.program.text().splitlines(),
            **({key: getattr(self, key) for key in ASKS} if self.question else {}),
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Case:
        """Return the case from JSON values; raises if its hash is not the stated one."""
        reading.one_of(data.get("format", FORMAT), "the format of a case", (FORMAT,))
        lines = reading.texts(data.get("program"), "'program'", MOST, LONGEST)
        case = cls(
            name=reading.text(data.get("name"), "'name'", LONGEST),
            family=reading.text(data.get("family"), "'family'", LONGEST),
            game=None if data.get("game") is None else reading.text(data["game"], "'game'", LONGEST),
            track=reading.one_of(data.get("track"), "'track'", TRACKS),
            size=reading.one_of(data.get("size"), "'size'", SIZES),
            wires=tuple(reading.texts(data.get("wires"), "'wires'", MOST, LONGEST)),
            full=frozenset(reading.texts(data.get("full"), "'full'", MOST, LONGEST)),
            program=Program.parse("\n".join(lines)),
            kept=_digits(data, "kept"),
            features=_features(data.get("features")),
            reference=dict(map(_amplitude, _named(data, "reference"))),
            branches=reading.integer(data.get("branches"), "'branches'", 0, 2**63),
            answers=_digits(data, "answers"),
            odds=dict(map(_chance, reading.items(data.get("odds"), "'odds'", MOST))),
            layout={wire: reading.text(to, "a wire of 'layout'", LONGEST) for wire, to in _named(data, "layout")},
            question=reading.text(data.get("question", ""), "'question'", LONGEST),
            detail=dict(_named(data, "detail")) if "detail" in data else {},
            exact=dict(_named(data, "exact")) if "exact" in data else {},
        )
        if case.hash != data.get("hash"):
            told = f"its hash is {case.hash}, its file says {reading.shown(data.get('hash'))}"
            raise InvalidMoveError(f"case {case.name!r} has changed: {told}")
        return case


def _named(data: Mapping[str, Any], name: str) -> Iterable[tuple[str, Any]]:
    return reading.mapping(data.get(name), f"{name!r}").items()


def _digits(data: Mapping[str, Any], name: str) -> dict[str, int]:
    return {key: reading.integer(value, f"a value of {name!r}", 0, 2**63) for key, value in _named(data, name)}


def _features(value: Any) -> Features:
    data = reading.mapping(value, "'features'")
    names = [each.name for each in fields(Features)]
    reading.known(data, "'features'", [*names, "density"])
    told = {name: reading.number(each, f"a part of {name!r}", 0, 1e6) for name, each in _named(data, "supermarq")}
    counts = [name for name in names if name not in ("clifford", "kept_probability", "supermarq")]
    return Features(
        **{name: reading.integer(data.get(name), f"{name!r}", 0, 2**200) for name in counts},
        clifford=reading.flag(data.get("clifford"), "'clifford'"),
        kept_probability=reading.number(data.get("kept_probability", 1.0), "'kept_probability'", 0, 1 + WRITTEN),
        supermarq=told,
    )


def _amplitude(told: tuple[str, Any]) -> tuple[int, complex]:
    """Return a key and its amplitude, from its digits and two numbers."""
    ket, parts = told
    if not re.fullmatch("[01]*", ket):
        raise InvalidMoveError(f"expected the digits of wires in 'reference', got {reading.shown(ket)}")
    real, imaginary = (reading.number(part, "an amplitude", -2, 2) for part in _two(parts, "an amplitude"))
    return int(ket or "0", 2), complex(real, imaginary)


def _chance(value: Any) -> tuple[tuple[int | None, ...], float]:
    """Return joint answers with their probability."""
    told, chance = _two(value, "answers with their probability")
    answers = reading.items(told, "answers", MOST)
    return (
        tuple(None if each is None else reading.integer(each, "an answer", 0, 2**63) for each in answers),
        reading.number(chance, "a probability", 0, 1 + WRITTEN),
    )


def _two(value: Any, what: str) -> list[Any]:
    found = reading.items(value, what, 2)
    if len(found) != 2:
        raise InvalidMoveError(f"expected {what} as a list of two, got {reading.shown(value)}")
    return found


def corpus_hash(cases: Iterable[Case]) -> str:
    """Return one hash of many cases with their names, in the order of the names."""
    return hash_of((case.name, case.size, case.hash) for case in cases)


def hash_of(cases: Iterable[tuple[str, str, str]]) -> str:
    """Return the hash of the cases with these names, sizes and hashes."""
    lines = sorted(f"{name} {size} {told}\n" for name, size, told in cases)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
