"""The search of the quantum checkers paper (arXiv 2506.05962, section V), kept for comparison.

It freezes one random outcome of a measuring move when the move is first tried, and counts a playout of 100 plies
without a result as lost for whoever moved into it. `mcts` does neither.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from qchess.errors import InvalidMoveError
from qchess.playing.agents import explaining
from qchess.playing.agents.agent import Choice, Task, forced, simulations
from qchess.playing.agents.explaining import Weighed
from qchess.playing.agents.searchmodel import SearchModel, search_model, with_core

#: the value of an unfinished playout for the player who is not to move at its start
CUT = 0.0


class Frozen:
    """A node with one fixed outcome; its wins are counted for the player who is not to move there."""

    __slots__ = ("children", "move", "player", "state", "untried", "visits", "wins")

    def __init__(self, state: Any, player: str, move: Any, untried: list[Any] | None) -> None:
        #: the untried moves, last first; None before they are listed
        self.state, self.player, self.move, self.untried = state, player, move, untried
        self.children: list[Frozen] = []
        self.wins, self.visits = 0.0, 0

    def worth(self, player: str) -> float:
        """Return the mean for one player."""
        mean = self.wins / self.visits
        return 1 - mean if player == self.player else mean


class PaperMcts:
    """UCT with fixed outcomes: C = 1.4; 200, 400 and 800 rollouts are the paper's low, medium and high agents."""

    name = "mcts-paper"

    def __init__(self, simulations: int = 800, exploration: float = 1.4, plies: int = 100, core: bool = True) -> None:
        if simulations < 1 or plies < 1:
            raise InvalidMoveError(f"expected at least one rollout and ply; got {simulations!r} and {plies!r}")
        self.simulations, self.exploration, self.plies, self.core = simulations, exploration, plies, core

    def choose(self, task: Task) -> Choice:
        """Return the most visited move, the first of equals."""
        began = time.monotonic()
        if choice := forced(task):
            return choice
        if len(task.rules.players) != 2:
            raise InvalidMoveError(f"{self.name} plays games of two; {task.rules.title} has {len(task.rules.players)}")
        root = with_core(partial(self._search, task), self.core)
        weighed = [Weighed(child.move, child.visits, child.worth(root.player)) for child in root.children]
        chosen = max(weighed, key=lambda w: w.visits)
        told = explaining.choice(task, weighed, "", time.monotonic() - began)
        return Choice(chosen.move, told.candidates, told.seconds, "one outcome of each measurement was looked at")

    def _search(self, task: Task, core: bool) -> Frozen:
        found, state = search_model(task.rules, task.position, core)
        search = _Search(self, found, random.Random(task.rng.getrandbits(64)))
        root = Frozen(state, found.player(state), None, search.shuffled(task.moves()))
        for _ in simulations(task.budget, self.simulations):
            search.iterate(root)
        return root


class _Search:
    """One search: its model, its random generator, its constants."""

    def __init__(self, agent: PaperMcts, found: SearchModel, rng: random.Random) -> None:
        self.agent, self.model, self.rng = agent, found, rng

    def shuffled(self, moves: Sequence[Any]) -> list[Any]:
        """Return these moves in random order."""
        order = list(moves)
        self.rng.shuffle(order)
        return order

    def _untried(self, node: Frozen) -> list[Any]:
        if node.untried is None:
            node.untried = [] if self.model.result(node.state) else self.shuffled(self.model.moves(node.state))
        return node.untried

    def iterate(self, root: Frozen) -> None:
        """Do one iteration: select, expand one move, roll out, count."""
        path = [root]
        leaf = root
        while not self._untried(leaf) and leaf.children:
            leaf = self._select(leaf)
            path.append(leaf)
        if leaf.untried and (child := self._expand(leaf)):
            path.append(child)
            leaf = child
        value = self._roll_out(leaf)  # for the player not to move at the leaf
        for node in reversed(path):
            node.visits += 1
            node.wins += value if node.player == leaf.player else 1 - value

    def _select(self, node: Frozen) -> Frozen:
        weight = self.agent.exploration * math.sqrt(math.log(node.visits + 1))
        best, equal, player = -math.inf, node.children, node.player
        for child in node.children:
            mean = child.wins / child.visits
            score = (1 - mean if child.player == player else mean) + weight / math.sqrt(child.visits)
            if score > best:
                best, equal = score, [child]
            elif score == best:
                equal.append(child)
        return equal[0] if len(equal) == 1 else self.rng.choice(equal)

    def _expand(self, node: Frozen) -> Frozen | None:
        untried = self._untried(node)
        while untried:
            move = untried.pop()
            if outcomes := self.model.outcomes(node.state, move):
                odds = [outcome.probability for outcome in outcomes]
                state = outcomes[0].state if len(outcomes) == 1 else self.rng.choices(outcomes, odds)[0].state
                child = Frozen(state, self.model.player(state), move, None)
                node.children.append(child)
                return child
        return None

    def _roll_out(self, node: Frozen) -> float:
        """Return the value of one random game for the player who is not to move at its start."""
        played = self.model.playouts(node.state, 1, self.rng.getrandbits(32), self.agent.plies)
        if played.unfinished:
            return CUT
        return 0.5 if played.draws else float(not played.wins[node.player])
