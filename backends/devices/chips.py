"""Chips: the calibration of a machine in one form, the best patches and places on it, and the expected fidelity.

Vendors publish the same figures under different names. Here they are plain numbers by qubit and by pair, so
that choosing qubits and judging a circuit is written once.

A place has a qubit for each wire of a circuit, without swaps and with the least undetected error. The wires are put on
qubits one after the other, each beside those it shares a gate with. A place that is already worse than those found, or
less faithful than required, is abandoned early.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from qchess.backends.devices.faults import Faults

Q = TypeVar("Q", bound=Hashable)
#: an error that a machine does not report; worse than any reported one
UNKNOWN = 0.5
#: the weight of a two-qubit gate in the cost of a patch; a read-out has weight 1
GATES = 2.0
#: the wires of a gate or reading, and its share
Fault = tuple[tuple[int, ...], float]
#: the search ends after this many steps, with the places found
STEPS = 5_000
#: a wire without two-qubit gates is tried on this many of the best-read qubits
BEST_READ = 2


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
        inner = sorted(self.pairs[a, b] for a in patch for b in patch if (a, b) in self.pairs)
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


def places(chip: Chip[Q], faults: Faults, *, least: float, count: int) -> list[dict[int, Q]]:
    """Return the places with the least undetected error, best first, and with a fidelity of at least `least`."""
    search = _Search(chip, faults, -_log(least), count)
    search.go_on({}, 0.0, 0.0)
    return [place for _, _, place in search.found]


def _log(chance: float) -> float:
    return math.log(max(1e-12, chance))


class _Search(Generic[Q]):
    """A depth-first search; a place costs its `undetected` error, then its `loss`: minus the log of its fidelity."""

    def __init__(self, chip: Chip[Q], faults: Faults, most_loss: float, count: int) -> None:
        self.chip, self.faults, self.most_loss, self.count = chip, faults, most_loss, count
        self.found: list[tuple[float, float, dict[int, Q]]] = []
        self.left = STEPS
        pairs = {on for on, _ in faults.gates if len(on) == 2}
        self.partners = {a: [b for b in faults.wires if {(a, b), (b, a)} & pairs] for a in faults.wires}
        self.order = _connected(self.partners)
        self.settled = self._settled()
        self.beside = {q: chip.neighbours(q) for q in chip.qubits}
        self.best_read = sorted(chip.qubits, key=lambda q: chip.read_out[q])

    def _settled(self) -> list[tuple[list[Fault], list[Fault]]]:
        """Return for each wire in order the gates and readings that are placed together with it."""
        turn = {wire: k for k, wire in enumerate(self.order)}
        settled: list[tuple[list[Fault], list[Fault]]] = [([], []) for _ in self.order]
        for kind, faults in enumerate((self.faults.gates, self.faults.readings.items())):
            for on, share in faults:
                settled[max(turn[wire] for wire in on)][kind].append((on, share))
        return settled

    def go_on(self, place: dict[int, Q], undetected: float, loss: float) -> None:
        """Try the next wire on every possible qubit; keep the place when no wire is left."""
        if len(place) == len(self.order):
            self.found = sorted([*self.found, (undetected, loss, place)], key=lambda one: one[:2])[: self.count]
            return
        for more, lost, longer in sorted(self._longer(place), key=lambda way: way[:2]):
            if self.left and self._may_do(undetected + more, loss + lost):
                self.left -= 1
                self.go_on(longer, undetected + more, loss + lost)

    def _may_do(self, undetected: float, loss: float) -> bool:
        """Tell whether a place with this cost so far can still be one of the best."""
        worst = self.found[-1][:2] if len(self.found) == self.count else (math.inf, math.inf)
        return loss <= self.most_loss and (undetected, loss) < worst

    def _longer(self, place: dict[int, Q]) -> Iterator[tuple[float, float, dict[int, Q]]]:
        """Yield the place with one more wire, and both costs of that wire."""
        wire = self.order[len(place)]
        for spot in self._spots(wire, place):
            longer = {**place, wire: spot}
            yield *self._added(len(place), longer), longer

    def _spots(self, wire: int, place: dict[int, Q]) -> list[Q]:
        """Return the free qubits beside those of the wire's partners."""
        taken, partners = set(place.values()), self.partners[wire]
        beside = [place[other] for other in partners if other in place]
        reach = self.beside[beside[0]] if beside else self.best_read
        free = [q for q in reach if q not in taken and all((other, q) in self.chip.pairs for other in beside)]
        return free if partners else free[:BEST_READ]

    def _added(self, turn: int, place: Mapping[int, Q]) -> tuple[float, float]:
        """Return what the gates and readings of a wire add to the undetected error and to the loss."""
        gates, readings = self.settled[turn]
        undetected = loss = 0.0
        for on, share in gates:
            error = self.chip.error([place[wire] for wire in on])
            undetected, loss = undetected + share * error, loss - _log(1 - error)
        for on, share in readings:
            error = math.prod(self.chip.read_out[place[wire]] for wire in on)
            undetected, loss = undetected + share * error, loss - (_log(1 - error) if len(on) == 1 else 0.0)
        return undetected, loss


def _connected(partners: Mapping[int, list[int]]) -> list[int]:
    """Return the wires, those with most partners first, each after one of its partners if it has any."""
    order: list[int] = []
    left = sorted(partners, key=lambda wire: -len(partners[wire]))
    while left:
        order.append(next((wire for wire in left if not set(partners[wire]).isdisjoint(order)), left[0]))
        left.remove(order[-1])
    return order
