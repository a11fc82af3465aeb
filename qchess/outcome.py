"""One way a move can end, with the next position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from qchess.circuits.chances import Chance
from qchess.circuits.engine import Answer
from qchess.circuits.registers import Run

P = TypeVar("P")


class Outcome(Generic[P]):
    """One way a move can end: the answers by name, their probability, and the next position."""

    __slots__ = ("_given", "_position", "_run", "_settle", "answers", "probability")

    _run: Run | None
    _given: tuple[Answer, ...]

    def __init__(self, chance: Chance, settle: Callable[[Run], P]) -> None:
        self.answers, self.probability, self._run = chance
        self._settle = settle
        self._position: P | None = None

    @classmethod
    def certain(cls, position: P, given: tuple[Answer, ...]) -> Outcome[P]:
        """Return the only way a move can end, with the position after it."""
        made = cls.__new__(cls)
        made.answers, made.probability = {answer.name: answer.value for answer in given}, 1.0
        made._position, made._given, made._run = position, given, None
        return made

    @property
    def run(self) -> Run:
        """Return the run of the move's program; of a certain move it is made on first use."""
        if self._run is None:
            position: Any = self.position
            self._run = Run(position.registers, self._given)
        return self._run

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle with the position settled, so that the receiver needs no rules."""
        return _settled, (Chance(self.answers, self.probability, self.run), self.position)

    @property
    def position(self) -> P:
        """Return the next position, settled on first use."""
        if self._position is None:
            self._position = self._settle(self.run)
        return self._position

    def __repr__(self) -> str:
        return f"<Outcome {self.answers} with probability {self.probability:.6g}>"


def _settled(chance: Chance, position: Any) -> Outcome[Any]:
    """Return an outcome whose position is given."""
    return Outcome(chance, lambda _: position)
