"""Statistics of games: scores with their intervals, and whether two figures agree.

>>> score = Score(wins=60, draws=20, losses=20)
>>> score.mean, [round(x, 3) for x in score.interval()]
(0.7, [0.604, 0.781])
"""

from __future__ import annotations

import math
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
    """Return the z of two proportions under the hypothesis that they are equal."""
    pooled = (successes + others) / (trials + other_trials)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / trials + 1 / other_trials))
    return (successes / trials - others / other_trials) / spread if spread else 0.0
