"""Lessons and where they are found: data files, one per game, for any front end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from qchess.circuits.errors import unknown_name
from qchess.errors import QchessError


class UnknownLessonError(QchessError):
    """No lesson has this name, or a game has none."""


@dataclass(frozen=True, slots=True)
class Question:
    """A prediction to make: its choices, and which is right."""

    text: str
    choices: tuple[str, ...]
    right: int
    #: the evidence that it is right: how a square looks, odds, a number of outcomes
    proof: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """The comment on a move whose text ends so, and how the named squares must look then."""

    says: str
    when: str = ""
    board: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A task: the moves that fulfil it, a prediction, comments on the answer, and the reply."""

    task: str
    moves: tuple[str, ...]
    cases: tuple[Case, ...]
    question: Question | None = None
    reply: tuple[str, ...] = ()

    def case(self, played: str) -> Case:
        """Return the comment on a move, by its text in a record."""
        return next(case for case in self.cases if played.endswith(case.when))


@dataclass(frozen=True, slots=True)
class Lesson:
    """One phenomenon: a position, and the steps that show it."""

    game: str
    name: str
    title: str
    intro: tuple[str, ...]
    steps: tuple[Step, ...]
    options: Mapping[str, Any]
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """A game's file: the rules in short, the meaning of the board's symbols, and the lessons in order."""

    game: str
    rules: tuple[str, ...]
    legend: tuple[str, ...]
    lessons: tuple[Lesson, ...]

    def lesson(self, name: str) -> Lesson:
        """Return the lesson of this name, or of this number from 1."""
        if name.isdecimal() and 1 <= int(name[:9]) <= len(self.lessons):
            return self.lessons[int(name) - 1]
        for lesson in self.lessons:
            if lesson.name == name:
                return lesson
        raise UnknownLessonError(unknown_name("lesson", name, tuple(lesson.name for lesson in self.lessons)))


def course(game: str) -> Course:
    """Return the lessons of a game; raises if it has none."""
    found = courses().get(game)
    if found is None:
        raise UnknownLessonError(f"{game!r} has no lessons; there are some for {', '.join(courses())}")
    return found


@cache
def courses() -> dict[str, Course]:
    """Return the lessons of every game that has some, by the game's name."""
    texts = (item.read_text(encoding="utf-8") for item in files(__package__).iterdir() if item.name.endswith(".json"))
    made = sorted((_course(json.loads(text)) for text in texts), key=lambda course: course.game)
    return {course.game: course for course in made}


def _course(data: Mapping[str, Any]) -> Course:
    lessons = tuple(_lesson(data["game"], lesson) for lesson in data["lessons"])
    return Course(data["game"], tuple(data["rules"]), tuple(data["legend"]), lessons)


def _lesson(game: str, data: Mapping[str, Any]) -> Lesson:
    steps = tuple(_step(step) for step in data["steps"])
    moves, intro = tuple(data.get("moves", ())), tuple(data["intro"])
    return Lesson(game, data["name"], data["title"], intro, steps, data["options"], moves)


def _step(data: Mapping[str, Any]) -> Step:
    asked = data.get("question")
    question = Question(asked["text"], tuple(asked["choices"]), asked["right"], asked["proof"]) if asked else None
    cases = tuple(Case(**case) for case in data["cases"])
    return Step(data["task"], tuple(data["moves"]), cases, question, tuple(data.get("reply", ())))
