"""Estimate the entropy of raw bits, and extract fewer, better ones."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from qchess.circuits.errors import BackendError

Bits = NDArray[np.uint8]
Signs = NDArray[np.float32]

#: an estimate needs this many bits
FEWEST = 1000
#: the pattern estimates need this many, or chance alone looks like a pattern
MANY = 4096
#: a wire's bit is compared with those of this many shots before it
REACH = 8
#: the 99 % quantile for upper bounds in SP 800-90B
Z = 2.5758293035489
#: Toeplitz matrices are applied to blocks of this many bits
BLOCK = 8192
#: two blocks of this many fair bits are practically never equal
REPEATED = 256


def min_entropy(bits: Bits, width: int = 1) -> float:
    """Estimate the min-entropy of a bit: the smallest of the estimates below.

    Three follow NIST SP 800-90B (6.3.1, 6.3.3, 6.3.5). `predicted` is like its lag predictor (6.3.8), and knows that
    the bits come from `width` wires in turn. The latter two need `MANY` bits. None can tell a good pseudo-random
    sequence from chance, and all underestimate: a million fair bits give .91 to .94.
    """
    found = min(most_common_value(bits), markov(bits))
    return found if len(bits) < MANY else min(found, tuples(bits), predicted(bits, width))


def most_common_value(bits: Bits) -> float:
    """Return -log2 of an upper bound (99 %) on the probability of the more frequent bit."""
    size = _enough(bits)
    share = max(float(np.mean(bits)), 1 - float(np.mean(bits)))
    return _at_least(share, size)


def _at_least(share: float, size: int) -> float:
    """Return -log2 of an upper bound (99 %) on a probability, from its share of `size` bits."""
    return -math.log2(min(1.0, share + Z * math.sqrt(share * (1 - share) / (size - 1))))


def tuples(bits: Bits) -> float:
    """Estimate the min-entropy of a bit from the most frequent string of each length up to 64 that occurs 35 times."""
    size = _enough(bits)
    words, most = np.zeros(size + 1, dtype=np.uint64), 0.0
    for length in range(1, 65):
        words = (words[:-1] << np.uint64(1)) | bits[length - 1 :]
        often = int(np.unique(words, return_counts=True)[1].max())
        if often < 35:
            break
        most = max(most, (often / len(words)) ** (1 / length))
    return _at_least(most, size)


def predicted(bits: Bits, width: int = 1) -> float:
    """Return -log2 of an upper bound (99 %) on how often the better of two predictors is right about a bit.

    Each learns from about half of the shots, drawn evenly, and predicts the others, and vice versa. One has a rule for
    each wire: a value, or one of the bits of the `REACH` shots before it, or its opposite. The other predicts all bits
    from the bit at one distance before them.
    """
    shots = len(bits) // width
    signs = (1.0 - 2.0 * bits[: shots * width]).astype(np.float32).reshape(shots, width)
    drawn = np.random.default_rng(0).random(shots) < 0.5
    halves = np.array([drawn, ~drawn], dtype=np.float32)
    more = max(0.0, _wires(signs, halves), _far(signs, halves))
    return _at_least((1 + more / signs.size) / 2, _enough(bits))


def _wires(signs: Signs, halves: Signs) -> float:
    """Return how many more bits follow than break the best rule of their wire."""
    shots, width = signs.shape
    flat, best, tried = signs.ravel(), np.zeros((2, width)), np.zeros((2, width))
    for before in range(REACH * width + 1):
        # before the first bit there is none, and a rule is neither right nor wrong
        earlier = np.append(np.zeros(before, flat.dtype), flat[: flat.size - before])
        agree = halves @ (flat * earlier if before else flat).reshape(shots, width)
        tried = np.where(abs(agree) > best, np.sign(agree) * agree[::-1], tried)
        best = np.maximum(best, abs(agree))
    return float(tried.sum())


def _far(signs: Signs, halves: Signs) -> float:
    """Return how many more bits equal than differ from the bit at the best distance before them."""
    points = 1 << (2 * signs.size - 1).bit_length()
    earlier = np.conj(np.fft.rfft(signs.ravel(), points))
    parts = (halves[:, :, None] * signs).reshape(2, -1)
    agree = np.fft.irfft(np.fft.rfft(parts, points) * earlier, points)[:, 1 : signs.size]
    best = abs(agree).argmax(axis=1)
    return float(sum(np.sign(agree[k, best[k]]) * agree[1 - k, best[k]] for k in (0, 1)))


def markov(bits: Bits) -> float:
    """Return the min-entropy of a bit if each depends on the one before: the likeliest 128 bits, per bit."""
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
    """Return how many bits may be extracted from `size`: all but 2 log2(1/epsilon) of the entropy.

    >>> extracted_length(8192, 0.51)
    4113
    """
    return max(0, math.floor(size * entropy - 2 * math.log2(1 / epsilon)))


def toeplitz(bits: Bits, length: int, seed: Bits) -> Bits:
    """Return the product of a random Toeplitz matrix and the bits, modulo 2: `length` bits.

    Entry (i, j) of the matrix is ``seed[i - j + len(bits) - 1]``, so the seed has one bit per diagonal. It
    must be independent of the bits, and may be reused. The product is a convolution, done by FFT.
    """
    size = len(bits)
    if len(seed) != size + length - 1:
        raise BackendError(f"a {length} x {size} Toeplitz matrix has {size + length - 1} diagonals, got {len(seed)}")
    points = 1 << (size + len(seed) - 2).bit_length()
    product = np.fft.irfft(np.fft.rfft(seed, points) * np.fft.rfft(bits, points), points)
    return (np.rint(product[size - 1 : size - 1 + length]).astype(np.int64) & 1).astype(np.uint8)


def extract(bits: Bits, entropy: float, seed: Bits) -> Bits:
    """Extract bits block by block; an incomplete last block is left out.

    The seed is for one matrix for all blocks, or has a row for each, so that equal blocks give different bits.
    """
    length = extracted_length(BLOCK, entropy)
    blocks = bits[: len(bits) // BLOCK * BLOCK].reshape(-1, BLOCK)
    if not length or not len(blocks):
        raise BackendError(f"extraction takes blocks of {BLOCK} bits of some entropy, got {len(bits)} of {entropy:.3f}")
    seeds = np.broadcast_to(seed, (len(blocks), seed.shape[-1]))[:, : BLOCK + length - 1]
    return np.concatenate([toeplitz(block, length, own) for block, own in zip(blocks, seeds, strict=True)])


def repeated(bits: Bits, size: int = REPEATED) -> tuple[int, int] | None:
    """Return the first block equal to an earlier one, and that one, counted from 0; None if there is none."""
    seen: dict[bytes, int] = {}
    for number, block in enumerate(bits[: len(bits) // size * size].reshape(-1, size)):
        if (first := seen.setdefault(block.tobytes(), number)) != number:
            return number, first
    return None
