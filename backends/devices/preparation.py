"""Preparations: a short circuit that makes a given state from |0...0>, exact up to a global phase.

The circuit is found backwards, by merging branches until one is left. CNOTs from a *pivot* (controlled on 1 or on 0)
make two branches differ in the pivot only. A Z^t on the pivot aligns their phases at no cost. A turn of the pivot then
merges them.

The turn depends on some control qubits, so that it merges the pairs it fits and leaves the others alone. It alternates
RY and CZ: with k controls and 2^k - 1 CZ each setting of the controls has its own turn,

    R(a0)  CZ(c_g(0))  R(a1)  CZ(c_g(1))  ...  R(a_last),     g = 0 1 0 2 0 1 0 ...

since moving the Z of a setting to the front only flips signs: the turn is R(sum +-a_i), after a Z on the pivot where
the last control is 1. That Z is taken into account in the branches. Game states (few branches that differ in few
qubits) need few controls.

Several sequences are explored at once, and the cheapest is taken.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from qchess.backends.deadline import Clock
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Operation, Qubit, cz, ry, x, z
from qchess.circuits.program import Program

Branches = dict[int, complex]

#: states of more branches have no short circuit
BRANCH_LIMIT = 256
#: how many of the closest pairs are compared at every step
PAIRS = 16
#: the most controls of a turn
CONTROLS = 3
#: how many sequences are explored, and how many continuations of each; one for large states
WAYS, TRIES, LARGE = 4, 3, 16
#: small states are searched more thoroughly
SMALL, CLOSELY = 5, 12
#: the typical cost of a merge, to estimate the remaining cost
USUAL = 2.0
#: how many preparations are cached: the same state is often asked about again
KEPT = 256
_KNOWN: dict[tuple[tuple[Qubit, ...], tuple[tuple[int, complex], ...]], Program] = {}
#: ratios closer than this count as equal
SAME = 1e-12
#: smaller phases or turns are rounding errors, not worth a gate
EPSILON = 1e-15


def preparation(
    qubits: Sequence[Qubit], amplitudes: Mapping[int, complex], clock: Clock | None = None
) -> Program:  # fmt: skip
    """Return the circuit that makes this state from all zeros; bit k of a key is ``qubits[k]``.

    >>> preparation(('a', 'b'), {0b01: 0.5**0.5, 0b10: -0.5**0.5})
    Program(x('b'), ry('a', 1.5707963267948966), z('a', -1.0), x('b').when({'a': 1}))
    """
    if len(amplitudes) > BRANCH_LIMIT:
        raise BackendError(f"at most {BRANCH_LIMIT} branches can be prepared, the state has {len(amplitudes)}")
    state = (tuple(qubits), tuple(sorted(amplitudes.items())))
    if state not in _KNOWN:
        if len(_KNOWN) >= KEPT:
            _KNOWN.clear()
        _KNOWN[state] = _found(qubits, amplitudes, clock)
    return _KNOWN[state]


def _found(qubits: Sequence[Qubit], amplitudes: Mapping[int, complex], clock: Clock | None) -> Program:
    end = _shortest(dict(amplitudes), len(qubits), clock)
    ones = [x(q) for k, q in enumerate(qubits) for key in end.branches if key >> k & 1]
    return Program(*ones, *(merge.undone(qubits) for merge in reversed(end.merges)))


@dataclass(frozen=True, slots=True)
class Way:
    """Some merges, the branches after them, and their two-qubit gates."""

    branches: Branches
    merges: tuple[Merge, ...] = ()
    cost: int = 0

    @property
    def outlook(self) -> float:
        """Return the estimated total cost."""
        return self.cost + USUAL * (len(self.branches) - 1)

    def then(self, merge: Merge) -> Way:
        """Return the sequence with one more merge."""
        return Way(merge.apply(self.branches), (*self.merges, merge), self.cost + merge.cost)


def _shortest(branches: Branches, size: int, clock: Clock | None) -> Way:
    """Return the cheapest sequence found to a single branch."""
    ways, ended = [Way(branches)], []
    while ways:
        if clock is not None:
            clock.check()
        ended += [way for way in ways if len(way.branches) == 1]
        open_ways = [way for way in ways if len(way.branches) > 1]
        wide = len(open_ways) <= 1 or len(open_ways[0].branches) <= LARGE
        tries, kept = (TRIES, WAYS) if wide and len(branches) <= LARGE else (1, 1)
        found: dict[frozenset[int], Way] = {}
        for way in open_ways:
            closely = CLOSELY if len(way.branches) <= SMALL else tries
            for merge in _merges(way.branches, size)[:closely]:
                after = way.then(merge)
                known = found.setdefault(frozenset(after.branches), after)
                if after.cost < known.cost:
                    found[frozenset(after.branches)] = after
        ways = sorted(found.values(), key=lambda way: way.outlook)[:kept]
    return min(ended, key=lambda way: way.cost)


@dataclass(frozen=True, slots=True)
class Merge:
    """One step: `flips` are flipped where the pivot is `when`; then a phase on the pivot and its controlled turn.

    Pivot, flips and controls are masks of bits; `turns` has an angle for each setting of the controls, whose
    k-th lowest bit is bit k of the setting.
    """

    pivot: int
    when: int
    flips: int
    controls: tuple[int, ...]
    phase: float
    turns: tuple[float, ...]
    #: how many branches the step removes
    gain: int

    @property
    def cost(self) -> int:
        """Return the two-qubit gates of the step."""
        return self.flips.bit_count() + (1 << len(self.controls)) - 1

    def undone(self, qubits: Sequence[Qubit]) -> Program:
        """Return the inverse of the step, as operations."""
        pivot, flipped = qubits[self.pivot.bit_length() - 1], _named(self.flips, qubits)
        controls = [qubits[bit.bit_length() - 1] for bit in self.controls]
        turn: list[Operation] = []
        for place, angle in enumerate(_alternating(self.turns)):
            turn += [cz(controls[_ruler(place - 1)], pivot)] if place else []
            turn += [ry(pivot, -angle)] if abs(angle) > EPSILON else []
        phase = [z(pivot, -self.phase / math.pi)] if abs(self.phase) > EPSILON else []
        back = [x(q).when({pivot: int(bool(self.when))}) for q in flipped]
        return Program(*reversed(turn), *phase, *back)

    def apply(self, branches: Branches) -> Branches:
        """Return the branches after the step."""
        factor = cmath.rect(1, self.phase)
        after: Branches = {}
        for low, (a, b) in _pairs(_flipped(branches, self.pivot, self.when, self.flips), self.pivot).items():
            setting = _setting(low, self.controls)
            b *= -factor if self.controls and low & self.controls[-1] else factor
            c, s = math.cos(self.turns[setting] / 2), math.sin(self.turns[setting] / 2)
            if self.turns[setting]:
                one, other = c * a - s * b, s * a + c * b
                a, b = one, 0j if abs(other) <= SAME * abs(one) else other
            after.update((key, v) for key, v in ((low, a), (low | self.pivot, b)) if v)
        return after


def _merges(branches: Branches, size: int) -> list[Merge]:
    """Return the steps that merge a close pair, the cheapest for each branch."""
    keys = sorted(branches)[:64]
    near = sorted(combinations(keys, 2), key=lambda pair: (pair[0] ^ pair[1]).bit_count())[:PAIRS]
    found = {merge for first, second in near for pivot in _bits(first ^ second)
             for when in ((pivot, 0) if first ^ second ^ pivot else (pivot,))
             for merge in _steps(branches, first, pivot, when, first ^ second ^ pivot, size)}  # fmt: skip
    return sorted(found, key=lambda merge: (merge.cost / merge.gain, merge.cost, merge.pivot, merge.flips, -merge.when))


def _steps(branches: Branches, member: int, pivot: int, when: int, flips: int, size: int) -> Iterator[Merge]:
    """Yield the steps with these flips that merge `member` with its partner, with few controls and with more."""
    pairs = _pairs(_flipped(branches, pivot, when, flips), pivot)
    home = (member ^ flips if member & pivot == when else member) & ~pivot
    a, b = pairs[home]
    phase = cmath.phase(a / b)
    controls: tuple[int, ...] = ()
    best = 0
    for _ in range(CONTROLS + 1):
        step = _turned(pairs, pivot, when, flips, controls, phase)
        if step.gain > best and step.turns[_setting(home, controls)]:
            best = step.gain
            yield step
        left = (1 << size) - 1 & ~pivot & ~sum(controls)
        if not left or step.gain == sum(0 not in pair for pair in pairs.values()):
            return
        controls = max((_sorted(*controls, bit) for bit in _bits(left)),
                       key=lambda more: _separation(pairs, pivot, more, home, phase))  # fmt: skip
    if not best:  # no three controls keep the turn off all others: take as many as that needs
        yield _guarded(pairs, pivot, when, flips, home, phase, size)


def _separation(
    pairs: Mapping[int, tuple[complex, complex]], pivot: int, controls: tuple[int, ...], home: int, phase: float
) -> tuple[int, int]:
    """Return how good some controls are: what merges with them, and how few others share the setting of home."""
    gain = _turned(pairs, pivot, 0, 0, controls, phase).gain
    mine = _setting(home, controls)
    crowd = sum(_setting(low, controls) == mine and not _same_ratio(pair, pairs[home]) for low, pair in pairs.items())
    return (gain, -crowd)


def _turned(
    pairs: Mapping[int, tuple[complex, complex]],
    pivot: int,
    when: int,
    flips: int,
    controls: tuple[int, ...],
    phase: float,
) -> Merge:
    """Return the step with these controls; a setting whose pairs need different turns is not turned."""
    settings: dict[int, list[tuple[complex, complex]]] = {}
    for low, pair in pairs.items():
        settings.setdefault(_setting(low, controls), []).append(pair)
    turns, gain = [0.0] * 2 ** len(controls), 0
    factor = cmath.rect(1, phase)
    for setting, members in settings.items():
        a, b = members[0]
        if not all(_same_ratio(pair, (a, b)) for pair in members):
            continue
        b *= -factor if controls and setting >> (len(controls) - 1) & 1 else factor
        ratio = b / a
        if abs(ratio.imag) <= SAME * abs(ratio):
            turns[setting] = -2 * math.atan(ratio.real)
            gain += len(members)
    return Merge(pivot, when, flips, controls, phase, tuple(turns), gain)


def _guarded(
    pairs: Mapping[int, tuple[complex, complex]], pivot: int, when: int, flips: int, home: int, phase: float, size: int
) -> Merge:
    """Return the step that turns only home's setting, with enough controls to exclude all others."""
    controls: tuple[int, ...] = ()
    spoilt = [low for low, pair in pairs.items() if not _same_ratio(pair, pairs[home])]
    while spoilt:
        left = (1 << size) - 1 & ~pivot & ~sum(controls)
        best = max(_bits(left), key=lambda bit: sum(bool((low ^ home) & bit) for low in spoilt))
        controls = _sorted(*controls, best)
        spoilt = [low for low in spoilt if not (low ^ home) & best]
    return _turned(pairs, pivot, when, flips, controls, phase)


def _sorted(*bits: int) -> tuple[int, ...]:
    return tuple(sorted(bits))


def _setting(low: int, controls: Sequence[int]) -> int:
    """Return the values of the controls in a branch, as a number."""
    return sum(1 << k for k, bit in enumerate(controls) if low & bit)


def _ruler(place: int) -> int:
    """Return the control of the CZ at a place: 0 1 0 2 0 1 0 ..."""
    return (place + 1 & -(place + 1)).bit_length() - 1


def _alternating(turns: Sequence[float]) -> list[float]:
    """Return the angles between the CZ that give each setting its turn, by the signs of the module's formula."""
    size = len(turns)
    signs = _signs(size)
    # the rows of signs are orthogonal: each is a parity of the setting's bits
    return [sum(signs[s][i] * turns[s] for s in range(size)) / size for i in range(size)]


@lru_cache(maxsize=8)
def _signs(size: int) -> tuple[tuple[int, ...], ...]:
    """Return for each setting the sign of each angle: minus if an odd number of Z comes after it."""
    return tuple(
        tuple((-1) ** sum(s >> _ruler(j) & 1 for j in range(i, size - 1)) for i in range(size)) for s in range(size)
    )


def _same_ratio(first: tuple[complex, complex], second: tuple[complex, complex]) -> bool:
    """Tell whether one turn merges both pairs."""
    (a, b), (c, d) = first, second
    return a != 0 and b != 0 and abs(a * d - b * c) <= SAME * abs(a * d)


def _flipped(branches: Branches, pivot: int, when: int, flips: int) -> Branches:
    return {key ^ flips if key & pivot == when else key: amplitude for key, amplitude in branches.items()}


def _pairs(branches: Branches, pivot: int) -> dict[int, tuple[complex, complex]]:
    """Return the amplitudes without and with the pivot's bit, for each setting of the other bits."""
    return {low: (branches.get(low, 0j), branches.get(low | pivot, 0j)) for low in (key & ~pivot for key in branches)}


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield mask & -mask
        mask &= mask - 1


def _named(mask: int, qubits: Sequence[Qubit]) -> list[Qubit]:
    return [qubits[bit.bit_length() - 1] for bit in _bits(mask)]
