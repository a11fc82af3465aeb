"""The catalogue of agents: ours, and those that other packages add.

Another package adds one by the entry point group ``qchess.agents``, or by a call of `register`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qchess.circuits.registry import Registry, Row
from qchess.errors import InvalidMoveError, QchessError
from qchess.playing.agents import words
from qchess.playing.agents.agent import Agent

_HERE = "qchess.playing.agents"
#: a new agent is a class and a row
CATALOGUE = (
    Row("random", "any legal move", f"{_HERE}.random_agent:RandomAgent"),
    Row("greedy", "the best exact average after one turn", f"{_HERE}.greedy:GreedyAgent"),
    Row("flat", "random games after every move, without a tree", f"{_HERE}.flat:Flat"),
    Row("mcts", "a tree search with chance nodes", f"{_HERE}.mcts:Mcts"),
    Row("mcts-paper", "the search of the quantum checkers paper", f"{_HERE}.mcts_paper:PaperMcts"),
)


class UnknownAgentError(QchessError):
    """No agent has this name."""


AGENTS = Registry("agent", "qchess.agents", CATALOGUE, Row, QchessError, UnknownAgentError, replaces=True)
names = AGENTS.names


def register(name: str, maker: Callable[..., Agent]) -> None:
    """Add an agent to the catalogue of this process, perhaps in place of one registered before."""
    AGENTS.register(Row(name, "registered", maker))


def get(name: str, **options: Any) -> Agent:
    """Return the agent of that name; options go to it (``width=...``). Names like ``mcts@800`` work too.

    >>> get('mcts@0.5s:leaf=playout').name
    'mcts@0.5s:leaf=playout'
    """
    if words.is_word(name) and name not in AGENTS.registered and (word := words.read(name)).agent != name:
        return words.Paced(name, get(word.agent, **word.options, **options), word.budget)
    maker = AGENTS.find(name).loaded()
    try:
        made: Agent = maker(**options)
    except TypeError as error:
        raise InvalidMoveError(f"{name} does not take these options: {options!r} ({error})") from error
    return made
