"""Preflight: small circuits with known answers, run on the qubits a game would use, to find bad ones.

A calibration is hours old, and one bad qubit spoils every shot. So before a circuit each qubit of its place is read
as 0 and as 1, and each pair in use is made to agree. What fails is not used any more, and the circuit is placed and
tested again. What was found good is not tested again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from qchess.backends.budget import BudgetError
from qchess.backends.devices.sampler import BaseSampler, Shots
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit, cnot, h, x
from qchess.circuits.program import Program, read

#: a qubit misread more often than this is bad; so is a pair that disagrees more often
READ_OUT, PAIR = 0.15, 0.25
SHOTS, ROUNDS = 400, 6
#: a qubit of the chip, by the vendor's name
Spot = Hashable


@dataclass(frozen=True, slots=True)
class Place:
    """Where a circuit goes: its spots, the pairs that its gates join, and the spots read for each answer."""

    spots: tuple[Any, ...]
    pairs: tuple[tuple[Any, Any], ...]
    reads: Mapping[str, tuple[Any, ...]]


class Trier(Protocol):
    """A sampler whose spots can be chosen and tested."""

    name: str
    #: spots, and pairs of them, that were found good
    good: set[Any]

    def shots_given(self, shots: int) -> int:
        """Return how many shots of a circuit come if this many are requested."""

    def place(self, circuit: Program) -> Place:
        """Return where this circuit would go."""

    def probe(
        self, circuits: Sequence[Program], place: Mapping[Qubit, Any], shots: int, seed: int | None
    ) -> Sequence[Shots]:
        """Return the shots of circuits whose qubits are put on these spots."""

    def ban(self, spots: Sequence[Any]) -> None:
        """Take spots out of use."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """The result of a preflight: where the circuits go now, and which spots are no longer used."""

    spots: tuple[Any, ...]
    bad: tuple[Any, ...]
    #: how often something was tested; 0 if everything was known to be good
    rounds: int
    #: the shots of all tests, and the names of their jobs if the vendor has such
    shots: int = 0
    jobs: tuple[str, ...] = ()

    def told(self) -> dict[str, Any]:
        """Return the result in the form of a record."""
        jobs = {"jobs": list(self.jobs)} if self.jobs else {}
        spots, bad = list(map(str, self.spots)), list(map(str, self.bad))
        return {"spots": spots, "bad": bad, "rounds": self.rounds, "shots": self.shots, **jobs}


def preflight(
    trier: Trier, circuits: Sequence[Program], *, shots: int = SHOTS, seed: int | None = None, most: int | None = None
) -> Preflight:  # fmt: skip
    """Move the circuits away from bad spots; raises if no good place is found or `most` shots do not suffice."""
    everything_bad: list[Any] = []
    ran: list[Shots] = []
    for number in range(ROUNDS):
        places = [trier.place(circuit) for circuit in circuits]
        spots = tuple(sorted({spot for one in places for spot in one.spots}))
        pairs = sorted({(min(pair), max(pair)) for one in places for pair in one.pairs})
        if trier.good.issuperset([*spots, *pairs]):
            return _found(spots, everything_bad, number, ran)
        needs = (2 + len(_layers(pairs))) * trier.shots_given(shots)
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
    """Return the result of this many rounds, with their shots."""
    jobs = dict.fromkeys(one.provenance.job for one in ran if one.provenance.job is not None)
    return Preflight(spots, tuple(bad), rounds, _total(ran), tuple(jobs))


def _total(ran: Iterable[Shots]) -> int:
    return sum(one.total for one in ran)


def read_out_errors(
    trier: Trier, circuits: Sequence[Program], *, shots: int = SHOTS, seed: int | None = None
) -> list[dict[str, list[tuple[float, float]]]]:
    """Return for each circuit and answer, bit by bit, how often its spot reads 1 for 0, and 0 for 1."""
    places = [trier.place(circuit) for circuit in circuits]
    spots = tuple(sorted({spot for one in places for read_ in one.reads.values() for spot in read_}))
    zeros, ones = trier.probe(_all_read(spots), _names(spots), shots, seed)
    wrong = {spot: (_share(zeros, 1 << k, 1), _share(ones, 1 << k, 0)) for k, spot in enumerate(spots)}
    return [{name: [wrong[spot] for spot in read_] for name, read_ in one.reads.items()} for one in places]


class Tried(BaseSampler, Trier):
    """The methods of a sampler whose spots can be tested."""

    def preflight(
        self, circuits: Sequence[Program], shots: int, seed: int | None, most: int | None = None
    ) -> dict[str, Any]:
        """Move the circuits away from bad spots, and return what was found."""
        return preflight(self, circuits, shots=shots, seed=seed, most=most).told()

    def read_out_errors(
        self, circuits: Sequence[Program], shots: int, seed: int | None
    ) -> list[dict[str, list[tuple[float, float]]]]:
        """Measure how often each bit of each answer is misread."""
        return read_out_errors(self, circuits, shots=shots, seed=seed)


def _names(spots: Iterable[Any]) -> dict[Qubit, Any]:
    """Return the spots under names of our qubits."""
    return {f"q{k}": spot for k, spot in enumerate(spots)}


def _all_read(spots: Sequence[Any]) -> list[Program]:
    """Return two programs: all spots at 0 and read, and all at 1 and read."""
    names = list(_names(spots))
    return [Program(read("r", *names)), Program(*map(x, names), read("r", *names))]


def _bad(
    trier: Trier, spots: tuple[Any, ...], pairs: Sequence[tuple[Any, Any]],
    shots: int, seed: int | None, ran: list[Shots],
) -> list[Any]:  # fmt: skip
    """Return the spots of a place that fail; the runs are added to `ran`."""
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
    """Return for each failing pair the spot that fails in more pairs; of equal ones the worse read."""
    blamed: list[Any] = []
    while failing:
        counted = Counter(spot for pair in failing for spot in pair)
        blamed.append(max(counted, key=lambda spot: (counted[spot], wrong[spot])))
        failing = [pair for pair in failing if blamed[-1] not in pair]
    return blamed


def _layers(pairs: Iterable[tuple[Any, Any]]) -> list[list[tuple[Any, Any]]]:
    """Return the pairs in groups that share no spot."""
    layers: list[list[tuple[Any, Any]]] = []
    for pair in pairs:
        free = next((layer for layer in layers if not any(set(pair) & set(other) for other in layer)), None)
        if free is None:
            layers.append([pair])
        else:
            free.append(pair)
    return layers


def _share(shots: Shots, bit: int, value: int) -> float:
    """Return the share of shots in which a bit had this value."""
    return sum(n for (key,), n in shots.counts.items() if bool(key & bit) == bool(value)) / max(1, shots.total)


def _disagree(shots: Shots, a: int, b: int) -> float:
    return sum(n for (key,), n in shots.counts.items() if key >> a & 1 != key >> b & 1) / max(1, shots.total)
