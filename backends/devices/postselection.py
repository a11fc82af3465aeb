"""Post-selection: which shots of a device are valid, what they answer, and how all differ from coin flips.

    history      a past question has another answer than the recorded one
    count        the number of pieces is impossible in the exact state
    impossible   the exact state gives this outcome probability 0

The first reason that applies is recorded.

A device whose bits are all coin flips gives each of the 2^n strings of n bits equally often. The share of shots kept is

    coin flips              coins = possible outcomes / 2^n
    a perfect device        P(past answers)
    one of fidelity F       F P(past answers) + (1 - F) coins,  where a wrong string is taken as random

Shots look like coin flips if coin flips would keep as many more often than once in `RARE` (exact binomial test,
one-sided). Nothing is concluded if a good device, of fidelity `GOOD`, keeps as few more often than that: with few
shots, or if nearly every outcome is possible.

If coin flips keep as many as a perfect device, as for a single qubit, the test counts the strings that are likelier
than for a coin flip. A good device has them as often as one of fidelity `GOOD`, or as exact odds shifted by `LEAN`,
whichever is less, since read-out errors alone may shift them so far. So nothing is concluded for a qubit within `LEAN`
of 1/2.

The distance of all strings from their exact odds is always reported, beside that of an ideal device with as many shots.
"""

from __future__ import annotations

import math
import random
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
from qchess.circuits.operations import Qubit
from qchess.circuits.precision import CERTAIN
from qchess.circuits.program import Question, ReadOut
from qchess.circuits.running import Pause

#: the exact odds of a circuit's outcomes
Exact = Mapping[tuple[int, ...], float]
REASONS = ("history", "count", "impossible")
#: the level of the test against coin flips, and how rarely a good device may fail it
RARE = 0.001
#: a device of this fidelity or more is never taken for coin flips
GOOD = 2 / 3
#: how far read-out errors may shift the odds of a good device
LEAN = 0.1
#: most branches of a circuit computed to judge its shots, and most strings for which shot noise is reported
BRANCHES, STRINGS = 2**16, 1024
#: how many strings with their counts, and how many observed answers, are reported, the most frequent first
TOLD = 64
#: how many runs of an ideal device give the 95% band of its shot noise
IDEAL_RUNS, BAND = 1000, (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class Postselected:
    """How often each valid outcome came, and how many shots were dropped for each reason.

    `sequence` has the valid outcomes in the machine's order, if known.
    """

    kept: Counter[int]
    dropped: Counter[str]
    sequence: tuple[int, ...] | None = None


def postselect(recipe: Recipe, shots: Shots) -> Postselected:
    """Sort the shots of a recipe's circuit into valid and dropped ones."""
    found = Postselected(Counter(), Counter(dict.fromkeys(REASONS, 0)))
    believed: dict[tuple[int, ...], int] = {}
    for values, times in shots.counts.items():
        said = dict(zip(shots.answers, values, strict=True))
        outcome = said[recipe.reading]
        if reason := _reason(recipe, said, outcome):
            found.dropped[reason] += times
        else:
            found.kept[outcome] += times
            believed[values] = outcome
    if shots.sequence is None:
        return found
    return Postselected(found.kept, found.dropped, tuple(believed[v] for v in shots.sequence if v in believed))


def _reason(recipe: Recipe, said: dict[str, int], outcome: int) -> str | None:
    """Return why a shot is dropped, or None."""
    if not _of_this_history(recipe, said):
        return "history"
    if outcome.bit_count() not in recipe.pieces:
        return "count"
    return None if outcome in recipe.possible else "impossible"


def _of_this_history(recipe: Recipe, said: Mapping[str, int]) -> bool:
    """Tell whether the past questions have their recorded answers."""
    return all(said[name] == answer for name, answer in recipe.past.items())


# -- the answer -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """What the shots of a batch of circuits say."""

    parts: tuple[Postselected, ...]
    #: for each circuit the figures that distinguish its shots from coin flips
    figures: tuple[dict[str, Any], ...]

    @property
    def empty(self) -> bool:
        """Tell whether a register was left without a valid shot."""
        return not all(part.kept for part in self.parts)

    @property
    def ordered(self) -> bool:
        """Tell whether the machine gave the order of its shots."""
        return all(part.sequence is not None for part in self.parts)

    def tally(self) -> dict[str, Any]:
        """Return what was kept and dropped, over all circuits."""
        dropped: Counter[str] = Counter()
        for part in self.parts:
            dropped.update(part.dropped)
        kept = sum(part.kept.total() for part in self.parts)
        return {"kept": kept, "dropped": dict(dropped), "figures": list(self.figures)}

    def like_coins(self) -> dict[str, Any] | None:
        """Return the figures of a circuit whose shots look like coin flips, else None."""
        return next((told for told in self.figures if told.get("like_coins")), None)


def read(recipes: Sequence[Recipe], runs: Sequence[Shots], fidelities: object = None) -> Reading:
    """Return the valid shots, circuit by circuit; `fidelities` are the expected ones, if known."""
    found = tuple(postselect(made, shots) for made, shots in zip(recipes, runs, strict=True))
    known = dict(enumerate(fidelities)) if isinstance(fidelities, list) else {}  # those of a ticket come from a file
    told = (
        figures(made, shots, part.kept.total(), known.get(k))
        for k, (made, shots, part) in enumerate(zip(recipes, runs, found, strict=True))
    )
    return Reading(found, tuple(told))


def answer(pause: Pause, recipes: Sequence[Recipe], reading: Reading, rng: random.Random) -> tuple[int, dict[str, Any]]:
    """Return the answer of the first valid shot, and how all valid shots would have answered.

    If a machine only gives counts, the first shot is unknown; one is drawn, and the details say so.
    """
    firsts = []
    for part in reading.parts:
        if part.sequence is not None:
            firsts.append(part.sequence[0])
        else:
            outcomes = sorted(part.kept)
            firsts.append(rng.choices(outcomes, [part.kept[outcome] for outcome in outcomes])[0])
    picked = "the first valid shot" if reading.ordered else "one of the counted valid shots, by a pseudo-random number"
    return value_of(pause, recipes, firsts), {"picked": picked, **_observed(pause, recipes, reading)}


def _observed(pause: Pause, recipes: Sequence[Recipe], reading: Reading) -> dict[str, Any]:
    """Return how often the valid shots gave each answer, and the Hellinger fidelity with the exact odds.

    For several registers the shots are paired in their order.
    """
    found: Counter[int] = Counter()
    if len(reading.parts) == 1:
        for outcome, times in reading.parts[0].kept.items():
            found[value_of(pause, recipes, [outcome])] += times
    elif reading.ordered:
        for outcomes in zip(*(part.sequence or () for part in reading.parts), strict=False):
            found[value_of(pause, recipes, list(outcomes))] += 1
    else:
        return {}
    shots = found.total()
    agreement = sum(math.sqrt(p * found[value] / shots) for value, p in pause.odds.items()) ** 2
    observed = {str(value): times for value, times in found.most_common(TOLD)}
    return {"observed": observed, "agreement": round(agreement, 6)}


def value_of(pause: Pause, recipes: Sequence[Recipe], outcomes: Sequence[int]) -> int:
    """Return the answer to the question if each register had these outcomes."""
    bits: dict[Qubit, int] = {}
    for made, key in zip(recipes, outcomes, strict=True):
        bits.update((q, key >> k & 1) for k, q in enumerate(made.qubits))

    def value(qubit: Qubit) -> int:
        return bits[qubit] if qubit in bits else int(pause.registers.known(qubit) == 1)

    if isinstance(pause.step, Question):
        return int(pause.step.predicate.holds(value))
    return sum(value(q) << k for k, q in enumerate(pause.step.qubits))


def odds_told(odds: Mapping[int, float]) -> dict[str, float]:
    """Return the exact odds in the form of a record, the likeliest first."""
    likeliest = sorted(odds.items(), key=lambda pair: (-pair[1], pair[0]))[:TOLD]
    return {str(value): p for value, p in likeliest}


# -- coin flips ---------------------------------------------------------------------------------------------


def figures(recipe: Recipe, shots: Shots, kept: int, fidelity: float | None = None) -> dict[str, Any]:
    """Return figures that distinguish a circuit's shots from coin flips; `fidelity` is the expected one.

    They are: the shares kept, measured and as `expected`; the total variation distance and the Hellinger fidelity of
    all strings to their exact odds, each with the band of an ideal device; if coin flips keep as many, the shares of
    strings likelier than theirs; whether any of these look like coin flips; and the most frequent strings with their
    counts, exact odds and reason of dropping.
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
    """Return the `figures` known before a shot is taken: the shares that coin flips and this device will keep."""
    return _rounded(_expected(recipe, _exact(recipe), fidelity))


def _expected(recipe: Recipe, exact: Exact | None, fidelity: float | None) -> dict[str, Any]:
    coins = _coins(recipe)
    if exact is None or not isinstance(fidelity, float):
        return {"kept_coins": coins}
    return {"kept_coins": coins, "kept_expected": fidelity * _ideal(recipe, exact) + (1 - fidelity) * coins}


def _coins(recipe: Recipe) -> float:
    """Return the share that coin flips keep."""
    strings: int = 2 ** (len(recipe.qubits) + len(recipe.past))
    return len(recipe.possible) / strings


def _exact(recipe: Recipe) -> Exact | None:
    """Return the exact odds of all strings; None for too many branches."""
    try:
        return outcomes(recipe.program, SparseEngine(BRANCHES))
    except StateTooLargeError:
        return None


def _ideal(recipe: Recipe, exact: Exact) -> float:
    """Return the share that a perfect device keeps."""
    names = recipe.program.answers
    return math.fsum(p for key, p in exact.items() if _of_this_history(recipe, dict(zip(names, key, strict=True))))


def _likelier(seen: Counter[tuple[int, ...]], exact: Exact, string: float) -> tuple[int, float, float]:
    """Return how many shots have a string likelier than a coin flip's, and its exact and coin-flip odds."""
    likely = {key: p for key, p in exact.items() if p > string + CERTAIN}
    return sum(seen[key] for key in likely), math.fsum(likely.values()), len(likely) * string


def like_coins(kept: int, total: int, coins: float, ideal: float = 1.0, most: float = 1.0) -> bool:
    """Tell whether coin flips explain the kept shots and a good device, which may keep `most`, does not.

    >>> like_coins(62, 100, 0.5), like_coins(90, 100, 0.5), like_coins(2, 4, 0.5)
    (True, False, False)
    """
    good = min(most, GOOD * ideal + (1 - GOOD) * coins)
    if good <= coins:
        return False
    return at_least(kept, total, coins) > RARE and at_least(total - kept, total, 1 - good) < RARE


def likeness(told: Mapping[str, Any]) -> str:
    """Return in words how the shots of a circuit look like coin flips, from their figures."""
    if "likelier" not in told:
        return f"it kept {told['kept']:.1%} of {told['shots']} shots, and coin flips keep {told['kept_coins']:.1%}"
    return (
        f"strings expected in {told['likelier_exact']:.1%} of {told['shots']} shots came in {told['likelier']:.1%}, "
        f"and coin flips give {told['likelier_coins']:.1%}"
    )


def _strings(recipe: Recipe, shots: Shots) -> Counter[tuple[int, ...]]:
    """Return how often each string was read, past answers included."""
    seen: Counter[tuple[int, ...]] = Counter()
    for values, times in shots.counts.items():
        said = dict(zip(shots.answers, values, strict=True))
        seen[tuple(said[name] for name in recipe.program.answers)] += times
    return seen


def _commonest(recipe: Recipe, seen: Counter[tuple[int, ...]], exact: Exact | None) -> dict[str, Any]:
    """Return the most frequent strings, a bit for each name in `read`, and how many shots had others.

    `read` lists past questions, then qubits. `string_odds` has their exact odds, if computed and not 0;
    `dropped_strings` those that were dropped, with the reason.
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
    """Return the bits of a string, those of each read-out in its own order."""
    return "".join(str(value >> k & 1) for step, value in zip(reads, key, strict=True) for k in range(len(step.qubits)))


def _apart(seen: Counter[tuple[int, ...]], exact: Exact) -> dict[str, Any]:
    """Return how far the strings are from their exact odds, and how far an ideal device's would be."""
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
    """Return the figures with four decimals."""
    return {name: [round(x, 4) for x in value] if isinstance(value, list) else round(value, 4)
            for name, value in told.items()}  # fmt: skip
