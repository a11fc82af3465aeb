"""Says in short sentences what a move came to: what was asked, what came, how likely that was, and what follows.

Also warns a player whose king could be captured next turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

from qchess.circuits.engine import Answer
from qchess.circuits.precision import SAME
from qchess.circuits.program import Program, Question
from qchess.rules import Rules, Threat, Turn, asked
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


# -- what comes next ---------------------------------------------------------------------------------------------


def threats(rules: Rules[Any, Any], position: Any) -> tuple[Threat, ...]:
    """Return how a king of the player to move could be captured next turn, likeliest first; nothing once it is over.

    It tries moves of the other side, so it takes about as long as a list of moves: ask where a person sees the board.
    """
    if rules.result(position) is not None:
        return ()
    return tuple(sorted(rules.threats(position), key=lambda threat: -round(threat.probability, 9)))


def warning(rules: Rules[Any, Any], position: Any) -> str:
    """Return the likeliest of these threats in a sentence; nothing where no king is in danger.

    >>> import qchess
    >>> game = qchess.new("quantum-chess", fen="4k3/8/8/8/8/8/8/r3K3 w - - 0 1")
    >>> warning(game.rules, game.position)
    'Your king on e1 can be captured next turn: a1-e1.'
    """
    found = threats(rules, position)
    if not found:
        return ""
    first = found[0]
    odds = "" if first.probability > 1 - SAME else f", {percent(first.probability)}"
    more = f" ({len(found) - 1} more)" if len(found) > 1 else ""
    if rules.has_check:
        return f"Your king on {first.square} is in check from {first.move}{odds}{more}."
    return f"Your king on {first.square} can be captured next turn: {first.move}{odds}{more}."
