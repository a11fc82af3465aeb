"""An agent in one word: its name, its budget per move, its options.

``greedy``, ``mcts@800`` (simulations), ``mcts@1.5s`` (seconds), ``mcts-paper@200:plies=60,core=false``.

>>> read('mcts@800:reuse=true')
Word(agent='mcts', budget=Budget(simulations=800, seconds=None), options={'reuse': True})
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from qchess.backends.options import collected
from qchess.errors import InvalidMoveError
from qchess.playing.agents.agent import Agent, Budget, Choice, Task

#: your own agent is named by its place: a colon, and no ``=`` after the name that follows
WORD = re.compile(
    r"(?P<agent>[\w.-]+(?::[A-Za-z_]\w*(?![\w=]))?)(?:@(?P<number>\d+(?:\.\d+)?)(?P<seconds>s)?)?(?::(?P<options>.+))?"
)


class Word(NamedTuple):
    """A parsed word."""

    agent: str
    budget: Budget
    options: Mapping[str, Any]


class Paced:
    """An agent with a budget of its own, for tasks that have none."""

    def __init__(self, name: str, agent: Agent, budget: Budget) -> None:
        self.name, self.agent, self.budget = name, agent, budget

    def choose(self, task: Task) -> Choice:
        """Return the agent's choice."""
        return self.agent.choose(task if task.budget != Budget() else replace(task, budget=self.budget))


def is_word(text: str) -> bool:
    """Tell whether a text is more than an agent's name."""
    return "@" in text or ":" in text


def read(text: str) -> Word:
    """Parse a word, without checking that the agent exists."""
    found = WORD.fullmatch(text)
    if not found or (found["number"] and not found["seconds"] and "." in found["number"]):
        raise InvalidMoveError(f"expected AGENT[@SIMULATIONS or @SECONDSs][:OPTION=VALUE,...]; got {text!r}")
    parts = filter(None, (found["options"] or "").split(","))
    options = collected(parts, f"expected OPTION=VALUE in {text!r}", InvalidMoveError)
    return Word(found["agent"], _budget(found["number"], bool(found["seconds"]), text), options)


def _budget(number: str | None, seconds: bool, text: str) -> Budget:
    if number is None:
        return Budget()
    if not float(number):
        raise InvalidMoveError(f"expected a budget above 0; got {text!r}")
    return Budget(seconds=float(number)) if seconds else Budget(simulations=int(number))
