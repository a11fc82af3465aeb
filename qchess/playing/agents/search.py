"""One search: its options, its tree, and several trees at once in workers, whose roots are added."""

from __future__ import annotations

import atexit
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from qchess.playing.agents import explaining, leaves
from qchess.playing.agents.agent import Budget, Task, simulations
from qchess.playing.agents.explaining import Weighed
from qchess.playing.agents.searchmodel import search_model, with_core
from qchess.playing.agents.tree import Leaf, Shape, Tree
from qchess.playing.workers import pool

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

#: more moves than any list has: a search that overlooks a reply prefers the moves it refutes
EVERY = 2**20
#: how the tree grows with random games at its leaves, and with the game's evaluation
BY_PLAYOUTS = Shape(exploration=0.7)
BY_EVALUATION = Shape(exploration=0.25, width=3, growth=1.0, ranked=EVERY, leaf_weight=0)
LEAVES = ("auto", "playout", "evaluation")


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of the search; None means a default that depends on how leaves are scored."""

    simulations: int = 800
    leaf: str = "auto"
    exploration: float | None = None
    width: int | None = None
    growth: float | None = None
    ranked: int | None = None
    plies: int = 100
    scale: float = leaves.SCALE
    core: bool = True

    def shape(self, evaluated: bool) -> Shape:
        """Return how the tree grows."""
        usual = BY_EVALUATION if evaluated else BY_PLAYOUTS
        told = {name: getattr(self, name) for name in ("exploration", "width", "growth", "ranked")}
        return replace(usual, **{name: value for name, value in told.items() if value is not None})


def new_tree(settings: Settings, task: Task) -> Tree:
    """Return a tree of one node, in the fastest model that can hold the position."""
    found, state = search_model(task.rules, task.position, settings.core)
    rng = random.Random(task.rng.getrandbits(64))
    evaluated = settings.leaf == "evaluation" or (
        settings.leaf == "auto" and leaves.prefers_evaluation(task.rules, found, state, settings.plies)
    )
    if evaluated:
        leaf: Leaf = leaves.HeuristicLeaf(found, settings.scale)
    else:
        leaf = leaves.PlayoutLeaf(found, rng, plies=settings.plies)
    return Tree(found, state, rng, leaf, settings.shape(evaluated), task.only, task.budget.deadline())


def grow_tree(settings: Settings, task: Task, grown: Callable[[Tree], Tree] = lambda tree: tree) -> Tree:
    """Return a tree grown until the budget is spent; `grown` may replace its first node by an older one."""

    def grow(core: bool) -> Tree:
        tree = grown(new_tree(replace(settings, core=core), task))
        for _ in simulations(task.budget, settings.simulations):
            tree.grow()
        return tree

    return with_core(grow, settings.core)


def share(budget: Budget, default: int, workers: int, worker: int) -> Budget:
    """Return one worker's budget: its part of the simulations, all of the seconds."""
    total = budget.simulations if budget.simulations or budget.seconds else default
    part = None if total is None else max(1, total // workers + (worker < total % workers))
    return Budget(part, budget.seconds)


def grow_trees(settings: Settings, task: Task, workers: int) -> tuple[list[Weighed], str]:
    """Return the moves of all trees together, and the expected line of the first tree."""
    seeds = [task.rng.getrandbits(64) for _ in range(workers)]
    tasks = [
        replace(task, rng=random.Random(seed), budget=share(task.budget, settings.simulations, workers, k))
        for k, seed in enumerate(seeds)
    ]
    found = list(_pool(workers).map(_work, [settings] * workers, tasks))
    return _added([weighed for weighed, _ in found]), found[0][1]


def _work(settings: Settings, task: Task) -> tuple[list[Weighed], str]:
    """Return the moves of one worker's tree, and its expected line."""
    tree = grow_tree(settings, task)
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
