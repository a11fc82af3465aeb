"""Play or continue a tournament: its games run on several workers, and each is saved when it ends."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from qchess.arena.plan import Plan
from qchess.arena.playing import Line, play
from qchess.arena.resultfile import ResultFile
from qchess.arena.sequential import SequentialTest
from qchess.arena.standings import Standings, standings
from qchess.arena.statistics import Score
from qchess.errors import InvalidMoveError
from qchess.playing import agents
from qchess.playing.spread import spread


class Outcome(NamedTuple):
    """How a tournament ended: its games in order, the standings, and the result of a sequential test."""

    lines: list[Line]
    standings: Standings
    verdict: str | None


def run(
    plan: Plan,
    path: Path,
    *,
    workers: int = 1,
    cluster: str | None = None,
    test: SequentialTest | None = None,
    told: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """Play the remaining games; `told` is called with the number of games done.

    With a test, a match of two stops after the first pair of games that decides it. Later games, already running on
    other workers, are not counted, so that the number of workers does not matter.
    """
    if test and len(plan.players) != 2:
        raise InvalidMoveError(f"a sequential test decides a match of two; got {len(plan.players)} players")
    plan.rules()  # a plan that cannot be played is refused before a file exists
    for player in plan.players:
        agents.get(player)
    games = list(plan.fixtures())
    with ResultFile(path, plan) as results:
        decided = _Decision(plan, test)
        end = decided.look(results.games)
        todo = (game for game in games if game.number not in results.games)
        told(len(results.games), len(games))
        if end is None:
            for _, line in spread(partial(play, plan), todo, workers=workers, cluster=cluster):
                results.keep(line)
                told(len(results.games), len(games))
                if (end := decided.look(results.games)) is not None:
                    break
        lines = results.close_with(len(games) if end is None else end)
    return Outcome(lines, standings(plan.players, lines), decided.verdict)


class _Decision:
    """Follows the games in order, and finds the number of games after which a test has decided."""

    def __init__(self, plan: Plan, test: SequentialTest | None) -> None:
        self.player, self.test = plan.players[0], test
        self.score, self.seen = Score(), 0
        self.verdict: str | None = None

    def look(self, lines: dict[int, Line]) -> int | None:
        """Return the number of games that count, once the test has decided."""
        while self.test and self.verdict is None and self.seen in lines and self.seen + 1 in lines:
            for line in (lines[self.seen], lines[self.seen + 1]):
                won, drawn = line.winner == self.player, line.winner is None
                self.score += Score(won, drawn, not won and not drawn)
            self.seen += 2
            self.verdict = self.test.verdict(self.score)
        return self.seen if self.verdict else None
