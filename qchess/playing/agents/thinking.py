"""How long an agent thinks: simulations counted, seconds measured."""

from __future__ import annotations

import time
from collections.abc import Iterator

from qchess.playing.agents.agent import Budget, Choice, Task


def turns(budget: Budget, simulations: int) -> Iterator[int]:
    """Count simulations until the budget is spent, at least one; `simulations` is the default."""
    limit = budget.simulations if budget.simulations or budget.seconds else simulations
    deadline, count = budget.deadline(), 0
    while (limit is None or count < limit) and (not count or deadline is None or time.monotonic() < deadline):
        yield count
        count += 1


def forced(task: Task) -> Choice | None:
    """Return the only move, to be played at once; None if there is a choice."""
    moves = task.moves()
    return Choice(moves[0], note="the only move") if len(moves) == 1 else None
