"""Compiled kernels of the sparse engine, for large states: sorted columns instead of a dict.

A state is three arrays: the high and the low 64 bits of each key, in ascending order, and the
amplitudes. The branches that a gate moves form two classes (pattern `low`, pattern `high`). Going from
one to the other adds the same number to every key of a class, so what a class becomes is sorted
again: partners are found by walking both classes side by side, and new branches are merged in, without
search or hashing. All is linear in the branches and kind to the cache.

`sparse_clear` is the same arithmetic in plain sight and the test of this module.
"""

from __future__ import annotations

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
def rotate(  # type: ignore[no-untyped-def]
    hi, lo, amp, lows, highs, low_hi, low_lo, high_hi, high_lo, a, b, c, d
):
    """The columns after the 2x2 matrix acted between the classes at `lows` and `highs`."""
    flip_hi, flip_lo = low_hi ^ high_hi, low_lo ^ high_lo
    changed = amp.copy()
    #: who has no partner, and would found one: first of the low class, then of the high class
    alone_low = np.empty(lows.size, np.int64)
    alone_high = np.empty(highs.size, np.int64)
    i = j = m_low = m_high = 0
    while i < lows.size and j < highs.size:
        x, y = lows[i], highs[j]
        order = _order(hi[x] ^ low_hi, lo[x] ^ low_lo, hi[y] ^ high_hi, lo[y] ^ high_lo)
        if order == 0:
            changed[x] = a * amp[x] + b * amp[y]
            changed[y] = c * amp[x] + d * amp[y]
        alone_low[m_low] = x
        alone_high[m_high] = y
        m_low += order < 0
        m_high += order > 0
        i += order <= 0
        j += order >= 0
    while i < lows.size:
        alone_low[m_low] = lows[i]
        m_low += 1
        i += 1
    while j < highs.size:
        alone_high[m_high] = highs[j]
        m_high += 1
        j += 1
    for k in range(m_low):
        changed[alone_low[k]] = a * amp[alone_low[k]]
    for k in range(m_high):
        changed[alone_high[k]] = d * amp[alone_high[k]]
    made = _merged(
        *_kept(hi, lo, changed), *_founded(hi, lo, amp, alone_low[:m_low], flip_hi, flip_lo, c)
    )
    return _merged(*made, *_founded(hi, lo, amp, alone_high[:m_high], flip_hi, flip_lo, b))


@njit(cache=True, nogil=True)
def _kept(hi, lo, amp):  # type: ignore[no-untyped-def]
    """The branches that are more than noise; the same keys where all of them are."""
    noise = 0
    for k in range(amp.size):
        noise += amp[k].real * amp[k].real + amp[k].imag * amp[k].imag <= NOISE_SQUARED
    if noise == 0:
        return hi, lo, amp
    m = 0
    size = amp.size - noise
    out_hi, out_lo = np.empty(size + 1, np.uint64), np.empty(size + 1, np.uint64)
    out_amp = np.empty(size + 1, np.complex128)
    for k in range(amp.size):
        out_hi[m], out_lo[m], out_amp[m] = hi[k], lo[k], amp[k]
        m += amp[k].real * amp[k].real + amp[k].imag * amp[k].imag > NOISE_SQUARED
    return out_hi[:size], out_lo[:size], out_amp[:size]


@njit(cache=True, nogil=True)
def _founded(hi, lo, amp, where, flip_hi, flip_lo, factor):  # type: ignore[no-untyped-def]
    """The new branches that some branches found on the other side."""
    size = 0 if factor == 0 else where.size
    out_hi, out_lo = np.empty(size, np.uint64), np.empty(size, np.uint64)
    out_amp = np.empty(size, np.complex128)
    for k in range(size):
        x = where[k]
        out_hi[k], out_lo[k], out_amp[k] = hi[x] ^ flip_hi, lo[x] ^ flip_lo, factor * amp[x]
    return _kept(out_hi, out_lo, out_amp)


@njit(cache=True, nogil=True)
def _merged(hi1, lo1, amp1, hi2, lo2, amp2):  # type: ignore[no-untyped-def]
    """Two sorted columns as one."""
    n, m = amp1.size, amp2.size
    if m == 0:
        return hi1, lo1, amp1
    if n == 0:
        return hi2, lo2, amp2
    out_hi, out_lo = np.empty(n + m, np.uint64), np.empty(n + m, np.uint64)
    out_amp = np.empty(n + m, np.complex128)
    i = j = 0
    while i < n and j < m:
        if hi1[i] < hi2[j] or (hi1[i] == hi2[j] and lo1[i] < lo2[j]):
            out_hi[i + j], out_lo[i + j], out_amp[i + j] = hi1[i], lo1[i], amp1[i]
            i += 1
        else:
            out_hi[i + j], out_lo[i + j], out_amp[i + j] = hi2[j], lo2[j], amp2[j]
            j += 1
    while i < n:
        out_hi[i + j], out_lo[i + j], out_amp[i + j] = hi1[i], lo1[i], amp1[i]
        i += 1
    while j < m:
        out_hi[i + j], out_lo[i + j], out_amp[i + j] = hi2[j], lo2[j], amp2[j]
        j += 1
    return out_hi, out_lo, out_amp


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
def constant_bits(hi, lo):  # type: ignore[no-untyped-def]
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
