"""Entrants of a tournament, written in one word: an agent, its budget, its options.

``greedy``, ``mcts@800`` (simulations a move), ``mcts@1.5s`` (seconds a move), ``mcts-paper@200:plies=60,core=false``.

>>> entrant('mcts@800:reuse=true').options, entrant('mcts@0.5s').budget.seconds
({'reuse': True}, 0.5)
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qchess.errors import InvalidMoveError
from qchess.playing import agents
from qchess.playing.agents import Agent, Budget

WORD = re.compile(r"(?P<agent>[\w.-]+)(?:@(?P<number>\d+(?:\.\d+)?)(?P<seconds>s)?)?(?::(?P<options>.+))?")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament; its text is its name there."""

    text: str
    agent: str
    budget: Budget
    options: Mapping[str, Any]

    def make(self) -> Agent:
        """A new agent, which remembers nothing."""
        return agents.get(self.agent, **self.options)


def entrant(text: str) -> Entrant:
    """Reads an entrant; an agent that nobody knows, or options that it does not take, are refused."""
    found = WORD.fullmatch(text)
    if not found or (found["number"] and not found["seconds"] and "." in found["number"]):
        raise InvalidMoveError(f"expected AGENT[@SIMULATIONS or @SECONDSs][:OPTION=VALUE,...]; got {text!r}")
    options = dict(_option(part, text) for part in (found["options"] or "").split(",") if part)
    made = Entrant(text, found["agent"], _budget(found["number"], bool(found["seconds"]), text), options)
    try:
        made.make()
    except TypeError as error:
        raise InvalidMoveError(f"{made.agent} does not take these options: {text!r} ({error})") from error
    return made


def _budget(number: str | None, seconds: bool, text: str) -> Budget:
    if number is None:
        return Budget()
    if not float(number):
        raise InvalidMoveError(f"expected a budget above 0; got {text!r}")
    return Budget(seconds=float(number)) if seconds else Budget(simulations=int(number))


def _option(part: str, text: str) -> tuple[str, Any]:
    key, sign, value = part.partition("=")
    if not sign or not key.isidentifier():
        raise InvalidMoveError(f"expected OPTION=VALUE, got {part!r} in {text!r}")
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value
