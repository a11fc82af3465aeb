"""Compiled kernels of the sparse engine, for large states: sorted columns instead of a dict.

A state is three arrays: the high and the low 64 bits of each key, in ascending order, and the
amplitudes. The branches that a gate moves form two classes (pattern `low`, pattern `high`). Going from
one to the other adds the same number to every key of a class, so what a class becomes is sorted
again: partners are found by walking both classes side by side, and new branches are merged in, without
search or hashing. All is linear in the branches and kind to the cache.

`sparse_clear` is the same arithmetic in plain sight and the test of this module.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

NOISE_SQUARED = 1e-24
Keys = NDArray[np.uint64]
Amplitudes = NDArray[np.complex128]


@njit(cache=True, nogil=True)
def members(hi, lo, care_hi, care_lo, want_hi, want_lo):  # type: ignore[no-untyped-def]
    """Where the keys are that show the wanted bits."""
    found = np.empty(hi.size, np.int64)
    m = 0
    for k in range(hi.size):  # written always, kept when it matches: no branch to mispredict
        found[m] = k
        m += ((hi[k] & care_hi) == want_hi) & ((lo[k] & care_lo) == want_lo)
    return found[:m]


@njit(cache=True, nogil=True, inline="always")
def _order(a_hi, a_lo, b_hi, b_lo):  # type: ignore[no-untyped-def]
    """-1, 0 or 1: which of two keys comes first."""
    if a_hi != b_hi:
        return -1 if a_hi < b_hi else 1
    if a_lo != b_lo:
        return -1 if a_lo < b_lo else 1
    return 0


@njit(cache=True, nogil=True)
def pairs(hi, lo, lows, highs, low_hi, low_lo, high_hi, high_lo):  # type: ignore[no-untyped-def]
    """How many of the low class have their partner in the high class."""
    i = j = found = 0
    while i < lows.size and j < highs.size:
        x, y = lows[i], highs[j]
        order = _order(hi[x] ^ low_hi, lo[x] ^ low_lo, hi[y] ^ high_hi, lo[y] ^ high_lo)
        found += order == 0
        i += order <= 0
        j += order >= 0
    return found


@njit(cache=True, nogil=True)
def apply(  # type: ignore[no-untyped-def]
    hi, lo, amp, care_hi, care_lo, low_hi, low_lo, high_hi, high_lo, a, b, c, d, limit
):
    """The columns after the 2x2 matrix acted between the classes `low` and `high`, and how many rows they have.

    Where these are more than the limit, the columns come back unchanged. Masks are signed words.
    """
    care_hi, low_hi, high_hi = np.uint64(care_hi), np.uint64(low_hi), np.uint64(high_hi)
    care_lo, low_lo, high_lo = np.uint64(care_lo), np.uint64(low_lo), np.uint64(high_lo)
    if b == 0 and c == 0:
        return hi, lo, shift_phases(hi, lo, amp, care_hi, care_lo, low_hi, low_lo, high_hi, high_lo, a, d), hi.size
    lows = members(hi, lo, care_hi, care_lo, low_hi, low_lo)
    highs = members(hi, lo, care_hi, care_lo, high_hi, high_lo)
    if hi.size + lows.size + highs.size > limit and not (a == 0 and d == 0):
        alone = lows.size + highs.size - 2 * pairs(hi, lo, lows, highs, low_hi, low_lo, high_hi, high_lo)
        if hi.size + alone > limit:
            return hi, lo, amp, hi.size + alone
    hi, lo, amp = rotate(hi, lo, amp, lows, highs, low_hi, low_lo, high_hi, high_lo, a, b, c, d)
    return hi, lo, amp, hi.size


@njit(cache=True, nogil=True)
def rotate(  # type: ignore[no-untyped-def]
    hi, lo, amp, lows, highs, low_hi, low_lo, high_hi, high_lo, a, b, c, d
):
    """The columns after the 2x2 matrix acted between the classes at `lows` and `highs`."""
    n = amp.size
    out = np.empty(n + lows.size + highs.size, np.complex128)  # memory never written costs nothing
    out[:n] = amp
    alone_low, alone_high = _mix(hi, lo, amp, out, lows, highs, low_hi, low_lo, high_hi, high_lo, a, b, c, d)
    from_low, from_high = _loud(amp, alone_low, c), _loud(amp, alone_high, b)
    kept = 0
    for k in range(n):
        kept += _is_loud(out[k])
    size = kept + from_low + from_high
    if size == n and kept == n:
        return hi, lo, out[:n]
    out_hi, out_lo = np.empty(max(n, size), np.uint64), np.empty(max(n, size), np.uint64)
    m = 0
    for k in range(n):
        out_hi[m], out_lo[m], out[m] = hi[k], lo[k], out[k]
        m += _is_loud(out[m])
    flip_hi, flip_lo = low_hi ^ high_hi, low_lo ^ high_lo
    _merge_in(out_hi, out_lo, out, kept, hi, lo, amp, alone_low[:from_low], c, flip_hi, flip_lo)
    _merge_in(out_hi, out_lo, out, kept + from_low, hi, lo, amp, alone_high[:from_high], b, flip_hi, flip_lo)
    return out_hi[:size], out_lo[:size], out[:size]


@njit(cache=True, nogil=True)
def _mix(  # type: ignore[no-untyped-def]
    hi, lo, amp, out, lows, highs, low_hi, low_lo, high_hi, high_lo, a, b, c, d
):
    """Changes the amplitudes that are there; says which branches of each class have no partner."""
    alone_low, alone_high = np.empty(lows.size, np.int64), np.empty(highs.size, np.int64)
    i = j = m_low = m_high = 0
    while i < lows.size and j < highs.size:
        x, y = lows[i], highs[j]
        order = _order(hi[x] ^ low_hi, lo[x] ^ low_lo, hi[y] ^ high_hi, lo[y] ^ high_lo)
        if order == 0:
            out[x] = a * amp[x] + b * amp[y]
            out[y] = c * amp[x] + d * amp[y]
        alone_low[m_low] = x
        alone_high[m_high] = y
        m_low += order < 0
        m_high += order > 0
        i += order <= 0
        j += order >= 0
    for k in range(i, lows.size):
        alone_low[m_low] = lows[k]
        m_low += 1
    for k in range(j, highs.size):
        alone_high[m_high] = highs[k]
        m_high += 1
    for k in range(m_low):
        out[alone_low[k]] = a * amp[alone_low[k]]
    for k in range(m_high):
        out[alone_high[k]] = d * amp[alone_high[k]]
    return alone_low[:m_low], alone_high[:m_high]


@njit(cache=True, nogil=True, inline="always")
def _is_loud(value):  # type: ignore[no-untyped-def]
    """Whether an amplitude is more than noise."""
    return value.real * value.real + value.imag * value.imag > NOISE_SQUARED


@njit(cache=True, nogil=True)
def _loud(amp, where, factor):  # type: ignore[no-untyped-def]
    """Moves to the front those branches that found more than noise, and counts them."""
    m = 0
    for k in range(where.size):
        where[m] = where[k]
        m += _is_loud(factor * amp[where[m]])
    return m


@njit(cache=True, nogil=True)
def _merge_in(  # type: ignore[no-untyped-def]
    out_hi, out_lo, out, held, hi, lo, amp, where, factor, flip_hi, flip_lo
):
    """Merges the branches founded by those at `where` into the first `held` rows, from the back."""
    p, q, w = held - 1, where.size - 1, held + where.size - 1
    while q >= 0:
        x = where[q]
        key_hi, key_lo = hi[x] ^ flip_hi, lo[x] ^ flip_lo
        if p >= 0 and (out_hi[p] > key_hi or (out_hi[p] == key_hi and out_lo[p] > key_lo)):
            out_hi[w], out_lo[w], out[w] = out_hi[p], out_lo[p], out[p]
            p -= 1
        else:
            out_hi[w], out_lo[w], out[w] = key_hi, key_lo, factor * amp[x]
            q -= 1
        w -= 1


@njit(cache=True, nogil=True)
def shift_phases(  # type: ignore[no-untyped-def]
    hi, lo, amp, care_hi, care_lo, low_hi, low_lo, high_hi, high_lo, a, d
):
    """The amplitudes after a diagonal gate; the keys stay."""
    result = np.empty_like(amp)
    for k in range(hi.size):
        bits_hi, bits_lo = hi[k] & care_hi, lo[k] & care_lo
        if bits_hi == low_hi and bits_lo == low_lo:
            result[k] = amp[k] * a
        elif bits_hi == high_hi and bits_lo == high_lo:
            result[k] = amp[k] * d
        else:
            result[k] = amp[k]
    return result


@njit(cache=True, nogil=True, inline="always")
def _matches(hi, lo, cubes):  # type: ignore[no-untyped-def]
    for row in range(cubes.shape[0]):
        if (hi & cubes[row, 0]) == cubes[row, 2] and (lo & cubes[row, 1]) == cubes[row, 3]:
            return True
    return False


@njit(cache=True, nogil=True)
def probability(hi, lo, amp, cubes):  # type: ignore[no-untyped-def]
    """The weight of the branches that match any row (care_hi, care_lo, want_hi, want_lo)."""
    total = 0.0
    for k in range(hi.size):
        if _matches(hi[k], lo[k], cubes):
            total += amp[k].real * amp[k].real + amp[k].imag * amp[k].imag
    return total


@njit(cache=True, nogil=True)
def _add_marginals(hi, lo, amp, positions, found):  # type: ignore[no-untyped-def]
    for k in range(hi.size):
        weight = amp[k].real * amp[k].real + amp[k].imag * amp[k].imag
        for q in range(positions.size):
            word = hi[k] if positions[q] >= 64 else lo[k]
            found[q] += weight * ((word >> np.uint64(positions[q] & 63)) & np.uint64(1))


def marginals(hi: Keys, lo: Keys, amp: Amplitudes, positions: Sequence[int]) -> NDArray[np.float64]:
    """The probability of 1 at each position."""
    found = np.zeros(len(positions))
    _add_marginals(hi, lo, amp, np.array(positions, np.int64), found)
    return np.minimum(found, 1.0)


@njit(cache=True, nogil=True)
def select(hi, lo, amp, cubes, answer):  # type: ignore[no-untyped-def]
    """The branches that match (or do not), scaled to norm 1."""
    n = hi.size
    where = np.empty(n, np.int64)
    m = 0
    for k in range(n):
        where[m] = k
        m += _matches(hi[k], lo[k], cubes) == answer
    out_hi, out_lo = np.empty(m, np.uint64), np.empty(m, np.uint64)
    out_amp = np.empty(m, np.complex128)
    total = 0.0
    for k in range(m):
        x = where[k]
        out_hi[k], out_lo[k], out_amp[k] = hi[x], lo[x], amp[x]
        total += amp[x].real * amp[x].real + amp[x].imag * amp[x].imag
    return out_hi, out_lo, out_amp * (1 / np.sqrt(total))


@njit(cache=True, nogil=True)
def common_bits(hi, lo):  # type: ignore[no-untyped-def]
    """The bits that are 1 in every branch, and those that are 1 in some."""
    ones_hi, ones_lo = hi[0], lo[0]
    some_hi, some_lo = hi[0], lo[0]
    for k in range(hi.size):
        ones_hi &= hi[k]
        ones_lo &= lo[k]
        some_hi |= hi[k]
        some_lo |= lo[k]
    return ones_hi, ones_lo, some_hi, some_lo


@njit(cache=True, nogil=True)
def tied(hi, lo, positions):  # type: ignore[no-untyped-def]
    """The block of bits that missing branches tie to the first position, and to each other in turn.

    Two bits are tied if one of their four patterns, 00, 01, 10 and 11, is in no branch.
    """
    block_hi, block_lo = np.uint64(0), np.uint64(0)
    inside = np.zeros(positions.size, np.bool_)
    waiting = np.zeros(positions.size, np.int64)
    inside[0] = True
    first, last = 0, 1
    while first < last:
        position = positions[waiting[first]]
        first += 1
        bit = np.uint64(1) << np.uint64(position & 63)
        if position >= 64:
            block_hi |= bit
        else:
            block_lo |= bit
        tie_hi, tie_lo = constant_beside(hi, lo, hi if position >= 64 else lo, bit)
        for q in range(positions.size):
            tie = tie_hi if positions[q] >= 64 else tie_lo
            if not inside[q] and (tie >> np.uint64(positions[q] & 63)) & np.uint64(1):
                inside[q] = True
                waiting[last] = q
                last += 1
    return block_hi, block_lo


@njit(cache=True, nogil=True)
def constant_beside(hi, lo, word, bit):  # type: ignore[no-untyped-def]
    """The bits that never change where the bit of the word is 1, and those that never change where it is 0."""
    full, none = ~np.uint64(0), np.uint64(0)
    ones_hi, ones_lo, some_hi, some_lo = full, full, none, none
    high, low, ever_hi, ever_lo = full, full, none, none
    for k in range(hi.size):
        if word[k] & bit:
            ones_hi &= hi[k]
            ones_lo &= lo[k]
            some_hi |= hi[k]
            some_lo |= lo[k]
        else:
            high &= hi[k]
            low &= lo[k]
            ever_hi |= hi[k]
            ever_lo |= lo[k]
    return ones_hi | ~some_hi | high | ~ever_hi, ones_lo | ~some_lo | low | ~ever_lo


@njit(cache=True, nogil=True)
def projected_sums(hi, lo, amp, positions, phases, first):  # type: ignore[no-untyped-def]
    """Sums of psi * phases under generic product weights: over all, by qubit, by qubit where `first` is 1."""
    n = positions.size
    total = 0j
    single = np.zeros(n, np.complex128)
    double = np.zeros(n, np.complex128)
    bits = np.empty(n, np.int64)
    for k in range(hi.size):
        g = amp[k]
        ones = 0
        for q in range(n):
            position = positions[q]
            word = hi[k] if position >= 64 else lo[k]
            if (word >> np.uint64(position & 63)) & np.uint64(1):
                g *= phases[q]
                bits[ones] = q
                ones += 1
        total += g
        inside = False
        for s in range(ones):
            single[bits[s]] += g
            inside = inside or bits[s] == first
        if inside:
            for s in range(ones):
                double[bits[s]] += g
    return total, single, double
