"""Chips: the calibration of a machine in one form, the best connected patches, and the expected fidelity.

Vendors publish the same figures under different names. Here they are plain numbers by qubit and by pair, so
that choosing qubits and judging a circuit is written once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Generic, TypeVar

Q = TypeVar("Q", bound=Hashable)
#: an error that a machine does not report; worse than any reported one
UNKNOWN = 0.5
#: the weight of a two-qubit gate in the cost of a patch; a read-out has weight 1
GATES = 2.0


@dataclass(frozen=True, slots=True)
class Gate(Generic[Q]):
    """A gate as needed for its fidelity: its qubits, and its duration in seconds."""

    qubits: tuple[Q, ...]
    seconds: float = 0.0
    measures: bool = False
    #: a change of frame, without cost
    virtual: bool = False


@dataclass(frozen=True)
class Chip(Generic[Q]):
    """The figures of one calibration: errors between 0 and 1, times in seconds."""

    #: the error of the two-qubit gate, for each connected pair in both orders
    pairs: Mapping[tuple[Q, Q], float]
    #: how often a bit is misread, the mean of both kinds
    read_out: Mapping[Q, float]
    one_qubit: Mapping[Q, float]
    relaxation: Mapping[Q, float] = field(default_factory=dict)
    dephasing: Mapping[Q, float] = field(default_factory=dict)
    calibrated: str | None = None
    #: qubits that must not be used
    banned: frozenset[Q] = frozenset()
    #: how often 1 is read for 0, and 0 for 1, on each qubit where both are known
    flips: Mapping[Q, tuple[float, float]] = field(default_factory=dict)

    @property
    def qubits(self) -> tuple[Q, ...]:
        """Return the usable qubits in a fixed order."""
        return tuple(q for q in self.read_out if q not in self.banned)

    def without(self, qubits: Iterable[Q]) -> Chip[Q]:
        """Return the same chip without these qubits."""
        return replace(self, banned=self.banned | set(qubits))

    def neighbours(self, qubit: Q) -> list[Q]:
        """Return the usable qubits connected to this one by a gate not known to be broken."""
        return [b for (a, b), error in self.pairs.items() if a == qubit and b not in self.banned and error < UNKNOWN]

    def patches(self, size: int, count: int) -> list[tuple[Q, ...]]:
        """Return the best connected sets of this many qubits, best first, all different.

        From each qubit a patch grows by the cheapest neighbour: its read-out error, and the error of its best pair into
        the patch.
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
        """Return the expected fidelity: no gate fails, no read-out is wrong, and nothing decays while waiting.

        Each gate starts as soon as its qubits are free. The estimate assumes independent errors; chips do worse.
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
        """Return the error of the gate on one or two qubits."""
        if len(qubits) == 2:
            return self.pairs.get((qubits[0], qubits[1]), UNKNOWN)
        return max((self.one_qubit.get(q, UNKNOWN) for q in qubits), default=0.0)

    def misread(self, qubit: Q) -> tuple[float, float]:
        """Return how often 1 is read for 0, and 0 for 1; both are the read-out error if only that is known."""
        return self.flips.get(qubit, (self.read_out[qubit],) * 2)

    def _fails(self, gate: Gate[Q]) -> float:
        if gate.measures:
            return 1 - math.prod(1 - self.read_out.get(q, UNKNOWN) for q in gate.qubits)
        return self.error(gate.qubits)

    def _decay(self, qubit: Q) -> float:
        """Return the error rate of a waiting qubit, averaged over its states."""
        t1, t2 = self.relaxation.get(qubit), self.dephasing.get(qubit)
        return (1 / (3 * t1) if t1 else 0.0) + (1 / (3 * t2) if t2 else 0.0)
