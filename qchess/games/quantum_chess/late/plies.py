"""Plies played by the core. The position after one is made in full by the rules, when somebody looks at it.

What the core decides at once is what cannot differ: the answer to a question, unless its odds are too close to the
number thrown; and the list of moves, the board and the result, which a law compares. Everything else comes from the
rules, which play the same moves with the same answers: registers, odds, and each answer's probability.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from qchess import backends
from qchess.circuits.engine import Answer, Draw
from qchess.circuits.registers import Pause, Registers
from qchess.circuits.sources import Throw
from qchess.games.quantum_chess.core.compiled_core import RESULTS
from qchess.games.quantum_chess.core.layout import ANSWER, CARE, PLY
from qchess.games.quantum_chess.core.listing import Moves
from qchess.games.quantum_chess.core.packed import code_of
from qchess.games.quantum_chess.core.packing import BOARD_OF_CHESS, pack, unfit
from qchess.games.quantum_chess.late.kernels import ASKS, TOO_CLOSE, play_ply
from qchess.games.quantum_chess.late.snapshot import FEW, MOST, ROOM, Desk, Snapshot
from qchess.games.quantum_chess.move import KINGS, Move
from qchess.games.quantum_chess.patterns import HIT
from qchess.games.quantum_chess.position import Position
from qchess.rules import Result

if TYPE_CHECKING:
    from qchess.games.quantum_chess.rules import QuantumChess

_DESK = Desk()
#: held while positions are made, so that each is made once
_LOOKING = threading.RLock()
#: what a certain question is answered
_CERTAIN = tuple((Answer(HIT, value, 1.0, "certain"),) for value in (0, 1))


class Plies:
    """Plays the plies of some rules."""

    def __init__(self, rules: QuantumChess) -> None:
        self.rules = rules

    def play(
        self, position: Position, move: Move, throw: Callable[[str], Throw] | None
    ) -> tuple[Position, tuple[Answer, ...]] | None:
        """Play a listed move; None if the rules must. `throw` gives the number that answers an open question."""
        snapshot = position.snapshot
        if snapshot is None or snapshot.owner is not self:
            snapshot = self._taken_in(position)
        if snapshot is None or move == KINGS:
            return None
        desk, code, thrown = _DESK, code_of(move), None
        desk.put(snapshot)
        count = desk.run(code)
        if count == ASKS and throw is not None:
            thrown = throw(HIT)
            count = desk.run(code, thrown.number)
            if count == TOO_CLOSE:
                return self.rules.step_by_rules(position, move, thrown)
        if count < 0:
            return None
        made, answers = self._made(position, move, thrown)
        if count <= ROOM:
            self.rules.lists.keep(made, Moves(desk.found[:count].copy()))
        return made, answers

    def _made(self, before: Position, move: Move, thrown: Throw | None) -> tuple[Position, tuple[Answer, ...]]:
        """Return the position on the desk, and the answers that led to it."""
        desk = _DESK
        made = object.__new__(Late)
        told = vars(made)
        told["geometry"], told["ply"], told["snapshot"] = BOARD_OF_CHESS, desk.whole[PLY], desk.taken(self)
        drawn: Draw | None = None
        answers: tuple[Answer, ...] = ()
        if desk.whole[CARE] and thrown is None:
            answers = _CERTAIN[desk.whole[ANSWER]]
        elif thrown is not None:
            drawn = Draw(desk.whole[ANSWER], thrown.source, thrown.details)
            answers = (Answer.late(HIT, drawn, made.look),)
        told["came"] = _Came(self.rules, before, move, drawn, answers)
        return made, answers

    def result(self, position: Position) -> tuple[Result | None] | None:
        """Return how the game ended, in a tuple; None if this position was not met here."""
        snapshot = position.snapshot
        if snapshot is None or snapshot.owner is not self:
            return None
        return (RESULTS[snapshot.ended],)

    def _taken_in(self, position: Position) -> Snapshot | None:
        """Return a position of the rules in the core's form; None if it does not fit."""
        if position.geometry is not BOARD_OF_CHESS or position.judged or position.seen:
            return None
        registers = position.registers
        if not _is_ours(registers) or math.prod(registers.branches()) > FEW:
            return None
        _DESK.put_packed(pack(self.rules.book, position))
        _DESK.run(-1)
        snapshot = _DESK.taken(self)
        vars(position)["snapshot"] = snapshot
        return snapshot


def plies(rules: QuantumChess) -> Plies | None:
    """Return what plays the plies of some rules; None if the core does not support their book or is not compiled."""
    return Plies(rules) if unfit(rules.book) is None and play_ply.compiled else None


def _is_ours(registers: Registers) -> bool:
    """Tell whether these registers live on our own engine, with room for whatever the core plays."""
    return type(registers.engine) is _our_engine() and registers.engine.branch_limit >= 16 * MOST


@lru_cache(maxsize=1)
def _our_engine() -> type:
    return type(backends.engine("sparse"))


class _Came:
    """How a position came about: the one before it, the move, and the answer drawn."""

    __slots__ = ("answers", "before", "drawn", "move", "rules")

    def __init__(
        self, rules: QuantumChess, before: Position, move: Move, drawn: Draw | None, answers: tuple[Answer, ...]
    ) -> None:
        self.rules, self.before, self.move, self.drawn, self.answers = rules, before, move, drawn, answers

    def made(self) -> dict[str, Any]:
        """Return the parts of the position, by the rules; gives the answer its probability."""
        rules, before = self.rules, self.before
        turn = rules.turn(before, self.move)
        at = rules.begin(before, turn)
        if isinstance(at, Pause) and self.drawn is not None:
            at = at.resume(self.drawn)
        assert not isinstance(at, Pause), f"{self.move} asks nothing that is open, says the core"
        for late, known in zip(self.answers, at.answers, strict=True):
            assert late.value == known.value, f"{self.move} is answered {late.value}, says the core"
            late.told(known.probability)
        return vars(rules.settle(before, turn, at))


class Late(Position):
    """A position after a ply of the core; the first look makes it a plain position."""

    came: _Came

    def look(self) -> None:
        """Make this position, and those before it that nobody has looked at."""
        with _LOOKING:
            line: list[Late] = []
            at: Position = self
            while isinstance(at, Late):
                line.append(at)
                at = at.came.before
            for late in reversed(line):
                late.become(late.came.made())

    def become(self, parts: dict[str, Any]) -> None:
        """Become a plain position of these parts."""
        vars(self).update(parts)
        del vars(self)["came"]
        object.__setattr__(self, "__class__", Position)

    def read(self) -> None:
        """Read the board, without its odds, from what the core keeps."""
        if self.snapshot is None:
            self.look()
        else:
            vars(self).update(self.snapshot.classical())

    def __reduce_ex__(self, protocol: Any) -> Any:
        self.look()
        return self.__reduce_ex__(protocol)


class _Part:
    """A part of a late position that is not there yet; it is found in the instance once it is."""

    def __init__(self, name: str, work: Callable[[Late], None]) -> None:
        self.name, self.work = name, work

    def __get__(self, position: Late | None, of: type | None = None) -> Any:
        if position is None:
            return self
        self.work(position)
        return vars(position)[self.name]


for _name in ("board", "of", "rights", "en_passant", "clock"):
    setattr(Late, _name, _Part(_name, Late.read))
for _name in ("registers", "mass", "pieces"):
    setattr(Late, _name, _Part(_name, Late.look))
