"""Health tests: stop a broken source before its bits are used.

The two continuous tests of NIST SP 800-90B, section 4.4, for bits:

    repetition count      alarm when one value comes C times in a row, C = 1 + ceil(-log2(alpha) / H)
    adaptive proportion   alarm when the first bit of a window of W bits comes C times in it,
                          C = 1 + critbinom(W, 2^-H, 1 - alpha), W = 1024

H is the claimed min-entropy of a bit and alpha the probability of a false alarm, for each test and each bit or window.
The start-up test (4.3) is both of them on the first 1024 bits.

Bits that pass may still be further from even than chance explains; this is remarked and has no other effect.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from qchess.backends.chance import as_far, at_least, how_often
from qchess.circuits.errors import BackendError

Bits = NDArray[np.uint8]

#: the probabilities of a false alarm that SP 800-90B allows
ALPHA, LEAST_ALPHA = 2.0**-20, 2.0**-40
WINDOW = 1024
#: the bits of the start-up test (SP 800-90B, 4.3)
START_UP = 1024
#: what chance does more rarely than this is remarked
RARE = 1 / 200


class HealthError(BackendError):
    """The bits of a source fail a health test; none of them may be used."""


def alpha_of(count: int) -> float:
    """Return the probability of a false alarm per bit or window, small enough for a long harvest.

    >>> math.log2(alpha_of(1024)), math.log2(alpha_of(2**20))
    (-20.0, -30.0)
    """
    return max(LEAST_ALPHA, ALPHA / max(1.0, count / START_UP))


def repetition_cutoff(entropy: float, alpha: float = ALPHA) -> int:
    """Return how many equal values in a row are an alarm.

    >>> repetition_cutoff(1.0), repetition_cutoff(0.5)
    (21, 41)
    """
    return 1 + math.ceil(-math.log2(alpha) / _claimed(entropy))


@cache
def proportion_cutoff(entropy: float, alpha: float = ALPHA, window: int = WINDOW) -> int:
    """Return how often the first bit of a window must occur in it for an alarm.

    >>> proportion_cutoff(1.0), proportion_cutoff(0.5)
    (589, 793)
    """
    p = 2.0 ** -_claimed(entropy)
    return bisect_left(range(window + 1), -alpha, key=lambda count: -at_least(count, window, p))


def _claimed(entropy: float) -> float:
    if not 0 < entropy <= 1:
        raise BackendError(f"the min-entropy of a bit lies above 0 and not above 1, got {entropy!r}")
    return entropy


@dataclass(frozen=True, slots=True)
class Alarm:
    """Which test failed, at which bit, and how."""

    test: str
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Monitor:
    """Both continuous tests, for bits of this claimed min-entropy."""

    entropy: float = 0.9
    alpha: float = ALPHA

    def check(self, bits: Bits) -> Alarm | None:
        """Return the first alarm in these bits, or None."""
        alarms = [alarm for alarm in (self._repetition(bits), self._proportion(bits)) if alarm is not None]
        return min(alarms, key=lambda alarm: alarm.at, default=None)

    def require(self, bits: Bits, source: str) -> None:
        """Raise an error if the bits fail."""
        alarm = self.check(bits)
        if alarm is not None:
            raise HealthError(f"{source} failed the {alarm.test} test at bit {alarm.at}: {alarm.text}")

    def _repetition(self, bits: Bits) -> Alarm | None:
        cutoff = repetition_cutoff(self.entropy, self.alpha)
        if len(bits) < cutoff:
            return None
        same = np.concatenate(([0], np.cumsum(bits[1:] == bits[:-1])))
        runs = np.flatnonzero(same[cutoff - 1 :] - same[: len(same) - cutoff + 1] == cutoff - 1)
        if not len(runs):
            return None
        at = int(runs[0]) + cutoff - 1
        return Alarm("repetition count", at, f"{int(bits[at])} came {cutoff} times in a row")

    def _proportion(self, bits: Bits) -> Alarm | None:
        cutoff = proportion_cutoff(self.entropy, self.alpha)
        whole = len(bits) // WINDOW * WINDOW
        windows = bits[:whole].reshape(-1, WINDOW)
        counts = np.cumsum(windows == windows[:, :1], axis=1)
        failed = np.flatnonzero(counts[:, -1] >= cutoff) if len(counts) else counts
        if not len(failed):
            return None
        row = int(failed[0])
        inside = int(np.flatnonzero(counts[row] >= cutoff)[0])
        value = int(windows[row, 0])
        return Alarm("adaptive proportion", row * WINDOW + inside, f"{value} came {cutoff} times in {inside + 1} bits")


def remark(bits: Bits, width: int = 1, probability: float = 0.5) -> str | None:
    """Return a sentence on how far the ones are off, if chance does that less than once in 200 times; else None.

    The test is exact, binomial and two-sided, on all bits and, if several wires give them in turn, on each wire. Each
    of the two has half of that level; that of the wires is divided by their number.

    >>> remark(np.array([1] * 868 + [0] * 132, dtype=np.uint8), probability=0.9)
    '868 of 1,000 measured bits are ones where 900 were asked: chance does that once in 719 times'
    """
    looks = [_looked(int(bits.sum()), len(bits), probability)]
    shots = len(bits) // width
    if width > 1:
        ones = bits[: shots * width].reshape(shots, width).sum(axis=0)
        looks += [_looked(int(ones[wire]), shots, probability, (int(wire), width))
                  for wire in (ones.argmin(), ones.argmax())]  # fmt: skip
    rarest, text = min(looks)
    return text if rarest < RARE / min(2, width) else None


def _looked(ones: int, size: int, probability: float, wire: tuple[int, int] = (0, 1)) -> tuple[float, str]:
    """Return how likely chance gives a count so far off, on any wire, and the sentence."""
    number, width = wire
    likely = min(1.0, as_far(ones, size, probability) * width)
    asked = f"{round(size * probability, 1):,.15g} were asked: chance does that"
    if width == 1:
        return likely, f"{ones:,} of {size:,} measured bits are ones where {asked} {how_often(likely)}"
    gave = f"wire {number + 1} of {width} gave {ones:,} ones of {size:,} where {asked}"
    return likely, f"{gave} to one of the wires {how_often(likely)}"
