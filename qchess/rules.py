"""What a game is: pure functions from positions, which know no engine and draw no chance.

A new game is one room with a `Rules` subclass and a row in `qchess.games.catalogue`. Everything else -
playing, undo, records, agents, the terminal, servers, and the checker `qchess.testing.check_game` -
works through this one interface.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial, wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from qchess.circuits.chances import Chance, chances, explore
from qchess.circuits.engine import Answer, Engine, Source
from qchess.circuits.precision import CERTAIN
from qchess.circuits.predicates import Cube, Predicate
from qchess.circuits.program import Program, Question
from qchess.circuits.registers import Pause, Registers, Run
from qchess.errors import InvalidMoveError
from qchess.showing.view import Sketch, View
from qchess.wording import ended, percent

if TYPE_CHECKING:
    from qchess.core import Core


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the winner (None for a draw) and why."""

    winner: str | None
    reason: str

    def __str__(self) -> str:
        return ended(self.winner, self.reason)


class Threat(NamedTuple):
    """A move with which the other side could capture a king next turn, and how likely it would."""

    square: str
    move: str
    probability: float


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

    A game's own turn is a subclass that also holds what settling, describing and writing need. Its position, and the
    answers that were written with the move, are filled in by `Rules.turn` and `Rules.read_turn`.
    """

    move: M
    program: Program
    position: Any = field(default=None, kw_only=True, compare=False, repr=False)
    told: Mapping[str, int] | None = field(default=None, kw_only=True, compare=False)

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[Any, ...]]:
        """Leaves the position behind: whoever is sent a turn has it already."""
        held = {row.name: getattr(self, row.name) for row in fields(self) if row.init and row.name != "position"}
        return partial(type(self), **held), ()

    def telling(self, told: Mapping[str, int] | None) -> Self:
        """The same turn with answers that were written with its move."""
        return self if told is None else replace(self, told=told)


class Outcome(Generic[P]):
    """One way a move can end: the answers by name, how likely they are, and the next position."""

    __slots__ = ("_position", "_settle", "answers", "probability", "run")

    def __init__(self, chance: Chance, settle: Callable[[Run], P]) -> None:
        self.answers, self.probability, self.run = chance
        self._settle = settle
        self._position: P | None = None

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Settles the position first: what is sent elsewhere needs no rules there."""
        return _settled, (Chance(self.answers, self.probability, self.run), self.position)

    @property
    def position(self) -> P:
        """The next position, settled when it is first looked at."""
        if self._position is None:
            self._position = self._settle(self.run)
        return self._position

    def __repr__(self) -> str:
        return f"<Outcome {self.answers} with probability {self.probability:.6g}>"


def _settled(chance: Chance, position: Any) -> Outcome[Any]:
    """An outcome whose position is there already."""
    return Outcome(chance, lambda _: position)


#: what a method of `Rules` that takes a move may be given: the move, its text, or its turn
What = Any


def _taking(method: Callable[..., Any]) -> Callable[..., Any]:
    """A game's method that takes a move, so that it also takes a text or a turn; a turn, if it calls it `turn`."""

    @wraps(method)
    def with_turn(self: Rules[Any, Any], position: Any, move: What) -> Any:
        return method(self, position, self.turn(position, move))

    @wraps(method)
    def with_move(self: Rules[Any, Any], position: Any, move: What) -> Any:
        if type(move) is not self.move_type:
            move = self._move_of(position, move)
        return method(self, position, move)

    return with_turn if _works_on_turn(method) else with_move


def _telling(method: Callable[..., Any]) -> Callable[..., Any]:
    """The same of `story`, which takes the position before the move and the one after it."""
    works_on_turn = _works_on_turn(method)

    @wraps(method)
    def telling(self: Rules[Any, Any], before: Any, move: What, answers: Any, after: Any) -> Any:
        what = self.turn(before, move) if works_on_turn else self._move_of(before, move)
        return method(self, before, what, answers, after)

    return telling


def _works_on_turn(method: Callable[..., Any]) -> bool:
    """Whether a game's method calls what it takes, behind the position, a turn."""
    return list(signature(method).parameters)[2] == "turn"


def _showing(method: Callable[..., Any]) -> Callable[..., Any]:
    """The same of `view`, which takes the last move if there is one."""

    @wraps(method)
    def showing(self: Rules[Any, Any], position: Any, last: What = None) -> Any:
        return method(self, position, self._last(last))

    return showing


def _once(method: Callable[..., Any]) -> Callable[..., Any]:
    """A game's `turn`, so that what is a turn already is not worked out again, and a text is read."""

    @wraps(method)
    def turn(self: Rules[Any, Any], position: Any, what: Any) -> Any:
        if isinstance(what, Turn):
            return self._of_here(position, what)
        if self.move_type is not None and not isinstance(what, self.move_type):
            return self.read_turn(position, self._text(position, what))
        found = method(self, position, what)
        if not isinstance(found, Turn) or found.position is position:
            return found
        if found.position is not None:
            return replace(found, position=position)
        object.__setattr__(found, "position", position)  # nobody else has seen it yet
        return found

    return turn


#: the methods of a game that people hand moves, and how each is made to take texts and turns as well
_DOORS = {
    "turn": _once, "view": _showing, "story": _telling,
    "check": _taking, "write": _taking, "describe": _taking, "sketch": _taking,
}  # fmt: skip


class Rules(ABC, Generic[P, M]):
    """The rules of one game."""

    #: the catalogue's name, and the one people read
    name: ClassVar[str]
    title: ClassVar[str]
    #: everybody who plays, in the order of their seats
    players: ClassVar[tuple[str, ...]] = ("white", "black")
    #: whether a king in danger is in check, so that the next move must end it
    has_check: ClassVar[bool] = False
    #: the class of the game's moves, if that is no text: whatever takes a move then takes its text as well
    move_type: ClassVar[type | None] = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, wrapped in _DOORS.items():
            if name in vars(cls):
                setattr(cls, name, wrapped(vars(cls)[name]))

    def _move_of(self, position: P, what: What) -> Any:
        """The move that is meant; its turn has it, and a text names it."""
        if self.move_type is not None and isinstance(what, self.move_type):
            return what
        if isinstance(what, Turn):
            return self._of_here(position, what).move
        return what if self.move_type is None else self.read(position, self._text(position, what))[0]

    def _last(self, last: What) -> Any:
        """The last move; its turn has it. Its text means nothing any more: it is read where it is played."""
        if isinstance(last, Turn):
            return last.move
        if last is None or self.move_type is None or isinstance(last, self.move_type):
            return last
        raise InvalidMoveError(f"expected the last move or its turn, got {last!r}; a text is read before it is played")

    def _text(self, position: P, what: object) -> str:
        """A text that may name a move; what is neither move nor text is an error."""
        if isinstance(what, str):
            return what
        example = self.any_move(position)
        such = "" if example is None else f", such as {self.write(position, example)!r}"
        raise InvalidMoveError(f"expected a move, or its text{such}; got {what!r}")

    def _of_here(self, position: P, turn: Turn[M]) -> Turn[M]:
        """A turn of this very position."""
        if turn.position is None or turn.position is position:
            return turn
        raise InvalidMoveError(f"expected a turn of this position; got one of another: {turn.move}")

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
    def check(self, position: P, move: What) -> None:
        """Raises `IllegalMoveError`, saying why, unless the move is legal here."""

    @abstractmethod
    def read(self, position: P, text: str) -> tuple[M, Mapping[str, int] | None]:
        """The legal move that a text names, and its recorded answers if it carries them."""

    def read_turn(self, position: P, text: str) -> Turn[M]:
        """The turn that a text names, with its recorded answers if it carries them."""
        move, told = self.read(position, text)
        return self.turn(position, move).telling(told)

    @abstractmethod
    def write(self, position: P, move: What) -> str:
        """A move as text, before it is played."""

    @abstractmethod
    def turn(self, position: P, move: What) -> Turn[M]:
        """What a legal move is here: the program that playing it is, and what settling needs.

        A game is given a move; whoever asks may also give its text, or its turn, which is handed back.
        """

    @abstractmethod
    def settle(self, position: P, turn: Any, run: Run) -> P:
        """The next position, once the turn's program was run on the position's registers."""

    @abstractmethod
    def result(self, position: P) -> Result | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def view(self, position: P, last: What = None) -> View:
        """What the board shows, with the last move if one is given."""

    # -- what a game may tell otherwise ---------------------------------------------------------------

    def tell(self, position: P, turn: Any, answers: Mapping[str, int]) -> str:
        """A move as text after play: what `write` says, and the answers as a record has them."""
        text = self.write(position, turn.move)
        return f"{text}.m{','.join(map(str, answers.values()))}" if answers else text

    def groups(self, position: P) -> tuple[tuple[str, ...], ...]:
        """The squares that belong together, as in the view; games answer this without drawing the board."""
        return self.view(position).groups

    def sketch(self, position: P, move: What) -> Sketch:
        """How a move is shown before it is played; games answer this without drawing the board."""
        return Sketch.of(self.view(position, self._move_of(position, move)))

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

    def text(self, position: P, last: What = None) -> str:
        """The board with its odds, as plain text."""
        from qchess.showing.boardtext import draw

        return draw(self.view(position, last))

    def svg(self, position: P, last: What = None) -> str:
        """The board as a picture."""
        from qchess.showing.svg import board

        return board(self.view(position, last))

    def story(self, before: P, move: What, answers: Mapping[str, int], after: P) -> str:
        """What a move came to, in words for players; nothing where the board says it all."""
        return ""

    def threats(self, position: P) -> Iterator[Threat]:
        """How a king of the player to move could be captured next turn; nothing in games without kings."""
        yield from ()

    # -- what follows from it; no game tells it otherwise ---------------------------------------------

    def compile(self, position: P, move: What) -> Program:
        """The program that playing a legal move is."""
        return self.turn(position, move).program

    def begin(self, position: P, turn: Turn[M]) -> Run | Pause:
        """Runs a turn to its end or its first open question. What is too large is refused now, for any answer."""
        return position.registers.start(turn.program, self.most_branches)

    def step(self, position: P, move: What, source: Source | None = None) -> tuple[P, tuple[Answer, ...]]:
        """Plays a legal move: one turn, run and settled."""
        turn = self.turn(position, move)
        run = position.registers.run(turn.program, source, self.most_branches)
        return self.settle(position, turn, run), run.answers

    def outcomes(self, position: P, move: What) -> Iterator[Outcome[P]]:
        """Every way a legal move can end, with its exact probability; nothing is run twice."""
        turn = self.turn(position, move)

        def settle(run: Run) -> P:
            return self.settle(position, turn, run)

        for chance in explore(position.registers, turn.program, self.most_branches):
            yield Outcome(chance, settle)

    def chances(self, position: P, move: What) -> dict[tuple[tuple[str, int], ...], float]:
        """The exact distribution over the answers of a move."""
        return chances(position.registers, self.turn(position, move).program)

    def describe(self, position: P, move: What) -> str:
        """One line for players: what the move asks, and how likely a yes is."""
        program = self.turn(position, move).program
        if not program.answers:
            return "asks nothing"
        question = program.steps[0]
        if isinstance(question, Question) and program.answers == (question.name,):
            yes = position.registers.probability(question.predicate)
            return f"{asked(question.predicate)} {odds_of(yes)}"
        told = chances(position.registers, program).items()
        return "; ".join(f"{' '.join(f'{n}={v}' for n, v in given)}: {round(p, 12):.4g}" for given, p in told)


def in_words(predicate: Predicate) -> str:
    """A predicate over squares as players say it: ``c3 is full and d4, e5 are empty``."""
    return ", or ".join(" and ".join(_parts(cube)) for cube in predicate.cubes)


def asked(predicate: Predicate) -> str:
    """A predicate over squares as a question: ``Is c3 full and are d4, e5 empty?``."""
    text = ", or ".join(" and ".join(_parts(cube, question=True)) for cube in predicate.cubes)
    return f"{text[:1].upper()}{text[1:]}?"


def _parts(cube: Cube, *, question: bool = False) -> Iterator[str]:
    for value, word in ((1, "full"), (0, "empty")):
        squares = [qubit for qubit, wanted in cube if wanted == value]
        if squares:
            names, verb = ", ".join(squares), "is" if len(squares) == 1 else "are"
            yield f"{verb} {names} {word}" if question else f"{names} {verb} {word}"


def odds_of(yes: float) -> str:
    """The odds of a yes/no question; what is certain is said so."""
    if min(yes, 1 - yes) < CERTAIN:
        return "Certainly yes" if yes > 0.5 else "Certainly no"
    return f"Yes {percent(yes, 1)}, no {percent(1 - yes, 1)}"
