"""Standing answers: the same question at the same point of a game always gets the same answer.

A point is the line of moves that led there, the move, and its answers so far. So a move taken back and played again
gets the same answer, from any source; to measure again, fork the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from qchess.circuits.engine import Answer

#: the line of a game without moves
START = ""


def after(line: str, text: str) -> str:
    """Return the line after one more move (its answers included), as a short name."""
    return blake2b(f"{line}\n{text}".encode(), digest_size=12).hexdigest()


def point(line: str, move: str, answers: Sequence[Answer], question: str) -> str:
    """Return the point of a game at which a move asks a question, after these answers, as a short name."""
    so_far = " ".join(f"{answer.name}={answer.value}" for answer in answers)
    return after(line, f"{move} {so_far} {question}?")


def points(line: str, move: str, answers: Sequence[Answer], known: Mapping[str, str] = {}) -> tuple[str, ...]:
    """Return the points at which these answers of one move were given, some perhaps known by their questions."""
    return tuple([known.get(a.name) or point(line, move, answers[:k], a.name) for k, a in enumerate(answers)])
