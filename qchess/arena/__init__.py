"""Agents against agents, in any game: schedules, results that survive a crash, ratings and statistics.

The arena imports no game. A tournament is a `Plan`; each game depends only on the plan and its number, so it is the
same in any process and on any machine.
"""

from __future__ import annotations

from qchess.arena.plan import Plan
from qchess.arena.playing import play
from qchess.arena.standings import Standings
from qchess.arena.standings import standings as _standings
from qchess.arena.tournament import run

__all__ = ["Plan", "Standings", "match", "play", "run"]


def match(plan: Plan) -> Standings:
    """Play a tournament in this process, without a file; `run` uses a file and several workers.

    >>> ended = match(Plan("quantum-tic-tac-toe", ("random", "greedy"), seed=1))
    >>> ended.games, ended.scores["greedy"].games
    (2, 2)
    """
    return _standings(plan.players, [play(plan, fixture) for fixture in plan.fixtures()])
