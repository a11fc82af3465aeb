"""Check a state, and classify its error if it is wrong.

Only one global phase is fitted. A post-selected state has the weight of what was kept.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.complex128]
#: reads the amplitudes at these keys
Reading = Callable[[Sequence[int]], Sequence[complex]]

#: the largest error of a right amplitude, by precision: in single, a thousand gates add up to about 1e-5;
#: a tableau is read in single precision, but its gates do not round
TOLERANCE = {"complex128": 1e-9, "complex64": 1e-4, "tableau": 1e-5}
#: an approximate method is right at this fidelity or more
FAITHFUL = 0.99
#: how many keys without amplitude are read too
STRANGERS = 200


@dataclass(frozen=True)
class Expected:
    """What is known of a state: some amplitudes, whether these are all, and the total weight."""

    wires: int
    amplitudes: Mapping[int, complex]
    complete: bool
    weight: float = 1.0
    #: the post-selected wires, as a mask: keys that differ there are ignored
    chosen: int = 0

    def strangers(self) -> list[int]:
        """Return keys without an amplitude, one flip or two neighbouring flips from known ones; drawn by a seed."""
        if not self.complete:
            return []
        found: set[int] = set()
        for key in self.amplitudes:
            flips = [1 << k for k in range(self.wires)] + [3 << k for k in range(self.wires - 1)]
            found |= {key ^ flip for flip in flips if not flip & self.chosen}
        left = sorted(found - self.amplitudes.keys())
        return random.Random(1).sample(left, min(STRANGERS, len(left)))


@dataclass(frozen=True)
class Verdict:
    """How near a state is to the expected one; `kind` is the way in which it is wrong, or empty."""

    kind: str
    why: str
    error: float
    fidelity: float
    #: the weight on keys that should have none, among those read
    elsewhere: float
    #: the sum of all weights; None if unknown
    norm: float | None = None

    @property
    def right(self) -> bool:
        """Tell whether a time may count."""
        return not self.kind


def verify(
    expected: Expected,
    read: Reading,
    norm: float | None,
    *,
    tolerance: float,
    approximate: bool = False,
) -> Verdict:
    """Compare a state with what is known of it."""
    keys = list(expected.amplitudes)
    wanted = np.array(list(expected.amplitudes.values()), dtype=np.complex128) * math.sqrt(expected.weight)
    found = np.asarray(read(keys), dtype=np.complex128)
    if not np.isfinite(found).all():
        return Verdict("not finite", "some amplitudes are not finite", math.inf, 0.0, 0.0)
    error, fidelity = _distance(wanted, found)
    strange, elsewhere = _elsewhere(expected, read, found, norm)
    near = Verdict("", "", max(error, strange), fidelity, elsewhere, norm)
    if approximate and fidelity < FAITHFUL:
        return _told(near, "truncated", f"fidelity {fidelity:.3f}: too much was cut")
    if approximate or (near.error <= tolerance and elsewhere <= max(1e-8, 10 * tolerance)):
        return _told(near, "norm", _of_norm(norm)) if norm_off(norm, tolerance, approximate) else near
    return _told(near, *_way(expected, read, wanted, found, tolerance, near))


def _distance(wanted: Complex, found: Complex) -> tuple[float, float]:
    """Return the largest error up to a phase, and the fidelity on these keys."""
    overlap = complex(np.vdot(wanted, found))
    phase = overlap / abs(overlap) if abs(overlap) > 1e-300 else 1.0
    norm = float(np.vdot(wanted, wanted).real)
    return float(np.abs(found - phase * wanted).max()), min(1.0, abs(overlap) ** 2 / norm**2)


def _elsewhere(expected: Expected, read: Reading, found: Complex, norm: float | None) -> tuple[float, float]:
    """Return the largest wrong amplitude, and the weight where there should be none, as far as read."""
    strangers = expected.strangers()
    sizes = np.abs(np.asarray(read(strangers), dtype=np.complex128)) if strangers else np.zeros(1)
    weight = float((sizes**2).sum())
    if expected.complete and expected.weight == 1.0 and norm is not None:
        weight = max(weight, norm - float((np.abs(found) ** 2).sum()))
    return float(sizes.max()), weight


def _way(
    expected: Expected,
    read: Reading,
    wanted: Complex,
    found: Complex,
    tolerance: float,
    near: Verdict,
) -> tuple[str, str]:
    """Return in which way the state is wrong."""
    turned = np.asarray(read([_turned(key, expected.wires) for key in expected.amplitudes]), dtype=np.complex128)
    if _distance(wanted, turned)[0] <= tolerance:
        return "order", "right with the wires in reverse order: the bits of a key are read from the other end"
    if near.elsewhere < 1e-6 and _distance(wanted, found.conj())[0] <= tolerance:
        return "conjugated", "right with -i in place of i: every phase has the wrong sign"
    if norm_off(near.norm, tolerance, approximate=False):
        return "norm", _of_norm(near.norm)
    if float(np.abs(np.abs(found) - np.abs(wanted)).max()) <= tolerance and near.elsewhere < 1e-6:
        return "phases", f"every weight is right, but phases are not; fidelity {near.fidelity:.3f}"
    lost = f", {near.elsewhere:.1%} of the weight where none should be" if near.elsewhere > 1e-6 else ""
    return "amplitudes", f"amplitudes are off by up to {near.error:.2g}{lost}; fidelity {near.fidelity:.3f}"


def norm_off(norm: float | None, tolerance: float, approximate: bool) -> bool:
    """Tell whether the weights of a whole state, before post-selection, do not sum to 1.

    An approximate method may lose what it is allowed to.
    """
    return norm is not None and not abs(norm - 1) <= (1 - FAITHFUL if approximate else max(1e-6, 10 * tolerance))


def _of_norm(norm: float | None) -> str:
    return f"the weights sum to {norm:.6g}, not to 1"


def _turned(key: int, wires: int) -> int:
    return int(f"{key:0{wires}b}"[::-1], 2)


def _told(near: Verdict, kind: str, why: str) -> Verdict:
    return replace(near, kind=kind, why=why)


def samples_told(expected: Expected, samples: Sequence[int]) -> str:
    """Return what is wrong with read-outs of all wires; empty if nothing is. Post-selected states are not judged."""
    if expected.weight != 1.0:
        return ""
    seen: dict[int, int] = {}
    for key in samples:
        seen[key] = seen.get(key, 0) + 1
    if expected.complete and (wrong := sum(n for key, n in seen.items() if key not in expected.amplitudes)):
        return f"{wrong} of {len(samples)} read-outs have probability 0"
    chances = {key: abs(a) ** 2 for key, a in expected.amplitudes.items()}
    return odds_told(chances, seen, len(samples))


def odds_told(chances: Mapping[int, float], seen: Mapping[int, int], shots: int) -> str:
    """Return what is wrong with counts, by a chi-square over values expected at least five times, the rest grouped."""
    common = {key: p * shots for key, p in chances.items() if p * shots >= 5}
    rest, seen_rest = shots - sum(common.values()), shots - sum(seen.get(key, 0) for key in common)
    terms = [(seen.get(key, 0) - n) ** 2 / n for key, n in common.items()]
    if rest >= 5:
        terms.append((seen_rest - rest) ** 2 / rest)
    if len(terms) < 2:
        return ""
    freedom = len(terms) - 1
    # the cube root of chi-square is nearly normal (Wilson and Hilferty 1931)
    spread = 2 / (9 * freedom)
    sigmas = ((sum(terms) / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return f"the read-outs deviate from the probabilities by {sigmas:.1f} standard deviations" if sigmas > 6 else ""
