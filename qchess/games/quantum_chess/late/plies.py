"""Plies played by the core. The position after one is made in full by the rules, when somebody looks at it.

What the core decides at once is what cannot differ: the answer to a question, unless its odds are too close to the
number thrown; and the list of moves, the board and the result, which a law compares. Everything else comes from the
rules, which play the same moves with the same answers: registers, odds, and each answer's probability.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from qchess import backends
from qchess.circuits.engine import Answer, Draw
from qchess.circuits.registers import Pause, Registers
from qchess.circuits.sources import Throw
from qchess.games.quantum_chess.core.layout import ANSWER, CARE, PLY
from qchess.games.quantum_chess.core.listing import Moves
from qchess.games.quantum_chess.core.packed import code_of
from qchess.games.quantum_chess.core.packing import BOARD_OF_CHESS, pack, unfit
from qchess.games.quantum_chess.late.kernels import ASKS, TOO_CLOSE, play_ply
from qchess.games.quantum_chess.late.snapshot import CLASSICAL, FEW, MOST, ROOM, Desk, Snapshot
from qchess.games.quantum_chess.move import KINGS, Move
from qchess.games.quantum_chess.odds import Share, shares
from qchess.games.quantum_chess.patterns import HIT
from qchess.games.quantum_chess.position import Position

if TYPE_CHECKING:
    from qchess.games.quantum_chess.rules import QuantumChess

_DESK = Desk()
#: what a certain question is answered
_CERTAIN = tuple((Answer(HIT, value, 1.0, "certain"),) for value in (0, 1))


class Plies:
    """Plays the plies of some rules."""

    def __init__(self, rules: QuantumChess) -> None:
        self.rules = rules
        #: held while positions are made, so that each is made once
        self.looking = threading.RLock()

    def play(
        self, position: Position, move: Move, throw: Callable[[str], Throw] | None
    ) -> tuple[Position, tuple[Answer, ...]] | None:
        """Play a listed move; None if the rules must. `throw` gives the number that answers an open question."""
        snapshot = self.snapshot(position)
        if snapshot is None or move == KINGS:
            return None
        desk, code, thrown = _DESK, code_of(move), None
        desk.put(snapshot)
        count = desk.run(code)
        if count == ASKS and throw is not None:
            thrown = throw(HIT)
            desk.put(snapshot)
            count = desk.run(code, thrown.number)
            if count == TOO_CLOSE:
                return self.rules.step_by_rules(position, move, thrown)
        if count < 0:
            return None
        made, answers = self._made(position, move, thrown)
        if snapshot.branches > FEW:
            vars(position)["snapshot"] = None
        if count <= ROOM:
            self.rules.lists.keep(made, Moves(desk.found[:count].copy()))
        return made, answers

    def _made(self, before: Position, move: Move, thrown: Throw | None) -> tuple[Position, tuple[Answer, ...]]:
        """Return the position on the desk, and the answers that led to it."""
        desk, made = _DESK, object.__new__(Late)
        game = desk.whole
        drawn: Draw | None = None
        answers: tuple[Answer, ...] = ()
        if thrown is not None:
            drawn = Draw(game[ANSWER], thrown.source, thrown.details)
            answers = (Answer.late(HIT, drawn, made.look),)
        elif game[CARE]:
            answers = _CERTAIN[game[ANSWER]]
        parts = vars(made)
        parts["geometry"], parts["ply"], parts["snapshot"] = BOARD_OF_CHESS, game[PLY], desk.taken(self)
        parts["came"] = self, before, move, drawn, answers
        return made, answers

    def snapshot(self, position: Position) -> Snapshot | None:
        """Return a position in the core's form; None if it does not fit."""
        known = position.snapshot
        return known if known is not None and known.owner is self else self._taken_in(position)

    def _taken_in(self, position: Position) -> Snapshot | None:
        """Return a position of the rules in the core's form."""
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
    return type(registers.engine) is _our_engine() and registers.engine.branch_limit >= 4 * MOST


@lru_cache(maxsize=1)
def _our_engine() -> type:
    return type(backends.engine("sparse"))


#: how a position came about: what played it, the position before it, the move, the answer drawn, and all answers
_Came = tuple[Plies, Position, Move, Draw | None, tuple[Answer, ...]]


def _made_by_rules(came: _Came) -> dict[str, Any]:
    """Return the parts of the position; gives the answer its probability."""
    plies, before, move, drawn, answers = came
    rules = plies.rules
    turn = rules.turn(before, move)
    at = rules.begin(before, turn)
    if isinstance(at, Pause) and drawn is not None:
        at = at.resume(drawn)
    assert not isinstance(at, Pause), f"{move} asks nothing that is open, says the core"
    for late, known in zip(answers, at.answers, strict=True):
        assert late.value == known.value, f"{move} is answered {late.value}, says the core"
        if drawn is not None:
            late.told(known.probability)
    return vars(rules.settle(before, turn, at))


class Late(Position):
    """A position after a ply of the core; the first look makes it a plain position."""

    #: gone once the position is made
    came: _Came

    @cached_property
    def shares(self) -> tuple[Share, ...]:
        """Return the share of each register; a single branch has none."""
        held = self.snapshot
        return () if held is not None and held.branches == 1 else shares(self.registers, self.geometry)

    def look(self) -> None:
        """Make this position, and those before it that nobody has looked at."""
        if (came := vars(self).get("came")) is None:
            return
        with came[0].looking:
            line: list[Late] = []
            at: Position = self
            while isinstance(at, Late):
                line.append(at)
                at = at.came[1]
            for late in reversed(line):
                late.become(_made_by_rules(late.came))

    def become(self, parts: dict[str, Any]) -> None:
        """Become a plain position of these parts."""
        vars(self).update(parts)
        del vars(self)["came"]
        object.__setattr__(self, "__class__", Position)

    def __reduce_ex__(self, protocol: Any) -> Any:
        self.look()
        return self.__reduce_ex__(protocol)


class _Part:
    """A part of a late position that is not there yet; it is found in the instance once it is."""

    def __init__(self, name: str) -> None:
        self.name, self.read = name, CLASSICAL.get(name)

    def __get__(self, position: Late | None, of: type | None = None) -> Any:
        if position is None:
            return self
        if self.read is None or position.snapshot is None:
            position.look()
            return getattr(position, self.name)
        part = vars(position)[self.name] = self.read(position.snapshot.game)
        return part


for _name in (*CLASSICAL, "registers", "mass", "pieces"):
    setattr(Late, _name, _Part(_name))
