"""Several trees at once: workers search the same position with different seeds, and their roots are added."""

from __future__ import annotations

import atexit
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from qchess.playing.agents import explaining, planting
from qchess.playing.agents.agent import Task
from qchess.playing.agents.explaining import Weighed
from qchess.playing.agents.planting import Settings, share
from qchess.playing.workers import pool

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor


def search(settings: Settings, task: Task, workers: int) -> tuple[list[Weighed], str]:
    """Return the moves of all trees together, and the expected line of the first tree."""
    seeds = [task.rng.getrandbits(64) for _ in range(workers)]
    tasks = [
        replace(task, rng=random.Random(seed), budget=share(task.budget, settings.simulations, workers, k))
        for k, seed in enumerate(seeds)
    ]
    found = list(_pool(workers).map(_grow, [settings] * workers, tasks))
    return _added([weighed for weighed, _ in found]), found[0][1]


def _grow(settings: Settings, task: Task) -> tuple[list[Weighed], str]:
    """Return one worker's tree."""
    tree = planting.search(settings, task)
    return explaining.weighed(tree), explaining.line(tree, task.rules, task.position)


def _added(trees: Sequence[Sequence[Weighed]]) -> list[Weighed]:
    """Return each move with all its visits, and its value weighted by them."""
    sums: dict[Any, tuple[int, float]] = {}
    for tree in trees:
        for found in tree:
            visits, total = sums.get(found.move, (0, 0.0))
            sums[found.move] = visits + found.visits, total + found.visits * found.value
    return [Weighed(move, visits, total / visits) for move, (visits, total) in sums.items()]


@cache
def _pool(workers: int) -> ProcessPoolExecutor:
    """Return workers that are kept for the next move, until the interpreter ends."""
    made = pool(workers)
    atexit.register(made.shutdown)
    return made
