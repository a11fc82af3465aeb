"""Places: where a circuit fits on a chip without swaps and with the least undetected error.

The circuit's wires are put on qubits one after the other, each beside those it shares a gate with. A place that is
already worse than those found, or less faithful than required, is abandoned early.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping
from typing import Generic, TypeVar

from qchess.backends.devices.chips import Chip
from qchess.backends.devices.faults import Faults

Q = TypeVar("Q", bound=Hashable)
#: the wires of a gate or reading, and its share
Fault = tuple[tuple[int, ...], float]
#: the search ends after this many steps, with the places found
STEPS = 5_000
#: a wire without two-qubit gates is tried on this many of the best-read qubits
BEST_READ = 2


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
