"""Finds the finest product that a sparse state is, exactly and completely.

Two qubits i, j of one genuinely entangled block stay entangled when all others are projected on
generic product states (Popescu and Rohrlich, Phys. Lett. A 166, 293 (1992)); qubits of different
blocks never do. With weights w(x) = prod_k z_k^(x_k), |z_k| = 1, and g = psi w, the projected pair has
the matrix [[S - S_i - S_j + S_ij, S_j - S_ij], [S_i - S_ij, S_ij]], where S, S_i, S_ij sum g over all
branches, those with i = 1, those with i = j = 1. Its determinant is S S_ij - S_i S_j: zero for every
choice of z if and only if i and j are in different blocks. So one pass over the branches finds the
whole block of a qubit, also where no pair of qubits shows a correlation.

What the pass proposes is then verified amplitude by amplitude; a product that fails is not split.
"""

from __future__ import annotations

import cmath
import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse_clear import Table
from qchess.backends.sparse_columns import WIDTH, Columns, bits_at, in_order, key_at, where_equal, words

#: a determinant below this is a product's rounding; a proposed split must hold to `EXACT` anyway
LINKED = 1e-11
EXACT = 1e-11
#: from here on states are columns anyway, and the compiled pass is loaded
COMPILED = 129

Part = tuple[tuple[int, ...], Columns]


def finest_product(columns: Columns, positions: tuple[int, ...]) -> tuple[complex, list[Part]]:
    """A phase and the blocks (bit positions, columns) whose product the state is."""
    phase = 1 + 0j
    parts: list[Part] = []
    rest, left = columns, positions
    while len(left) > 1:
        found = _split_off(rest, left)
        if found is None:
            break
        factor, (block, inside), (left, rest) = found
        phase *= factor
        parts.append((block, inside))
    parts.append((left, rest))
    return phase, parts


def _split_off(columns: Columns, positions: tuple[int, ...]) -> tuple[complex, Part, Part] | None:
    """The block of the first qubit and what is left, or None where the state is whole."""
    block = {positions[0]}
    for attempt in range(3):  # another set of weights, should the first have met an accident
        block |= _linked(columns, positions, attempt)
        if len(block) == len(positions):
            return None
        inside = tuple(p for p in positions if p in block)
        outside = tuple(p for p in positions if p not in block)
        found = _as_product(columns, _mask(inside), _mask(outside))
        if found is not None:
            factor, first, second = found
            return factor, (inside, first), (outside, second)
    return None


def _linked(columns: Columns, positions: tuple[int, ...], attempt: int) -> set[int]:
    """The positions that one set of generic projections proves to be in the first one's block."""
    phases = _generic_phases(attempt)[list(positions)]
    if len(columns) >= COMPILED:
        from qchess.backends.sparse_kernels import projected_sums

        sums = projected_sums(*columns, np.array(positions, np.int64), phases, 0)
    else:
        sums = _sums(np.array([bits_at(columns, p) for p in positions], np.float64), columns.amplitude, phases)
    return {p for p, yes in zip(positions, _proven(*sums), strict=True) if yes} | {positions[0]}


def is_whole(table: Table, positions: tuple[int, ...]) -> bool:
    """Whether a small state is proven to be one block; False leaves the question open."""
    keys = list(table)
    if max(positions) < 63:
        bits = np.array(keys, np.int64) >> np.array(positions, np.int64)[:, None] & 1
    else:
        bits = np.array([[key >> p & 1 for key in keys] for p in positions], np.int64)
    amplitude = np.array(list(table.values()), np.complex128)
    sums = _sums(bits.astype(np.float64), amplitude, _generic_phases(0)[list(positions)])
    return bool(_proven(*sums)[1:].all())


def _sums(
    bits: NDArray[np.float64], amplitude: NDArray[np.complex128], phases: NDArray[np.complex128]
) -> tuple[complex, NDArray[np.complex128], NDArray[np.complex128]]:
    """S, all S_i, and all S_ij with i the first qubit; `bits` has a row a qubit."""
    g = amplitude * np.exp(1j * (np.angle(phases) @ bits))
    pair = np.stack([g, g * bits[0]], axis=1)
    single, double = (bits @ pair).T
    return complex(g.sum()), single, double


def _proven(total: complex, single: NDArray[np.complex128], double: NDArray[np.complex128]) -> NDArray[np.bool_]:
    """Which qubits have a determinant with the first one that is no rounding."""
    determinant = total * double - single[0] * single
    size = np.abs(single) + abs(total)
    linked: NDArray[np.bool_] = np.abs(determinant) > LINKED * np.maximum(size, 1e-6)
    return linked


@cache
def _generic_phases(attempt: int) -> NDArray[np.complex128]:
    """Fixed phases in no relation to each other, one a bit position."""
    angles = np.random.default_rng(20_260_000 + attempt).uniform(0, 2 * math.pi, WIDTH)
    phases: NDArray[np.complex128] = np.exp(1j * angles)
    return phases


def _mask(positions: tuple[int, ...]) -> int:
    return sum(1 << p for p in positions)


def _as_product(columns: Columns, inside: int, outside: int) -> tuple[complex, Columns, Columns] | None:
    """The state as phase * first * second across this cut, or None where it is none."""
    top = int(np.argmax(np.abs(columns.amplitude)))
    reference = key_at(columns, top)
    first = where_equal(columns, outside, reference & outside)
    second = where_equal(columns, inside, reference & inside)
    if len(first) * len(second) != len(columns):
        return None
    first, second = _cleared(first, inside), _cleared(second, outside)
    outer = np.multiply.outer(second.amplitude, first.amplitude).reshape(-1) / columns.amplitude[top]
    hi = np.bitwise_or.outer(second.hi, first.hi).reshape(-1)
    lo = np.bitwise_or.outer(second.lo, first.lo).reshape(-1)
    built = in_order(hi, lo, outer)
    same_keys = np.array_equal(built.hi, columns.hi) and np.array_equal(built.lo, columns.lo)
    if not same_keys or np.max(np.abs(built.amplitude - columns.amplitude)) > EXACT:
        return None
    phase = cmath.exp(-1j * cmath.phase(complex(columns.amplitude[top])))
    return phase, _normalised(first), _normalised(second)


def _cleared(columns: Columns, care: int) -> Columns:
    high, low = words(care)
    return Columns(columns.hi & high, columns.lo & low, columns.amplitude)


def _normalised(columns: Columns) -> Columns:
    return Columns(columns.hi, columns.lo, columns.amplitude / np.linalg.norm(columns.amplitude))
