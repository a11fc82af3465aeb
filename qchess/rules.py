"""What a game is: pure functions from positions, which know no engine and draw no chance.

A new game is one room with a `Rules` subclass and a row in `qchess.games.catalogue`. Everything else -
playing, undo, records, agents, the terminal, servers, and the checker `qchess.testing.check_game` -
works through this one interface.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from qchess.circuits.engine import Answer, Engine, Source
from qchess.circuits.predicates import Cube, Predicate
from qchess.circuits.program import Program, Question
from qchess.circuits.registers import CERTAIN, Registers, Run
from qchess.showing.view import View


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the winner (None for a draw) and why."""

    winner: str | None
    reason: str

    def __str__(self) -> str:
        return f"{self.winner} wins ({self.reason})" if self.winner else f"draw ({self.reason})"


class Position(Protocol):
    """What every position has; the rest is the game's own. Positions are immutable."""

    @property
    def registers(self) -> Registers:
        """The quantum part."""

    @property
    def player(self) -> str:
        """Whose turn it is."""

    @property
    def ply(self) -> int:
        """How many turns were played."""

    def key(self) -> tuple[Any, ...]:
        """The classical part, as a hashable value."""


P = TypeVar("P", bound=Position)
#: moves are the game's own immutable, hashable values
M = TypeVar("M")


class Rules(ABC, Generic[P, M]):
    """The rules of one game."""

    #: the catalogue's name, and the one people read
    name: ClassVar[str]
    title: ClassVar[str]
    players: ClassVar[tuple[str, ...]] = ("white", "black")

    @abstractmethod
    def options(self) -> dict[str, Any]:
        """The options that rebuild these rules, as JSON values; defaults may be left out."""

    @abstractmethod
    def start(self, engine: Engine) -> P:
        """The position before the first move (set-up moves included), on an engine."""

    @abstractmethod
    def moves(self, position: P) -> Sequence[M]:
        """Every legal move, each once, in a fixed order."""

    @abstractmethod
    def check(self, position: P, move: M) -> None:
        """Raises `IllegalMoveError`, saying why, unless the move is legal here."""

    @abstractmethod
    def read(self, position: P, text: str) -> tuple[M, dict[str, int] | None]:
        """The legal move that a text names, and its recorded answers if it carries them."""

    @abstractmethod
    def write(self, position: P, move: M, answers: Mapping[str, int] | None = None) -> str:
        """The move as text; with `answers`, as a record writes it after play."""

    @abstractmethod
    def compile(self, position: P, move: M) -> Program:
        """The program that playing the move is."""

    @abstractmethod
    def settle(self, position: P, move: M, run: Run) -> P:
        """The next position, once the move's program was run on the position's registers."""

    @abstractmethod
    def result(self, position: P) -> Result | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def view(self, position: P, last: M | None = None) -> View:
        """What the board shows, with the last move if one is given."""

    def text(self, position: P, last: M | None = None) -> str:
        """The board with its odds, as plain text."""
        from qchess.showing.boardtext import draw

        return draw(self.view(position, last))

    def svg(self, position: P, last: M | None = None) -> str:
        """The board as a picture."""
        from qchess.showing.svg import board

        return board(self.view(position, last))

    def evaluate(self, position: P) -> Mapping[str, float]:
        """How well each player stands, for the greedy agent; larger is better."""
        return dict.fromkeys(self.players, 0.0)

    def core(self) -> Any:
        """A compiled core of the game, or None."""
        return None

    def step(self, position: P, move: M, source: Source | None = None) -> tuple[P, tuple[Answer, ...]]:
        """Plays a legal move: compile, run, settle."""
        run = position.registers.run(self.compile(position, move), source)
        return self.settle(position, move, run), run.answers

    def chances(self, position: P, move: M) -> dict[tuple[tuple[str, int], ...], float]:
        """The exact distribution over the answers of a move."""
        from qchess.circuits.chances import chances

        return chances(position.registers, self.compile(position, move))

    def describe(self, position: P, move: M) -> str:
        """One line for players: what the move asks, and how likely a yes is."""
        program = self.compile(position, move)
        if not program.answers:
            return "asks nothing"
        question = program.steps[0]
        if isinstance(question, Question) and program.answers == (question.name,):
            yes = position.registers.probability(question.predicate)
            return f"asks whether {in_words(question.predicate)}: {odds_of(yes)}"
        told = ((" ".join(f"{n}={v}" for n, v in found), p) for found, p in self.chances(position, move).items())
        return "; ".join(f"{answers}: {round(p, 12):.4g}" for answers, p in told)


def in_words(predicate: Predicate) -> str:
    """A predicate over squares as players say it: ``c3 is full and d4, e5 are empty``."""
    return ", or ".join(" and ".join(_parts(cube)) for cube in predicate.cubes)


def _parts(cube: Cube) -> Iterator[str]:
    for value, word in ((1, "full"), (0, "empty")):
        squares = [qubit for qubit, wanted in cube if wanted == value]
        if squares:
            yield f"{', '.join(squares)} {'is' if len(squares) == 1 else 'are'} {word}"


def odds_of(yes: float) -> str:
    """The odds of a yes/no question; what is certain is said so."""
    if min(yes, 1 - yes) < CERTAIN:
        return "yes, for certain" if yes > 0.5 else "no, for certain"
    return f"yes {round(yes, 12):.4g}, no {round(1 - yes, 12):.4g}"
