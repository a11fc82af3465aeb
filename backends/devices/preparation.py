"""Preparations: a short circuit that makes a given state from |0...0>, exact up to a global phase.

The circuit is found backwards, by merging branches until one is left. Two branches that differ in
several qubits are made to differ in one, the *pivot*, by CNOTs from it; a Z^t on the pivot aligns their
phases and costs nothing; an RY on the pivot then turns both into one. Controls keep the RY off the
branches it would spoil. Pairs with the same ratio merge in the same turn, so a state that is nearly a
product is cheap. Game states (few branches, few qubits apart) need few controls.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from qchess.backends.devices.deadline import Clock
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Qubit, cnot, ry, x, z
from qchess.circuits.program import Program

Branches = dict[int, complex]

#: a state of more branches has no short circuit
BRANCH_LIMIT = 256
#: how many of the closest pairs are weighed against each other at every step
PAIRS = 24
#: ratios closer than this are the same
SAME = 1e-12
#: a phase this small is rounding, not worth a gate
EPSILON = 1e-15


def preparation(qubits: Sequence[Qubit], amplitudes: Mapping[int, complex], clock: Clock | None = None) -> Program:
    """The circuit that makes this state from all zeros; bit k of a key is ``qubits[k]``.

    >>> preparation(('a', 'b'), {0b01: 0.5**0.5, 0b10: -0.5**0.5})
    Program(x('b'), ry('a', 1.5707963267948966), z('a', -1.0), x('b').when({'a': 1}))
    """
    if len(amplitudes) > BRANCH_LIMIT:
        raise BackendError(f"at most {BRANCH_LIMIT} branches can be prepared, the state has {len(amplitudes)}")
    branches, merges = dict(amplitudes), []
    while len(branches) > 1:
        if clock is not None:
            clock.check()
        merges.append(_best_merge(branches, len(qubits)))
        branches = merges[-1].apply(branches)
    ones = [x(q) for k, q in enumerate(qubits) for key in branches if key >> k & 1]
    return Program(*ones, *(merge.undone(qubits) for merge in reversed(merges)))


@dataclass(frozen=True, slots=True)
class Merge:
    """One step: `flips` changed where the pivot is 1, a phase on the pivot, and an RY under controls.

    All but the angles are masks of bits; the controls are the bits of `care` with the values in `value`.
    """

    pivot: int
    flips: int
    care: int
    value: int
    phase: float
    angle: float
    #: how many branches are fewer afterwards
    gain: int

    @property
    def cost(self) -> float:
        """A guess of the two-qubit gates for each branch that goes; from three controls on they need flags."""
        controls = self.care.bit_count()
        turn = 2 * controls if controls < 3 else 12 * (controls - 2)
        return (self.flips.bit_count() + turn) / self.gain

    def undone(self, qubits: Sequence[Qubit]) -> Program:
        """The step backwards, as operations."""
        pivot, flipped = qubits[self.pivot.bit_length() - 1], _named(self.flips, qubits)
        ones = _named(self.value, qubits)
        turn = ry(pivot, -self.angle).when({q: int(q in ones) for q in _named(self.care, qubits)})
        phase = [z(pivot, -self.phase / math.pi)] if abs(self.phase) > EPSILON else []
        return Program(turn, *phase, *(cnot(pivot, q) for q in flipped))

    def apply(self, branches: Branches) -> Branches:
        """The branches after the step."""
        factor = cmath.rect(1, self.phase)
        c, s = math.cos(self.angle / 2), math.sin(self.angle / 2)
        after: Branches = {}
        for low, (a, b) in _pairs(_flipped(branches, self.pivot, self.flips), self.pivot).items():
            b *= factor
            kept = (c * a - s * b, 0j) if low & self.care == self.value else (a, b)
            after.update((key, v) for key, v in zip((low, low | self.pivot), kept, strict=True) if v)
        return after


def _best_merge(branches: Branches, size: int) -> Merge:
    """The cheapest merge of a close pair."""
    keys = sorted(branches)[:64]
    near = sorted(combinations(keys, 2), key=lambda pair: (pair[0] ^ pair[1]).bit_count())[:PAIRS]
    merges = [_merge(branches, first, pivot, first ^ second ^ pivot, size)
              for first, second in near for pivot in _bits(first ^ second)]  # fmt: skip
    return min(merges, key=lambda merge: merge.cost)


def _merge(branches: Branches, member: int, pivot: int, flips: int, size: int) -> Merge:
    """The step that merges `member` and its partner, which differs in the pivot and the flips."""
    pairs = _pairs(_flipped(branches, pivot, flips), pivot)
    home = (member ^ flips if member & pivot else member) & ~pivot
    a, b = pairs[home]
    spoilt = [low for low, pair in pairs.items() if not _same_ratio(pair, (a, b))]
    care, left = 0, (1 << size) - 1 & ~pivot
    while spoilt:
        best = max(_bits(left & ~care), key=lambda bit: sum(bool((low ^ home) & bit) for low in spoilt))
        care |= best
        spoilt = [low for low in spoilt if not (low ^ home) & best]
    gain = sum(low & care == home & care for low in pairs)
    phase = cmath.phase(a / b)
    return Merge(pivot, flips, care, home & care, phase, -2 * math.atan2(abs(b), abs(a)), gain)


def _same_ratio(first: tuple[complex, complex], second: tuple[complex, complex]) -> bool:
    """Whether one turn empties both of their partners."""
    (a, b), (c, d) = first, second
    return a != 0 and b != 0 and abs(a * d - b * c) <= SAME * abs(a * d)


def _flipped(branches: Branches, pivot: int, flips: int) -> Branches:
    return {key ^ flips if key & pivot else key: amplitude for key, amplitude in branches.items()}


def _pairs(branches: Branches, pivot: int) -> dict[int, tuple[complex, complex]]:
    """The amplitudes without and with the pivot's bit, for each setting of the other bits."""
    return {low: (branches.get(low, 0j), branches.get(low | pivot, 0j)) for low in (key & ~pivot for key in branches)}


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1


def _named(mask: int, qubits: Sequence[Qubit]) -> list[Qubit]:
    return [qubits[bit.bit_length() - 1] for bit in _bits(mask)]
