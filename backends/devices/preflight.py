"""Preflight: small circuits with known answers, run where a game's circuit would go, that find bad qubits.

A calibration is hours old, and one qubit that has gone bad since spoils every shot. So before a match each
qubit of the placement is read as 0 and as 1, and each pair that is used is made to agree. What fails is not
used any more, the circuit is placed anew, and the new place is tried in its turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qchess.backends.devices.primitive import PrimitiveSampler
from qchess.backends.devices.sampler import Shots
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import cnot, h, x
from qchess.circuits.program import Program, read

#: a qubit that is read wrongly more often than this is bad; so is a pair that disagrees more often
READ_OUT, PAIR = 0.15, 0.25
SHOTS, ROUNDS = 400, 6


@dataclass(frozen=True, slots=True)
class Preflight:
    """What a preflight found: where the circuits go now, and which qubits are not used any more."""

    qubits: tuple[int, ...]
    bad: tuple[int, ...]
    rounds: int


def preflight(
    sampler: PrimitiveSampler, circuits: Sequence[Program], *, shots: int = SHOTS, seed: int | None = None
) -> Preflight:
    """Moves the circuits away from bad qubits; an error where no good place is found."""
    if sampler.compiler is None:
        raise BackendError(f"{sampler.name} does not say which qubits it uses, so none can be tried before")
    everything_bad: list[int] = []
    for number in range(1, ROUNDS + 1):
        placed = [sampler.compiler.compile(circuit) for circuit in circuits]
        qubits = tuple(sorted({q for one in placed for q in one.qubits}))
        pairs = {tuple(sorted(pair)) for one in placed for pair in one.pairs}
        bad = _bad(sampler, qubits, sorted((a, b) for a, b in pairs), shots, seed)
        if not bad:
            return Preflight(qubits, tuple(everything_bad), number)
        everything_bad += bad
        sampler.compiler.ban(bad)
    raise BackendError(f"{sampler.name} still has bad qubits after {ROUNDS} tries; bad are {everything_bad}")


def _bad(
    sampler: PrimitiveSampler, qubits: tuple[int, ...], pairs: Sequence[tuple[int, int]], shots: int, seed: int | None
) -> list[int]:
    """The qubits of a place that fail."""
    names = {q: f"q{q}" for q in qubits}
    everything = read("r", *names.values())
    low = Program(everything)
    high = Program(*(x(name) for name in names.values()), everything)
    agree = [
        Program(*(gate for a, b in layer for gate in (h(names[a]), cnot(names[a], names[b]))), everything)
        for layer in _layers(pairs)
    ]
    zeros, ones, *bells = sampler.probe([low, high, *agree], {name: q for q, name in names.items()}, shots, seed)
    wrong = {q: max(_share(zeros, 1 << k, 1), _share(ones, 1 << k, 0)) for k, q in enumerate(qubits)}
    bad = [q for q in qubits if wrong[q] > READ_OUT]
    place = {q: k for k, q in enumerate(qubits)}
    failing: Counter[int] = Counter()
    for layer, shown in zip(_layers(pairs), bells, strict=True):
        for a, b in layer:
            if not {a, b} & set(bad) and _disagree(shown, place[a], place[b]) > PAIR:
                failing.update((a, b))
    # of a failing pair the qubit that fails in more pairs is the bad one; of equal ones the worse read
    while failing:
        worst = max(failing, key=lambda q: (failing[q], wrong[q]))
        bad.append(worst)
        beside = {q for pair in pairs if worst in pair for q in pair}
        failing = Counter({q: n - 1 if q in beside else n for q, n in failing.items() if q != worst})
        failing = +failing
    return sorted(bad)


def _layers(pairs: Iterable[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """The pairs in groups that share no qubit."""
    layers: list[list[tuple[int, int]]] = []
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
