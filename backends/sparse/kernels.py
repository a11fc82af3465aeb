"""The compiled kernel of the sparse engine: a whole program on one register, in one call.

A state is sorted columns: the words of each key (word 0 the lowest 64 bits) in ascending order, and the
amplitudes. They are changed in place. The branches that a gate moves form two classes (pattern `low`, pattern
`high`). Going from one to the other adds the same number to every key of a class, so what a class becomes is sorted
again: partners are found by walking both classes side by side, and new branches are merged in from the back, without
search or hashing. All is linear in the branches and kind to the cache.

One source serves keys of one, two, four, eight and twenty words: the columns of a key come as a tuple, those of long
keys as one array, and the compiler makes a version for each length. `clear` is the same arithmetic in plain sight and
the test of this module.

A program is a row of numbers an operation (see `coding`): gate, first target, second target or -1, how many controls,
and for each control twice its position plus its value.
"""

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse.words import FEW, Keys, Words, matches, members, no_bits_8, no_bits_20, row_has, with_bit
from qchess.circuits.kernels import helper, kernel, with_item
from qchess.circuits.precision import NOISE_SQUARED

#: what a call comes to: all is done; the workspace might run short; too many branches; the budget is spent
DONE, SHORT, LARGE, SPENT = 0, 1, 2, 3
#: where the numbers lie that a call reads and writes: branches, place in the program, its end, the most
#: branches allowed, the work left before the call returns, and the branches that were asked for
BRANCHES, AT, END, LIMIT, BUDGET, NEEDED = 0, 1, 2, 3, 4, 5
CONTROL = 6


@helper
def order(keys: Keys, x: int, y: int, flip: Words) -> int:
    """-1, 0 or 1: how the x-th key compares to the partner of the y-th."""
    for v in range(len(flip)):
        w = len(flip) - 1 - v
        a, b = keys[w][x], keys[w][y] ^ flip[w]
        if a != b:
            return -1 if a < b else 1
    return 0


@helper
def loud(value: complex) -> bool:
    """Whether an amplitude is more than noise."""
    return value.real * value.real + value.imag * value.imag > NOISE_SQUARED


@helper
def turn(
    keys: Keys, amp: NDArray[np.complex128], count: int, codes: NDArray[np.int64], at: int,
    care: Words, low: Words, high: Words, a: complex, d: complex,
) -> None:  # fmt: skip
    """A diagonal gate: phases, in place. Of a long key only the bits are read that the operation names."""
    first, second, end = codes[at + 1], codes[at + 2], at + 4 + codes[at + 3]
    for k in range(count):  # written always: no branch to mispredict
        if len(care) <= FEW:
            is_low, is_high = matches(keys, k, care, low), matches(keys, k, care, high)
        else:
            one = row_has(keys, k, first)
            is_low, is_high = not one, one
            if second >= 0:
                other = row_has(keys, k, second)
                is_low, is_high = one and not other, other and not one
            for c in range(at + 4, end):
                shown = row_has(keys, k, codes[c] >> 1) == (codes[c] & 1 == 1)
                is_low, is_high = is_low and shown, is_high and shown
        factor = d if is_high else 1 + 0j
        if a != 1:
            factor = a if is_low else factor
        amp[k] *= factor


@helper
def mix(
    keys: Keys, amp: NDArray[np.complex128], flip: Words,
    lows: NDArray[np.int64], highs: NDArray[np.int64], n_low: int, n_high: int,
    a: complex, b: complex, c: complex, d: complex,
) -> tuple[int, int]:  # fmt: skip
    """Mixes partners in place; leaves in both lists those without a partner, and says how many."""
    if n_low == 0 or n_high == 0:
        return n_low, n_high
    i = j = alone_low = alone_high = 0
    while i < n_low and j < n_high:
        x, y = lows[i], highs[j]
        sign = order(keys, x, y, flip)
        if sign == 0:
            left, right = amp[x], amp[y]
            amp[x] = a * left + b * right
            amp[y] = c * left + d * right
        lows[alone_low] = x
        highs[alone_high] = y
        alone_low += sign < 0
        alone_high += sign > 0
        i += sign <= 0
        j += sign >= 0
    while i < n_low:
        lows[alone_low] = lows[i]
        alone_low += 1
        i += 1
    while j < n_high:
        highs[alone_high] = highs[j]
        alone_high += 1
        j += 1
    return alone_low, alone_high


@helper
def found(
    keys: Keys, amp: NDArray[np.complex128], where: NDArray[np.int64], count: int, flip: Words,
    stays: complex, goes: complex, fresh: Keys, fresh_amp: NDArray[np.complex128], begin: int,
) -> tuple[int, int]:  # fmt: skip
    """Writes the branches that lone ones found, unless they are noise, and what stays behind.

    Says where those that were found end, and how many of those that stay have become noise.
    """
    end, faded = begin, 0
    for k in range(count):
        x = where[k]
        if len(flip) <= FEW:
            for w in range(len(flip)):
                fresh[w][end] = keys[w][x] ^ flip[w]
        where[end - begin] = x
        fresh_amp[end] = goes * amp[x]
        end += loud(fresh_amp[end])
        amp[x] = stays * amp[x]
        faded += not loud(amp[x])
    if len(flip) > FEW:
        for w in range(len(flip)):
            old, new, bits = keys[w], fresh[w], flip[w]
            for k in range(end - begin):
                new[begin + k] = old[where[k]] ^ bits
    return end, faded


@helper
def without_noise(keys: Keys, amp: NDArray[np.complex128], count: int, rows: NDArray[np.int64]) -> int:
    """Drops the branches that are noise, in place; says how many are left. `rows` is scratch."""
    m = 0
    while m < count and loud(amp[m]):
        m += 1
    begin = m
    for k in range(begin, count):
        if len(keys) <= FEW:
            for w in range(len(keys)):
                keys[w][m] = keys[w][k]
        rows[m] = k
        amp[m] = amp[k]
        m += loud(amp[m])
    if len(keys) > FEW:
        for w in range(len(keys)):
            word = keys[w]
            for k in range(begin, m):
                word[k] = word[rows[k]]
    return m


@helper
def closed_up(keys: Keys, amp: NDArray[np.complex128], held: int, begin: int, end: int) -> int:
    """Moves the rows from `begin` to `end` up to the first `held` ones; says how many there are then."""
    if held < begin:
        for w in range(len(keys)):
            for k in range(begin, end):
                keys[w][held + k - begin] = keys[w][k]
        for k in range(begin, end):
            amp[held + k - begin] = amp[k]
    return held + end - begin


@helper
def put(keys: Keys, fresh: Keys, rows: NDArray[np.int64], begin: int, end: int) -> None:
    """Puts each row from `begin` to `end` in its place, from the back, a word at a time; inverted, it is a new one."""
    for w in range(len(keys)):
        old, new = keys[w], fresh[w]
        for k in range(end - 1, begin - 1, -1):
            x = rows[k]
            held, found = old[max(x, 0)], new[max(~x, 0)]  # both are read: no branch to mispredict
            old[k] = held if x >= 0 else found


@helper
def merge_in(
    keys: Keys, amp: NDArray[np.complex128], held: int,
    fresh: Keys, fresh_amp: NDArray[np.complex128], begin: int, end: int, rows: NDArray[np.int64],
) -> int:  # fmt: skip
    """Merges sorted new branches into the first `held` rows, from the back; says how many there are then.

    `rows` is scratch: for long keys it says which row comes where, held ones as they are and new ones inverted.
    """
    p, q, to = held - 1, end - 1, held + end - begin - 1
    while q >= begin:
        later = False
        if p >= 0:
            for v in range(len(keys)):
                w = len(keys) - 1 - v
                if keys[w][p] != fresh[w][q]:
                    later = keys[w][p] > fresh[w][q]
                    break
        if later:
            if len(keys) <= FEW:
                for w in range(len(keys)):
                    keys[w][to] = keys[w][p]
            rows[to] = p
            amp[to] = amp[p]
            p -= 1
        else:
            if len(keys) <= FEW:
                for w in range(len(keys)):
                    keys[w][to] = fresh[w][q]
            rows[to] = ~q
            amp[to] = fresh_amp[q]
            q -= 1
        to -= 1
    if len(keys) > FEW:
        put(keys, fresh, rows, to + 1, held + end - begin)
    return held + end - begin


@helper
def spread(
    keys: Keys, amp: NDArray[np.complex128], count: int, flip: Words,
    lows: NDArray[np.int64], highs: NDArray[np.int64], n_low: int, n_high: int,
    a: complex, b: complex, c: complex, d: complex, fresh: Keys, fresh_amp: NDArray[np.complex128],
) -> tuple[int, int, int]:  # fmt: skip
    """Mixes partners; lone branches find new ones, which are put behind the others if all belong there, else apart.

    Says how many are in place, and where the two sorted lists of those apart end. Noise is looked for where any can be.
    """
    alone_low, alone_high = mix(keys, amp, flip, lows, highs, n_low, n_high, a, b, c, d)
    held, mixed = count, n_low - alone_low
    if alone_low > 0 and alone_high == 0 and order(keys, count - 1, lows[0], flip) < 0:
        end, faded = found(keys, amp, lows, alone_low, flip, a, c, keys, amp, count)
        if mixed + faded > 0:
            held = without_noise(keys, amp, count, lows)
        return closed_up(keys, amp, held, count, end), 0, 0
    middle, faded = found(keys, amp, lows, alone_low, flip, a, c, fresh, fresh_amp, 0)
    end, gone = found(keys, amp, highs, alone_high, flip, d, b, fresh, fresh_amp, middle)
    if mixed + faded + gone > 0:
        held = without_noise(keys, amp, count, lows)
    return held, middle, end


@helper
def masks(codes: NDArray[np.int64], at: int, zero: Words) -> tuple[Words, Words, Words]:
    """The bits that an operation looks at, and the two patterns of them that it mixes."""
    first, second, controls = codes[at + 1], codes[at + 2], codes[at + 3]
    care, low, high = with_bit(zero, first), zero, with_bit(zero, first)
    if second >= 0:
        care, low, high = with_bit(care, second), with_bit(zero, first), with_bit(zero, second)
    for k in range(at + 4, at + 4 + controls):
        position = codes[k] >> 1
        care = with_bit(care, position)
        if codes[k] & 1:
            low, high = with_bit(low, position), with_bit(high, position)
    return care, low, high


@helper
def exclusive(left: Words, right: Words) -> Words:
    """The bits in which two patterns differ."""
    for w in range(len(left)):
        left = with_item(left, w, left[w] ^ right[w])
    return left


@helper
def evolve(
    keys: Keys, amp: NDArray[np.complex128], zero: Words,
    codes: NDArray[np.int64], matrices: NDArray[np.complex128],
    lows: NDArray[np.int64], highs: NDArray[np.int64], fresh: Keys, fresh_amp: NDArray[np.complex128],
    control: NDArray[np.int64],
) -> int:  # fmt: skip
    """Runs the program from where it stands; says what it came to. After SHORT or SPENT it can be called again."""
    count, at = control[BRANCHES], control[AT]
    outcome = DONE
    while at < control[END]:
        if control[BUDGET] <= 0:
            outcome = SPENT
            break
        control[BUDGET] -= count
        care, low, high = masks(codes, at, zero)
        gate, controls = codes[at], codes[at + 3]
        a, b, c, d = matrices[gate, 0], matrices[gate, 1], matrices[gate, 2], matrices[gate, 3]
        if b == 0 and c == 0:
            turn(keys, amp, count, codes, at, care, low, high, a, d)
            at += 4 + controls
            continue
        n_low = members(keys, count, care, low, lows)
        n_high = members(keys, count, care, high, highs)
        if count + n_low + n_high > amp.size:
            control[NEEDED] = count + n_low + n_high
            outcome = SHORT
            break
        flip = exclusive(low, high)
        count, middle, end = spread(keys, amp, count, flip, lows, highs, n_low, n_high, a, b, c, d, fresh, fresh_amp)
        if count + end > control[LIMIT]:
            control[NEEDED] = count + end
            outcome = LARGE
            break
        count = merge_in(keys, amp, count, fresh, fresh_amp, 0, middle, lows)
        count = merge_in(keys, amp, count, fresh, fresh_amp, middle, end, lows)
        at += 4 + controls
    control[BRANCHES], control[AT] = count, at
    return outcome


_SIGNATURE = (
    "int64(uint64[:, ::1], complex128[::1], int64[::1], complex128[:, ::1], int64[::1], int64[::1], "
    "uint64[:, ::1], complex128[::1], int64[::1])"
)


@kernel(_SIGNATURE)
def evolve_1(
    keys: NDArray[np.uint64], amp: NDArray[np.complex128],
    codes: NDArray[np.int64], matrices: NDArray[np.complex128],
    lows: NDArray[np.int64], highs: NDArray[np.int64],
    fresh: NDArray[np.uint64], fresh_amp: NDArray[np.complex128], control: NDArray[np.int64],
) -> int:  # fmt: skip
    """`evolve` on keys of one word."""
    zero = (np.uint64(0),)
    return evolve((keys[0],), amp, zero, codes, matrices, lows, highs, (fresh[0],), fresh_amp, control)


@kernel(_SIGNATURE)
def evolve_2(
    keys: NDArray[np.uint64], amp: NDArray[np.complex128],
    codes: NDArray[np.int64], matrices: NDArray[np.complex128],
    lows: NDArray[np.int64], highs: NDArray[np.int64],
    fresh: NDArray[np.uint64], fresh_amp: NDArray[np.complex128], control: NDArray[np.int64],
) -> int:  # fmt: skip
    """`evolve` on keys of two words."""
    zero = (np.uint64(0), np.uint64(0))
    held, new = (keys[0], keys[1]), (fresh[0], fresh[1])
    return evolve(held, amp, zero, codes, matrices, lows, highs, new, fresh_amp, control)


@kernel(_SIGNATURE)
def evolve_4(
    keys: NDArray[np.uint64], amp: NDArray[np.complex128],
    codes: NDArray[np.int64], matrices: NDArray[np.complex128],
    lows: NDArray[np.int64], highs: NDArray[np.int64],
    fresh: NDArray[np.uint64], fresh_amp: NDArray[np.complex128], control: NDArray[np.int64],
) -> int:  # fmt: skip
    """`evolve` on keys of four words."""
    zero = (np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0))
    held, new = (keys[0], keys[1], keys[2], keys[3]), (fresh[0], fresh[1], fresh[2], fresh[3])
    return evolve(held, amp, zero, codes, matrices, lows, highs, new, fresh_amp, control)


@kernel(_SIGNATURE)
def evolve_8(
    keys: NDArray[np.uint64], amp: NDArray[np.complex128],
    codes: NDArray[np.int64], matrices: NDArray[np.complex128],
    lows: NDArray[np.int64], highs: NDArray[np.int64],
    fresh: NDArray[np.uint64], fresh_amp: NDArray[np.complex128], control: NDArray[np.int64],
) -> int:  # fmt: skip
    """`evolve` on keys of eight words."""
    return evolve(keys, amp, no_bits_8(), codes, matrices, lows, highs, fresh, fresh_amp, control)


@kernel(_SIGNATURE)
def evolve_20(
    keys: NDArray[np.uint64], amp: NDArray[np.complex128],
    codes: NDArray[np.int64], matrices: NDArray[np.complex128],
    lows: NDArray[np.int64], highs: NDArray[np.int64],
    fresh: NDArray[np.uint64], fresh_amp: NDArray[np.complex128], control: NDArray[np.int64],
) -> int:  # fmt: skip
    """`evolve` on keys of twenty words."""
    return evolve(keys, amp, no_bits_20(), codes, matrices, lows, highs, fresh, fresh_amp, control)
