"""Walk through a lesson: what to show, and the effect of each answer, for any screen.

>>> from qchess.lessons.lesson import course
>>> walk = Walk(course("quantum-chess").lesson("split"), seed=1)
>>> walk.awaits, walk.answer("1")
('prediction', ('Noted.',))
>>> walk.awaits, walk.answer("b1^a3c3")[0]
('move', 'Your prediction was right.')
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qchess.errors import InvalidMoveError
from qchess.lessons.lesson import Lesson, Step
from qchess.playing.game import Game, new


class Walk:
    """One lesson with its game. It waits for a prediction, for a move, or for nothing more."""

    def __init__(self, lesson: Lesson, *, seed: int | None = None, backend: str = "sparse") -> None:
        self.lesson = lesson
        self.game: Game[Any, Any] = new(lesson.game, seed=seed, backend=backend, **dict(lesson.options))
        for move in lesson.moves:
            self.game.play(move)
        self.at = 0
        self.predicted: int | None = None

    @property
    def step(self) -> Step:
        """Return the present task; the last one, when all are done."""
        return self.lesson.steps[min(self.at, len(self.lesson.steps) - 1)]

    @property
    def awaits(self) -> str:
        """Return ``prediction``, ``move`` or ``nothing``."""
        if self.at == len(self.lesson.steps):
            return "nothing"
        return "prediction" if self.step.question and self.predicted is None else "move"

    def asks(self) -> tuple[str, ...]:
        """Return the present question to the learner, line by line."""
        if self.awaits == "nothing":
            return ()
        if self.awaits == "move" and self.step.question:
            return (f"Now play it: {self.step.moves[0]}",)
        question = self.step.question
        if question is None:
            return (self.step.task,)
        choices = (f"  {number}  {choice}" for number, choice in enumerate(question.choices, 1))
        return (self.step.task, f"First a prediction. {question.text}", *choices)

    def answer(self, text: str) -> tuple[str, ...]:
        """Take a prediction by its number, or a move, and return the comments; an error changes nothing."""
        if self.awaits == "prediction":
            return self._predict(text)
        if self.awaits == "move":
            return self._play(text)
        return ("The lesson is over.",)

    def _predict(self, text: str) -> tuple[str, ...]:
        assert self.step.question, "only a question awaits a prediction"
        many = len(self.step.question.choices)
        number = text.strip().rstrip(".)")
        if number not in {str(k + 1) for k in range(many)}:
            raise InvalidMoveError(f"type the number of your prediction, 1 to {many}; got {text!r}")
        self.predicted = int(number) - 1
        return ("Noted.",)

    def _play(self, text: str) -> tuple[str, ...]:
        step, game = self.step, self.game
        turn = game.rules.read_turn(game.position, text)
        if text not in step.moves and turn.move not in [game.rules.read(game.position, told)[0] for told in step.moves]:
            return (f"That move is legal, but the task here is: {step.moves[0]}",)
        played = game.play(replace(turn, told=None))
        judged = self._judged(step)
        for reply in step.reply:
            game.play(reply)
        self.at, self.predicted = self.at + 1, None
        replied = (f"{game.history[-1].player} replies {game.history[-1].text}.",) if step.reply else ()
        return (*judged, step.case(played.text).says, *replied)

    def _judged(self, step: Step) -> tuple[str, ...]:
        if step.question is None:
            return ()
        if self.predicted == step.question.right:
            return ("Your prediction was right.",)
        return (
            f"Not quite. The right answer is ({step.question.right + 1}) {step.question.choices[step.question.right]}.",
        )
