"""Random games by the thousand, one record each: by the compiled core, or by the rules, which play the same game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from qchess.circuits.sources import Seeded
from qchess.errors import StateTooLargeError
from qchess.rules import Rules

#: games in one piece of work
BATCH = 250
#: more plies than any game has
ENDLESS = 10**6
#: the core's codes of endings
WINNERS = {1: "white", 2: "black", 3: None}


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
        """Return the rules of the cell: one row per side."""
        from qchess.games import rules

        profile = self.profile if self.draws else f"{self.profile}+draw_plies=None"
        return rules("quantum-checkers", size=self.size, rows=1, level=self.level, profile=profile)


class Played(NamedTuple):
    """One random game."""

    plies: int
    winner: str | None
    captures: int
    branching: float
    #: the part of its plies with some entangled pieces; None if not measured
    entangled: float | None = None
    #: the most amplitudes of one register
    largest: int | None = None


def jobs(size: int, level: int, draws: bool, profile: str, seed: int, games: int) -> Iterator[Job]:
    """Yield the jobs of a cell."""
    for first in range(0, games, BATCH):
        yield Job(size, level, draws, profile, seed, first, min(BATCH, games - first))


def play(job: Job) -> list[Played]:
    """Return the games of a job, by the compiled core if there is one."""
    from qchess import backends

    rules = job.rules()
    start = rules.start(backends.engine("sparse"))
    core = rules.core()
    if core is not None:
        return list(_by_core(core, core.pack(start), job))
    return [by_rules(rules, start, random.Random(f"{job!r} {number}")) for number in range(job.games)]


def _by_core(core: Any, packed: Any, job: Job) -> Iterator[Played]:
    """Yield the games of a job from one call."""
    from qchess.games.quantum_checkers.core import kernels as column

    seed = random.Random(repr(job)).getrandbits(64)
    for row in core.games(packed, job.games, seed, ENDLESS).tolist():
        plies, ended = row[column.PLIES], row[column.ENDED]
        if not ended:
            raise StateTooLargeError(f"a random game of {job} grew beyond the core after {plies} plies")
        per_ply = 1 / max(1, plies)
        yield Played(plies, WINNERS[ended], row[column.CAPTURES], row[column.CHOICES] * per_ply,
                     row[column.ENTANGLED] * per_ply, row[column.LARGEST])  # fmt: skip


def by_rules(rules: Rules[Any, Any], position: Any, rng: random.Random) -> Played:
    """Play one random game by the rules; all legal moves are equally likely."""
    plies = captures = choices = 0
    while not (result := rules.result(position)):
        moves = rules.moves(position)
        choices += len(moves)
        plies += 1
        position, _ = rules.step(position, rng.choice(moves), Seeded(rng))
        captures += position.quiet == 0  # a capture, and nothing else, sets the counter back
    return Played(plies, result.winner, captures, choices / max(1, plies))
