"""The interface of an agent, a computer player.

An agent uses the exact probabilities of a move, never a sample. It uses the random generator it is given, never the
game's: the same generator gives the same move. It keeps to its budget and explains its choice.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from qchess.errors import IllegalMoveError, QchessError
from qchess.rules import Rules
from qchess.wording import percent

#: what a won game counts, beside which every evaluation is small
WIN = 1e6
#: a value smaller than this is none, and a larger one than that decides the game
NOTHING, DECIDING = 0.005, 1000.0


@dataclass(frozen=True, slots=True)
class Budget:
    """How much an agent may think: in simulations, in seconds, or without a limit."""

    simulations: int | None = None
    seconds: float | None = None

    def deadline(self) -> float | None:
        """Return when the time is over, on the clock of `time.monotonic`."""
        return None if self.seconds is None else time.monotonic() + self.seconds


@dataclass(frozen=True, slots=True)
class Task:
    """A position in which an agent has to move."""

    rules: Rules[Any, Any]
    position: Any
    rng: random.Random = field(default_factory=random.Random)
    budget: Budget = Budget()
    #: the moves to choose from; the restriction applies at the root only
    only: Sequence[Any] | None = None
    #: the moves that led here, as in a record
    history: tuple[str, ...] = ()

    def moves(self) -> list[Any]:
        """Return the moves to choose from; raises if there is none."""
        found = list(self.rules.moves(self.position) if self.only is None else self.only)
        if not found:
            raise IllegalMoveError(f"{self.position.player} has no legal move to choose from")
        return found


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was considered: its text, its value to the player, and how often it was tried."""

    move: Any
    text: str
    value: float | None = None
    visits: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen move, and why: the candidates, best first, and a sentence if there is more to say."""

    move: Any
    candidates: tuple[Candidate, ...] = ()
    seconds: float = 0.0
    note: str = ""


def explained(choice: Choice, most: int = 6) -> list[str]:
    """Return the reasons of a choice in lines: the candidates, best first, and its sentence."""
    rows = [f"{c.text:<14}  {worth(c)}".rstrip() for c in choice.candidates[:most]]
    if len(choice.candidates) > most:
        rows.append(f"... and {len(choice.candidates) - most} more")
    note = choice.note.rstrip(".")
    return [*rows, f"{note[:1].upper()}{note[1:]}."] if note else rows


def worth(candidate: Candidate) -> str:
    """Return what a move is worth to its player, in words: games won, a won or lost game, or points ahead.

    >>> worth(Candidate("e2-e4", "e2-e4", 0.62, 300))
    'wins 62% of 300 games tried'
    >>> [worth(Candidate("e2-e4", "e2-e4", value)) for value in (1.5, -0.25, 0.0, 500002.0, -1e6)]
    ['1.5 points ahead', '0.25 points behind', 'even', 'wins the game: 50%', 'loses the game: 100%']
    """
    value = candidate.value
    if value is None:
        return "" if candidate.visits is None else f"tried {candidate.visits} times"
    if candidate.visits is not None:
        return f"wins {percent(min(max(value, 0.0), 1.0))} of {candidate.visits} games tried"
    if abs(value) > DECIDING:
        return f"{'wins' if value > 0 else 'loses'} the game: {percent(min(1.0, abs(value) / WIN))}"
    points = float(f"{abs(value):.2g}")
    if points < NOTHING:
        return "even"
    return f"{points:g} point{'' if points == 1 else 's'} {'ahead' if value > 0 else 'behind'}"


def simulations(budget: Budget, default: int) -> Iterator[int]:
    """Count simulations until the budget is spent, at least one; `default` is their number if it gives no limit."""
    limit = budget.simulations if budget.simulations or budget.seconds else default
    deadline, count = budget.deadline(), 0
    while (limit is None or count < limit) and (not count or deadline is None or time.monotonic() < deadline):
        yield count
        count += 1


def forced(task: Task) -> Choice | None:
    """Return the only move, to be played at once; None if there is a choice."""
    moves = task.moves()
    return Choice(moves[0], note="the only move") if len(moves) == 1 else None


class Agent(Protocol):
    """A computer player."""

    name: str

    def choose(self, task: Task) -> Choice:
        """Return a legal move; the position must have one."""


class PlayerError(QchessError):
    """A computer player loses the game: it gave no legal move, or none in time."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason
