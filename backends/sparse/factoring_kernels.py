"""The compiled kernel that finds the finest product a state is; `factoring` says why it is right, and is its test.

The rows of a block are those that agree with the largest branch everywhere else. In a product each pattern of one
factor meets the patterns of the other in their order, so one pass over the rows with a counter for each pattern of the
smaller factor verifies the split, branch by branch.
"""

import math

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse.linking import Amplitudes, Indices, linked, linked_in_slices, tied, weight
from qchess.backends.sparse.words import (
    Keys,
    Words,
    either,
    has_bit,
    listed,
    members,
    no_bits_20,
    note,
    row,
    same,
    without,
)
from qchess.circuits.kernels import helper, kernel, with_item
from qchess.circuits.precision import PRODUCT

#: how often another set of weights is tried
ATTEMPTS = 4
#: from here on slices are looked at before the whole
SLICED = 4096
#: where the numbers lie that a call reads and writes: branches, whether constants are all that is wanted, and blocks
BRANCHES, CONSTANTS_ONLY, BLOCKS = 0, 1, 2


@helper
def common(keys: Keys, n: int, zero: Words) -> tuple[Words, Words]:
    """The bits that are 1 in every branch, and those that vary."""
    ones, some = zero, zero
    for w in range(len(zero)):
        every, any_of = keys[w][0], keys[w][0]
        for k in range(n):
            every &= keys[w][k]
            any_of |= keys[w][k]
        ones, some = with_item(ones, w, every), with_item(some, w, any_of)
    return ones, without(some, ones)


@helper
def is_prime(n: int) -> bool:
    """Whether n branches cannot be a product: both factors would need two or more."""
    k = 2
    while k * k <= n:
        if n % k == 0:
            return False
        k += 1
    return True


@helper
def find(keys: Keys, rows: Indices, count: int, k: int, care: Words) -> int:
    """Which of some sorted rows shows the k-th key's pattern of the bits that matter; -1 if none does."""
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        sign = 0
        for v in range(len(care)):
            w = len(care) - 1 - v
            a, b = keys[w][rows[middle]] & care[w], keys[w][k] & care[w]
            if a != b:
                sign = -1 if a < b else 1
                break
        if sign == 0:
            return middle
        if sign < 0:
            low = middle + 1
        else:
            high = middle
    return -1


@helper
def is_product(
    keys: Keys, amp: Amplitudes, n: int, top: int, small: Words, large: Words,
    firsts: Indices, seconds: Indices, n_small: int, n_large: int, met: Indices,
) -> bool:  # fmt: skip
    """Whether every branch is the product of its pattern's branches in both factors."""
    for i in range(n_small):
        met[i] = 0
    scale = amp[top].conjugate() / weight(amp[top])
    for k in range(n):
        i = find(keys, firsts, n_small, k, small)
        if i < 0 or met[i] >= n_large:
            return False
        j = seconds[met[i]]
        met[i] += 1
        if not same(row(keys, k, large), row(keys, j, large)):
            return False
        if weight(amp[firsts[i]] * amp[j] * scale - amp[k]) > PRODUCT * PRODUCT:
            return False
    return True


@helper
def write(
    keys: Keys, amp: Amplitudes, rows: Indices, count: int, care: Words, out: Keys, out_amp: Amplitudes, begin: int
) -> None:
    """Writes some rows, their other bits cleared, with norm 1."""
    total = 0.0
    for k in range(count):
        total += weight(amp[rows[k]])
    scale = 1 / math.sqrt(total)
    for k in range(count):
        for w in range(len(care)):
            out[w][begin + k] = keys[w][rows[k]] & care[w]
        out_amp[begin + k] = amp[rows[k]] * scale


@helper
def largest(amp: Amplitudes, n: int) -> int:
    """Where the largest amplitude is."""
    top, size = 0, 0.0
    for k in range(n):
        if weight(amp[k]) > size:
            top, size = k, weight(amp[k])
    return top


@helper
def proposed(
    keys: Keys, amp: Amplitudes, n: int, positions: Indices, first: int, left: Words, zero: Words,
    phases: Amplitudes, sums: NDArray[np.complex128], bits: Indices, rows: Indices,
) -> Words:  # fmt: skip
    """What is cheap to prove to be in the first position's block."""
    if n >= SLICED:
        return linked_in_slices(keys, amp, n, positions, first, left, zero, phases, sums[0], sums[1], bits, rows)
    return tied(keys, n, positions, first, left, zero, bits)


@helper
def cut(
    keys: Keys, amp: Amplitudes, n: int, block: Words, others: Words, firsts: Indices, seconds: Indices, met: Indices,
    out: Keys, out_amp: Amplitudes, begin: int, rest: Keys, rest_amp: Amplitudes, phase: Amplitudes,
) -> int:  # fmt: skip
    """Writes the block and the rest apart, if the state is their product; says how many branches the block has, or 0.

    The rest may be where the state is: its rows are read before they are written.
    """
    top = largest(amp, n)
    n_block = members(keys, n, others, row(keys, top, others), firsts)
    n_others = members(keys, n, block, row(keys, top, block), seconds)
    if n_block * n_others != n:
        return 0
    if n_block <= n_others:
        apart = is_product(keys, amp, n, top, block, others, firsts, seconds, n_block, n_others, met)
    else:
        apart = is_product(keys, amp, n, top, others, block, seconds, firsts, n_others, n_block, met)
    if not apart:
        return 0
    phase[0] *= amp[top].conjugate() / math.sqrt(weight(amp[top]))
    write(keys, amp, firsts, n_block, block, out, out_amp, begin)
    write(keys, amp, seconds, n_others, others, rest, rest_amp, 0)
    return n_block


@helper
def finest(
    keys: Keys, amp: Amplitudes, zero: Words, phases: NDArray[np.complex128],
    out: Keys, out_amp: Amplitudes, rest: Keys, rest_amp: Amplitudes,
    firsts: Indices, seconds: Indices, met: Indices,
    positions: Indices, sums: NDArray[np.complex128], bits: Indices,
    masks: NDArray[np.uint64], ends: Indices, phase: Amplitudes, control: Indices,
) -> int:  # fmt: skip
    """Finds constants and blocks.

    Writes into `masks` the bits that are always 1, those that vary, and each block's; into `out` the rows of all
    blocks but the last, one after the other, `ends` saying where each ends; and says where the last block's rows
    are: 0 in `keys` itself (with the constants still in), 1 in `rest`.
    """
    n = control[BRANCHES]
    ones, left = common(keys, n, zero)
    note(masks, 0, ones)
    note(masks, 1, left)
    m = listed(left, positions)
    positions = positions[:m]
    blocks = written = home = 0
    for q in range(m):
        first = positions[q]
        if control[CONSTANTS_ONLY] != 0 or is_prime(n):
            break
        if not has_bit(left, first):
            continue
        block = proposed(keys, amp, n, positions, first, left, zero, phases[0], sums, bits, firsts)
        size = 0
        for attempt in range(ATTEMPTS):
            if attempt > 0 and not same(block, left):  # another set of weights, should the last have met an accident
                weights = phases[attempt - 1]
                proven = linked(
                    keys, amp, firsts[:0], n, first, left, zero, weights, sums[0], sums[1], bits
                )  # fmt: skip
                block = either(block, proven)
            if same(block, left):
                break
            others = without(left, block)
            size = cut(
                keys, amp, n, block, others, firsts, seconds, met, out, out_amp, written, rest, rest_amp, phase
            )  # fmt: skip
            if size > 0:
                note(masks, 2 + blocks, block)
                written += size
                ends[blocks] = written
                blocks += 1
                keys, amp, n, left, home = rest, rest_amp, n // size, others, 1
                break
        if size == 0 and same(block, left):
            break
    note(masks, 2 + blocks, left)
    control[BRANCHES], control[BLOCKS] = n, blocks + 1
    return home


_SIGNATURE = (
    "int64(uint64[:, ::1], complex128[::1], complex128[:, ::1], uint64[:, ::1], complex128[::1], uint64[:, ::1], "
    "complex128[::1], int64[::1], int64[::1], int64[::1], int64[::1], complex128[:, ::1], int64[::1], "
    "uint64[:, ::1], int64[::1], complex128[::1], int64[::1])"
)


@kernel(_SIGNATURE)
def finest_1(
    keys: NDArray[np.uint64], amp: Amplitudes, phases: NDArray[np.complex128],
    out: NDArray[np.uint64], out_amp: Amplitudes, rest: NDArray[np.uint64], rest_amp: Amplitudes,
    firsts: Indices, seconds: Indices, met: Indices, positions: Indices, sums: NDArray[np.complex128], bits: Indices,
    masks: NDArray[np.uint64], ends: Indices, phase: Amplitudes, control: Indices,
) -> int:  # fmt: skip
    """`finest` on keys of one word."""
    return finest(
        (keys[0],), amp, (np.uint64(0),), phases, (out[0],), out_amp, (rest[0],), rest_amp,
        firsts, seconds, met, positions, sums, bits, masks, ends, phase, control,
    )  # fmt: skip


@kernel(_SIGNATURE)
def finest_4(
    keys: NDArray[np.uint64], amp: Amplitudes, phases: NDArray[np.complex128],
    out: NDArray[np.uint64], out_amp: Amplitudes, rest: NDArray[np.uint64], rest_amp: Amplitudes,
    firsts: Indices, seconds: Indices, met: Indices, positions: Indices, sums: NDArray[np.complex128], bits: Indices,
    masks: NDArray[np.uint64], ends: Indices, phase: Amplitudes, control: Indices,
) -> int:  # fmt: skip
    """`finest` on keys of four words; those of two are filled up to this version."""
    zero = (np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0))
    return finest(
        (keys[0], keys[1], keys[2], keys[3]), amp, zero, phases,
        (out[0], out[1], out[2], out[3]), out_amp, (rest[0], rest[1], rest[2], rest[3]), rest_amp,
        firsts, seconds, met, positions, sums, bits, masks, ends, phase, control,
    )  # fmt: skip


@kernel(_SIGNATURE)
def finest_20(
    keys: NDArray[np.uint64], amp: Amplitudes, phases: NDArray[np.complex128],
    out: NDArray[np.uint64], out_amp: Amplitudes, rest: NDArray[np.uint64], rest_amp: Amplitudes,
    firsts: Indices, seconds: Indices, met: Indices, positions: Indices, sums: NDArray[np.complex128], bits: Indices,
    masks: NDArray[np.uint64], ends: Indices, phase: Amplitudes, control: Indices,
) -> int:  # fmt: skip
    """`finest` on keys of twenty words."""
    return finest(
        keys, amp, no_bits_20(), phases, out, out_amp, rest, rest_amp,
        firsts, seconds, met, positions, sums, bits, masks, ends, phase, control,
    )  # fmt: skip
