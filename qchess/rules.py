"""The rules of a game: pure functions of positions, without an engine and without chance.

A new game is one package with a `Rules` subclass and a row in `qchess.games.catalogue`. Everything else - playing,
undo, records, agents, the terminal, servers, and the checker `qchess.testing.check_game` - uses this one interface.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial, wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from qchess.circuits.chances import chances, explore
from qchess.circuits.engine import Answer, Engine, Source
from qchess.circuits.precision import CERTAIN
from qchess.circuits.predicates import Cube, Predicate
from qchess.circuits.program import Program, Question
from qchess.circuits.registers import Pause, Registers, Run
from qchess.circuits.sources import Seeded, Throw
from qchess.errors import InvalidMoveError
from qchess.outcome import Outcome
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
    """The common part of every position; the rest is the game's own. Positions are immutable."""

    @property
    def registers(self) -> Registers:
        """Return the quantum part."""

    @property
    def player(self) -> str:
        """Return whose turn it is."""

    @property
    def ply(self) -> int:
        """Return how many turns were played."""

    def key(self) -> tuple[Any, ...]:
        """Return the classical part, as a hashable value."""


P = TypeVar("P", bound=Position)
#: moves are the game's own immutable, hashable values
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Turn(Generic[M]):
    """A legal move in a position, computed once: its program, and what a game adds.

    A game's own turn is a subclass that also holds what settling, describing and writing need. `Rules.turn` and
    `Rules.read_turn` fill in its position, and the answers written with the move.
    """

    move: M
    program: Program
    position: Any = field(default=None, kw_only=True, compare=False, repr=False)
    told: Mapping[str, int] | None = field(default=None, kw_only=True, compare=False)

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[Any, ...]]:
        """Pickle without the position, which the receiver has already."""
        held = {row.name: getattr(self, row.name) for row in fields(self) if row.init and row.name != "position"}
        return partial(type(self), **held), ()

    def telling(self, told: Mapping[str, int] | None) -> Self:
        """Return the same turn with the answers written with its move."""
        return self if told is None else replace(self, told=told)


#: a move for a method of `Rules`: the move, its text, or its turn
What = Any


def _taking(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make a game's method for a move accept a text or a turn too; it gets a turn if its parameter is named `turn`."""

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
    """Do the same for `story`, which takes the position before the move and the one after it."""
    works_on_turn = _works_on_turn(method)

    @wraps(method)
    def telling(self: Rules[Any, Any], before: Any, move: What, answers: Any, after: Any) -> Any:
        what = self.turn(before, move) if works_on_turn else self._move_of(before, move)
        return method(self, before, what, answers, after)

    return telling


def _works_on_turn(method: Callable[..., Any]) -> bool:
    """Tell whether a game's method names its argument after the position `turn`."""
    return list(signature(method).parameters)[2] == "turn"


def _showing(method: Callable[..., Any]) -> Callable[..., Any]:
    """Do the same for `view`, which takes the last move if there is one."""

    @wraps(method)
    def showing(self: Rules[Any, Any], position: Any, last: What = None) -> Any:
        return method(self, position, self._last(last))

    return showing


def _once(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make a game's `turn` return a turn unchanged, and read a text."""

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


#: the methods that users give moves, and the wrapper by which each takes texts and turns too
_DOORS = {
    "turn": _once, "view": _showing, "story": _telling,
    "check": _taking, "write": _taking, "describe": _taking, "sketch": _taking,
}  # fmt: skip


class Rules(ABC, Generic[P, M]):
    """The rules of one game."""

    #: the catalogue's name, and the name for people
    name: ClassVar[str]
    title: ClassVar[str]
    #: all players, in the order of their seats
    players: ClassVar[tuple[str, ...]] = ("white", "black")
    #: whether a king in danger is in check, so that the next move must end it
    has_check: ClassVar[bool] = False
    #: whether `at_once` itself finds out that a move is not legal
    checks_at_once: ClassVar[bool] = True
    #: the class of the game's moves, if it is not text: then methods that take a move also take its text
    move_type: ClassVar[type | None] = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, wrapped in _DOORS.items():
            if name in vars(cls):
                setattr(cls, name, wrapped(vars(cls)[name]))

    def _move_of(self, position: P, what: What) -> Any:
        """Return the move that is meant, from a turn or a text if needed."""
        if self.move_type is not None and isinstance(what, self.move_type):
            return what
        if isinstance(what, Turn):
            return self._of_here(position, what).move
        return what if self.move_type is None else self.read(position, self._text(position, what))[0]

    def _last(self, last: What) -> Any:
        """Return the last move, from a turn if needed. A text is refused: it has a meaning only before its move."""
        if isinstance(last, Turn):
            return last.move
        if last is None or self.move_type is None or isinstance(last, self.move_type):
            return last
        raise InvalidMoveError(f"expected the last move or its turn, got {last!r}; a text is read before it is played")

    def _text(self, position: P, what: object) -> str:
        """Return a text that may name a move; raises if it is neither move nor text."""
        if isinstance(what, str):
            return what
        example = self.any_move(position)
        such = "" if example is None else f", such as {self.write(position, example)!r}"
        raise InvalidMoveError(f"expected a move, or its text{such}; got {what!r}")

    def _of_here(self, position: P, turn: Turn[M]) -> Turn[M]:
        """Return a turn of this position."""
        if turn.position is None or turn.position is position:
            return turn
        raise InvalidMoveError(f"expected a turn of this position; got one of another: {turn.move}")

    # -- what a game tells ----------------------------------------------------------------------------

    @abstractmethod
    def options(self) -> dict[str, Any]:
        """Return the options that rebuild these rules, as JSON values; defaults may be left out."""

    @abstractmethod
    def start(self, engine: Engine) -> P:
        """Return the position before the first move (after any set-up moves), on an engine."""

    @abstractmethod
    def moves(self, position: P) -> Sequence[M]:
        """Return every legal move, each once, in a fixed order."""

    @abstractmethod
    def check(self, position: P, move: What) -> None:
        """Raise `IllegalMoveError`, saying why, unless the move is legal here."""

    @abstractmethod
    def read(self, position: P, text: str) -> tuple[M, Mapping[str, int] | None]:
        """Return the legal move that a text names, and its recorded answers if it has them."""

    def read_turn(self, position: P, text: str) -> Turn[M]:
        """Return the turn that a text names, with its recorded answers if it has them."""
        move, told = self.read(position, text)
        return self.turn(position, move).telling(told)

    @abstractmethod
    def write(self, position: P, move: What) -> str:
        """Return a move as text, before it is played."""

    def texts(self, position: P, moves: Sequence[M]) -> list[str]:
        """Return the texts of legal moves of one position."""
        return [self.write(position, move) for move in moves]

    @abstractmethod
    def turn(self, position: P, move: What) -> Turn[M]:
        """Return the turn of a legal move: its program, and what settling needs.

        A game gets a move; callers may also give its text, or its turn, which is returned unchanged.
        """

    @abstractmethod
    def settle(self, position: P, turn: Any, run: Run) -> P:
        """Return the next position, after the turn's program was run on the position's registers."""

    @abstractmethod
    def result(self, position: P) -> Result | None:
        """Return how the game ended, or None while it goes on."""

    @abstractmethod
    def view(self, position: P, last: What = None) -> View:
        """Return what the board shows, with the last move if one is given."""

    # -- optional hooks -----------------------------------------------------------------------------

    def at_once(self, position: P, move: M, throw: Callable[..., Throw] | None) -> tuple[P, tuple[Answer, ...]] | None:
        """Play a legal move by a compiled core: what `step` would return, to the last bit, or None if it must be asked.

        `throw` gives the number that answers the open question of a name, after the answers so far, if there are any.
        """
        return None

    def is_move(self, what: object) -> bool:
        """Tell whether this is a move of the game as a value, perhaps an illegal one."""
        return isinstance(what, self.move_type or ())

    def tell_at_once(self, position: P, move: M, text: str, answers: Sequence[Answer], after: P) -> str:
        """Return the text of a move that `at_once` played, with its answers as `tell` writes them."""
        return recorded(text, {answer.name: answer.value for answer in answers})

    def tell(self, position: P, turn: Any, answers: Mapping[str, int]) -> str:
        """Return a move as text after play: like `write`, with the answers as in a record."""
        return recorded(self.write(position, turn.move), answers)

    def groups(self, position: P) -> tuple[tuple[str, ...], ...]:
        """Return the squares that belong together, as in the view; games compute this without drawing the board."""
        return self.view(position).groups

    def sketch(self, position: P, move: What) -> Sketch:
        """Return how a move is shown before it is played; games compute this without drawing the board."""
        return Sketch.of(self.view(position, self._move_of(position, move)))

    def any_move(self, position: P) -> M | None:
        """Return some legal move, or None if there is none; games compute this without the whole list."""
        return next(iter(self.moves(position)), None)

    def squares(self, position: P) -> Mapping[str, str]:
        """Return the square of each qubit that has another name than its square."""
        return {}

    @property
    def most_branches(self) -> int | None:
        """Return the most branches that one register may have after a move; None for the engine's limit."""
        return None

    def evaluate(self, position: P) -> Mapping[str, float]:
        """Return how well each player stands, for the greedy agent; larger is better."""
        return dict.fromkeys(self.players, 0.0)

    def core(self) -> Core[P, M] | None:
        """Return a compiled form of the game, if there is one."""
        return None

    def laws(self) -> Sequence[Callable[[P], None]]:
        """Return this game's own laws for `qchess.testing.check_game`; each raises `LawError` if broken."""
        return ()

    def notated(self, position: P) -> str:
        """Return the position as one line of text, for games that have a notation of positions."""
        raise InvalidMoveError(f"{self.title} has no notation of positions; the record of a game holds them")

    def forfeited(self, position: P, player: str, reason: str) -> Result:
        """Return how the game ends if a player gives up: with two players the other wins, with more nobody does."""
        others = [other for other in self.players if other != player]
        return Result(others[0] if len(others) == 1 else None, reason)

    def text(self, position: P, last: What = None) -> str:
        """Return the board with its odds, as plain text."""
        from qchess.showing.boardtext import draw

        return draw(self.view(position, last))

    def svg(self, position: P, last: What = None) -> str:
        """Return the board as an SVG picture."""
        from qchess.showing.svg import board

        return board(self.view(position, last))

    def story(self, before: P, move: What, answers: Mapping[str, int], after: P) -> str:
        """Return what a move did, in words for players; empty if the board shows it all."""
        return ""

    def man(self, position: P, square: str) -> str:
        """Return what may stand on a square, in a word such as ``knight``; empty in games that do not say it."""
        return ""

    def takes(self, position: P, turn: Any) -> bool:
        """Tell whether a move takes a piece, or may take one; False in games that do not say it."""
        return False

    def threats(self, position: P) -> Iterator[Threat]:
        """How a king of the player to move could be captured next turn; nothing in games without kings."""
        yield from ()

    # -- derived from these; no game overrides it --------------------------------------------------------

    def compile(self, position: P, move: What) -> Program:
        """Return the program of a legal move."""
        return self.turn(position, move).program

    def begin(self, position: P, turn: Turn[M]) -> Run | Pause:
        """Run a turn to its end or its first open question. What is too large for any answer is refused now."""
        return position.registers.start(turn.program, self.most_branches)

    def step(self, position: P, move: What, source: Source | None = None) -> tuple[P, tuple[Answer, ...]]:
        """Play a legal move: one turn, run and settled."""
        if self.is_move(move) and (source is None or type(source) is Seeded):
            throw = None if source is None else source.throw
            made = self.at_once(position, move, throw)
            if made is not None:
                return made
        return self.step_by_rules(position, move, source)

    def step_by_rules(self, position: P, move: What, source: Source | None = None) -> tuple[P, tuple[Answer, ...]]:
        """Play a legal move as `step` does, without the core."""
        turn = self.turn(position, move)
        run = position.registers.run(turn.program, source, self.most_branches)
        return self.settle(position, turn, run), run.answers

    def outcomes(self, position: P, move: What) -> Iterator[Outcome[P]]:
        """Yield every way a legal move can end, with its exact probability; nothing is run twice."""
        if self.is_move(move) and (made := self.at_once(position, move, None)) is not None:
            yield Outcome.certain(*made)
            return
        turn = self.turn(position, move)

        def settle(run: Run) -> P:
            return self.settle(position, turn, run)

        for chance in explore(position.registers, turn.program, self.most_branches):
            yield Outcome(chance, settle)

    def chances(self, position: P, move: What) -> dict[tuple[tuple[str, int], ...], float]:
        """Return the exact distribution over the answers of a move."""
        return chances(position.registers, self.turn(position, move).program)

    def describe(self, position: P, move: What) -> str:
        """One line for players: what the move asks, and how likely a yes is."""
        program = self.turn(position, move).program
        if not program.answers:
            return "asks nothing"
        question = program.steps[0]
        if isinstance(question, Question) and program.answers == (question.name,):
            yes = position.registers.probability(question.predicate)
            return f"{asked(question.predicate, partial(self.man, position))} {odds_of(yes)}"
        told = chances(position.registers, program).items()
        return "; ".join(f"{' '.join(f'{n}={v}' for n, v in given)}: {round(p, 12):.4g}" for given, p in told)


def recorded(text: str, answers: Mapping[str, int]) -> str:
    """Return a move's text as in a record, with its answers."""
    return f"{text}.m{','.join(map(str, answers.values()))}" if answers else text


def in_words(predicate: Predicate) -> str:
    """A predicate over squares as players say it: ``c3 is full and d4, e5 are empty``."""
    return ", or ".join(" and ".join(_parts(cube, "{names} {verb} {what}")) for cube in predicate.cubes)


def asked(predicate: Predicate, man: Callable[[str], str] = lambda square: "") -> str:
    """A predicate over squares as a question; `man` names what may stand on a square.

    >>> from qchess.circuits import where
    >>> asked(where({"c3": 1, "d4": 0, "e5": 0}))
    'Is c3 full and are d4, e5 empty?'
    >>> asked(where({"c3": 1}), {"c3": "knight"}.get)
    'Is the knight on c3?'
    """
    text = ", or ".join(" and ".join(_parts(cube, "{verb} {names} {what}", man)) for cube in predicate.cubes)
    return f"{text[:1].upper()}{text[1:]}?"


def _parts(cube: Cube, form: str, man: Callable[[str], str] = lambda square: "") -> Iterator[str]:
    for value, what in ((1, "full"), (0, "empty")):
        squares = [qubit for qubit, wanted in cube if wanted == value]
        if value and len(squares) == 1 and (named := man(squares[0])):
            yield form.format(names=f"the {named}", verb="is", what=f"on {squares[0]}")
        elif squares:
            yield form.format(names=", ".join(squares), verb="is" if len(squares) == 1 else "are", what=what)


def odds_of(yes: float) -> str:
    """The odds of a yes/no question; what is certain is said so."""
    if min(yes, 1 - yes) < CERTAIN:
        return "Certainly yes" if yes > 0.5 else "Certainly no"
    return f"Yes {percent(yes, 1)}, no {percent(1 - yes, 1)}"
