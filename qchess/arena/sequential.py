"""Sequential tests: a match stops as soon as its games decide between two hypotheses about the mean score.

Wald's test with the likelihoods of wins, draws and losses. The draw rate is unknown, so each hypothesis takes the
likeliest one, the root of a quadratic.

>>> test = SequentialTest(0.5, 0.6)
>>> test.verdict(Score(wins=70, draws=0, losses=30)), test.verdict(Score(wins=5)) is None
('accepted', True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from qchess.arena.statistics import Score
from qchess.errors import InvalidMoveError

ACCEPTED, REJECTED = "accepted", "rejected"


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Tests a mean score of at least `better` against one of at most `worse`, with these error rates."""

    worse: float = 0.5
    better: float = 0.55
    false_accept: float = 0.05
    false_reject: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.worse < self.better < 1:
            raise InvalidMoveError(f"expected 0 < worse < better < 1; got worse={self.worse!r}, better={self.better!r}")
        for name in ("false_accept", "false_reject"):
            if not 0 < getattr(self, name) < 0.5:
                raise InvalidMoveError(f"expected {name} between 0 and 0.5; got {getattr(self, name)!r}")

    def evidence(self, score: Score) -> float:
        """Return the log-likelihood ratio of the better hypothesis."""
        return _likelihood(score, self.better) - _likelihood(score, self.worse)

    def verdict(self, score: Score) -> str | None:
        """Return the hypothesis that the games decided for, or None while undecided."""
        if not score.games:
            return None
        evidence = self.evidence(score)
        if evidence >= math.log((1 - self.false_reject) / self.false_accept):
            return ACCEPTED
        return REJECTED if evidence <= math.log(self.false_reject / (1 - self.false_accept)) else None


def _likelihood(score: Score, mean: float) -> float:
    """Return the largest log-likelihood of these games over draw rates with this mean score."""
    rate = _draw_rate(score, mean)
    win, loss = mean - rate / 2, 1 - mean - rate / 2
    return _term(score.wins, win) + _term(score.draws, rate) + _term(score.losses, loss)


def _draw_rate(score: Score, mean: float) -> float:
    """Return the zero of the log-likelihood's derivative in the draw rate."""
    a, b = 2 * mean, 2 * (1 - mean)
    half = (2 * score.draws + b * score.wins + a * score.losses) / (2 * score.games)
    return half - math.sqrt(max(half * half - a * b * score.draws / score.games, 0.0))


def _term(count: int, probability: float) -> float:
    return count * math.log(max(probability, 1e-300)) if count else 0.0
