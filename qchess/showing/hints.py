"""What an agent would play, and why, in words."""

from __future__ import annotations

import random

from qchess.playing import agents
from qchess.playing.agents import standing, value
from qchess.playing.game import Game

#: a change of the standing smaller than this is none
NOTHING = 0.005


def hint(game: Game, seed: float, adviser: str = "greedy") -> tuple[str, str]:
    """A move as text and the reason: what it asks, and how the player stands after it, on the exact average."""
    rules, position = game.rules, game.position
    move = agents.get(adviser).choose(rules, position, random.Random(seed))
    now, then = standing(rules, position, position.player), value(rules, position, move)
    return rules.write(position, move), f"it {rules.describe(position, move)}; {_change(now, then)}"


def _change(now: float, then: float) -> str:
    if abs(then) > 1000:
        return "it decides the game" if then > 0 else "nothing better was found"
    if abs(then - now) < NOTHING:
        return "on average it neither wins nor loses material in one turn"
    how = "better" if then > now else "worse"
    return f"on average you stand {abs(then - now):.2g} pawns {how} after it, seen one turn ahead"
