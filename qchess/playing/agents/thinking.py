"""How long an agent thinks: simulations counted, seconds measured."""

from __future__ import annotations

import time
from collections.abc import Iterator

from qchess.playing.agents.agent import Budget, Choice, Task


def turns(budget: Budget, simulations: int) -> Iterator[int]:
    """Counts simulations until the budget is spent, at least one; `simulations` holds where it names nothing."""
    limit = budget.simulations if budget.simulations or budget.seconds else simulations
    deadline, count = budget.deadline(), 0
    while (limit is None or count < limit) and (not count or deadline is None or time.monotonic() < deadline):
        yield count
        count += 1


def forced(task: Task) -> Choice | None:
    """The only move, played at once; None where there is a choice."""
    moves = task.moves()
    return Choice(moves[0], note="the only move") if len(moves) == 1 else None
