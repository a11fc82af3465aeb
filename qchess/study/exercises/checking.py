"""Check a student's answer: say what is right or what is missing, never the solution.

An exercise knows its kind of answer, and judges it by what it does: a program is run, a game is examined. A number is
computed, not stored.

>>> from qchess import study
>>> study.check('2.1', ...)
2.1 has no answer yet: replace the dots by the turn, a number in units of π.
>>> study.check('2.1', 'half')
2.1 expected the turn, a number in units of π; got 'half'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from numbers import Integral, Real
from typing import Any, NamedTuple

from qchess.circuits.program import Program
from qchess.playing.game import Game
from qchess.study.subject import StudyError

#: the modules of this package in the order of the course; the n-th has the exercises n.1, n.2, ...
CHAPTERS = (
    "a_move_is_a_circuit",
    "interference",
    "the_born_rule",
    "entanglement_by_a_blocked_slide",
    "entanglement_measured",
    "a_system_from_birth_to_collapse",
    "coins_and_circuits",
    "compiling",
    "a_game_on_a_chip",
    "simulators_compared",
    "what_no_dense_simulator_holds",
    "search_under_measurement",
    "write_your_own_game",
    "the_board_in_a_notebook",
    "sending_a_game_to_a_device",
    "your_simulator_in_the_benchmark",
)


@dataclass(frozen=True)
class Verdict:
    """The judgement of an answer; true if it is right."""

    exercise: str
    right: bool
    text: str

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return f"{self.exercise} {self.text}"


class Kind(NamedTuple):
    """A kind of answer: its name, and how one is read; None if the value is not of this kind."""

    name: str
    read: Callable[[Any], Any]


class Exercise(NamedTuple):
    """A kind of answer, its judge (a hint if something is missing, None if it is right), and an explanation."""

    kind: Kind
    judge: Callable[[Any], str | None]
    why: str


def check(exercise: str, answer: Any) -> Verdict:
    """Tell whether an answer to an exercise of the course, such as '2.1', is right, or what is missing."""
    kind, judge, why = find(exercise)
    if answer is ...:
        return Verdict(exercise, False, f"has no answer yet: replace the dots by {kind.name}.")
    read = kind.read(answer)
    if read is None:
        return Verdict(exercise, False, f"expected {kind.name}; got {answer!r}.")
    try:
        hint = judge(read)
    except Exception as error:  # noqa: BLE001 - an answer may be a function of the student's, which may do anything
        hint = f"It raised {type(error).__name__}: {error}"
    return Verdict(exercise, hint is None, f"is right. {why}" if hint is None else f"is not right yet. {hint}")


def find(exercise: str) -> Exercise:
    """Return an exercise by its number."""
    chapter, _, number = str(exercise).partition(".")
    if chapter.isdecimal() and number.isdecimal() and 0 < int(chapter) <= len(CHAPTERS):
        found = exercises_of(int(chapter))
        if 0 < int(number) <= len(found):
            return found[int(number) - 1]
    raise StudyError(f"expected an exercise of the course, '1.1' to '{len(CHAPTERS)}.3'; got {exercise!r}")


def exercises_of(chapter: int) -> tuple[Exercise, ...]:
    """Return the exercises of a notebook, counted from 1."""
    exercises: tuple[Exercise, ...] = import_module(f"{__package__}.{CHAPTERS[chapter - 1]}").EXERCISES
    return exercises


# -- kinds of answers ---------------------------------------------------------------------------------------------


def number(name: str, low: float = float("-inf"), high: float = float("inf")) -> Kind:
    """Accept a real number in a range."""

    def read(answer: Any) -> float | None:
        real = isinstance(answer, Real) and not isinstance(answer, bool)
        return float(answer) if real and low <= float(answer) <= high else None

    return Kind(name, read)


def whole(name: str, low: int = 0) -> Kind:
    """Accept an integer from `low` on."""

    def read(answer: Any) -> int | None:
        counts = isinstance(answer, Integral) and not isinstance(answer, bool)
        return int(answer) if counts and answer >= low else None

    return Kind(name, read)


def text(name: str) -> Kind:
    """Accept a text, such as a move."""
    return Kind(name, lambda answer: answer if isinstance(answer, str) and answer.strip() else None)


def names(name: str) -> Kind:
    """Accept names in any order: a list, a tuple, a set, or one text with blanks or commas between them."""

    def read(answer: Any) -> frozenset[str] | None:
        several = answer.replace(",", " ").split() if isinstance(answer, str) else answer
        if not isinstance(several, Iterable):
            return None
        found = list(several)
        return frozenset(found) if found and all(isinstance(each, str) for each in found) else None

    return Kind(name, read)


def one_of(*choices: str) -> Kind:
    """Accept one of some words."""
    name = f"one of {', '.join(map(repr, choices))}"
    return Kind(name, lambda answer: answer if isinstance(answer, str) and answer in choices else None)


def program(name: str) -> Kind:
    """Accept a program of `qchess.circuits`."""
    return Kind(name, lambda answer: answer if isinstance(answer, Program) else None)


def game_of(rules: str, name: str) -> Kind:
    """Accept a game by these rules."""
    return Kind(name, lambda answer: answer if isinstance(answer, Game) and answer.rules.name == rules else None)


def function(name: str) -> Kind:
    """Accept a function, which the exercise calls."""
    return Kind(name, lambda answer: answer if callable(answer) else None)


# -- judging ------------------------------------------------------------------------------------------------------


def near(value: float, expected: float, *, within: float = 1e-6) -> bool:
    """Tell whether a number is as expected, up to rounding errors."""
    return abs(value - expected) <= within
