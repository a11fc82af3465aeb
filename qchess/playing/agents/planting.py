"""The set-up of a search: its options, its first node, and each worker's part of a budget."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from qchess.playing.agents import leaves
from qchess.playing.agents.agent import Budget, Task, simulations
from qchess.playing.agents.tree import Leaf, Shape, Tree
from qchess.playing.agents.worlds import with_core, world

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


def plant(settings: Settings, task: Task) -> Tree:
    """Return a tree of one node, in the fastest world that can hold the position."""
    found, state = world(task.rules, task.position, settings.core)
    rng = random.Random(task.rng.getrandbits(64))
    evaluated = settings.leaf == "evaluation" or (
        settings.leaf == "auto" and leaves.prefers_evaluation(task.rules, found, task.position, settings.plies)
    )
    if evaluated:
        leaf: Leaf = leaves.HeuristicLeaf(found, settings.scale)
    else:
        leaf = leaves.PlayoutLeaf(found, rng, plies=settings.plies)
    return Tree(found, state, rng, leaf, settings.shape(evaluated), task.only, task.budget.deadline())


def search(settings: Settings, task: Task, grown: Callable[[Tree], Tree] = lambda tree: tree) -> Tree:
    """Return a tree grown until the budget is spent; `grown` may replace its first node by an older one."""

    def grow(core: bool) -> Tree:
        tree = grown(plant(replace(settings, core=core), task))
        for _ in simulations(task.budget, settings.simulations):
            tree.grow()
        return tree

    return with_core(grow, settings.core)


def share(budget: Budget, simulations: int, workers: int, worker: int) -> Budget:
    """Return one worker's budget: its part of the simulations, all of the seconds."""
    total = budget.simulations if budget.simulations or budget.seconds else simulations
    part = None if total is None else max(1, total // workers + (worker < total % workers))
    return Budget(part, budget.seconds)
