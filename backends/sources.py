"""Sources of answers: seeded dice, a forced list, and what they share.

A source is an argument of a run; no state owns a generator. A question whose answer is certain costs
no number.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from qchess.circuits.engine import Ask, Draw
from qchess.circuits.errors import BackendError


def certain(ask: Ask) -> int | None:
    """The only possible answer, or None where the question is open."""
    return next(iter(ask.odds)) if len(ask.odds) == 1 else None


def chosen(ask: Ask, u: float) -> int:
    """The answer that a number in [0, 1) chooses: yes if u < P(yes); read-outs in ascending order."""
    values = sorted(ask.odds, reverse=set(ask.odds) <= {0, 1} and hasattr(ask.step, "predicate"))
    for value in values[:-1]:
        u -= ask.odds[value]
        if u < 0:
            return value
    return values[-1]


class Seeded:
    """Pseudo-random answers from a seed, or from a generator that is handed in."""

    def __init__(self, seed: int | random.Random | None = None) -> None:
        self.rng = seed if isinstance(seed, random.Random) else random.Random(seed)
        self.name = "random" if seed is None or isinstance(seed, random.Random) else f"seed {seed}"

    def draw(self, ask: Ask) -> Draw:
        """One answer with the exact odds."""
        only = certain(ask)
        return Draw(only, "certain") if only is not None else Draw(chosen(ask, self.rng.random()), self.name)


class Forced:
    """Answers from a list, in order: a record replayed, or an outcome chosen for study.

    An answer of probability 0 is refused by the run that asked; too few answers are an error here.
    """

    def __init__(self, answers: Iterable[int], name: str = "forced") -> None:
        self.answers = iter(tuple(answers))
        self.name = name

    def draw(self, ask: Ask) -> Draw:
        """The next answer of the list."""
        for value in self.answers:
            return Draw(value, self.name)
        raise BackendError(f"no forced answer is left for the question {ask.step.name!r} (odds {dict(ask.odds)})")


class Recorded:
    """Answers only what is certain: whoever tells a game must say how its open questions were answered."""

    def __init__(self, hint: str = "write the answer with the move") -> None:
        self.hint = hint

    def draw(self, ask: Ask) -> Draw:
        """The certain answer; an error for an open question."""
        only = certain(ask)
        if only is None:
            raise BackendError(f"the question {ask.step.name!r} is open (odds {dict(ask.odds)}): {self.hint}")
        return Draw(only, "certain")
