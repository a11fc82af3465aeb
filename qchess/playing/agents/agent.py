"""The interface of an agent, a computer player.

An agent uses the exact probabilities of a move, never a sample. It uses the random generator it is given, never the
game's: the same generator gives the same move. It keeps to its budget and explains its choice.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from qchess.errors import IllegalMoveError, QchessError
from qchess.rules import Rules


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
    rows = [f"{c.text:<14}{_figure(c.value)}{_visits(c.visits)}" for c in choice.candidates[:most]]
    if len(choice.candidates) > most:
        rows.append(f"... and {len(choice.candidates) - most} more")
    return [*rows, choice.note] if choice.note else rows


def _figure(value: float | None) -> str:
    return "" if value is None else f"  value {value:.4g}"


def _visits(visits: int | None) -> str:
    return "" if visits is None else f"  {visits} visits"


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
