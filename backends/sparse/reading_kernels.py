"""The compiled kernels that read a state: probabilities, questions, read-outs, phases, products, other places for bits.

Keys of any number of words come as one array, a row a word (word 0 the lowest): what is read is read once, so that no
version for each length is worth its size.
"""

import math

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse.kernels import masks
from qchess.circuits.kernels import helper, kernel

Keys = NDArray[np.uint64]
Amplitudes = NDArray[np.complex128]


@helper
def answers(keys: Keys, k: int, cubes: NDArray[np.uint64]) -> bool:
    """Whether the k-th key matches any cube; a cube is the words that matter, then the words wanted."""
    words = keys.shape[0]
    for c in range(cubes.shape[0]):
        off = np.uint64(0)
        for w in range(words):
            if cubes[c, w] != np.uint64(0):  # few words of a long key matter
                off |= (keys[w, k] & cubes[c, w]) ^ cubes[c, words + w]
        if off == np.uint64(0):
            return True
    return False


@kernel("float64(uint64[:, ::1], complex128[::1], uint64[:, ::1])")
def probability(keys: Keys, amp: Amplitudes, cubes: NDArray[np.uint64]) -> float:
    """The weight of the branches that match any cube."""
    total = 0.0
    if keys.shape[0] == 1 and cubes.shape[0] == 1:  # the usual question, in the fewest steps
        care, want = cubes[0, 0], cubes[0, 1]
        for k in range(amp.size):  # added always, if only 0: no branch to mispredict
            counts = 1.0 if keys[0, k] & care == want else 0.0
            total += counts * (amp[k].real * amp[k].real + amp[k].imag * amp[k].imag)
        return total
    for k in range(amp.size):
        counts = 1.0 if answers(keys, k, cubes) else 0.0
        total += counts * (amp[k].real * amp[k].real + amp[k].imag * amp[k].imag)
    return total


@kernel("int64(uint64[:, ::1], complex128[::1], uint64[:, ::1], bool, uint64[:, ::1], complex128[::1], float64[::1])")
def select(
    keys: Keys, amp: Amplitudes, cubes: NDArray[np.uint64], wanted: bool,
    out: Keys, kept: Amplitudes, weight: NDArray[np.float64],
) -> int:  # fmt: skip
    """Copies the branches that match (or do not), scaled to norm 1; says how many, and writes their weight."""
    m = 0
    total = 0.0
    # written always, kept when it answers: no branch to mispredict
    if keys.shape[0] == 1 and cubes.shape[0] == 1:  # the usual question, in the fewest steps
        care, want = cubes[0, 0], cubes[0, 1]
        for k in range(amp.size):
            out[0, m] = keys[0, k]
            kept[m] = amp[k]
            m += (keys[0, k] & care == want) == wanted
    else:
        for k in range(amp.size):
            out[0, m] = np.uint64(k)
            kept[m] = amp[k]
            m += answers(keys, k, cubes) == wanted
        for v in range(keys.shape[0]):
            w = keys.shape[0] - 1 - v  # the lowest word last: until then it says which rows are kept
            for k in range(m):
                out[w, k] = keys[w, out[0, k]]
    for k in range(m):
        total += kept[k].real * kept[k].real + kept[k].imag * kept[k].imag
    weight[0] = total
    if total > 0:
        scale = 1 / math.sqrt(total)
        for k in range(m):
            kept[k] = kept[k] * scale
    return m


@kernel("void(uint64[:, ::1], complex128[::1], int64[::1], complex128[:, ::1], complex128[::1])")
def turned(
    keys: Keys, amp: Amplitudes, codes: NDArray[np.int64], matrices: NDArray[np.complex128], out: Amplitudes
) -> None:
    """Writes the amplitudes after a program's first operation, which turns phases; keys of one word."""
    (care,), (low,), (high,) = masks(codes, 0, (np.uint64(0),))
    a, d = matrices[codes[0], 0], matrices[codes[0], 3]
    for k in range(amp.size):  # written always: no branch to mispredict
        factor = d if keys[0, k] & care == high else 1 + 0j
        if a != 1:
            factor = a if keys[0, k] & care == low else factor
        out[k] = amp[k] * factor


@kernel("void(uint64[:, ::1], complex128[::1], int64[::1], float64[::1])")
def marginals(keys: Keys, amp: Amplitudes, positions: NDArray[np.int64], found: NDArray[np.float64]) -> None:
    """Writes the probability of 1 at each position."""
    for q in range(positions.size):
        word, shift = positions[q] >> 6, np.uint64(positions[q] & 63)
        total = 0.0
        for k in range(amp.size):
            if keys[word, k] >> shift & np.uint64(1) != np.uint64(0):
                total += amp[k].real * amp[k].real + amp[k].imag * amp[k].imag
        found[q] = min(1.0, total)


@kernel(
    "void(uint64[:, ::1], complex128[::1], uint64[:, ::1], complex128[::1], int64, uint64[:, ::1], complex128[::1])"
)
def multiply(
    keys: Keys, amp: Amplitudes, above: Keys, above_amp: Amplitudes, width: int, out: Keys, out_amp: Amplitudes
) -> None:
    """Writes the product, the second one's bits placed above the first one's `width` bits."""
    n, words = amp.size, out.shape[0]
    up, shift = width >> 6, width & 63
    for j in range(above_amp.size):
        for k in range(n):
            out_amp[j * n + k] = amp[k] * above_amp[j]
        for w in range(words):
            lifted = np.uint64(0)
            if 0 <= w - up < above.shape[0]:
                lifted = above[w - up, j] << np.uint64(shift)
            if shift > 0 and 0 <= w - up - 1 < above.shape[0]:
                lifted |= above[w - up - 1, j] >> np.uint64(64 - shift)
            for k in range(n):
                mine = keys[w, k] if w < keys.shape[0] else np.uint64(0)
                out[w, j * n + k] = mine | lifted


@kernel("void(uint64[:, ::1], int64[::1], int64[::1], uint64[:, ::1])")
def gather(keys: Keys, old: NDArray[np.int64], new: NDArray[np.int64], out: Keys) -> None:
    """Writes the keys with each bit carried from its old position to its new one; all others are 0."""
    count = keys.shape[1]
    for w in range(out.shape[0]):
        for k in range(count):
            out[w, k] = np.uint64(0)
    q = 0
    while q < old.size:
        length = 1  # bits that keep their distance travel together
        while (
            q + length < old.size
            and old[q + length] == old[q] + length
            and new[q + length] == new[q] + length
            and (old[q] & 63) + length < 64
            and (new[q] & 63) + length < 64
        ):
            length += 1
        mask = ~np.uint64(0) >> np.uint64(64 - length)
        here, there = np.uint64(old[q] & 63), np.uint64(new[q] & 63)
        source, target = old[q] >> 6, new[q] >> 6
        for k in range(count):
            out[target, k] |= (keys[source, k] >> here & mask) << there
        q += length
