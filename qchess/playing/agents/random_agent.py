"""The random player."""

from __future__ import annotations

from qchess.playing.agents.agent import Choice, Task


class RandomAgent:
    """Plays any legal move, all with the same probability."""

    name = "random"

    def choose(self, task: Task) -> Choice:
        """Return any legal move."""
        moves = task.moves()
        return Choice(task.rng.choice(moves), note=f"any of {len(moves)} moves")
