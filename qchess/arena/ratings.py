"""TrueSkill for two players, in closed form, after Herbrich, Minka and Graepel (NIPS 2006).

A skill is a normal distribution. A game shows the difference of two performances, each normal about its skill with
deviation `beta`; a difference smaller than the draw margin is a draw. With two players the
posterior needs no message passing: its mean and variance are those of a normal distribution cut off at the margin.

>>> win, lose = Trueskill().update(Rating(), Rating())
>>> print(win, lose)
29.396 (7.171) 20.604 (7.171)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

NORMAL = NormalDist()
#: below this, the normal distribution's lower tail is computed from its asymptotic series
FAR = -30.0


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimate of a player's skill: mean and standard deviation."""

    mu: float = 25.0
    sigma: float = 25.0 / 3

    def __str__(self) -> str:
        return f"{self.mu:.3f} ({self.sigma:.3f})"


@dataclass(frozen=True, slots=True)
class Trueskill:
    """The constants of a rating system, with the usual defaults."""

    beta: float = 25.0 / 6
    tau: float = 25.0 / 300
    draw_probability: float = 0.10

    @property
    def margin(self) -> float:
        """Return the difference of performances below which equal players draw with the given probability."""
        return NORMAL.inv_cdf((self.draw_probability + 1) / 2) * math.sqrt(2) * self.beta

    def update(self, first: Rating, second: Rating, drawn: bool = False) -> tuple[Rating, Rating]:
        """Return both ratings after the first player has won, or after a draw."""
        grown = [math.hypot(rating.sigma, self.tau) for rating in (first, second)]
        spread = math.sqrt(2 * self.beta**2 + grown[0] ** 2 + grown[1] ** 2)
        ahead, margin = (first.mu - second.mu) / spread, self.margin / spread
        shift, shrink = _draw(ahead, margin) if drawn else _win(ahead - margin)
        return (
            _moved(first.mu, grown[0], spread, shift, shrink),
            _moved(second.mu, grown[1], spread, -shift, shrink),
        )


def _moved(mu: float, sigma: float, spread: float, shift: float, shrink: float) -> Rating:
    part = sigma**2 / spread
    return Rating(mu + part * shift, sigma * math.sqrt(max(1 - part / spread * shrink, 1e-12)))


def _win(x: float) -> tuple[float, float]:
    """Return how a unit normal's mean moves and its variance shrinks when only values above -x remain."""
    v = -x - 1 / x if x < FAR else NORMAL.pdf(x) / _below(x)
    return v, v * (v + x)


def _draw(ahead: float, margin: float) -> tuple[float, float]:
    """Return the same when the draw margin's interval remains."""
    if ahead < 0:  # the far tail is exact on one side only
        v, w = _draw(-ahead, margin)
        return -v, w
    low, high = -margin - ahead, margin - ahead
    if high < FAR:  # all that is left sits at the near edge of the strip
        return high + 1 / high, 1.0
    inside = _below(high) - _below(low)
    v = (NORMAL.pdf(low) - NORMAL.pdf(high)) / inside
    return v, v * v + (high * NORMAL.pdf(high) - low * NORMAL.pdf(low)) / inside


def _below(x: float) -> float:
    """Return the normal distribution function, exact in its lower tail, where `NormalDist.cdf` is not."""
    return math.erfc(-x / math.sqrt(2)) / 2
