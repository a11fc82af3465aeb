"""What a game is: pure functions from positions, which know no engine and draw no chance.

A new game is one room with a `Rules` subclass and a row in `qchess.games.catalogue`. Everything else -
playing, undo, records, agents, the terminal, servers, and the checker `qchess.testing.check_game` -
works through this one interface.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from qchess.circuits.chances import Chance, chances, explore
from qchess.circuits.engine import Answer, Engine, Source
from qchess.circuits.precision import CERTAIN
from qchess.circuits.predicates import Cube, Predicate
from qchess.circuits.program import Program, Question
from qchess.circuits.registers import Pause, Registers, Run
from qchess.errors import InvalidMoveError
from qchess.showing.view import Sketch, View

if TYPE_CHECKING:
    from qchess.core import Core


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


@dataclass(frozen=True, slots=True)
class Turn(Generic[M]):
    """What a legal move is in a position, worked out once: its program, and what a game adds to it.

    A game's own turn is a subclass that also holds what settling and writing need.
    """

    move: M
    program: Program


class Outcome(Generic[P]):
    """One way a move can end: the answers by name, how likely they are, and the next position."""

    __slots__ = ("_position", "_settle", "answers", "probability", "run")

    def __init__(self, chance: Chance, settle: Callable[[Run], P]) -> None:
        self.answers, self.probability, self.run = chance
        self._settle = settle
        self._position: P | None = None

    @property
    def position(self) -> P:
        """The next position, settled when it is first looked at."""
        if self._position is None:
            self._position = self._settle(self.run)
        return self._position

    def __repr__(self) -> str:
        return f"<Outcome {self.answers} with probability {self.probability:.6g}>"


def _taking(method: Callable[..., Any]) -> Callable[..., Any]:
    """What takes a move, so that it also takes the move's text, and says what it expects where it is given neither."""

    @wraps(method)
    def taking(self: Rules[Any, Any], position: Any, move: Any) -> Any:
        if self.move_type is not None and not isinstance(move, self.move_type):
            move = self._meant(position, move)
        return method(self, position, move)

    return taking


class Rules(ABC, Generic[P, M]):
    """The rules of one game."""

    #: the catalogue's name, and the one people read
    name: ClassVar[str]
    title: ClassVar[str]
    #: everybody who plays, in the order of their seats
    players: ClassVar[tuple[str, ...]] = ("white", "black")
    #: the class of the game's moves, if that is no text: whatever takes a move then takes its text as well
    move_type: ClassVar[type | None] = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in ("check", "write", "turn", "describe"):
            if name in vars(cls):
                setattr(cls, name, _taking(vars(cls)[name]))

    def _meant(self, position: P, move: object) -> M:
        """The move that a text names; what is neither move nor text is an error."""
        if isinstance(move, str):
            return self.read(position, move)[0]
        example = self.any_move(position)
        such = "" if example is None else f", such as {self.write(position, example)!r}"
        raise InvalidMoveError(f"expected a move, or its text{such}; got {move!r}")

    # -- what a game tells ----------------------------------------------------------------------------

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
    def write(self, position: P, move: M) -> str:
        """A move as text, before it is played."""

    @abstractmethod
    def turn(self, position: P, move: M) -> Turn[M]:
        """What a legal move is here: the program that playing it is, and what settling needs."""

    @abstractmethod
    def settle(self, position: P, turn: Any, run: Run) -> P:
        """The next position, once the turn's program was run on the position's registers."""

    @abstractmethod
    def result(self, position: P) -> Result | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def view(self, position: P, last: M | None = None) -> View:
        """What the board shows, with the last move if one is given."""

    # -- what a game may tell otherwise ---------------------------------------------------------------

    def tell(self, position: P, turn: Any, answers: Mapping[str, int]) -> str:
        """A move as text after play: what `write` says, and the answers as a record has them."""
        text = self.write(position, turn.move)
        return f"{text}.m{','.join(map(str, answers.values()))}" if answers else text

    def sketch(self, position: P, move: M) -> Sketch:
        """How a move is shown before it is played; games answer this without drawing the board."""
        return Sketch.of(self.view(position, move))

    def any_move(self, position: P) -> M | None:
        """Some legal move, or None if there is none; games answer this without the whole list."""
        return next(iter(self.moves(position)), None)

    def squares(self, position: P) -> Mapping[str, str]:
        """The square of each qubit that is not called like the square it speaks of."""
        return {}

    @property
    def most_branches(self) -> int | None:
        """The branches that one register may have after a move; None for what the engine holds."""
        return None

    def evaluate(self, position: P) -> Mapping[str, float]:
        """How well each player stands, for the greedy agent; larger is better."""
        return dict.fromkeys(self.players, 0.0)

    def core(self) -> Core[P, M] | None:
        """A compiled form of the game that answers the same questions, if there is one."""
        return None

    def laws(self) -> Sequence[Callable[[P], None]]:
        """Laws of this game's own for `qchess.testing.check_game`; each raises `LawError` where it is broken."""
        return ()

    def notated(self, position: P) -> str:
        """The position as one line of text, for games that have a notation of positions."""
        raise InvalidMoveError(f"{self.title} has no notation of positions; the record of a game holds them")

    def forfeited(self, position: P, player: str, reason: str) -> Result:
        """How the game ends if a player gives up: with two players the other wins, with more nobody does."""
        others = [other for other in self.players if other != player]
        return Result(others[0] if len(others) == 1 else None, reason)

    def text(self, position: P, last: M | None = None) -> str:
        """The board with its odds, as plain text."""
        from qchess.showing.boardtext import draw

        return draw(self.view(position, last))

    def svg(self, position: P, last: M | None = None) -> str:
        """The board as a picture."""
        from qchess.showing.svg import board

        return board(self.view(position, last))

    def story(self, before: P, move: M, answers: Mapping[str, int], after: P) -> str:
        """What a move came to, in words for players; nothing where the board says it all."""
        return ""

    # -- what follows from it; no game tells it otherwise ---------------------------------------------

    def compile(self, position: P, move: M) -> Program:
        """The program that playing a legal move is."""
        return self.turn(position, move).program

    def begin(self, position: P, turn: Turn[M]) -> Run | Pause:
        """Runs a turn to its end or its first open question. What is too large is refused now, for any answer."""
        return position.registers.start(turn.program, self.most_branches)

    def step(self, position: P, move: M, source: Source | None = None) -> tuple[P, tuple[Answer, ...]]:
        """Plays a legal move: one turn, run and settled."""
        turn = self.turn(position, move)
        run = position.registers.run(turn.program, source, self.most_branches)
        return self.settle(position, turn, run), run.answers

    def outcomes(self, position: P, move: M) -> Iterator[Outcome[P]]:
        """Every way a legal move can end, with its exact probability; nothing is run twice."""
        turn = self.turn(position, move)

        def settle(run: Run) -> P:
            return self.settle(position, turn, run)

        for chance in explore(position.registers, turn.program, self.most_branches):
            yield Outcome(chance, settle)

    def chances(self, position: P, move: M) -> dict[tuple[tuple[str, int], ...], float]:
        """The exact distribution over the answers of a move."""
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
        told = chances(position.registers, program).items()
        return "; ".join(f"{' '.join(f'{n}={v}' for n, v in given)}: {round(p, 12):.4g}" for given, p in told)


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
