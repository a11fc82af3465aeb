"""A case of the benchmark: one circuit with its known properties, as a value stored in files.

A key over the wires is a number whose binary digits are the wires in order: the first wire is the most significant bit.
`Case.ket` writes it so.

The hash covers only the circuit, in a canonical text with every number exact. Amplitudes are not included, as their
last bits depend on the machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from qchess.circuits.operations import Qubit
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
        features = {key: value for key, value in data["features"].items() if key != "density"}
        case = cls(
            **{key: data[key] for key in ("name", "family", "game", "track", "size", "kept", "branches", "answers")},
            wires=tuple(data["wires"]),
            full=frozenset(data["full"]),
            program=Program.parse("\n".join(data["program"])),
            features=Features(**features),
            reference={int(ket, 2): complex(*parts) for ket, parts in data["reference"].items()},
            odds={tuple(answers): p for answers, p in data["odds"]},
            layout=data["layout"],
            **{key: data[key] for key in ASKS if key in data},
        )
        if case.hash != data["hash"]:
            told = f"its hash is {case.hash}, its file says {data['hash']!r}"
            raise InvalidMoveError(f"case {case.name!r} has changed: {told}")
        return case


def corpus_hash(cases: Iterable[Case]) -> str:
    """Return one hash of many cases with their names, in the order of the names."""
    return hash_of((case.name, case.size, case.hash) for case in cases)


def hash_of(cases: Iterable[tuple[str, str, str]]) -> str:
    """Return the hash of the cases with these names, sizes and hashes."""
    lines = sorted(f"{name} {size} {told}\n" for name, size, told in cases)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
