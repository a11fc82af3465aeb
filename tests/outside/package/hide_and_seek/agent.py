"""A player that likes moves that ask nothing."""

from qchess.playing.agents import Choice, Task


class Shy:
    """Plays a move without a question, if there is one."""

    name = "shy"

    def choose(self, task: Task) -> Choice:
        moves = task.moves()
        quiet = [move for move in moves if not task.rules.compile(task.position, move).answers]
        return Choice(task.rng.choice(quiet or moves), note=f"{len(quiet)} moves ask nothing")
