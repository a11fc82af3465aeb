"""The player that takes any move."""

from __future__ import annotations

from qchess.playing.agents.agent import Choice, Task


class RandomAgent:
    """Plays any legal move, each with the same chance."""

    name = "random"

    def choose(self, task: Task) -> Choice:
        """Any legal move."""
        moves = task.moves()
        return Choice(task.rng.choice(moves), note=f"any of {len(moves)} moves")
