"""Plies decided by the marks alone; the registers are made in full by the rules, when somebody looks at them.

The coin form decides what cannot differ: the state after a move, and the answer to a roll, unless the number thrown is
too close to its odds. Everything else comes from the circuits, which play the same moves with the same answers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from qchess import backends
from qchess.circuits.engine import Answer, Draw
from qchess.circuits.registers import Pause, Registers
from qchess.circuits.sources import Throw
from qchess.games.niels_chess import scene
from qchess.games.niels_chess.effects import board_endings, finished
from qchess.games.niels_chess.move import Move
from qchess.games.niels_chess.position import Position
from qchess.games.niels_chess.rolls import ROLLS, rolls_of

if TYPE_CHECKING:
    from qchess.games.niels_chess.rules import NielsChess

#: a number this close to a roll's odds is judged by the registers
TOO_CLOSE = 1e-9
#: the most plies whose registers wait, so that no game holds on to positions without end
MOST = 256
#: an engine with room for so many branches refuses no move
ROOM = 2**12
_MAKING = threading.RLock()


def play(
    rules: NielsChess, position: Position, move: Move, throw: Callable[..., Throw] | None
) -> tuple[Position, tuple[Answer, ...]] | None:
    """Play a legal move; None if its registers are needed. `throw` gives the number that answers a roll."""
    if isinstance(position, Late) and position.depth >= MOST:
        position.look()
    depth = position.depth if isinstance(position, Late) else 0
    if rules.variant.suicide_loses or (depth == 0 and not _is_ours(position.registers)):
        return None
    book, before, made = rules.book, position.state, object.__new__(Late)
    ends = {end.rolls: end for end in board_endings(book, before, move)}
    rolls = rolls_of(book, before, move) if len(ends) > 1 else ()
    drawn: tuple[Draw, ...] = ()
    answers: tuple[Answer, ...] = ()
    while (results := tuple([draw.value for draw in drawn])) not in ends:
        if throw is None:
            return None
        name, odds = ROLLS[len(drawn)], float(rolls[len(drawn)].odds)
        thrown = throw(name, answers)
        if abs(thrown.number - odds) < TOO_CLOSE:
            return rules.step_by_rules(position, move, _Again(drawn, thrown, throw))
        drawn = (*drawn, Draw(int(thrown.number < odds), thrown.source, thrown.details))
        answers = (*answers, Answer.late(name, drawn[-1], made.look))
    vars(made).update(
        state=finished(book, before, move, ends[results]),
        players=rules.players,
        rolled=scene.rolled(book, rules.players, rolls, answers),
        came=_Came(rules, position, move, drawn, answers),
        depth=depth + 1,
    )
    return made, answers


class _Again:
    """Answers a turn that had begun: what was drawn, the number that was thrown, and then new ones."""

    def __init__(self, drawn: tuple[Draw, ...], thrown: Throw, throw: Callable[..., Throw]) -> None:
        self.drawn, self.thrown, self.throw = drawn, thrown, throw

    def draw(self, pause: Pause) -> Draw:
        """Return one answer."""
        asked = len(pause.answers)
        if asked < len(self.drawn):
            return self.drawn[asked]
        thrown = self.thrown if asked == len(self.drawn) else self.throw(pause.step.name, pause.answers)
        return thrown.draw(pause)


class _Came(NamedTuple):
    """How a position came about."""

    rules: NielsChess
    before: Position
    move: Move
    drawn: tuple[Draw, ...]
    answers: tuple[Answer, ...]


class Late(Position):
    """A position whose registers are not there yet; the first look at them makes it a plain one."""

    #: gone once they are made
    came: _Came
    #: how many positions wait, this one included
    depth: int

    @property
    def registers(self) -> Registers:
        """Return the registers."""
        self.look()
        found: Registers = vars(self)["registers"]
        return found

    def look(self) -> None:
        """Make the registers of this position, and of those before it that nobody has looked at."""
        with _MAKING:
            line: list[Late] = []
            at: Position = self
            while type(at) is Late:
                line.append(at)
                at = at.came.before
            for late in reversed(line):
                late._become_plain()

    def _become_plain(self) -> None:
        rules, before, move, drawn, answers = self.came
        at = rules.begin(before, rules.turn(before, move))
        for draw in drawn:
            assert isinstance(at, Pause), f"{move} asks {len(drawn)} questions, say the marks"
            at = at.resume(draw)
        assert not isinstance(at, Pause), f"{move} asks {len(drawn)} questions, say the marks"
        for late, known in zip(answers, at.answers, strict=True):
            late.told(known.probability)
        parts = vars(self)
        parts["registers"] = at.registers
        del parts["came"], parts["depth"]
        object.__setattr__(self, "__class__", Position)

    def __reduce_ex__(self, protocol: Any) -> Any:
        self.look()
        return self.__reduce_ex__(protocol)


def _is_ours(registers: Registers) -> bool:
    """Tell whether these registers live on our own engine, with room for whatever is played."""
    return type(registers.engine) is _our_engine() and registers.engine.branch_limit >= ROOM


@lru_cache(maxsize=1)
def _our_engine() -> type:
    return type(backends.engine("sparse"))
