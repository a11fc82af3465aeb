"""How long an agent thinks: simulations counted, seconds measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from qchess.errors import IllegalMoveError
from qchess.playing.agents.protocol import Budget, Choice, Task


def turns(budget: Budget, simulations: int, clock: Callable[[], float] = time.perf_counter) -> Iterator[int]:
    """Counts simulations until the budget is spent; `simulations` holds where it names neither."""
    limit = budget.simulations if budget.simulations or budget.seconds else simulations
    end = clock() + budget.seconds if budget.seconds else None
    count = 0
    while (limit is None or count < limit) and (not count or end is None or clock() < end):
        yield count
        count += 1


def choices(task: Task) -> list[object]:
    """The moves to choose from; an error where there is none."""
    moves = list(task.rules.moves(task.position) if task.only is None else task.only)
    if not moves:
        raise IllegalMoveError(f"{task.position.player} has no legal move to choose from")
    return moves


def forced(task: Task) -> Choice | None:
    """The only move, played at once; None where there is a choice."""
    moves = choices(task)
    return Choice(moves[0], note="the only move") if len(moves) == 1 else None
