"""Plies decided by the marks alone; the registers are made in full by the rules, when somebody looks at them.

The coin form decides what cannot differ: the state after a move, and the answer to a roll, unless the number thrown is
too close to its odds. `qchess.late` makes the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from qchess.circuits.engine import Answer, Sample
from qchess.circuits.sources import Throw
from qchess.games.niels_chess import scene
from qchess.games.niels_chess.effects import board_endings, finished
from qchess.games.niels_chess.move import Move
from qchess.games.niels_chess.position import Position
from qchess.games.niels_chess.rolls import ROLLS, rolls_of
from qchess.late import Late, Part, Ply, Thrown, is_for_cores

if TYPE_CHECKING:
    from qchess.circuits import Run
    from qchess.games.niels_chess.rules import NielsChess, NielTurn

#: a number this close to a roll's odds is judged by the registers
TOO_CLOSE = 1e-9
#: the most plies whose registers wait, so that no game holds on to positions without end
MOST = 256
#: an engine with room for so many branches refuses no move
ROOM = 2**12


class MarkedPly(Ply):
    """How a position came about whose marks are known: the rules make its registers alone."""

    __slots__ = ()

    def parts(self, turn: NielTurn, run: Run) -> dict[str, Any]:
        """Return the registers."""
        return {"registers": run.registers}


class LatePosition(Position, Late):
    """A position whose registers are not there yet; the first look at them makes it a plain one."""

    plain = Position
    passing = ("came", "depth")
    #: how many positions wait, this one included
    depth: int
    registers = Part()


def play(
    rules: NielsChess, position: Position, move: Move, throw: Callable[..., Throw] | None
) -> tuple[Position, tuple[Answer, ...]] | None:
    """Play a legal move; None if its registers are needed. `throw` gives the number that answers a roll."""
    if isinstance(position, LatePosition) and position.depth >= MOST:
        position.look()
    depth = position.depth if isinstance(position, LatePosition) else 0
    if rules.variant.suicide_loses or (depth == 0 and not is_for_cores(position.registers, ROOM)):
        return None
    book, before, made = rules.book, position.state, object.__new__(LatePosition)
    ends = {end.rolls: end for end in board_endings(book, before, move)}
    rolls = rolls_of(book, before, move) if len(ends) > 1 else ()
    ply = MarkedPly(rules, position, move, ())
    thrown: tuple[Throw, ...] = ()
    answers: tuple[Answer, ...] = ()
    while (results := tuple([draw.value for draw in ply.drawn])) not in ends:
        if throw is None:
            return None
        odds = float(rolls[len(thrown)].odds)
        last = throw(ROLLS[len(thrown)], answers)
        thrown = (*thrown, last)
        if abs(last.number - odds) < TOO_CLOSE:
            return rules.step_by_rules(position, move, Thrown(thrown, throw))
        ply.drawn = (*ply.drawn, Sample(int(last.number < odds), last.source, last.details))
        answers = ply.answers(ROLLS[: len(thrown)], made)
    vars(made).update(
        state=finished(book, before, move, ends[results]),
        players=rules.players,
        rolled=scene.rolled(book, rules.players, rolls, answers),
        came=ply,
        depth=depth + 1,
    )
    return made, answers
