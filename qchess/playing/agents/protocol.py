"""What every agent is: a task in, a choice out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from qchess.rules import Rules


@dataclass(frozen=True, slots=True)
class Budget:
    """How much an agent may think: so many simulations, or so many seconds."""

    simulations: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A position in which to choose, and all that choosing may use."""

    rules: Rules[Any, Any]
    position: Any
    rng: random.Random
    budget: Budget = Budget()
    only: Sequence[Any] | None = None
    history: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move that was weighed."""

    move: Any
    value: float | None
    visits: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What an agent chose, and why."""

    move: Any
    candidates: tuple[Candidate, ...] = ()
    seconds: float = 0.0
    note: str = ""


class Agent(Protocol):
    """A player that is a program."""

    name: str

    def choose(self, task: Task) -> Choice:
        """A legal move in a position that has one."""
