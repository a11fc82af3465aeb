"""Gives lessons on a screen: shows the board, takes predictions and moves, and keeps what was finished."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qchess.errors import InvalidMoveError, QchessError
from qchess.lessons import progress
from qchess.lessons.lesson import Course, Lesson
from qchess.lessons.walk import Walk
from qchess.terminal.screen import BOLD, DIM, RED, Screen, one_line
from qchess.terminal.typed import meant, plain

LEAVE = "quit"


class Teacher:
    """The lessons of one game, on one screen."""

    def __init__(self, course: Course, screen: Screen, *, seed: int | None = None, backend: str = "sparse") -> None:
        self.course = course
        self.screen = screen
        self.seed = seed
        self.backend = backend
        self.words: dict[str, Callable[[Walk], None]] = {
            "board": self._board, "rules": lambda _: screen.paragraphs(*course.rules, indent="   "),
            "legend": lambda _: screen.paragraphs(*course.legend, indent="    "), "help": self._help, "?": self._help,
            "": self._board,
        }  # fmt: skip

    @property
    def rules(self) -> Sequence[str]:
        """The rules in short."""
        return self.course.rules

    @property
    def legend(self) -> Sequence[str]:
        """What the signs on the board mean."""
        return self.course.legend

    def teach(self, name: str = "") -> None:
        """Gives one lesson, or without a name those that are still to be done, one after the other."""
        if name in ("list", "all"):
            self.contents()
            return
        if name:
            self.give(self.course.lesson(name))
            return
        while lesson := self.next_lesson():
            if not self.give(lesson):
                return
            if self.next_lesson() is None or not self._goes_on():
                return
        self.screen.say("All lessons are done.")
        self.contents()

    def next_lesson(self) -> Lesson | None:
        """The first lesson that was not finished."""
        finished = progress.done(self.course.game)
        return next((lesson for lesson in self.course.lessons if lesson.name not in finished), None)

    def contents(self) -> None:
        """Lists the lessons, and which were finished."""
        finished = progress.done(self.course.game)
        width = max(len(lesson.name) for lesson in self.course.lessons)
        for number, lesson in enumerate(self.course.lessons, 1):
            tick = "x" if lesson.name in finished else " "
            self.screen.say(f"[{tick}] {number:2}  {lesson.name:{width}}  {lesson.title}")

    def give(self, lesson: Lesson) -> bool:
        """Gives one lesson; whether it was finished."""
        number = self.course.lessons.index(lesson) + 1
        self.screen.say(f"Lesson {number} of {len(self.course.lessons)}: {lesson.title} (quit leaves it)", BOLD)
        self.screen.paragraphs(*lesson.intro)
        walk = Walk(lesson, seed=self.seed, backend=self.backend)
        self._board(walk)
        while walk.awaits != "nothing":
            if not self._ask(walk):
                return False
        self.screen.say("The lesson is done.", BOLD)
        if not progress.finish(lesson.game, lesson.name):
            self.screen.say("(It could not be noted down: the state folder cannot be written.)", DIM)
        return True

    def _ask(self, walk: Walk) -> bool:
        """Asks until something comes of it; False if the learner leaves."""
        self.screen.paragraphs(*walk.asks(), indent="     ")
        before, ply = walk.awaits, len(walk.game.history)
        while (walk.awaits, len(walk.game.history)) == (before, ply):
            line = self.screen.read(f"{walk.lesson.name}> ")
            if line is None or meant(line) == LEAVE:
                return False
            self._take(walk, line.strip())
        return True

    def _take(self, walk: Walk, text: str) -> None:
        """One line of the learner: a word that looks, a prediction, or a move."""
        if text.lower() in self.words:
            self.words[text.lower()](walk)
            return
        moved = len(walk.game.history)
        try:
            said = walk.answer(text if walk.awaits == "prediction" else plain(text))
        except InvalidMoveError as error:
            self.screen.say(f"{one_line(error)} (help lists what you can type)", RED)
            return
        except QchessError as error:
            self.screen.say(one_line(getattr(error, "plain", error)), RED)
            return
        if len(walk.game.history) > moved:
            self._board(walk)
        self.screen.paragraphs(*said)

    def _goes_on(self) -> bool:
        line = self.screen.read("Enter for the next lesson, quit to stop> ")
        return line is not None and meant(line) != LEAVE

    def _board(self, walk: Walk) -> None:
        self.screen.board(walk.game.view())

    def _help(self, walk: Walk) -> None:
        wanted = "the number of your prediction" if walk.awaits == "prediction" else f"the move {walk.step.moves[0]}"
        self.screen.say(f"Type {wanted}; or: board, rules, legend, quit.")
