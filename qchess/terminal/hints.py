"""What an agent would play, and why, in words."""

from __future__ import annotations

import random
from typing import Any

from qchess.playing import agents
from qchess.playing.agents import Agent, Task
from qchess.playing.agents.greedy import standing
from qchess.playing.game import Game

#: a change of the standing smaller than this is none, and a larger one than that decides the game
NOTHING, DECIDING = 0.005, 1000.0
ADVISER = "greedy"


def hint(game: Game[Any, Any], rng: random.Random, adviser: Agent | None = None) -> tuple[str, str]:
    """A move as text and the reason: what it asks, and how the player stands after it, as the adviser sees it."""
    rules, position = game.rules, game.position
    agent = adviser or agents.get(ADVISER)
    choice = agent.choose(Task(rules, position, rng, history=game.record().moves()))
    values = {candidate.move: candidate.value for candidate in choice.candidates}
    now, then = standing(rules, position, position.player), values.get(choice.move)
    parts = [rules.describe(position, choice.move), _change(now, then), _said(agent, choice.note)]
    return rules.write(position, choice.move), "; ".join(part for part in parts if part)


def _said(agent: Agent, note: str) -> str:
    return f"{agent.name}: {note}" if note else ""


def _change(now: float, then: float | None) -> str:
    if then is None:
        return ""
    if abs(then) > DECIDING:
        return "it may decide the game" if then > 0 else "nothing better was found"
    if abs(then - now) < NOTHING:
        return "on average it neither wins nor loses material"
    how = "better" if then > now else "worse"
    return f"on average you stand {abs(then - now):.2g} pawns {how} after it"
