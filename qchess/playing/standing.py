"""Answers that stand: the same question at the same point of a game always gets the same answer.

A point is the line of moves that led there, the move, and what it was answered before. So whoever takes a
move back and plays it again meets the same answer, from any source; asking anew is a fork.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from qchess.circuits.engine import Answer, Draw, Source
from qchess.circuits.running import Pause

#: the line of a game in which nothing was played
START = ""


def after(line: str, text: str) -> str:
    """The line that goes on with a move (its answers included), as a short name."""
    return blake2b(f"{line}\n{text}".encode(), digest_size=12).hexdigest()


def point(line: str, move: str, answers: Sequence[Answer], question: str) -> str:
    """The point of a game at which a move asks a question, after these answers, as a short name."""
    so_far = " ".join(f"{answer.name}={answer.value}" for answer in answers)
    return after(line, f"{move} {so_far} {question}?")


def points(line: str, move: str, answers: Sequence[Answer]) -> tuple[str, ...]:
    """The points at which these answers of one move were given."""
    return tuple(point(line, move, answers[:k], answer.name) for k, answer in enumerate(answers))


class Standing:
    """Every answer that was given in a game, by its point."""

    def __init__(self, given: Mapping[str, Draw] | None = None) -> None:
        self.given: dict[str, Draw] = dict(given or {})

    def draw(self, where: str, pause: Pause, source: Source) -> Draw:
        """The answer that stands at this point; the source's, if none was given yet."""
        stands = self.given.get(where)
        return stands if stands is not None else self.keep(where, at(source, where).draw(pause))

    def keep(self, where: str, drawn: Draw) -> Draw:
        """Makes an answer stand."""
        self.given[where] = drawn
        return drawn


def at(source: Source, where: str) -> Source:
    """The source at a point of a game, where it makes a difference to it."""
    place = getattr(source, "at", None)
    found: Source = place(where) if place else source
    return found
