"""Says in short sentences what a move came to: what was asked, what came, how likely that was, and what follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

from qchess.circuits.engine import Answer
from qchess.circuits.precision import SAME
from qchess.circuits.program import Program, Question
from qchess.rules import Rules, Turn, asked
from qchess.wording import percent

#: how likely the answers were if they could not be others
CERTAIN = "certain"
SQUARE = re.compile(r"[a-z]\d")


def sentence(rules: Rules[Any, Any], before: Any, turn: Turn[Any], answers: Sequence[Answer], after: Any) -> str:
    """Return a turn in short sentences; nothing where the board shows it all."""
    story = sentences(rules.story(before, turn, {answer.name: answer.value for answer in answers}, after))
    odds = likely(answers)
    if story and odds == CERTAIN:
        return story
    if question := _question(turn.program, answers, partial(rules.man, before)):
        return f"{question}, {odds}. {story}".rstrip()
    if story or not answers:
        return f"{story} This was {odds}." if answers else story
    came = ", ".join(f"{answer.name} is {answer.value}" for answer in answers)
    return f"Measured: {came}, {odds}."


def sentences(text: str) -> str:
    """Return parts with semicolons between them as sentences; the name of a square stays as it is.

    >>> sentences("the knight was not on c3; c4 is empty")
    'The knight was not on c3. c4 is empty.'
    """
    return " ".join(f"{_begun(part.rstrip('.'))}." for part in text.split("; ") if part)


def _begun(part: str) -> str:
    """A part with a capital, or with "It" if it says what a move does."""
    if part in ("asks nothing", "rolls nothing"):
        return f"It {part}"
    return part if SQUARE.match(part) else f"{part[:1].upper()}{part[1:]}"


def likely(answers: Sequence[Answer]) -> str:
    """Return how likely all these answers were together; what was uncertain never reads as certain or impossible.

    >>> likely([Answer('there', 1, 0.5, 'dice'), Answer('free', 0, 0.5, 'dice')])
    '25% likely'
    >>> likely([Answer('there', 1, 1.0, 'certain')])
    'certain'
    """
    if all(answer.source == "certain" for answer in answers):
        return CERTAIN
    together = prod(answer.probability for answer in answers)
    return f"{percent(min(max(together, 2 * SAME), 1 - 2 * SAME), words=True)} likely"


def _question(program: Program, answers: Sequence[Answer], man: Callable[[str], str]) -> str:
    """The only question of a move with its answer; nothing where several were asked, or qubits were read."""
    questions = [step for step in program.steps if isinstance(step, Question)]
    if len(answers) != 1 or not questions or questions[0].name != answers[0].name:
        return ""
    return f"{asked(questions[0].predicate, man)} {'Yes' if answers[0].value else 'No'}"
