"""What is cheap to prove: which bits of a state are certainly in one block. Parts of the kernel in `factoring_kernels`.

Missing branches tie bits together; where none is missing, generic projections show a link by a determinant that is not
0. Of a large state thin slices are looked at before the whole.
"""

import math

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse.words import (
    Keys,
    Words,
    either,
    has_bit,
    lowest,
    members,
    row,
    row_has,
    same,
    with_bit,
    without,
)
from qchess.circuits.kernels import helper, with_item
from qchess.circuits.precision import PRODUCT

Amplitudes = NDArray[np.complex128]
Indices = NDArray[np.int64]

#: so many slices more are tried from other bits of the block, and for bits that the first slices leave constant
SLICES = 4


@helper
def constant_beside(keys: Keys, n: int, position: int, zero: Words) -> Words:
    """The bits that never change where the bit at this position is 1, and those that never change where it is 0."""
    tie = zero
    word, bit = keys[position >> 6], np.uint64(1) << np.uint64(position & 63)
    for w in range(len(zero)):
        ones, high = ~np.uint64(0), ~np.uint64(0)
        some, ever = np.uint64(0), np.uint64(0)
        for k in range(n):
            key = keys[w][k]
            if word[k] & bit != np.uint64(0):
                ones &= key
                some |= key
            else:
                high &= key
                ever |= key
        tie = with_item(tie, w, ones | ~some | high | ~ever)
    return tie


@helper
def tied(keys: Keys, n: int, positions: Indices, first: int, left: Words, zero: Words, waiting: Indices) -> Words:
    """The block of bits that missing branches tie to the first position, and to each other in turn."""
    block = with_bit(zero, first)
    waiting[0] = first
    at, end = 0, 1
    while at < end and not same(block, left):
        tie = constant_beside(keys, n, waiting[at], zero)
        at += 1
        for q in range(positions.size):
            p = positions[q]
            if has_bit(left, p) and has_bit(tie, p) and not has_bit(block, p):
                block = with_bit(block, p)
                waiting[end] = p
                end += 1
    return block


@helper
def weight(value: complex) -> float:
    """The squared modulus."""
    return value.real * value.real + value.imag * value.imag


@helper
def linked(
    keys: Keys, amp: Amplitudes, rows: Indices, count: int, first: int, left: Words, zero: Words,
    phases: Amplitudes, single: Amplitudes, double: Amplitudes, bits: Indices,
) -> Words:  # fmt: skip
    """What one set of generic projections of these rows proves to be in the first position's block.

    The rows are the first `count` of all if `rows` is empty.
    """
    total = 0j
    for p in range(64 * len(zero)):
        single[p] = double[p] = 0
    for r in range(count):
        k = rows[r] if rows.size else r
        g = amp[k]
        ones = 0
        for w in range(len(zero)):
            word = keys[w][k] & left[w]
            while word != np.uint64(0):
                p = 64 * w + lowest(word)
                word &= word - np.uint64(1)
                g *= phases[p]
                bits[ones] = p
                ones += 1
        total += g
        for s in range(ones):
            single[bits[s]] += g
        if row_has(keys, k, first):
            for s in range(ones):
                double[bits[s]] += g
    block = with_bit(zero, first)
    for p in range(64 * len(zero)):
        determinant = total * double[p] - single[first] * single[p]
        size = max(math.sqrt(weight(single[p])) + math.sqrt(weight(total)), 1e-6)
        if has_bit(left, p) and weight(determinant) > (PRODUCT * size) ** 2:
            block = with_bit(block, p)
    return block


@helper
def slice_mask(positions: Indices, first: int, left: Words, zero: Words, pattern: int, late: int) -> Words:
    """Half of the positions left, but not the first and the late one: every second one (0, 1), or a side (2, 3)."""
    fixed, count = zero, 0
    for q in range(positions.size):
        count += positions[q] != first and positions[q] != late and has_bit(left, positions[q])
    k = 0
    for q in range(positions.size):
        p = positions[q]
        if p != first and p != late and has_bit(left, p):
            side = 2 if 2 * k < count else 3
            if side == pattern or k & 1 == pattern:
                fixed = with_bit(fixed, p)
            k += 1
    return fixed


@helper
def linked_in_slice(
    keys: Keys, amp: Amplitudes, n: int, reference: int, fixed: Words, first: int, left: Words,
    zero: Words, phases: Amplitudes, single: Amplitudes, double: Amplitudes, bits: Indices, rows: Indices,
) -> Words:  # fmt: skip
    """What the branches that agree with the reference on the fixed bits prove."""
    count = members(keys, n, fixed, row(keys, reference, fixed), rows)
    return linked(keys, amp, rows, count, first, without(left, fixed), zero, phases, single, double, bits)


@helper
def linked_in_slices(
    keys: Keys, amp: Amplitudes, n: int, positions: Indices, first: int, left: Words,
    zero: Words, phases: Amplitudes, single: Amplitudes, double: Amplitudes, bits: Indices, rows: Indices,
) -> Words:  # fmt: skip
    """What thin slices of a large state prove to be in the first one's block; mostly a few prove all of it."""
    block = with_bit(zero, first)
    for pattern in range(4):
        if same(block, left):
            break
        fixed = slice_mask(positions, first, left, zero, pattern, first)
        proven = linked_in_slice(keys, amp, n, n // 2, fixed, first, left, zero, phases, single, double, bits, rows)
        block = either(block, proven)
    tried = 0
    for q in range(positions.size):  # from another of the block, with the rest of the block fixed
        other = positions[q]
        if tried < SLICES and other != first and has_bit(block, other) and not same(block, left):
            tried += 1
            fixed = without(block, with_bit(zero, other))
            proven = linked_in_slice(
                keys, amp, n, n // 2, fixed, other, left, zero, phases, single, double, bits, rows
            )  # fmt: skip
            block = either(block, proven)
    tried = 0
    for q in range(positions.size):
        late = positions[q]
        if tried < SLICES and has_bit(left, late) and not has_bit(block, late):
            tried += 1
            reference = middle_of(keys, n, late)
            fixed = slice_mask(positions, first, left, zero, 0, late)
            proven = linked_in_slice(
                keys, amp, n, reference, fixed, first, left, zero, phases, single, double, bits, rows
            )
            block = either(block, proven)
    return block


@helper
def middle_of(keys: Keys, n: int, position: int) -> int:
    """The middle one of the rows whose bit at this position is 1."""
    count = 0
    for k in range(n):
        count += row_has(keys, k, position)
    seen = 0
    for k in range(n):
        if row_has(keys, k, position):
            if seen == count // 2:
                return k
            seen += 1
    return 0
