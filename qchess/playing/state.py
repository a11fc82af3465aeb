"""A game as one value: where it began, what was played, taken back and answered, and what it waits for.

A state is never changed: each change makes the next one, and `qchess.playing.game.Game` holds the latest. So a game can
be kept, forked and taken back at no cost, and sent to another process, which plays on from there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Generic, NamedTuple, Self, TypeVar

from qchess.circuits.engine import Answer, Sample, Ticket
from qchess.circuits.running import Pause
from qchess.playing.record import Waiting
from qchess.playing.sentences import sentence
from qchess.rules import Position, Result, Rules, Turn
from qchess.showing.view import Numbered

P = TypeVar("P", bound=Position)
#: the line of a game without moves
START = ""


# -- standing answers: the same question at the same point of a game always gets the same answer --------------------
#
# A point is the line of moves that led there, the move, and its answers so far. So a move taken back and played again
# gets the same answer, from any source; to measure again, fork the game.


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


# -- the game ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played:
    """What a move came to: its text with the answers, and each answer with its probability and source.

    As text it is the move in sentences: ``c3-d5. Is the knight on c3? No, 50% likely. The knight was not on c3 ...``.
    """

    player: str
    move: Any
    text: str
    answers: tuple[Answer, ...]
    rules: Rules[Any, Any] = field(compare=False, repr=False)
    before: Any = field(compare=False, repr=False)
    #: the position after the move, and the line of moves that leads there
    position: Any = field(compare=False, repr=False)
    line: str = field(compare=False, repr=False)
    #: the points of the game at which its answers were given
    asked: tuple[str, ...] = field(compare=False, repr=False)

    @property
    def measured(self) -> bool:
        """Whether the move asked a question."""
        return bool(self.answers)

    @property
    def plain(self) -> str:
        """The move as text, without its answers."""
        return self.rules.write(self.before, self.move)

    @property
    def sentence(self) -> str:
        """What the move came to, in short sentences; nothing where the board shows it all."""
        turn = self.rules.turn(self.before, self.move)
        return sentence(self.rules, self.before, turn, self.answers, self.position)

    def __str__(self) -> str:
        said = self.sentence
        return f"{self.plain}. {said}" if said else self.plain


@dataclass(frozen=True, slots=True)
class Pending:
    """What a game waits for: a question in the middle of a turn, and the ticket for its answer."""

    turn: Turn[Any]
    text: str
    pause: Pause
    ticket: Ticket | None = None

    @property
    def entry(self) -> Waiting:
        """What the record says of it."""
        return Waiting(self.text, self.pause.answers, self.pause.step.name, self.ticket)

    def __str__(self) -> str:
        return f"{self.text} waits for the answer to {self.pause.step.name!r}"


class GameState(NamedTuple, Generic[P]):
    """The state of a game; can be pickled. What each ply needs is made by place: `_replace` takes twice as long."""

    start: P
    #: the line of moves that led to the start
    line: str = START
    #: the moves played, then those taken back
    moves: tuple[Played, ...] = ()
    #: how many moves are played
    ply: int = 0
    #: by their point, all answers that stand
    answers: Mapping[str, Sample] = {}
    #: by their point, the submitted questions without an answer, each with a name drawn for it alone
    asked: Mapping[str, str] = {}
    #: what the game waits for, in the middle of a turn
    pending: Pending | None = None
    #: how people ended the game where no rule does
    ended: Result | None = None
    #: the numbered registers of the start, if moves led there
    numbered: Numbered | None = None

    @property
    def plies(self) -> tuple[Played, ...]:
        """Return the moves played so far."""
        return self.moves[: self.ply]

    @property
    def position(self) -> P:
        """Return the present position."""
        return self.moves[self.ply - 1].position if self.ply else self.start

    @property
    def positions(self) -> tuple[P, ...]:
        """Return the start, and the position after each move."""
        return (self.start, *[played.position for played in self.plies])

    @property
    def here(self) -> str:
        """Return the line of moves that led to the present position."""
        return self.moves[self.ply - 1].line if self.ply else self.line

    def point(self, text: str, pause: Pause) -> str:
        """Return the point at which a move asks a question."""
        return point(self.here, text, pause.answers, pause.step.name)

    def given(self, answers: Mapping[str, Sample]) -> GameState[P]:
        """Return the state in which these answers stand as well, each at its point."""
        start, line, moves, ply, given, asked, pending, ended, numbered = self
        return GameState(start, line, moves, ply, {**given, **answers}, asked, pending, ended, numbered)

    def after(
        self,
        rules: Rules[P, Any],
        move: Any,
        text: str,
        told: str,
        answers: tuple[Answer, ...],
        position: P,
        new: Mapping[str, str] = {},
    ) -> GameState[P]:
        """Return the state after a move, by its text before and with its answers; `new` has the points of new ones."""
        start, line, moves, ply, given, names, _, ended, numbered = self
        before, here = (moves[ply - 1].position, moves[ply - 1].line) if ply else (start, line)
        asked = points(here, text, answers, new) if answers else ()
        last = (Played(before.player, move, told, answers, rules, before, position, after(here, told), asked),)
        if new:
            drawn = {new[a.name]: Sample(a.value, a.source, a.details) for a in answers if a.name in new}
            given = {**given, **drawn}
        return GameState(start, line, moves[:ply] + last, ply + 1, given, names, None, ended, numbered)

    def back(self) -> Self:
        """Return the state with the last move taken back; its answers stand."""
        return self._replace(ply=self.ply - 1, ended=None)

    def forward(self) -> Self:
        """Return the state with the move that was taken back last played again."""
        return self._replace(ply=self.ply + 1)

    def fork(self) -> Self:
        """Return the state in which no answer stands."""
        return self._replace(moves=self.plies, answers={}, asked={}, pending=None)

    def end(self, result: Result) -> Self:
        """Return the state of the game that people ended; moves taken back are dropped."""
        return self._replace(moves=self.plies, ended=result, pending=None)

    def cut(self, ply: int, numbered: Numbered) -> Self:
        """Return the state after `ply` moves without those moves, small enough to be sent; -1 is the present one."""
        at = self if ply == -1 else self._replace(ply=ply, pending=None, ended=None)
        return at._replace(start=at.position, line=at.here, moves=(), ply=0, numbered=numbered)

    def then(self, later: GameState[P]) -> Self:
        """Return this state with all that was played elsewhere since it was cut."""
        return self._replace(
            moves=self.plies + later.plies if later.ply else self.moves,
            ply=self.ply + later.ply,
            answers={**self.answers, **later.answers},
            asked=later.asked,
            pending=later.pending,
        )

    def standing(self) -> dict[str, Sample]:
        """Return the answers that stand although their moves were taken back."""
        told = {where for played in self.plies for where in played.asked}
        if self.pending:
            told.update(points(self.here, self.pending.text, self.pending.pause.answers))
        return {where: drawn for where, drawn in self.answers.items() if where not in told}
