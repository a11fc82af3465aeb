"""What a ranking finds of a list of moves: the scores of each, and the order of the moves by them.

A score is made for a move when somebody asks for it, since a search goes on from few of the moves that it ranks.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

import numpy as np

from qchess.core import EndColumns

#: each player's share of the win, in the order of the game's players
Shares = Sequence[float]
#: every way a move can end: its probability, its value, and whether the game is over
Scores = Sequence[tuple[float, Shares, bool]]


class Ranking(Protocol):
    """The scores of the first moves of a list."""

    def __len__(self) -> int:
        """Return how many moves were looked at."""

    def __getitem__(self, place: int, /) -> Scores:
        """Return the scores of a move; none if the game would refuse it."""

    def order(self, seat: int) -> Iterable[int]:
        """Return the places of the moves that can be played, by a player's average value, the best last."""


class Listed(list[Scores]):
    """The scores as they were found, one move after the other, until a moment of the clock."""

    def __init__(self, scores: Iterable[Scores], until: float = math.inf) -> None:
        found = iter(scores)
        super().__init__(islice(found, 1))  # at least one
        while time.monotonic() < until and (more := next(found, None)) is not None:
            self.append(more)

    def order(self, seat: int) -> list[int]:
        """Return the places of the moves that can be played, the best last."""
        averages = [_average(ways, seat) if ways else math.nan for ways in self]
        return sorted((place for place, ways in enumerate(self) if ways), key=averages.__getitem__)


class Columns:
    """The scores from a core's columns; those of all moves are compared without making any."""

    def __init__(self, ends: EndColumns, of: Mapping[float, Shares], ended: Callable[[Any], Shares]) -> None:
        self.ends, self.of, self.ended = ends, of, ended

    def __len__(self) -> int:
        return len(self.ends.endings)

    def __getitem__(self, place: int) -> Scores:
        rows = zip(*(column[place].tolist() for column in self.ends[:3]), strict=True)
        return [(p, *self._score(ending, lead)) for ending, p, lead in rows if ending >= 0]

    def _score(self, ending: int, lead: float) -> tuple[Shares, bool]:
        return (self.ended(self.ends.results[ending]), True) if ending else (self.of[lead], False)

    def order(self, seat: int) -> list[int]:
        """Return the places of the moves that can be played, the best last; the averages are those of `Listed`."""
        of, (endings, chances, leads, results) = self.of, self.ends
        values = np.array([of[lead][seat] for lead in leads.ravel().tolist()]).reshape(endings.shape)
        for place in map(tuple, np.argwhere(endings > 0)):
            values[place] = self.ended(results[endings[place]])[seat]
        (yes, no), (chance, other) = values.T, chances.T
        both = (chance * yes + other * no) / (chance + other)
        averages = np.where(endings[:, 1] < 0, yes, np.where(endings[:, 0] < 0, no, both))
        found: list[int] = averages.argsort(kind="stable").tolist()
        return found


def joined(parts: Iterable[EndColumns], until: float) -> EndColumns:
    """Return parts of the columns as one, as many as there is time for, at least one."""
    found = []
    for part in parts:
        found.append(part)
        if time.monotonic() > until:
            break
    if len(found) == 1:
        return found[0]
    endings, chances, leads = (np.concatenate(columns) for columns in list(zip(*found, strict=True))[:3])
    return EndColumns(endings, chances, leads, found[0].results)


def _average(ways: Scores, seat: int) -> float:
    """Return one player's average over these ways; their probabilities need not sum to 1."""
    if len(ways) == 1:
        return ways[0][1][seat]
    return sum(odds * value[seat] for odds, value, _ in ways) / math.fsum(odds for odds, _, _ in ways)
