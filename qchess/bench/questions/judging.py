"""Test whether a histogram of read-outs fits the exact probabilities, with known false alarm rates.

The distance of counts from the probabilities is their relative entropy D. After n shots over k values, for n D > k - 1,

    P(D as large)  <=  e^(-n D + k - 1) (n D / (k - 1))^(k - 1)

for any probabilities (Agrawal, IEEE Trans. Inf. Theory 66, 6297, 2020). So the bound needs neither large counts nor
grouped values. An approximate method may have a state of fidelity F; then its probabilities differ by at most
d = sqrt(1 - F) in total, and the share t of misplaced counts satisfies

    P(t as large)  <=  2^k e^(-2 n (t - d)^2)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from qchess.bench.case import Case
from qchess.bench.questions.cases import windows
from qchess.bench.running.verifying import FAITHFUL

#: the false alarm rate of all tests together
RATE = 1e-9
#: smaller probabilities count as 0
NONE = 1e-12


@dataclass(frozen=True)
class Chances:
    """What is known of the read-outs of a case."""

    wires: int
    #: key -> its probability, of the largest and some more, and whether these are all
    keys: Mapping[int, float]
    complete: bool
    #: the number of keys with nonzero probability
    branches: int
    windows: tuple[tuple[tuple[int, ...], tuple[float, ...]], ...]
    approximate: bool = False
    #: for noise: the keys that it makes more likely, which are too rare if the noise is left out
    raised: frozenset[int] = frozenset()

    @classmethod
    def of(cls, case: Case, *, approximate: bool = False) -> Chances:
        """Return those of a case that asks for counts."""
        keys = {key: abs(a) ** 2 for key, a in case.reference.items()}
        given = tuple([(tuple(each["wires"]), tuple(each["chances"])) for each in case.exact["windows"]])
        return cls(len(case.wires), keys, len(keys) >= case.branches, case.branches, given, approximate)

    @classmethod
    def under_noise(cls, case: Case, *, approximate: bool = False) -> Chances:
        """Return those of a case with noise: of all keys."""
        exact, wires = case.exact["chances"], len(case.wires)
        keys = {key: p for key, p in enumerate(exact) if p >= NONE}
        pure = {key: abs(a) ** 2 for key, a in case.reference.items()}
        raised = frozenset(key for key, p in keys.items() if p > pure.get(key, 0.0))
        found = []
        for group in windows(wires, case.name):
            sums = [0.0] * (1 << len(group))
            for key, p in keys.items():
                sums[_place(key, group, wires)] += p
            found.append((tuple(group), tuple(sums)))
        return cls(wires, keys, True, len(keys), tuple(found), approximate, raised)

    def tests(self, counts: Mapping[int, int]) -> Iterator[tuple[str, list[float], list[int]]]:
        """Yield each comparison: words, probabilities, counts."""
        shots = sum(counts.values())
        known = [key for key, p in self.keys.items() if p * shots >= 1]
        chances, seen = [self.keys[key] for key in known], [counts.get(key, 0) for key in known]
        rest = max(0.0, 1 - sum(chances))
        yield "single keys", [*chances, 0.0 if rest < NONE else rest], [*seen, shots - sum(seen)]
        for wires, exact in self.windows:
            found = [0] * len(exact)
            for key, count in counts.items():
                found[_place(key, wires, self.wires)] += count
            yield f"wires {', '.join(map(str, wires))}", list(exact), found
        if self.raised:
            likely = sum(self.keys[key] for key in self.raised)
            seen_there = sum(count for key, count in counts.items() if key in self.raised)
            yield "keys that noise makes more likely", [likely, max(0.0, 1 - likely)], [seen_there, shots - seen_there]

    def told(self, counts: Mapping[int, int]) -> str:
        """Return what is wrong with counts; empty if nothing is."""
        shots = sum(counts.values())
        wrong = sum(count for key, count in counts.items() if key not in self.keys) if self.complete else 0
        if wrong and not self.approximate:
            return f"{wrong} of {shots} read-outs have probability 0"
        tests = [*self.tests(counts), ("keys without a chance", [1.0, 0.0], [shots - wrong, wrong])]
        for what, chances, seen in tests:
            if self.approximate:
                bound = at_most_elsewhere(elsewhere(chances, seen), shots, len(chances))
            else:
                bound = at_most(distance(chances, seen), shots, len(chances))
            if bound < RATE / len(tests):
                return (
                    f"the counts of {what} do not fit the probabilities: a deviation like this comes "
                    f"once in {1 / max(bound, 1e-99):.0e} times at most"
                )
        return ""

    def again(self, counts: Mapping[int, int], before: Mapping[int, int]) -> str:
        """Return what is wrong if histograms of two seeds are equal, unless chance explains that; else empty."""
        if counts != before:
            return ""
        shots = sum(counts.values())
        unknown = max(NONE, 1 - sum(self.keys.values())) / max(1, self.branches - len(self.keys))
        chance = math.log(2 * math.pi * shots) / 2
        for key, count in counts.items():
            mean = shots * self.keys.get(key, unknown)
            chance += count * math.log(mean) - mean - math.lgamma(count + 1)
        return "the same counts as in the run before, which had another seed" if chance < math.log(RATE) else ""


def _place(key: int, group: Iterable[int], wires: int) -> int:
    """Return the values of some wires in a key, as a number."""
    place = 0
    for wire in group:
        place = 2 * place + (key >> (wires - 1 - wire) & 1)
    return place


def distance(chances: Iterable[float], counts: Iterable[int]) -> float:
    """Return the relative entropy of counts to probabilities, in nats; infinite if an impossible value was seen.

    >>> round(distance([0.5, 0.5], [10, 0]), 3)
    0.693
    """
    pairs = list(zip(chances, counts, strict=True))
    shots = sum(count for _, count in pairs)
    if any(count and p < NONE for p, count in pairs):
        return math.inf
    return sum(count / shots * math.log(count / shots / p) for p, count in pairs if count)


def at_most(far: float, shots: int, values: int) -> float:
    """Return a bound on the probability that counts of `shots` shots over `values` values are as far off.

    >>> at_most(0.03, 1000, 2) < 1e-11 < at_most(0.03, 500, 2)
    True
    """
    if far == math.inf:
        return 0.0
    free, large = values - 1, shots * far
    if not free or large <= free:
        return 1.0
    return math.exp(min(0.0, free - large + free * math.log(large / free)))


def elsewhere(chances: Iterable[float], counts: Iterable[int]) -> float:
    """Return the share of counts that would have to move to fit the probabilities."""
    pairs = list(zip(chances, counts, strict=True))
    shots = sum(count for _, count in pairs)
    return sum(max(0.0, count / shots - p) for p, count in pairs)


def at_most_elsewhere(share: float, shots: int, values: int) -> float:
    """Return a bound on the probability that so many are misplaced, for a state with an approximate method's loss."""
    over = max(0.0, share - math.sqrt(1 - FAITHFUL))
    return math.exp(min(0.0, values * math.log(2) - 2 * shots * over**2))


def turned(counts: Mapping[Any, int], mask: int) -> dict[int, int]:
    """Return the counts with the wires of the mask flipped back."""
    found: dict[int, int] = {}
    for key, count in counts.items():
        found[int(key) ^ mask] = found.get(int(key) ^ mask, 0) + int(count)
    return found
