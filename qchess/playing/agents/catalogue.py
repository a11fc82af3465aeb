"""The catalogue of agents: ours, and those that other packages add.

Another package adds one by the entry point group ``qchess.agents``, or by a call of `register`.
A name may have a budget per move and options behind it: ``mcts@800`` (simulations), ``mcts@1.5s`` (seconds),
``mcts-paper@200:plies=60,core=false``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from qchess.backends.options import collected
from qchess.backends.registry import Registry, Row
from qchess.errors import InvalidMoveError, QchessError
from qchess.playing.agents.agent import Agent, Budget, Choice, Task

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
    if ("@" in name or ":" in name) and name not in AGENTS.registered and (spec := agent_spec(name)).agent != name:
        return Budgeted(name, get(spec.agent, **spec.options, **options), spec.budget)
    maker = AGENTS.find(name).loaded()
    try:
        made: Agent = maker(**options)
    except TypeError as error:
        raise InvalidMoveError(f"{name} does not take these options: {options!r} ({error})") from error
    return made


#: your own agent is named by its place: a colon, and no ``=`` after the name that follows
SPEC = re.compile(
    r"(?P<agent>[\w.-]+(?::[A-Za-z_]\w*(?![\w=]))?)(?:@(?P<number>\d+(?:\.\d+)?)(?P<seconds>s)?)?(?::(?P<options>.+))?"
)


class AgentSpec(NamedTuple):
    """An agent by its name, its budget and its options."""

    agent: str
    budget: Budget
    options: Mapping[str, Any]


class Budgeted:
    """An agent with a budget of its own, for tasks that have none."""

    def __init__(self, name: str, agent: Agent, budget: Budget) -> None:
        self.name, self.agent, self.budget = name, agent, budget

    def choose(self, task: Task) -> Choice:
        """Return the agent's choice."""
        return self.agent.choose(task if task.budget != Budget() else replace(task, budget=self.budget))


def agent_spec(text: str) -> AgentSpec:
    """Parse a name like ``mcts@800``, without checking that the agent exists.

    >>> agent_spec('mcts@800:reuse=true')
    AgentSpec(agent='mcts', budget=Budget(simulations=800, seconds=None), options={'reuse': True})
    """
    found = SPEC.fullmatch(text)
    if not found or (found["number"] and not found["seconds"] and "." in found["number"]):
        raise InvalidMoveError(f"expected AGENT[@SIMULATIONS or @SECONDSs][:OPTION=VALUE,...]; got {text!r}")
    parts = filter(None, (found["options"] or "").split(","))
    options = collected(parts, f"expected OPTION=VALUE in {text!r}", InvalidMoveError)
    return AgentSpec(found["agent"], _budget(found["number"], bool(found["seconds"]), text), options)


def _budget(number: str | None, seconds: bool, text: str) -> Budget:
    if number is None:
        return Budget()
    if not float(number):
        raise InvalidMoveError(f"expected a budget above 0; got {text!r}")
    return Budget(seconds=float(number)) if seconds else Budget(simulations=int(number))
