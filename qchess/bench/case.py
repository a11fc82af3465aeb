"""A case of the benchmark: one circuit with what is known of it, as a value that files hold.

A key over the wires is a number whose binary digits, written out, are the wires in order: the first wire is the
most significant bit. `Case.ket` writes it so.

The hash speaks of the circuit alone, in a canonical text with every number exact. Amplitudes are no part of it:
their last bits are each machine's own.
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

#: the version of the canonical text; another one gives other hashes
FORMAT = "qchess bench case 1"
TRACKS = ("native", "lowered", "heavy-hex", "grid")
#: the tracks on a chip's graph
MAPPED = ("heavy-hex", "grid")
SIZES = ("small", "standard", "large")
#: which of each kind of amplitude a case keeps
LARGEST, RANDOM = 500, 500
#: the fields of a case that asks something of its final state
ASKS = ("question", "detail", "exact")


@dataclass(frozen=True)
class Features:
    """What is counted of a circuit; branches are nonzero amplitudes of all wires together."""

    #: wires, and how many there would be if each life of a square had its own
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
    #: the chance that all flags are as they were recorded
    kept_probability: float = 1.0
    #: communication, critical depth, entanglement, parallelism, liveness, measurement; of the lowered form
    supermarq: Mapping[str, float] = field(default_factory=dict)

    @property
    def density(self) -> float:
        """The share of all basis states that is occupied at the peak."""
        return self.peak / 2.0**self.qubits


@dataclass(frozen=True)
class Case:
    """One circuit of the corpus."""

    #: unique and readable: family, what it is, track
    name: str
    family: str
    game: str | None
    track: str
    #: the smallest corpus that holds it
    size: str
    wires: tuple[Qubit, ...]
    #: the wires that start in 1
    full: frozenset[Qubit]
    #: operations only, or (`feed_forward`) also questions, read-outs and what follows them
    program: Program
    #: flags that are post-selected at the end, with their values
    kept: Mapping[Qubit, int]
    features: Features
    #: key over `wires` -> amplitude, after post-selection, normalised: the largest and some at random
    reference: Mapping[int, complex]
    #: how many keys have an amplitude in that state; `reference` holds all of them if it has so many
    branches: int
    #: of a program that asks: the answers, in order, with which it ends in `reference`; others are other endings
    answers: Mapping[str, int] = field(default_factory=dict)
    #: of a program that asks: each joint answer, in the order of `program.answers`, with its probability; an answer
    #: that was not asked on the way is None
    odds: Mapping[tuple[int | None, ...], float] = field(default_factory=dict)
    #: of a lowered or mapped case: on which wire each wire of its native form ends
    layout: Mapping[Qubit, Qubit] = field(default_factory=dict)
    #: what is asked of the final state in place of its amplitudes, as `bench.questions` names it; empty for these
    question: str = ""
    #: of a question: what of it is part of the hash, and its exact answer
    detail: Mapping[str, Any] = field(default_factory=dict)
    exact: Mapping[str, Any] = field(default_factory=dict)

    @property
    def feed_forward(self) -> bool:
        """Whether the program asks anything."""
        return bool(self.program.answers)

    @cached_property
    def hash(self) -> str:
        """The hash of the circuit; the same on every machine."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    def canonical(self) -> str:
        """The circuit as text: wires, start, flags, answers, then the program in its line form."""
        head = {
            "wires": self.wires,
            "full": sorted(self.full),
            "kept": sorted(self.kept.items()),
            "answers": list(self.answers.items()),
            **({"question": self.question, **self.detail} if self.question else {}),
        }
        return f"{FORMAT}\n{self.track}\n{json.dumps(head, sort_keys=True)}\n{self.program.text()}\n"

    def ket(self, key: int) -> str:
        """A key as it is written: one digit a wire, in the order of the wires."""
        return f"{key:0{len(self.wires)}b}"

    def data(self) -> dict[str, Any]:
        """The case as JSON values."""
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
        """The case that these JSON values are; an error where its hash is not the one they name."""
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
    """One hash of many cases, with their names, in the order of the names."""
    return hash_of((case.name, case.size, case.hash) for case in cases)


def hash_of(cases: Iterable[tuple[str, str, str]]) -> str:
    """The hash of the cases with these names, sizes and hashes."""
    lines = sorted(f"{name} {size} {told}\n" for name, size, told in cases)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
