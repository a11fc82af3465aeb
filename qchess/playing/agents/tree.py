"""The tree of a search with measurements: decision nodes, and a chance node under each move.

No outcome is ever fixed. A measuring move leads to all its outcomes with their exact probabilities. The outcome with
the fewest visits for its probability is visited next, and the move's value is the average over its outcomes. A value is
each player's share of the win, so games of any number of players are searched alike.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from qchess.playing.agents.scores import Ranking, Scores, Shares
from qchess.playing.agents.searchmodel import SearchModel
from qchess.rules import Result

#: ranking a node's moves costs time in proportion to its branches: about this many branches in all are processed
RANKED_BRANCHES = 2**20
#: the root's list widens this much faster: a move that is never opened there is never played
ROOT_GROWTH = 3

#: moves, each with its place in the ranking, if it has one
Moves = list[tuple[Any, int | None]]


class Leaf(Protocol):
    """The value of a state before anything was tried there."""

    def __call__(self, state: Any) -> Shares:
        """Return the value of a state in which the game goes on."""

    def after(self, state: Any, moves: Sequence[Any], until: float) -> Ranking:
        """Return every way that moves can end, of as many as there is time for, at least one."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How the tree grows: exploration, and progressive widening of long move lists."""

    #: the weight of rarely tried moves
    exploration: float = 0.7
    #: lists up to this length are opened at once; of longer ones this many, then more with visits
    width: int = 40
    #: after n visits `width + growth * sqrt(n)` moves are open
    growth: float = 1.0
    #: try moves first that look best one turn ahead, among this many; 0 tries them in random order
    ranked: int = 0
    #: the weight of a node's own leaf beside the visits of its moves: 0 for an evaluation once moves were tried
    leaf_weight: int = 1


class Edge:
    """A move, and its chance node: the probability of each outcome, and its node."""

    __slots__ = ("children", "move", "odds", "value", "visits")

    def __init__(self, move: Any, odds: Sequence[float], children: Sequence[Node]) -> None:
        self.move = move
        self.odds = odds
        self.children = children
        self.visits = 0
        self.value: list[float] = []

    def next(self) -> Node:
        """Return the outcome with the fewest visits for its probability."""
        if len(self.children) == 1:
            return self.children[0]
        after = self.visits + 1
        lags = [odds * after - child.visits for odds, child in zip(self.odds, self.children, strict=True)]
        return self.children[lags.index(max(lags))]

    def average(self) -> list[float]:
        """Return the value over the outcomes seen so far, each weighted with its exact probability."""
        if len(self.children) == 1:
            return list(self.children[0].value)
        seen = [(odds, child.value) for odds, child in zip(self.odds, self.children, strict=True) if child.value]
        total = math.fsum(odds for odds, _ in seen)
        return [sum(odds * value[seat] for odds, value in seen) / total for seat in range(len(seen[0][1]))]


class Node:
    """A position where a player chooses, or where the game has ended."""

    __slots__ = ("edges", "player", "ranking", "state", "total", "untried", "value", "visits")

    def __init__(self, state: Any = None, player: int = 0, value: Shares = (), over: bool = False) -> None:
        #: None until somebody goes on from here, if a ranking has told the value; and the player with it
        self.state = state
        self.player = player
        self.visits = 0
        #: its estimated value; empty until the first visit
        self.value: list[float] = list(value)
        self.total: list[float] = []
        self.edges: list[Edge] = []
        #: the unopened moves, last first; None before they are listed
        self.untried: Moves | None = [] if over else None
        #: what a ranking found of them
        self.ranking: Sequence[Scores] | Ranking = ()


class Tree:
    """Searches one position; `grow` is one simulation."""

    def __init__(
        self,
        model: SearchModel,
        state: Any,
        rng: random.Random,
        leaf: Leaf,
        shape: Shape = Shape(),
        only: Sequence[Any] | None = None,
        deadline: float | None = None,
    ) -> None:
        self.model, self.rng, self.leaf, self.shape = model, rng, leaf, shape
        self.only, self.deadline = only, deadline
        self.seats = {player: k for k, player in enumerate(model.players)}
        self.root = self._node(state)
        self.root.value, self.root.visits = list(leaf(state)), 1
        self.root.total = [shape.leaf_weight * value for value in self.root.value]

    def grow(self) -> None:
        """Do one simulation: down to a leaf, and its value up again."""
        node, path = self.root, []
        while node.visits and (edge := self._choose(node)):
            path.append((node, edge))
            above, node = node, edge.next()
            if node.visits and node.state is None:
                self._give_states(above, edge)
        if not node.visits:
            self._look(node)
        node.visits += 1
        for above, edge in reversed(path):
            _back_up(above, edge, self.shape.leaf_weight)

    def best(self) -> Edge:
        """Return the most visited move at the root; of equals the one of higher value."""
        player = self.root.player
        return max(self.root.edges, key=lambda edge: (edge.visits, edge.value[player]))

    def children(self, node: Node, edge: Edge) -> Sequence[Node]:
        """Return the nodes after a move of a node, with their states."""
        if edge.children[0].state is None:
            self._give_states(node, edge)
        return edge.children

    # -- going down -------------------------------------------------------------------------------------

    def _choose(self, node: Node) -> Edge | None:
        """Return the move to follow: a new one while the list may widen, else the most promising; None at the end."""
        if node.untried is None:
            self._list(node)
        if node.untried and len(node.edges) < self._open(node) and (edge := self._open_next(node)):
            return edge
        return self._promising(node) if node.edges else None

    def _promising(self, node: Node) -> Edge:
        """Return the move of the highest upper bound; the earlier of equals, as their order is random already."""
        player, weight = node.player, self.shape.exploration * math.sqrt(math.log(node.visits + 1))
        best, chosen = -math.inf, node.edges[0]
        for edge in node.edges:
            bound = edge.value[player] + weight / math.sqrt(edge.visits)
            if bound > best:
                best, chosen = bound, edge
        return chosen

    def _open(self, node: Node) -> float:
        growth = self.shape.growth * (ROOT_GROWTH if node is self.root else 1)
        return self.shape.width + growth * math.sqrt(node.visits)

    def _open_next(self, node: Node) -> Edge | None:
        """Return the next untried move that the game would accept."""
        assert node.untried is not None
        while node.untried:
            move, place = node.untried.pop()
            if edge := self._edge(node, move, () if place is None else node.ranking[place]):
                node.edges.append(edge)
                return edge
        return None

    # -- new nodes --------------------------------------------------------------------------------------

    def _node(self, state: Any) -> Node:
        return Node(state, self._seat(state))

    def _seat(self, state: Any) -> int:
        return self.seats[self.model.player(state)]

    def _look(self, node: Node) -> None:
        """Give a node its first value: how the game ended there, or that of the leaf."""
        if not node.value:
            ended = self.model.result(node.state)
            if ended:
                node.untried = []
            node.value = list(shares(self.model.players, ended) if ended else self.leaf(node.state))
        node.total = [self.shape.leaf_weight * value for value in node.value]

    def _list(self, node: Node) -> None:
        """List the moves of a node, in random order or the most promising first."""
        moves = list(self.only if node is self.root and self.only is not None else self.model.moves(node.state))
        shuffle(self.rng, moves)
        some = moves[: self._worth_ranking(node)]
        best = self._ranked(node, some) if some else ()
        others = moves[len(node.ranking) :]
        node.untried = [*((move, None) for move in others), *((moves[place], place) for place in best)]

    def _worth_ranking(self, node: Node) -> int:
        """Return how many moves of a node are ranked; fewer if each is expensive."""
        if not self.shape.ranked:
            return 0
        return max(2, min(self.shape.ranked, RANKED_BRANCHES // self.model.size(node.state)))

    def _ranked(self, node: Node, moves: list[Any]) -> Iterable[int]:
        """Return the places of some moves by their exact average value, the best last.

        A ranking takes at most half of the time that is left.
        """
        until = math.inf if self.deadline is None else (time.monotonic() + self.deadline) / 2
        node.ranking = ranking = self.leaf.after(node.state, moves, until)
        return ranking.order(node.player)

    def _edge(self, node: Node, move: Any, ways: Scores) -> Edge | None:
        """Return a move with a node for each of its outcomes; None if the game would refuse it.

        If moves are ranked, all outcomes have values, which count from the first visit on. Those that the ranking has
        found need no states before somebody goes on from there, and from most of them nobody does.
        """
        if ways:
            return Edge(move, [odds for odds, _, _ in ways], [Node(value=value, over=over) for _, value, over in ways])
        outcomes = self.model.outcomes(node.state, move)
        if not outcomes:
            return None
        children = [self._node(outcome.state) for outcome in outcomes]
        if self.shape.ranked:
            for child in children:
                self._look(child)
        return Edge(move, [outcome.probability for outcome in outcomes], children)

    def _give_states(self, node: Node, edge: Edge) -> None:
        """Make the states after a move whose outcomes only have values."""
        for child, outcome in zip(edge.children, self.model.outcomes(node.state, edge.move), strict=True):
            child.state, child.player = outcome.state, self._seat(outcome.state)


def shuffle(rng: random.Random, moves: list[Any]) -> None:
    """Shuffle as `rng.shuffle` does, which makes two calls of Python for each move."""
    bits = rng.getrandbits
    for count in range(len(moves), 1, -1):
        size = count.bit_length()
        while (place := bits(size)) >= count:
            pass
        moves[count - 1], moves[place] = moves[place], moves[count - 1]


def shares(players: Sequence[str], result: Result) -> tuple[float, ...]:
    """Return each player's share of a game that has ended."""
    if result.winner is None:
        return (1 / len(players),) * len(players)
    return tuple(float(player == result.winner) for player in players)


def _back_up(node: Node, edge: Edge, leaf_weight: int) -> None:
    """Count a visit of a move; the node's value is the mean over its visits, each at its move's current value."""
    before, visits = edge.value, edge.visits
    edge.value, edge.visits = edge.average(), visits + 1
    node.visits += 1
    for k, now in enumerate(edge.value):
        node.total[k] += (visits + 1) * now - (visits * before[k] if visits else 0.0)
        node.value[k] = node.total[k] / (node.visits - 1 + leaf_weight)
