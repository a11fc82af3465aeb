"""The result of a search in words: every move considered, and the expected line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from qchess.circuits.program import Program, Question
from qchess.playing.agents.agent import Candidate, Choice, Task
from qchess.playing.agents.leaves import PlayoutLeaf
from qchess.playing.agents.tree import Edge, Leaf, Tree
from qchess.rules import Rules
from qchess.wording import percent

#: how many moves of the expected line are shown, and the fewest visits of one
LENGTH, VISITS = 6, 2
#: a part of the random games that were cut off is told if it is larger
MANY = 0.1


class Weighed(NamedTuple):
    """A move at the root: its visits, and its share of the win for the player."""

    move: Any
    visits: int
    value: float


def weighed(tree: Tree) -> list[Weighed]:
    """Return the moves of the root that were visited."""
    player = tree.root.player
    return [Weighed(edge.move, edge.visits, edge.value[player]) for edge in tree.root.edges if edge.visits]


def choice(task: Task, found: Sequence[Weighed], line: str, seconds: float) -> Choice:
    """Return the move most visited, of equals the one of higher value; then the others in that order."""
    order = sorted(found, key=lambda w: (w.visits, w.value), reverse=True)
    candidates = tuple(
        Candidate(w.move, task.rules.write(task.position, w.move), round(w.value, 6), w.visits) for w in order
    )
    return Choice(order[0].move, candidates, seconds, line)


def line(tree: Tree, rules: Rules[Any, Any], position: Any) -> str:
    """Return the expected line: the most visited moves, each with its likeliest outcome and its probability."""
    node = tree.root
    told: list[str] = []
    while len(told) < LENGTH and (edges := [edge for edge in node.edges if edge.visits >= VISITS]):
        edge = max(edges, key=lambda edge: (edge.visits, edge.value[node.player]))
        likely = _likely(edge)
        text, position = _play(rules, position, edge, likely)
        told.append(text)
        node = edge.children[likely]
    return f"expects {' '.join(told)}{_cut(tree.leaf)}" if told else ""


def _cut(leaf: Leaf) -> str:
    """Return how many random games said nothing, if they are many."""
    if not isinstance(leaf, PlayoutLeaf) or leaf.cut <= MANY * leaf.played:
        return ""
    return f"; {percent(leaf.cut / leaf.played)} of its random games were cut off and count as draws"


def _likely(edge: Edge) -> int:
    """Return the likeliest outcome of an explored move."""
    looked = [k for k, child in enumerate(edge.children) if child.visits]
    return max(looked, key=lambda k: edge.odds[k])


def _play(rules: Rules[Any, Any], position: Any, edge: Edge, likely: int) -> tuple[str, Any]:
    """Return the move with its expected answer, and the position after it, by the rules."""
    turn = rules.turn(position, edge.move)
    outcome = next(islice(rules.outcomes(position, turn), likely, None))
    text = rules.write(position, turn)
    if len(edge.odds) > 1:
        text += f" ({_answer(turn.program, outcome.answers)}{percent(edge.odds[likely])})"
    return text, outcome.position


def _answer(program: Program, answers: Mapping[str, int]) -> str:
    """The answer that is expected, where a move asks a single question."""
    if len(answers) > 1 or not isinstance(program.steps[0], Question):
        return ""
    return "yes, " if answers.get(program.steps[0].name) else "no, "
