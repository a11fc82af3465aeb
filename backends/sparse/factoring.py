"""Find the finest product of a state, exactly and completely; vectors are given by their nonzero branches.

Two qubits i, j of one genuinely entangled block stay entangled when all others are projected on
generic product states (Popescu and Rohrlich, Phys. Lett. A 166, 293 (1992)); qubits of different
blocks never do. With weights w(x) = prod_k z_k^(x_k), |z_k| = 1, and g = psi w, the projected pair has
the matrix [[S - S_i - S_j + S_ij, S_j - S_ij], [S_i - S_ij, S_ij]], where S, S_i, S_ij sum g over all
branches, those with i = 1, those with i = j = 1. Its determinant is S S_ij - S_i S_j: zero for every
choice of z if and only if i and j are in different blocks. So one pass over the branches finds the
whole block of a qubit, even if no pair of qubits is correlated.

If branches are missing, the keys alone often prove as much at less cost (`_tied`), so they are tried first.

A proposed product is verified amplitude by amplitude, and not split if that fails. This is the simple version, on
dicts; `splitting` does the same on columns, in one kernel call.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from functools import cache, reduce
from operator import and_, or_

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse.clear import Table, scale, weight
from qchess.backends.sparse.columns import WIDTH
from qchess.circuits.precision import PRODUCT

#: how many sets of weights are tried, in case one fails by coincidence
ATTEMPTS = 4

Part = tuple[tuple[int, ...], Table]
Split = tuple[complex, Table, Table]


def finest_product(table: Table, positions: tuple[int, ...]) -> tuple[complex, list[Part]]:
    """Return a phase and the blocks (positions, branches) whose product is the state; no position may be constant."""
    phase = 1 + 0j
    parts: list[Part] = []
    left = positions
    for first in positions:
        if first not in left:
            continue
        left = (first, *(p for p in left if p != first))
        block, split = _split_off(table, left)
        if len(block) == len(left):
            break
        if split is not None:  # else it hangs on others by less than the sums can show, and stays with the rest
            factor, inside, table = split
            phase *= factor
            parts.append((tuple(p for p in left if p in block), inside))
            left = tuple(p for p in left if p not in block)
    return phase, [*parts, (left, table)]


def _split_off(table: Table, positions: tuple[int, ...]) -> tuple[set[int], Split | None]:
    """Return the block of the first position, and the state as its product with the rest if it factors."""
    if _is_prime(len(table)):
        return set(positions), None
    block = _tied(table, positions)
    for attempt in range(ATTEMPTS):
        if attempt:  # another set of weights each time, should the last have met an accident
            block |= _linked(table, positions, attempt - 1)
        if len(block) == len(positions):
            break
        split = _split(table, _mask(block), _mask(p for p in positions if p not in block))
        if split is not None:
            return block, split
    return block, None


def _is_prime(n: int) -> bool:
    """Tell whether n branches cannot be a product: both factors would need two or more."""
    return n < 4 or all(n % k for k in range(2, math.isqrt(n) + 1))


def _tied(table: Table, positions: tuple[int, ...]) -> set[int]:
    """Return what the keys alone prove to be in the first position's block: bits tied by missing branches.

    When bits of one block are fixed, the bits of another block still take all their patterns. So the block grows by
    each bit that is constant with some pattern of the block and not with another.
    """
    block = 1 << positions[0]
    while True:
        every: dict[int, int] = {}
        some: dict[int, int] = {}
        for key in table:
            pattern = key & block
            if pattern in every:
                every[pattern] &= key
                some[pattern] |= key
            else:
                every[pattern] = some[pattern] = key
        grown = block | _differ(every.values()) | _differ(some.values())
        if grown == block or grown.bit_count() == len(positions):
            return {p for p in positions if grown >> p & 1}
        block = grown


def _differ(keys: Collection[int]) -> int:
    """Return the bits in which some of the keys differ."""
    return reduce(or_, keys) & ~reduce(and_, keys)


def _linked(table: Table, positions: tuple[int, ...], attempt: int) -> set[int]:
    """Return the positions that one set of generic projections proves to be in the first one's block."""
    phases = generic_phases(attempt, max(WIDTH, 1 + max(positions)))[list(positions)]
    sums = _sums(_bits(table, positions), np.array(list(table.values()), np.complex128), phases)
    return {p for p, yes in zip(positions, _proven(*sums), strict=True) if yes} | {positions[0]}


def _bits(table: Table, positions: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the bit of every key, one row per position."""
    if max(positions) > 62:
        return np.array([[key >> p & 1 for key in table] for p in positions], np.float64)
    keys = np.fromiter(table, np.int64, len(table))
    return (keys >> np.array(positions, np.int64)[:, None] & 1).astype(np.float64)


def _sums(
    bits: NDArray[np.float64], amplitude: NDArray[np.complex128], phases: NDArray[np.complex128]
) -> tuple[complex, NDArray[np.complex128], NDArray[np.complex128]]:
    """Return S, all S_i, and all S_ij with i the first qubit; `bits` has one row per qubit."""
    g = amplitude * np.exp(1j * (np.angle(phases) @ bits))
    pair = np.stack([g, g * bits[0]], axis=1)
    single, double = (bits @ pair).T
    return complex(g.sum()), single, double


def _proven(total: complex, single: NDArray[np.complex128], double: NDArray[np.complex128]) -> NDArray[np.bool_]:
    """Return which qubits have a determinant with the first one above rounding."""
    determinant = total * double - single[0] * single
    size = np.abs(single) + abs(total)
    linked: NDArray[np.bool_] = np.abs(determinant) > PRODUCT * np.maximum(size, 1e-6)
    return linked


@cache
def generic_phases(attempt: int, width: int) -> NDArray[np.complex128]:
    """Return fixed generic phases, one per bit position."""
    angles = np.random.default_rng(20_260_000 + attempt).uniform(0, 2 * math.pi, width)
    phases: NDArray[np.complex128] = np.exp(1j * angles)
    return phases


def _mask(positions: Iterable[int]) -> int:
    return sum(1 << p for p in positions)


def _split(table: Table, inside: int, outside: int) -> Split | None:
    """Return the state as phase * first * second across this cut, or None if it is not a product."""
    top, highest = max(table.items(), key=lambda branch: abs(branch[1]))
    first = {key & inside: a for key, a in table.items() if key & outside == top & outside}
    second = {key & outside: a for key, a in table.items() if key & inside == top & inside}
    if len(first) * len(second) != len(table):
        return None
    for key, amplitude in table.items():
        built = first.get(key & inside, 0) * second.get(key & outside, 0) / highest
        if abs(built - amplitude) > PRODUCT:
            return None
    norms = [1 / math.sqrt(weight(part.values())) for part in (first, second)]
    return abs(highest) / highest, scale(first, norms[0]), scale(second, norms[1])
