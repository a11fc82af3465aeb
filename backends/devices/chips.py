"""Chips: the calibration of a machine in one form, the best connected patches, and the fidelity to expect.

Vendors publish the same figures under different names. Here they are plain numbers by qubit and by pair,
so that choosing qubits and judging a circuit is written once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Generic, TypeVar

Q = TypeVar("Q", bound=Hashable)
#: an error that a machine does not tell; it is worse than any that it tells
UNKNOWN = 0.5
#: a two-qubit gate counts so often in the cost of a patch, a read-out once
GATES = 2.0


@dataclass(frozen=True, slots=True)
class Gate(Generic[Q]):
    """A gate on the chip as far as its fidelity goes: where, and how long it takes, in seconds."""

    qubits: tuple[Q, ...]
    seconds: float = 0.0
    measures: bool = False
    #: a change of frame, which costs nothing
    virtual: bool = False


@dataclass(frozen=True)
class Chip(Generic[Q]):
    """The figures of one calibration: errors between 0 and 1, times in seconds."""

    #: error of the two-qubit gate, for each connected pair in both orders
    pairs: Mapping[tuple[Q, Q], float]
    #: how often a bit is read wrongly, the mean of both kinds
    read_out: Mapping[Q, float]
    one_qubit: Mapping[Q, float]
    relaxation: Mapping[Q, float] = field(default_factory=dict)
    dephasing: Mapping[Q, float] = field(default_factory=dict)
    calibrated: str | None = None
    #: qubits that are not to be used
    banned: frozenset[Q] = frozenset()
    #: how often 1 is read for 0, and 0 for 1, on each qubit of which both are told
    flips: Mapping[Q, tuple[float, float]] = field(default_factory=dict)

    @property
    def qubits(self) -> tuple[Q, ...]:
        """The qubits that may be used, in a fixed order."""
        return tuple(q for q in self.read_out if q not in self.banned)

    def without(self, qubits: Iterable[Q]) -> Chip[Q]:
        """The same chip, with these qubits not to be used."""
        return replace(self, banned=self.banned | set(qubits))

    def neighbours(self, qubit: Q) -> list[Q]:
        """The qubits that may be used and are connected to this one by a gate that works, as far as it is told."""
        return [b for (a, b), error in self.pairs.items() if a == qubit and b not in self.banned and error < UNKNOWN]

    def patches(self, size: int, count: int) -> list[tuple[Q, ...]]:
        """The best connected sets of so many qubits, best first, no two alike.

        From each qubit a patch grows by the neighbour that costs least: its read-out error, and the error
        of its best pair into the patch.
        """
        beside = {q: self.neighbours(q) for q in self.qubits}
        grown = {frozenset(patch): patch for q in self.qubits if (patch := self._grown(q, size, beside))}
        return sorted(grown.values(), key=self._cost)[:count]

    def _grown(self, start: Q, size: int, beside: Mapping[Q, Sequence[Q]]) -> tuple[Q, ...]:
        patch = [start]
        while len(patch) < size:
            reach = dict.fromkeys(b for a in patch for b in beside[a] if b not in patch)
            if not reach:
                return ()
            patch.append(min(reach, key=lambda q: self._price(q, patch)))
        return tuple(patch)

    def _price(self, qubit: Q, patch: Collection[Q]) -> float:
        best = min((self.pairs[other, qubit] for other in patch if (other, qubit) in self.pairs), default=UNKNOWN)
        return self.read_out[qubit] + GATES * best

    def _cost(self, patch: tuple[Q, ...]) -> float:
        inner = sorted(e for (a, b), e in self.pairs.items() if a in patch and b in patch)
        return sum(self.read_out[q] for q in patch) + GATES * sum(islice(inner, 0, 2 * len(patch), 2))

    def expected(self, gates: Iterable[Gate[Q]]) -> float:
        """The fidelity to expect: no gate fails, no read-out lies, and nothing decays while it waits.

        Each gate starts as soon as its qubits are free. It is an estimate, of independent errors; chips do worse.
        """
        logarithm, ready = 0.0, dict[Q, float]()
        for gate in gates:
            if gate.virtual:
                continue
            begin = max((ready.get(q, 0.0) for q in gate.qubits), default=0.0)
            for q in gate.qubits:
                if q in ready:  # before its first gate a qubit is in its ground state, and nothing decays
                    logarithm -= (begin - ready[q]) * self._decay(q)
                ready[q] = begin + gate.seconds
            logarithm += math.log(max(1e-12, 1 - self._fails(gate)))
        return math.exp(logarithm)

    def error(self, qubits: Sequence[Q]) -> float:
        """The error of the gate on one qubit or two."""
        if len(qubits) == 2:
            return self.pairs.get((qubits[0], qubits[1]), UNKNOWN)
        return max((self.one_qubit.get(q, UNKNOWN) for q in qubits), default=0.0)

    def misread(self, qubit: Q) -> tuple[float, float]:
        """How often 1 is read for 0, and 0 for 1; the read-out error is both where only that is told."""
        return self.flips.get(qubit, (self.read_out[qubit],) * 2)

    def _fails(self, gate: Gate[Q]) -> float:
        if gate.measures:
            return 1 - math.prod(1 - self.read_out.get(q, UNKNOWN) for q in gate.qubits)
        return self.error(gate.qubits)

    def _decay(self, qubit: Q) -> float:
        """The rate at which a waiting qubit goes wrong, averaged over its states."""
        t1, t2 = self.relaxation.get(qubit), self.dephasing.get(qubit)
        return (1 / (3 * t1) if t1 else 0.0) + (1 / (3 * t2) if t2 else 0.0)
