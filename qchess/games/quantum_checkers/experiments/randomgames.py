"""Random games by the thousand: one record each, by the compiled core where there is one, else by the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from qchess.circuits.sources import Seeded
from qchess.rules import Rules

#: games in one piece of work
BATCH = 250


class Job(NamedTuple):
    """Some of the games of one cell."""

    size: int
    level: int
    draws: bool
    profile: str
    seed: int
    first: int
    games: int

    def rules(self) -> Rules[Any, Any]:
        """The rules of the cell: one row a side."""
        from qchess.games import rules

        profile = self.profile if self.draws else f"{self.profile}+draw_plies=None"
        return rules("quantum-checkers", size=self.size, rows=1, level=self.level, profile=profile)


class Played(NamedTuple):
    """One random game."""

    seed: str
    plies: int
    winner: str | None
    captures: int
    branching: float


def jobs(size: int, level: int, draws: bool, profile: str, seed: int, games: int) -> Iterator[Job]:
    """A cell in pieces; each game has a seed of its own, whichever piece it is in."""
    for first in range(0, games, BATCH):
        yield Job(size, level, draws, profile, seed, first, min(BATCH, games - first))


def play(job: Job) -> list[Played]:
    """The games of a job, one after the other."""
    from qchess import backends

    rules = job.rules()
    start = rules.start(backends.engine("sparse"))
    seeds = [f"{job.seed} {job.size} {job.level} {job.draws} {job.profile} {job.first + k}" for k in range(job.games)]
    return [game(rules, start, seed) for seed in seeds]


def game(rules: Rules[Any, Any], position: Any, seed: str) -> Played:
    """One random game by the rules; every legal move, each split and merge, has the same chance."""
    rng = random.Random(seed)
    plies = captures = choices = 0
    while not (result := rules.result(position)):
        moves = rules.moves(position)
        choices += len(moves)
        plies += 1
        position, _ = rules.step(position, rng.choice(moves), Seeded(rng))
        captures += position.quiet == 0  # a capture, and nothing else, sets the counter back
    return Played(seed, plies, result.winner, captures, choices / max(1, plies))
