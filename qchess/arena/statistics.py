"""Statistics of games: scores with their intervals, and whether two figures agree.

>>> score = Score(wins=60, draws=20, losses=20)
>>> score.mean, [round(x, 3) for x in score.interval()]
(0.7, [0.604, 0.781])
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from statistics import NormalDist

#: the default confidence of every interval
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Score:
    """Games won, drawn and lost by one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.wins + self.draws + self.losses

    @property
    def mean(self) -> float:
        """Return the mean points per game: a win counts 1, a draw one half."""
        return (self.wins + self.draws / 2) / self.games if self.games else math.nan

    @property
    def standard_error(self) -> float:
        """Return the standard error of the mean."""
        if not self.games:
            return math.nan
        squares = (self.wins + self.draws / 4) / self.games
        return math.sqrt(max(squares - self.mean**2, 0.0) / self.games)

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return Wilson's interval about the mean; with draws it is rather too wide."""
        return wilson(self.wins + self.draws / 2, self.games, confidence)

    @property
    def elo(self) -> float:
        """Return the difference of Elo ratings that would give this mean."""
        if not self.games or self.mean in (0.0, 1.0):
            return math.nan if not self.games else math.copysign(math.inf, self.mean - 0.5)
        return 400 * math.log10(self.mean / (1 - self.mean))

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def turned(self) -> Score:
        """Return the same games from the other side."""
        return Score(self.losses, self.draws, self.wins)

    def __str__(self) -> str:
        if not self.games:
            return "no games"
        low, high = self.interval()
        return f"+{self.wins} ={self.draws} -{self.losses}  {self.mean:.1%} [{low:.1%}, {high:.1%}]"


def wilson(successes: float, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Wilson's score interval of a proportion."""
    if not trials:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    p, weight = successes / trials, z * z / trials
    middle = (p + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(p * (1 - p) / trials + weight / (4 * trials))
    return max(0.0, middle - half), min(1.0, middle + half)


def z_of_means(first: float, error: float, second: float, other_error: float) -> float:
    """Return how many standard errors apart two means are."""
    spread = math.hypot(error, other_error)
    return (
        (first - second) / spread if spread else (0.0 if first == second else math.copysign(math.inf, first - second))
    )


def z_of_proportions(successes: float, trials: int, others: float, other_trials: int) -> float:
    """Return the z of two proportions under the hypothesis that they are equal, exact also for rare events.

    Given the sum of both counts, the first one is hypergeometric; z is the normal point of its rank (mid-p).
    """
    count, total = round(successes), round(successes + others)
    least, most = max(0, total - other_trials), min(total, trials)
    logs = [_log_ways(trials, k) + _log_ways(other_trials, total - k) for k in range(least, most + 1)]
    ways = [math.exp(log - max(logs)) for log in logs]
    own, whole = ways[count - least] / 2, math.fsum(ways)
    below, above = (own + math.fsum(part) for part in (ways[: count - least], ways[count - least + 1 :]))
    point = NormalDist().inv_cdf(max(min(below, above) / whole, sys.float_info.min))
    return 0.0 if below == above else math.copysign(point, below - above)


def _log_ways(things: int, chosen: int) -> float:
    """Return the logarithm of the number of ways to choose some of these things."""
    return math.lgamma(things + 1) - math.lgamma(chosen + 1) - math.lgamma(things - chosen + 1)
