"""Estimating how much chance raw bits hold, and pressing it into fewer, better ones."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from qchess.circuits.errors import BackendError

Bits = NDArray[np.uint8]

#: an estimate wants so many bits; fewer say too little
FEWEST = 1000
#: the 99 % quantile with which SP 800-90B bounds a proportion from above
Z = 2.5758293035489
#: Toeplitz matrices are applied to blocks of so many bits
BLOCK = 8192


def min_entropy(bits: Bits) -> float:
    """The min-entropy of a bit, estimated: the smaller of the two estimates below.

    Both follow NIST SP 800-90B (6.3.1 and 6.3.3). They are two of its ten; none of them can tell a good
    pseudo-random sequence from chance.
    """
    return min(most_common_value(bits), markov(bits))


def most_common_value(bits: Bits) -> float:
    """-log2 of an upper bound (99 %) on the chance of the commoner bit."""
    size = _enough(bits)
    share = max(float(np.mean(bits)), 1 - float(np.mean(bits)))
    bound = min(1.0, share + Z * math.sqrt(share * (1 - share) / (size - 1)))
    return -math.log2(bound)


def markov(bits: Bits) -> float:
    """The min-entropy of a bit if each depends on the one before: the likeliest 128 bits, per bit."""
    _enough(bits)
    one = float(np.mean(bits))
    start = (1 - one, one)
    step = np.zeros((2, 2))
    np.add.at(step, (bits[:-1], bits[1:]), 1)
    step /= np.maximum(step.sum(axis=1, keepdims=True), 1)
    with np.errstate(divide="ignore"):
        first, then = np.log2(np.array(start)), np.log2(step)
    best = first
    for _ in range(127):
        best = np.max(best[:, None] + then, axis=0)
    return min(1.0, float(-np.max(best)) / 128)


def _enough(bits: Bits) -> int:
    if len(bits) < FEWEST:
        raise BackendError(f"an entropy estimate wants at least {FEWEST} bits, got {len(bits)}")
    return len(bits)


def extracted_length(size: int, entropy: float, epsilon: float = 2.0**-32) -> int:
    """How many bits a Toeplitz matrix may press out of `size`: all but 2 log2(1/epsilon) of the entropy.

    >>> extracted_length(8192, 0.51)
    4113
    """
    return max(0, math.floor(size * entropy - 2 * math.log2(1 / epsilon)))


def toeplitz(bits: Bits, length: int, seed: Bits) -> Bits:
    """The product of a random Toeplitz matrix and the bits, modulo 2: `length` bits.

    Entry (i, j) of the matrix is ``seed[i - j + len(bits) - 1]``, so the seed has one bit a diagonal. It must
    be chosen independently of the bits, and may be used again. The product is a convolution, done by FFT.
    """
    size = len(bits)
    if len(seed) != size + length - 1:
        raise BackendError(f"a {length} x {size} Toeplitz matrix has {size + length - 1} diagonals, got {len(seed)}")
    points = 1 << (size + len(seed) - 2).bit_length()
    product = np.fft.irfft(np.fft.rfft(seed, points) * np.fft.rfft(bits, points), points)
    return (np.rint(product[size - 1 : size - 1 + length]).astype(np.int64) & 1).astype(np.uint8)


def extract(bits: Bits, entropy: float, seed: Bits) -> Bits:
    """The bits pressed block by block with one matrix; what fills no block is left out."""
    length = extracted_length(BLOCK, entropy)
    blocks = bits[: len(bits) // BLOCK * BLOCK].reshape(-1, BLOCK)
    if not length or not len(blocks):
        raise BackendError(f"extraction takes blocks of {BLOCK} bits of some entropy, got {len(bits)} of {entropy:.3f}")
    return np.concatenate([toeplitz(block, length, seed[: BLOCK + length - 1]) for block in blocks])
