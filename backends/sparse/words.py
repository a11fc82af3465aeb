"""Bit masks of several machine words, and the rows of keys that they pick; the kernels of the sparse engine share them.

The lowest 64 bits are word 0. The compiler makes a version of each function for every number of words.
"""

import numpy as np
from numpy.typing import NDArray

from qchess.circuits.kernels import helper, with_item

#: the columns of many keys: a tuple of one array a word, or one array of a row a word, which compiles faster
Keys = tuple[NDArray[np.uint64], ...] | NDArray[np.uint64]
#: one mask
Words = tuple[np.uint64, ...]

#: rows of keys of so many words are moved whole; of longer ones a word at a time, since each word of a row lies
#: in another place, and the cache follows no more than some places at once
FEW = 4
#: multiplied with one bit, it brings the bit's own number to the top; `BIT_OF` reads it there
SPREAD = np.uint64(0x07EDD5E59A4E28C2)
BIT_OF = np.zeros(64, np.int64)
for _bit in range(64):
    BIT_OF[(int(SPREAD) << _bit & 2**64 - 1) >> 58] = _bit


@helper
def with_bit(words: Words, position: int) -> Words:
    """The mask with one more bit."""
    k = position >> 6
    return with_item(words, k, words[k] | np.uint64(1) << np.uint64(position & 63))


@helper
def matches(keys: Keys, k: int, care: Words, want: Words) -> bool:
    """Whether the k-th key shows the wanted bits."""
    off = np.uint64(0)
    for w in range(len(care)):
        if len(care) <= FEW or care[w] != np.uint64(0):  # few words of a long key matter
            off |= (keys[w][k] & care[w]) ^ want[w]
    return bool(off == np.uint64(0))


@helper
def members(keys: Keys, count: int, care: Words, want: Words, found: NDArray[np.int64]) -> int:
    """Lists where the keys are that show the wanted bits; says how many."""
    m = 0
    if len(care) <= FEW:
        for k in range(count):  # written always, kept when it matches: no branch to mispredict
            found[m] = k
            m += matches(keys, k, care, want)
        return m
    for k in range(count):
        found[k] = k
    left = count
    for w in range(len(care)):
        if care[w] != np.uint64(0):  # few words of a long key matter
            word, bits, value, m = keys[w], care[w], want[w], 0
            for k in range(left):
                found[m] = found[k]
                m += (word[found[m]] & bits) == value
            left = m
    return left


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
def lowest(word: np.uint64) -> int:
    """The position of a word's lowest bit."""
    return int(BIT_OF[((word & (~word + np.uint64(1))) * SPREAD) >> np.uint64(58)])


@helper
def note(masks: NDArray[np.uint64], k: int, words: Words) -> None:
    """Writes a mask into the k-th row."""
    for w in range(len(words)):
        masks[k, w] = words[w]


@helper
def listed(words: Words, positions: NDArray[np.int64]) -> int:
    """Lists the positions of a mask's bits; says how many."""
    m = 0
    for p in range(64 * len(words)):
        if has_bit(words, p):
            positions[m] = p
            m += 1
    return m


@helper
def no_bits_8() -> Words:
    """The empty mask of eight words."""
    o = np.uint64(0)
    return (o, o, o, o, o, o, o, o)


@helper
def no_bits_20() -> Words:
    """The empty mask of twenty words."""
    o = np.uint64(0)
    return (o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, o)
