"""The simple version of the sparse engine's arithmetic: a dict from key to amplitude.

It serves small states and any number of qubits, and is the reference of the kernels' tests. A key is an integer with
one bit per qubit. `care`, `low` and `high` are masks: the bits of a gate and its controls, and the two patterns of
those bits that its 2x2 matrix mixes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import and_, itemgetter, or_

import numpy as np

from qchess.circuits.operations import Matrix
from qchess.circuits.precision import NOISE

Table = dict[int, complex]
#: a cube of a predicate: key & care == want
MaskedCube = tuple[int, int]


def rotate(table: Table, care: int, low: int, high: int, matrix: Matrix) -> Table:
    """Mix the two patterns by the matrix in every branch; other branches are unchanged."""
    (a, b), (c, d) = matrix
    if b == 0 and c == 0:
        return _shift_phases(table, care, low, high, a, d)
    if a == 0 and d == 0:
        return _exchange(table, care, low, high, b, c)
    flip = low ^ high
    partner = table.get
    # no share of a lone branch is noise then, unless the branch itself nearly is
    plain = abs(a) > 1e-3 and abs(c) > 1e-3
    result: Table = {}
    for key, amplitude in table.items():
        bits = key & care
        if bits == low:
            other = partner(key ^ flip)
            if other is None:
                if plain:
                    result[key] = a * amplitude
                    result[key ^ flip] = c * amplitude
                    continue
                stays, goes = a * amplitude, c * amplitude
            else:
                stays, goes = a * amplitude + b * other, c * amplitude + d * other
        elif bits == high:
            if key ^ flip in table:
                continue  # its partner speaks for both
            stays, goes = d * amplitude, b * amplitude
        else:
            result[key] = amplitude
            continue
        if abs(stays) > NOISE:
            result[key] = stays
        if abs(goes) > NOISE:
            result[key ^ flip] = goes
    return result


def growth(table: Table, care: int, low: int, high: int) -> int:
    """Return how many branches `rotate` could add: those moved without a partner."""
    flip = low ^ high
    return sum((key & care in (low, high)) and key ^ flip not in table for key in table)


def _shift_phases(table: Table, care: int, low: int, high: int, a: complex, d: complex) -> Table:
    if a == d:
        return {
            key: amplitude * a if (bits := key & care) == low or bits == high else amplitude
            for key, amplitude in table.items()
        }
    if a == 1:
        return {key: amplitude * d if key & care == high else amplitude for key, amplitude in table.items()}
    factor = {low: a, high: d}.get
    return {key: amplitude * factor(key & care, 1) for key, amplitude in table.items()}


def _exchange(table: Table, care: int, low: int, high: int, b: complex, c: complex) -> Table:
    flip = low ^ high
    result: Table = {}
    for key, amplitude in table.items():
        bits = key & care
        if bits == low:
            result[key ^ flip] = c * amplitude
        elif bits == high:
            result[key ^ flip] = b * amplitude
        else:
            result[key] = amplitude
    return result


def weight(amplitudes: Iterable[complex]) -> float:
    """Return the total probability of some amplitudes."""
    total = 0.0
    for amplitude in amplitudes:
        total += amplitude.real * amplitude.real + amplitude.imag * amplitude.imag
    return total


def marginals(table: Table, positions: Sequence[int]) -> list[float]:
    """Return the probability of 1 at each position."""
    weights = [(key, a.real * a.real + a.imag * a.imag) for key, a in table.items()]
    bits = [1 << k for k in positions]
    return [min(1.0, sum([weight for key, weight in weights if key & bit])) for bit in bits]


def select(table: Table, cubes: Sequence[MaskedCube], answer: int) -> Table:
    """Return the branches where any cube matches (answer 1) or none does (answer 0), not normalised."""
    if len(cubes) == 1:
        care, want = cubes[0]
        if answer:
            return {key: amplitude for key, amplitude in table.items() if key & care == want}
        return {key: amplitude for key, amplitude in table.items() if key & care != want}
    wanted = bool(answer)
    return {
        key: amplitude for key, amplitude in table.items() if any(key & care == want for care, want in cubes) is wanted
    }


def scale(table: Table, factor: complex) -> Table:
    """Return the table with every amplitude times the factor."""
    return {key: amplitude * factor for key, amplitude in table.items()}


def gather(key: int, positions: Sequence[int]) -> int:
    """Return the number whose bit k is the key's bit at ``positions[k]``."""
    result = 0
    for k, position in enumerate(positions):
        result |= (key >> position & 1) << k
    return result


def rearrange(table: Table, positions: Sequence[int]) -> Table:
    """Return the table with its bits gathered; the positions must include every bit that varies."""
    width = 1 + max(positions, default=0)
    if len(table) >= 8 and width > 63:  # the digits of a number are quicker to pick than its bits
        pick = itemgetter(*(width - 1 - position for position in reversed(positions)))
        digits = (f"{key & (1 << width) - 1:0{width}b}" for key in table)
        return dict(zip((int("".join(pick(row)), 2) for row in digits), table.values(), strict=True))
    if len(table) < 8 or len(positions) > 62:
        return {gather(key, positions): amplitude for key, amplitude in table.items()}
    keys = np.fromiter(table, np.int64, len(table))
    gathered = np.zeros_like(keys)
    for k, position in enumerate(positions):
        gathered |= (keys >> position & 1) << k
    return dict(zip(gathered.tolist(), table.values(), strict=True))


def product(first: Table, second: Table, width: int) -> Table:
    """Return the product state, the second table's bits placed above the first one's `width` bits."""
    lifted = [(key << width, amplitude) for key, amplitude in second.items()]
    return {key | above: a * b for above, b in lifted for key, a in first.items()}


def common_bits(table: Table) -> tuple[int, int]:
    """Return the bits that are 1 in every branch, and those that are 1 in some."""
    return reduce(and_, table), reduce(or_, table)
