"""Monte Carlo tree search with explicit chance nodes: the strong agent, for every game."""

from __future__ import annotations

import time
from typing import Any

from qchess.errors import InvalidMoveError
from qchess.playing.agents import explaining
from qchess.playing.agents.agent import Choice, Task, forced
from qchess.playing.agents.search import LEAVES, Settings, grow_tree, grow_trees
from qchess.playing.agents.searchmodel import SearchModel
from qchess.playing.agents.tree import Node, Tree


class Mcts:
    """Searches a tree of moves and chances; plays the most visited move.

    `simulations` applies if a task's budget gives none. With a budget in simulations the same seed gives the same move.
    `workers` search separate trees, whose results are added. With `reuse` the agent continues with the tree of its last
    move, so its choice depends on that move too.
    """

    name = "mcts"

    def __init__(self, *, workers: int = 1, reuse: bool = False, **settings: Any) -> None:
        try:
            self.settings = Settings(**settings)
        except TypeError as error:
            raise InvalidMoveError(f"mcts does not take these options: {settings!r} ({error})") from error
        if self.settings.leaf not in LEAVES:
            raise InvalidMoveError(f"expected a leaf of {', '.join(LEAVES)}; got {self.settings.leaf!r}")
        if workers < 1 or (workers > 1 and reuse):
            raise InvalidMoveError(
                f"expected workers >= 1, and only 1 with reuse; got workers={workers!r}, reuse={reuse!r}"
            )
        self.workers, self.reuse = workers, reuse
        self._last: Tree | None = None

    def choose(self, task: Task) -> Choice:
        """Return the most visited move, with the other candidates and the expected line."""
        began = time.monotonic()
        if choice := forced(task):
            return choice
        if self.workers > 1:
            weighed, line = grow_trees(self.settings, task, self.workers)
        else:
            tree = grow_tree(self.settings, task, lambda tree: self._grown(tree, task))
            weighed, line = explaining.weighed(tree), explaining.line(tree, task.rules, task.position)
        return explaining.choice(task, weighed, line, time.monotonic() - began)

    def _grown(self, tree: Tree, task: Task) -> Tree:
        """Return the new tree, or the part of the last one that belongs to this position."""
        if self.reuse:
            if self._last and task.only is None and (known := _grown(self._last, tree.model, task.position)):
                tree.root = known
            self._last = tree
        return tree


#: the most turns between two choices of one player, and the most nodes compared
TURNS_BETWEEN, COMPARED = 4, 4000


def _grown(last: Tree, now: SearchModel, position: Any) -> Node | None:
    """Return the node of an earlier tree for this position, if it has one; never its root."""
    if type(last.model) is not type(now):
        return None
    level, compared = [last.root], 0
    for _ in range(TURNS_BETWEEN):
        level = [child for node in level for edge in node.edges for child in last.children(node, edge) if child.visits]
        for node in level:
            compared += 1
            if compared > COMPARED:
                return None
            if now.same(node.state, position):
                return node
    return None
