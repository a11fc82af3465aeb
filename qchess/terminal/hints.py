"""What an agent would play, and why, in words."""

from __future__ import annotations

import random
from typing import Any

from qchess.playing import agents
from qchess.playing.agents import Agent, Candidate, Task
from qchess.playing.agents.agent import DECIDING, NOTHING, worth
from qchess.playing.agents.greedy import standing
from qchess.playing.game import Game
from qchess.playing.sentences import sentences

ADVISER = "greedy"


def hint(game: Game[Any, Any], rng: random.Random, adviser: Agent | None = None) -> tuple[str, str]:
    """A move as text and the reason: what it asks, and how the player stands after it, as the adviser sees it."""
    rules, position = game.rules, game.position
    agent = adviser or agents.get(ADVISER)
    choice = agent.choose(Task(rules, position, rng, history=game.record().moves()))
    best = next((candidate for candidate in choice.candidates if candidate.move == choice.move), None)
    found = "" if best is None else _worth(best, standing(rules, position, position.player))
    turn = rules.turn(position, choice.move)
    asks = rules.describe(position, turn) if turn.program.answers else ""
    return rules.write(position, turn), sentences("; ".join(filter(None, (asks, found, _said(agent, choice.note)))))


def _said(agent: Agent, note: str) -> str:
    if not note:
        return ""
    return f"the agent {agent.name} {'finds it ' if note.startswith('the ') else ''}{note}"


def _worth(best: Candidate, now: float) -> str:
    """What the adviser thinks of the move: a share of games won where it searched, else the standing after it."""
    if best.value is None:
        return ""
    if best.visits is not None:
        return f"it {worth(best)}"
    return _change(now, best.value)


def _change(now: float, then: float) -> str:
    if abs(then) > DECIDING:
        return "it may decide the game" if then > 0 else "nothing better was found"
    if abs(then - now) < NOTHING:
        return "on average it neither wins nor loses material"
    how = "better" if then > now else "worse"
    return f"on average you stand {abs(then - now):.2g} points {how} after it"
