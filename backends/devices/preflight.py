"""Preflight: small circuits with known answers, run where a game's circuit would go, that find bad qubits.

A calibration is hours old, and one qubit that has gone bad since spoils every shot. So before a circuit each
qubit of its place is read as 0 and as 1, and each pair that is used is made to agree. What fails is not
used any more, the circuit is placed anew, and the new place is tried in its turn. What was found good is not
tried again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from qchess.backends.budget import BudgetError
from qchess.backends.devices.sampler import Shots, shots_given
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit, cnot, h, x
from qchess.circuits.program import Program, read

#: a qubit that is read wrongly more often than this is bad; so is a pair that disagrees more often
READ_OUT, PAIR = 0.15, 0.25
SHOTS, ROUNDS = 400, 6
#: a spot is a qubit of the chip, by whatever name the vendor gives it
Spot = Hashable


@dataclass(frozen=True, slots=True)
class Place:
    """Where a circuit goes: its spots, the pairs that its gates join, and for each answer the spots that are read."""

    spots: tuple[Any, ...]
    pairs: tuple[tuple[Any, Any], ...]
    reads: Mapping[str, tuple[Any, ...]]


class Trier(Protocol):
    """A sampler whose spots can be chosen, and tried."""

    name: str
    #: spots, and pairs of them, that were found good
    good: set[Any]

    def place(self, circuit: Program) -> Place:
        """Where this circuit would go."""

    def probe(
        self, circuits: Sequence[Program], place: Mapping[Qubit, Any], shots: int, seed: int | None
    ) -> Sequence[Shots]:
        """The shots of circuits whose qubits are put on these spots."""

    def ban(self, spots: Sequence[Any]) -> None:
        """Takes spots out of use."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """What a preflight found: where the circuits go now, and which spots are not used any more."""

    spots: tuple[Any, ...]
    bad: tuple[Any, ...]
    #: how often something was tried; 0 where all of it was known to be good
    rounds: int
    #: the shots that all of it took, and the names of their jobs where the vendor has such
    shots: int = 0
    jobs: tuple[str, ...] = ()

    def told(self) -> dict[str, Any]:
        """The same as a record holds it."""
        jobs = {"jobs": list(self.jobs)} if self.jobs else {}
        spots, bad = list(map(str, self.spots)), list(map(str, self.bad))
        return {"spots": spots, "bad": bad, "rounds": self.rounds, "shots": self.shots, **jobs}


def preflight(
    trier: Trier, circuits: Sequence[Program], *, shots: int = SHOTS, seed: int | None = None, most: int | None = None
) -> Preflight:  # fmt: skip
    """Moves the circuits away from bad spots; an error where no good place is found, or `most` shots do not suffice."""
    everything_bad: list[Any] = []
    ran: list[Shots] = []
    for number in range(ROUNDS):
        places = [trier.place(circuit) for circuit in circuits]
        spots = tuple(sorted({spot for one in places for spot in one.spots}))
        pairs = sorted({(min(pair), max(pair)) for one in places for pair in one.pairs})
        if trier.good.issuperset([*spots, *pairs]):
            return _found(spots, everything_bad, number, ran)
        needs = (2 + len(_layers(pairs))) * shots_given(trier, shots)
        if most is not None and _total(ran) + needs > most:
            raise BudgetError(f"a trial of qubits takes {needs} shots more", _total(ran), needs)
        bad = _bad(trier, spots, pairs, shots, seed, ran)
        if not bad:
            trier.good.update([*spots, *pairs])
            return _found(spots, everything_bad, number + 1, ran)
        everything_bad += bad
        trier.ban(bad)
    raise BackendError(
        f"{trier.name} still uses bad qubits after {ROUNDS} tests of {_total(ran)} shots; the "
        f"bad ones are {everything_bad}"
    )


def _found(spots: tuple[Any, ...], bad: Sequence[Any], rounds: int, ran: Sequence[Shots]) -> Preflight:
    """What was found by so many rounds, with what they ran."""
    jobs = dict.fromkeys(one.provenance.job for one in ran if one.provenance.job is not None)
    return Preflight(spots, tuple(bad), rounds, _total(ran), tuple(jobs))


def _total(ran: Iterable[Shots]) -> int:
    return sum(one.total for one in ran)


def read_out_errors(
    trier: Trier, circuits: Sequence[Program], *, shots: int = SHOTS, seed: int | None = None
) -> list[dict[str, list[tuple[float, float]]]]:
    """For each circuit and answer, bit by bit, how often its spot reads 1 for 0, and 0 for 1."""
    places = [trier.place(circuit) for circuit in circuits]
    spots = tuple(sorted({spot for one in places for read_ in one.reads.values() for spot in read_}))
    zeros, ones = trier.probe(_all_read(spots), _names(spots), shots, seed)
    wrong = {spot: (_share(zeros, 1 << k, 1), _share(ones, 1 << k, 0)) for k, spot in enumerate(spots)}
    return [{name: [wrong[spot] for spot in read_] for name, read_ in one.reads.items()} for one in places]


class Tried(Trier, Protocol):
    """What a sampler whose spots can be tried offers to those who play with it."""

    def preflight(
        self, circuits: Sequence[Program], shots: int, seed: int | None, most: int | None = None
    ) -> dict[str, Any]:
        """Moves the circuits away from bad spots, and says what was found."""
        return preflight(self, circuits, shots=shots, seed=seed, most=most).told()

    def read_out_errors(
        self, circuits: Sequence[Program], shots: int, seed: int | None
    ) -> list[dict[str, list[tuple[float, float]]]]:
        """How often each bit of each answer is read wrongly, as measured now."""
        return read_out_errors(self, circuits, shots=shots, seed=seed)


def _names(spots: Iterable[Any]) -> dict[Qubit, Any]:
    """The spots under names of qubits of ours."""
    return {f"q{k}": spot for k, spot in enumerate(spots)}


def _all_read(spots: Sequence[Any]) -> list[Program]:
    """All spots at 0 and read, and all at 1 and read."""
    names = list(_names(spots))
    return [Program(read("r", *names)), Program(*map(x, names), read("r", *names))]


def _bad(
    trier: Trier, spots: tuple[Any, ...], pairs: Sequence[tuple[Any, Any]],
    shots: int, seed: int | None, ran: list[Shots],
) -> list[Any]:  # fmt: skip
    """The spots of a place that fail; what was run to see that is added to `ran`."""
    name = {spot: qubit for qubit, spot in _names(spots).items()}
    layers = _layers(pairs)
    agree = [
        Program(*(gate for a, b in layer for gate in (h(name[a]), cnot(name[a], name[b]))), read("r", *name.values()))
        for layer in layers
    ]
    zeros, ones, *bells = shown = trier.probe([*_all_read(spots), *agree], _names(spots), shots, seed)
    ran += shown
    wrong = {spot: max(_share(zeros, 1 << k, 1), _share(ones, 1 << k, 0)) for k, spot in enumerate(spots)}
    bad = [spot for spot in spots if wrong[spot] > READ_OUT]
    place = {spot: k for k, spot in enumerate(spots)}
    failing = [
        (a, b) for layer, bell in zip(layers, bells, strict=True) for a, b in layer
        if not {a, b} & set(bad) and _disagree(bell, place[a], place[b]) > PAIR
    ]  # fmt: skip
    return sorted(bad + _blamed(failing, wrong))


def _blamed(failing: Sequence[tuple[Any, Any]], wrong: Mapping[Any, float]) -> list[Any]:
    """Of each failing pair the spot that fails in more pairs; of equal ones the worse read."""
    blamed: list[Any] = []
    while failing:
        counted = Counter(spot for pair in failing for spot in pair)
        blamed.append(max(counted, key=lambda spot: (counted[spot], wrong[spot])))
        failing = [pair for pair in failing if blamed[-1] not in pair]
    return blamed


def _layers(pairs: Iterable[tuple[Any, Any]]) -> list[list[tuple[Any, Any]]]:
    """The pairs in groups that share no spot."""
    layers: list[list[tuple[Any, Any]]] = []
    for pair in pairs:
        free = next((layer for layer in layers if not any(set(pair) & set(other) for other in layer)), None)
        if free is None:
            layers.append([pair])
        else:
            free.append(pair)
    return layers


def _share(shots: Shots, bit: int, value: int) -> float:
    """How often a bit was read so."""
    return sum(n for (key,), n in shots.counts.items() if bool(key & bit) == bool(value)) / max(1, shots.total)


def _disagree(shots: Shots, a: int, b: int) -> float:
    return sum(n for (key,), n in shots.counts.items() if key >> a & 1 != key >> b & 1) / max(1, shots.total)
