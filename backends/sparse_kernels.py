"""Compiled kernels of the sparse engine, for large states: sorted columns instead of a dict.

A state is three arrays: the high and the low 64 bits of each key, in ascending order, and the
amplitudes. The branches that a gate moves form two classes (pattern `low`, pattern `high`); moving
from one to the other adds the same number to every key of a class, so each class stays sorted. A
gate is therefore a merge of three sorted streams - untouched, new low, new high - read in one sweep,
without search or hashing: linear in the branches and kind to the cache.

`sparse_clear` is the same arithmetic in plain sight and the test of this module.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

NOISE_SQUARED = 1e-24
Keys = NDArray[np.uint64]
Amplitudes = NDArray[np.complex128]


@njit(cache=True, nogil=True)
def count(hi: Keys, lo: Keys, care_hi: Any, care_lo: Any, want_hi: Any, want_lo: Any) -> int:
    """How many keys show the wanted bits."""
    total = 0
    for k in range(hi.size):
        if (hi[k] & care_hi) == want_hi and (lo[k] & care_lo) == want_lo:
            total += 1
    return total


@njit(cache=True, nogil=True, inline="always")
def _advance(  # type: ignore[no-untyped-def]
    hi, lo, amp, i, j, care_hi, care_lo, low_hi, low_lo, high_hi, high_lo, alpha, beta
):
    """The next value alpha*low + beta*high that is not noise: (i, j, base_hi, base_lo, value, found)."""
    n = hi.size
    while True:
        while i < n and ((hi[i] & care_hi) != low_hi or (lo[i] & care_lo) != low_lo):
            i += 1
        while j < n and ((hi[j] & care_hi) != high_hi or (lo[j] & care_lo) != high_lo):
            j += 1
        if i >= n and j >= n:
            return i, j, np.uint64(0), np.uint64(0), 0j, False
        take_low, take_high = i < n, j < n
        base_hi, base_lo = np.uint64(0), np.uint64(0)
        if take_low:
            base_hi, base_lo = hi[i] ^ low_hi, lo[i] ^ low_lo
        if take_high:
            other_hi, other_lo = hi[j] ^ high_hi, lo[j] ^ high_lo
            if not take_low or other_hi < base_hi or (other_hi == base_hi and other_lo < base_lo):
                base_hi, base_lo, take_low = other_hi, other_lo, False
            elif other_hi != base_hi or other_lo != base_lo:
                take_high = False
        value = 0j
        if take_low:
            value += alpha * amp[i]
            i += 1
        if take_high:
            value += beta * amp[j]
            j += 1
        if value.real * value.real + value.imag * value.imag > NOISE_SQUARED:
            return i, j, base_hi, base_lo, value, True


@njit(cache=True, nogil=True)
def pairs(  # type: ignore[no-untyped-def]
    hi, lo, care_hi, care_lo, low_hi, low_lo, high_hi, high_lo
):
    """How many keys of the low class have their partner in the high class."""
    n = hi.size
    i = j = found = 0
    while True:
        while i < n and ((hi[i] & care_hi) != low_hi or (lo[i] & care_lo) != low_lo):
            i += 1
        while j < n and ((hi[j] & care_hi) != high_hi or (lo[j] & care_lo) != high_lo):
            j += 1
        if i >= n or j >= n:
            return found
        a_hi, a_lo = hi[i] ^ low_hi, lo[i] ^ low_lo
        b_hi, b_lo = hi[j] ^ high_hi, lo[j] ^ high_lo
        if a_hi == b_hi and a_lo == b_lo:
            found += 1
            i += 1
            j += 1
        elif a_hi < b_hi or (a_hi == b_hi and a_lo < b_lo):
            i += 1
        else:
            j += 1


@njit(cache=True, nogil=True)
def rotate(  # type: ignore[no-untyped-def]
    hi, lo, amp, care_hi, care_lo, low_hi, low_lo, high_hi, high_lo, a, b, c, d, capacity
):
    """The columns after the gate; `capacity` is a bound on their length."""
    n = hi.size
    out_hi = np.empty(capacity, np.uint64)
    out_lo = np.empty(capacity, np.uint64)
    out_amp = np.empty(capacity, np.complex128)
    m = 0
    u = 0
    i, j, x_hi, x_lo, x, has_x = _advance(
        hi, lo, amp, 0, 0, care_hi, care_lo, low_hi, low_lo, high_hi, high_lo, a, b
    )
    k, l, y_hi, y_lo, y, has_y = _advance(
        hi, lo, amp, 0, 0, care_hi, care_lo, low_hi, low_lo, high_hi, high_lo, c, d
    )
    while True:
        while u < n:
            bits_hi, bits_lo = hi[u] & care_hi, lo[u] & care_lo
            if (bits_hi != low_hi or bits_lo != low_lo) and (bits_hi != high_hi or bits_lo != high_lo):
                break
            u += 1
        if u >= n and not has_x and not has_y:
            break
        best = 0
        key_hi = key_lo = np.uint64(0)
        if u < n:
            best, key_hi, key_lo = 1, hi[u], lo[u]
        if has_x:
            new_hi, new_lo = x_hi ^ low_hi, x_lo ^ low_lo
            if best == 0 or new_hi < key_hi or (new_hi == key_hi and new_lo < key_lo):
                best, key_hi, key_lo = 2, new_hi, new_lo
        if has_y:
            new_hi, new_lo = y_hi ^ high_hi, y_lo ^ high_lo
            if best == 0 or new_hi < key_hi or (new_hi == key_hi and new_lo < key_lo):
                best, key_hi, key_lo = 3, new_hi, new_lo
        out_hi[m] = key_hi
        out_lo[m] = key_lo
        if best == 1:
            out_amp[m] = amp[u]
            u += 1
        elif best == 2:
            out_amp[m] = x
            i, j, x_hi, x_lo, x, has_x = _advance(
                hi, lo, amp, i, j, care_hi, care_lo, low_hi, low_lo, high_hi, high_lo, a, b
            )
        else:
            out_amp[m] = y
            k, l, y_hi, y_lo, y, has_y = _advance(
                hi, lo, amp, k, l, care_hi, care_lo, low_hi, low_lo, high_hi, high_lo, c, d
            )
        m += 1
    return out_hi[:m], out_lo[:m], out_amp[:m]


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
    kept = 0
    total = 0.0
    for k in range(n):
        if _matches(hi[k], lo[k], cubes) == answer:
            kept += 1
            total += amp[k].real * amp[k].real + amp[k].imag * amp[k].imag
    out_hi = np.empty(kept, np.uint64)
    out_lo = np.empty(kept, np.uint64)
    out_amp = np.empty(kept, np.complex128)
    factor = 1 / np.sqrt(total)
    m = 0
    for k in range(n):
        if _matches(hi[k], lo[k], cubes) == answer:
            out_hi[m] = hi[k]
            out_lo[m] = lo[k]
            out_amp[m] = amp[k] * factor
            m += 1
    return out_hi, out_lo, out_amp


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
