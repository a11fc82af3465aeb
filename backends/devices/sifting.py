"""Sifting: which shots of a device may be believed, why the others may not, and what tells them all from coin flips.

    history      a past question came out otherwise than it was answered
    count        the number of pieces is one the exact state never shows
    impossible   the exact state gives this very outcome probability 0

The first reason that fits is the one that counts.

A device whose every bit is a coin flip gives each of the 2^n strings of n read bits alike, so with past answers
among the bits it keeps the share

    coins = possible outcomes / 2^n,    where a perfect device keeps P(past answers) and one of fidelity F
    F P(past answers) + (1 - F) coins,  a string that went wrong being taken for a random one.

Where coin flips would keep as many shots as were kept more often than once in `RARE` (exact binomial test, one-sided),
these shots are like theirs. That is not said where a good device, of fidelity `GOOD`, keeps as few more often than
that: of few shots, or where nearly everything is possible, the kept share tells nothing.

Where coin flips keep as many as a perfect device, as of a single qubit, the same test is made of the strings that are
likelier than a coin flip's: how many shots have one of these. A good device has them as often as one of fidelity
`GOOD`, or as exact odds that are off by `LEAN`, whichever is less, since reading alone may move odds so far. So within
`LEAN` of a half nothing is said of a qubit, and of one at a half nothing can be: it is a coin.

How far all strings lie from their exact odds is told even then, beside how far those of an ideal device lie that takes
as many shots.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qchess.backends.chance import at_least
from qchess.backends.devices.recipes import Recipe, outcomes
from qchess.backends.devices.sampler import Shots
from qchess.backends.sparse.engine import SparseEngine
from qchess.circuits.errors import StateTooLargeError
from qchess.circuits.precision import CERTAIN
from qchess.circuits.program import ReadOut

#: the exact odds of what a circuit reads
Exact = Mapping[tuple[int, ...], float]
REASONS = ("history", "count", "impossible")
#: the level of the test against coin flips, and how rarely a good device may fail it
RARE = 0.001
#: the fidelity from which on a device is never taken for coin flips
GOOD = 2 / 3
#: so far the errors of reading may move the odds of a good device
LEAN = 0.1
#: a circuit of more branches is not worked out to judge its shots, and of more strings no shot noise is told
BRANCHES, STRINGS = 2**16, 1024
#: so many strings are told with how often they came, the commonest first
TOLD = 64
#: so many runs of an ideal device make the band of its shot noise, which holds 95% of them
IDEAL_RUNS, BAND = 1000, (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class Sifted:
    """How often each believable outcome came, and how many shots were dropped for each reason.

    `sequence` has the believable outcomes in the machine's own order, where it told that.
    """

    kept: Counter[int]
    dropped: Counter[str]
    sequence: tuple[int, ...] | None = None


def sift(recipe: Recipe, shots: Shots) -> Sifted:
    """Takes the shots of a recipe's circuit apart."""
    sifted = Sifted(Counter(), Counter(dict.fromkeys(REASONS, 0)))
    believed: dict[tuple[int, ...], int] = {}
    for values, times in shots.counts.items():
        said = dict(zip(shots.answers, values, strict=True))
        outcome = said[recipe.reading]
        if reason := _reason(recipe, said, outcome):
            sifted.dropped[reason] += times
        else:
            sifted.kept[outcome] += times
            believed[values] = outcome
    if shots.sequence is None:
        return sifted
    return Sifted(sifted.kept, sifted.dropped, tuple(believed[v] for v in shots.sequence if v in believed))


def _reason(recipe: Recipe, said: dict[str, int], outcome: int) -> str | None:
    """Why a shot is dropped, if it is."""
    if not _of_this_history(recipe, said):
        return "history"
    if outcome.bit_count() not in recipe.pieces:
        return "count"
    return None if outcome in recipe.possible else "impossible"


def _of_this_history(recipe: Recipe, said: Mapping[str, int]) -> bool:
    """Whether the past questions came out as they were answered."""
    return all(said[name] == answer for name, answer in recipe.past.items())


# -- coin flips ---------------------------------------------------------------------------------------------


def figures(recipe: Recipe, shots: Shots, kept: int, fidelity: float | None = None) -> dict[str, Any]:
    """What tells the shots of a circuit from coin flips, as a record holds it; `fidelity` is what to expect.

    Shares that are kept, in fact and as `expected`; the total variation distance of all strings that were read, nothing
    dropped, from their exact odds, and the Hellinger fidelity with them, each with the band in which those of an ideal
    device lie; where coin flips keep as many, the shares of the strings that are likelier than theirs; whether these or
    the kept share are like those of coin flips; and of the commonest strings how often they came, with their exact
    odds, and why they were dropped where they were.
    """
    if not (total := shots.total):
        return {}
    coins, exact, seen = _coins(recipe), _exact(recipe), _strings(recipe, shots)
    found: dict[str, Any] = {"shots": total, "kept": kept / total, **_expected(recipe, exact, fidelity)}
    if exact is None:
        return {**_rounded(found), **_commonest(recipe, seen, exact)}
    ideal = _ideal(recipe, exact)
    string = coins / len(recipe.possible)
    found["distance_coins"] = 1 - sum(min(p, string) for p in exact.values())
    found.update(_apart(seen, exact))
    like = like_coins(kept, total, coins, ideal)
    if ideal <= coins:  # of unlikely past answers coin flips keep more than a perfect device
        times, odds, flips = _likelier(seen, exact, 0.5 ** (len(recipe.qubits) + len(recipe.past)))
        found.update(likelier=times / total, likelier_exact=odds, likelier_coins=flips)
        like = like_coins(times, total, flips, odds, most=odds - LEAN)
    return {**_rounded(found), "like_coins": like, **_commonest(recipe, seen, exact)}


def expected(recipe: Recipe, fidelity: float | None = None) -> dict[str, Any]:
    """Of `figures` what is known before a shot is taken: the shares that coin flips and this device will keep."""
    return _rounded(_expected(recipe, _exact(recipe), fidelity))


def _expected(recipe: Recipe, exact: Exact | None, fidelity: float | None) -> dict[str, Any]:
    coins = _coins(recipe)
    if exact is None or not isinstance(fidelity, float):
        return {"kept_coins": coins}
    return {"kept_coins": coins, "kept_expected": fidelity * _ideal(recipe, exact) + (1 - fidelity) * coins}


def _coins(recipe: Recipe) -> float:
    """The share that coin flips keep."""
    strings: int = 2 ** (len(recipe.qubits) + len(recipe.past))
    return len(recipe.possible) / strings


def _exact(recipe: Recipe) -> Exact | None:
    """The exact odds of all strings; None where there are too many branches."""
    try:
        return outcomes(recipe.program, SparseEngine(BRANCHES))
    except StateTooLargeError:
        return None


def _ideal(recipe: Recipe, exact: Exact) -> float:
    """The share that a perfect device keeps."""
    names = recipe.program.answers
    return math.fsum(p for key, p in exact.items() if _of_this_history(recipe, dict(zip(names, key, strict=True))))


def _likelier(seen: Counter[tuple[int, ...]], exact: Exact, string: float) -> tuple[int, float, float]:
    """How many shots have a string that is likelier than a coin flip's, and the exact odds and coin flips' of that."""
    likely = {key: p for key, p in exact.items() if p > string + CERTAIN}
    return sum(seen[key] for key in likely), math.fsum(likely.values()), len(likely) * string


def like_coins(kept: int, total: int, coins: float, ideal: float = 1.0, most: float = 1.0) -> bool:
    """Whether coin flips explain that so many shots are kept, and a good device, which may keep `most`, does not.

    >>> like_coins(62, 100, 0.5), like_coins(90, 100, 0.5), like_coins(2, 4, 0.5)
    (True, False, False)
    """
    good = min(most, GOOD * ideal + (1 - GOOD) * coins)
    if good <= coins:
        return False
    return at_least(kept, total, coins) > RARE and at_least(total - kept, total, 1 - good) < RARE


def likeness(told: Mapping[str, Any]) -> str:
    """In what the shots of a circuit are like coin flips, by their figures."""
    if "likelier" not in told:
        return f"it kept {told['kept']:.1%} of {told['shots']} shots, and coin flips keep {told['kept_coins']:.1%}"
    return (
        f"strings expected in {told['likelier_exact']:.1%} of {told['shots']} shots came in {told['likelier']:.1%}, "
        f"and coin flips give {told['likelier_coins']:.1%}"
    )


def _strings(recipe: Recipe, shots: Shots) -> Counter[tuple[int, ...]]:
    """How often each string was read, past answers included."""
    seen: Counter[tuple[int, ...]] = Counter()
    for values, times in shots.counts.items():
        said = dict(zip(shots.answers, values, strict=True))
        seen[tuple(said[name] for name in recipe.program.answers)] += times
    return seen


def _commonest(recipe: Recipe, seen: Counter[tuple[int, ...]], exact: Exact | None) -> dict[str, Any]:
    """The commonest strings, a bit for each name in `read` (past questions, then qubits); how many shots had others.

    `string_odds` has their exact odds, where those were worked out and are not 0, and `dropped_strings` those that
    were dropped, with the reason.
    """
    reads = [step for step in recipe.program if isinstance(step, ReadOut)]
    names = [name for step in reads for name in (step.qubits if step.name == recipe.reading else (step.name,))]
    written = ((_written(reads, key), key) for key in seen)
    told = dict(sorted(written, key=lambda pair: (-seen[pair[1]], pair[0]))[:TOLD])
    strings = {bits: seen[key] for bits, key in told.items()}
    said = {bits: dict(zip(recipe.program.answers, key, strict=True)) for bits, key in told.items()}
    reasons = {bits: _reason(recipe, each, each[recipe.reading]) for bits, each in said.items()}
    found = {"read": names, "strings": strings, "other_shots": seen.total() - sum(strings.values()),
             "dropped_strings": {bits: reason for bits, reason in reasons.items() if reason}}  # fmt: skip
    if exact is None:
        return found
    return {**found, "string_odds": {bits: round(exact[key], 6) for bits, key in told.items() if exact.get(key)}}


def _written(reads: Sequence[ReadOut], key: tuple[int, ...]) -> str:
    """The bits of a string, those of each read-out in its own order."""
    return "".join(str(value >> k & 1) for step, value in zip(reads, key, strict=True) for k in range(len(step.qubits)))


def _apart(seen: Counter[tuple[int, ...]], exact: Exact) -> dict[str, Any]:
    """How far the strings are from their exact odds, and how far an ideal device's would be."""
    total = seen.total()
    pairs = [(times / total, exact.get(key, 0.0)) for key, times in seen.items()]
    found: dict[str, Any] = {
        "distance": max(0.0, 1 - sum(map(min, pairs))),
        "fidelity": sum(math.sqrt(share * p) for share, p in pairs) ** 2,
    }
    if len(exact) > STRINGS:
        return found
    odds = np.array(list(exact.values()))
    odds /= odds.sum()
    shares = np.random.default_rng(0).multinomial(total, odds, size=IDEAL_RUNS) / total
    bands = {
        "distance_noise": np.abs(shares - odds).sum(axis=1) / 2,
        "fidelity_noise": np.sqrt(shares * odds).sum(axis=1) ** 2,
    }
    return {**found, **{name: np.quantile(runs, BAND).tolist() for name, runs in bands.items()}}


def _rounded(told: Mapping[str, Any]) -> dict[str, Any]:
    """The figures with four decimals."""
    return {name: [round(x, 4) for x in value] if isinstance(value, list) else round(value, 4)
            for name, value in told.items()}  # fmt: skip
