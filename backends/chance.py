"""The probability of counts: exact binomial tails, and how rare a deviation is."""

from __future__ import annotations

import math

#: a binomial distribution is negligible beyond this many standard deviations
FAR = 40
#: rarer events are reported as "less than once in this many times"
RAREST = 10**12


def at_least(count: int, tries: int, chance: float) -> float:
    """Return the probability of at least `count` successes in independent tries.

    >>> round(at_least(2, 3, 0.5), 12)
    0.5
    """
    if count <= 0 or not 0 < chance < 1:
        return float(count <= 0 or (chance >= 1 and count <= tries))
    mean, far = tries * chance, FAR * (1 + math.sqrt(tries * chance * (1 - chance)))
    first, last = max(count, math.floor(mean - far)), min(tries, math.ceil(mean + far))
    logs = math.log(chance), math.log1p(-chance)
    ways = math.lgamma(tries + 1)
    terms = (
        math.exp(ways - math.lgamma(k + 1) - math.lgamma(tries - k + 1) + k * logs[0] + (tries - k) * logs[1])
        for k in range(first, last + 1)
    )
    return min(1.0, math.fsum(terms))


def as_far(count: int, tries: int, chance: float) -> float:
    """Return the probability of a count at least as far off, on either side: twice the smaller tail, at most 1.

    >>> round(as_far(0, 10, 0.5), 12) == round(2 / 1024, 12)
    True
    """
    more = count > tries * chance  # the median lies beside the mean, so the smaller tail is on this side
    return min(1.0, 2 * (at_least(count, tries, chance) if more else at_least(tries - count, tries, 1 - chance)))


def how_often(probability: float) -> str:
    """Return in words how often chance does something of this probability, to three figures.

    >>> how_often(1 / 719), how_often(0.0000266), how_often(1e-80)
    ('once in 719 times', 'once in 37,600 times', 'less than once in 10^12 times')
    """
    if probability * RAREST < 1:
        return "less than once in 10^12 times"
    return f"once in {int(float(f'{1 / probability:.3g}')):,} times"
