"""The catalogue of agents: ours, and those that other packages add.

Another package adds one by the entry point group ``qchess.agents``, or by a call of `register`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qchess.backends.outside import found
from qchess.circuits.errors import unknown_name
from qchess.errors import InvalidMoveError, QchessError
from qchess.playing.agents import words
from qchess.playing.agents.agent import Agent
from qchess.playing.agents.flat import Flat
from qchess.playing.agents.greedy import GreedyAgent
from qchess.playing.agents.mcts import Mcts
from qchess.playing.agents.mcts_paper import PaperMcts
from qchess.playing.agents.random_agent import RandomAgent

Maker = Callable[..., Agent]
GROUP = "qchess.agents"
#: name -> maker of the agent; a new agent is a class and a row
CATALOGUE: dict[str, Maker] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    "flat": Flat,
    "mcts": Mcts,
    "mcts-paper": PaperMcts,
}
_REGISTERED: dict[str, Maker] = {}


class UnknownAgentError(QchessError):
    """No agent has this name."""


def register(name: str, maker: Maker) -> None:
    """Add an agent to the catalogue of this process."""
    if name in CATALOGUE:
        raise QchessError(f"there is already an agent called {name!r}")
    _REGISTERED[name] = maker


def names() -> tuple[str, ...]:
    """Return the names of all agents."""
    return tuple(dict.fromkeys((*CATALOGUE, *_REGISTERED, *found(GROUP))))


def get(name: str, **options: Any) -> Agent:
    """Return the agent of that name; options go to it (``width=...``). Names like ``mcts@800`` work too.

    >>> get('mcts@0.5s:leaf=playout').name
    'mcts@0.5s:leaf=playout'
    """
    maker = CATALOGUE.get(name) or _REGISTERED.get(name)
    if maker is None and words.is_word(name) and (word := words.read(name)).agent != name:
        return words.Paced(name, get(word.agent, **word.options, **options), word.budget)
    if maker is None and name in found(GROUP):
        maker = found(GROUP)[name].load()
    if maker is None:
        raise UnknownAgentError(unknown_name("agent", name, names()))
    try:
        return maker(**options)
    except TypeError as error:
        raise InvalidMoveError(f"{name} does not take these options: {options!r} ({error})") from error
