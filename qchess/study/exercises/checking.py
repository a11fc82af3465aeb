"""Check what a student answers: say what is right or what is missing, never the solution.

An exercise knows what kind of answer it takes, and judges it by what the answer does: a program is run, a game is
asked. Where a number is wanted, it is worked out here and not written down.

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

#: the modules of this room in the order of the course; the n-th one has the exercises n.1, n.2, ...
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
    """What was said of an answer; true where it is right."""

    exercise: str
    right: bool
    text: str

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return f"{self.exercise} {self.text}"


class Kind(NamedTuple):
    """A kind of answer: what is said of it, and how one is read; what is none gives None."""

    name: str
    read: Callable[[Any], Any]


class Exercise(NamedTuple):
    """What is taken, how it is judged (a hint where something is missing, None where it is right), and why it is so."""

    kind: Kind
    judge: Callable[[Any], str | None]
    why: str


def check(exercise: str, answer: Any) -> Verdict:
    """Say whether an answer to an exercise of the course, such as '2.1', is right, or what is missing."""
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
    """Look an exercise up by its number."""
    chapter, _, number = str(exercise).partition(".")
    if chapter.isdecimal() and number.isdecimal() and 0 < int(chapter) <= len(CHAPTERS):
        found = exercises_of(int(chapter))
        if 0 < int(number) <= len(found):
            return found[int(number) - 1]
    raise StudyError(f"expected an exercise of the course, '1.1' to '{len(CHAPTERS)}.3'; got {exercise!r}")


def exercises_of(chapter: int) -> tuple[Exercise, ...]:
    """The exercises of a notebook, counted from 1."""
    exercises: tuple[Exercise, ...] = import_module(f"{__package__}.{CHAPTERS[chapter - 1]}").EXERCISES
    return exercises


# -- kinds of answers ---------------------------------------------------------------------------------------------


def number(name: str, low: float = float("-inf"), high: float = float("inf")) -> Kind:
    """A real number in a range."""

    def read(answer: Any) -> float | None:
        real = isinstance(answer, Real) and not isinstance(answer, bool)
        return float(answer) if real and low <= float(answer) <= high else None

    return Kind(name, read)


def whole(name: str, low: int = 0) -> Kind:
    """A whole number from `low` on."""

    def read(answer: Any) -> int | None:
        counts = isinstance(answer, Integral) and not isinstance(answer, bool)
        return int(answer) if counts and answer >= low else None

    return Kind(name, read)


def text(name: str) -> Kind:
    """A text, such as a move."""
    return Kind(name, lambda answer: answer if isinstance(answer, str) and answer.strip() else None)


def names(name: str) -> Kind:
    """Some names, in any order: a list, a tuple, a set, or one text with blanks or commas between them."""

    def read(answer: Any) -> frozenset[str] | None:
        several = answer.replace(",", " ").split() if isinstance(answer, str) else answer
        if not isinstance(several, Iterable):
            return None
        found = list(several)
        return frozenset(found) if found and all(isinstance(each, str) for each in found) else None

    return Kind(name, read)


def one_of(*choices: str) -> Kind:
    """One of some words."""
    name = f"one of {', '.join(map(repr, choices))}"
    return Kind(name, lambda answer: answer if isinstance(answer, str) and answer in choices else None)


def program(name: str) -> Kind:
    """A program of `qchess.circuits`."""
    return Kind(name, lambda answer: answer if isinstance(answer, Program) else None)


def game_of(rules: str, name: str) -> Kind:
    """A game by these rules."""
    return Kind(name, lambda answer: answer if isinstance(answer, Game) and answer.rules.name == rules else None)


def function(name: str) -> Kind:
    """A function; the exercise calls it."""
    return Kind(name, lambda answer: answer if callable(answer) else None)


# -- judging ------------------------------------------------------------------------------------------------------


def near(value: float, expected: float, *, within: float = 1e-6) -> bool:
    """Whether a number is as expected, within what rounding takes away."""
    return abs(value - expected) <= within
