"""The compiled kernel that finds the finest product a state is; `factoring` says why it is right, and is its test.

The rows of a block are those that agree with the largest branch everywhere else. In a product each pattern of one
factor meets the patterns of the other in their order, so one pass over the rows with a counter for each pattern of the
smaller factor verifies the split, branch by branch.
"""

import math

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse.kernels import Keys, Words, members, with_bit
from qchess.circuits.kernels import helper, kernel, with_item

Amplitudes = NDArray[np.complex128]
Indices = NDArray[np.int64]

#: a determinant below this is a product's rounding; a proposed split must hold to `EXACT` anyway
LINKED = 1e-11
EXACT = 1e-11
#: how often another set of weights is tried
ATTEMPTS = 4
#: multiplied with one bit, it brings the bit's own number to the top; `BIT_OF` reads it there
SPREAD = np.uint64(0x07EDD5E59A4E28C2)
BIT_OF = np.zeros(64, np.int64)
for _bit in range(64):
    BIT_OF[(int(SPREAD) << _bit & 2**64 - 1) >> 58] = _bit
#: from here on slices are looked at before the whole
SLICED = 4096
#: and so many more from others of the block, and for bits that the first slices leave constant
SLICES = 4
#: where the numbers lie that a call reads and writes: branches, whether constants are all that is wanted, and blocks
BRANCHES, CONSTANTS_ONLY, BLOCKS = 0, 1, 2


@helper
def has_bit(words: Words, position: int) -> bool:
    """Whether the mask has this bit."""
    return bool(words[position >> 6] >> np.uint64(position & 63) & np.uint64(1) != np.uint64(0))


@helper
def row_has(keys: Keys, k: int, position: int) -> bool:
    """Whether the k-th key has this bit."""
    return bool(keys[position >> 6][k] >> np.uint64(position & 63) & np.uint64(1) != np.uint64(0))


@helper
def row(keys: Keys, k: int, care: Words) -> Words:
    """The k-th key with all bits cleared that do not matter."""
    found = care
    for w in range(len(care)):
        found = with_item(found, w, keys[w][k] & care[w])
    return found


@helper
def without(left: Words, right: Words) -> Words:
    """The bits of the one mask that are not in the other."""
    found = left
    for w in range(len(left)):
        found = with_item(found, w, left[w] & ~right[w])
    return found


@helper
def either(left: Words, right: Words) -> Words:
    """The bits of both masks."""
    found = left
    for w in range(len(left)):
        found = with_item(found, w, left[w] | right[w])
    return found


@helper
def same(left: Words, right: Words) -> bool:
    """Whether two masks are equal."""
    off = np.uint64(0)
    for w in range(len(left)):
        off |= left[w] ^ right[w]
    return bool(off == np.uint64(0))


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
def lowest(word: np.uint64) -> int:
    """The position of a word's lowest bit."""
    return int(BIT_OF[((word & (~word + np.uint64(1))) * SPREAD) >> np.uint64(58)])


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
        if has_bit(left, p) and weight(determinant) > (LINKED * size) ** 2:
            block = with_bit(block, p)
    return block


@helper
def weight(value: complex) -> float:
    """The squared modulus."""
    return value.real * value.real + value.imag * value.imag


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
        if weight(amp[firsts[i]] * amp[j] * scale - amp[k]) > EXACT * EXACT:
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
def note(masks: NDArray[np.uint64], k: int, words: Words) -> None:
    """Writes a mask into the k-th row."""
    for w in range(len(words)):
        masks[k, w] = words[w]


@helper
def listed(words: Words, positions: Indices) -> int:
    """Lists the positions of a mask's bits; says how many."""
    m = 0
    for p in range(64 * len(words)):
        if has_bit(words, p):
            positions[m] = p
            m += 1
    return m


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
