"""Plies played by the core. The position after one is made in full by the rules, when somebody looks at it.

The board is read in what the core knows; `qchess.late` says what comes from where.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from qchess.circuits.engine import Answer, Sample
from qchess.circuits.sources import Throw
from qchess.games.quantum_chess.core.layout import ANSWER, CARE, PLY
from qchess.games.quantum_chess.core.listing import Moves
from qchess.games.quantum_chess.core.packing import BOARD_OF_CHESS, code_of, pack, unfit
from qchess.games.quantum_chess.late.kernels import ASKS, TOO_CLOSE, play_ply
from qchess.games.quantum_chess.late.snapshot import CLASSICAL, FEW, MOST, ROOM, Desk, Desks, Snapshot
from qchess.games.quantum_chess.move import KINGS, Move
from qchess.games.quantum_chess.patterns import HIT
from qchess.games.quantum_chess.position import Position, Share, shares
from qchess.games.quantum_chess.profile import Book
from qchess.late import CERTAIN, Late, Part, Ply, is_for_cores

if TYPE_CHECKING:
    from qchess.games.quantum_chess.rules import QuantumChess

_DESKS = Desks()
#: what a certain question is answered: as drawn by nobody, and as told
_CERTAIN = [((Sample(value, CERTAIN),), (Answer(HIT, value, 1.0, CERTAIN),)) for value in (0, 1)]


def _read(name: str) -> Part:
    """Return a part that is read in what the core knows."""
    read = CLASSICAL[name]
    return Part(lambda snapshot: read(snapshot.game))


class LatePosition(Position, Late):
    """A position after a ply of the core; the first look makes it a plain position."""

    plain = Position
    registers, mass, pieces = Part(), Part(), Part()
    board, of, men = _read("board"), _read("of"), _read("men")
    rights, en_passant, clock = _read("rights"), _read("en_passant"), _read("clock")

    @cached_property
    def shares(self) -> tuple[Share, ...]:
        """Return the share of each register; a single branch has none."""
        held = self.snapshot
        return () if held is not None and held.branches == 1 else shares(self.registers, self.geometry)


class Plies:
    """Plays the plies of a book."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def play(
        self, rules: QuantumChess, position: Position, move: Move, throw: Callable[..., Throw] | None
    ) -> tuple[Position, tuple[Answer, ...]] | None:
        """Play a listed move; None if the rules must. `throw` gives the number that answers an open question."""
        snapshot = self.snapshot(position)
        if snapshot is None or move == KINGS:
            return None
        desk, code, thrown = _DESKS.own, code_of(move), None
        desk.put(snapshot)
        count = desk.run(code)
        if count == ASKS and throw is not None:
            thrown = throw(HIT)
            desk.put(snapshot)
            count = desk.run(code, thrown.number)
            if count == TOO_CLOSE:
                return rules.step_by_rules(position, move, thrown)
        if count < 0:
            return None
        made, answers = self._made(desk, Ply(rules, position, move, ()), thrown)
        if snapshot.branches > FEW:
            vars(position)["snapshot"] = None
        if count <= ROOM:
            rules.lists.keep(made, Moves(desk.found[:count].copy()))
        return made, answers

    def _made(self, desk: Desk, ply: Ply, thrown: Throw | None) -> tuple[Position, tuple[Answer, ...]]:
        """Return the position on the desk, and the answers that led to it."""
        made, game = object.__new__(LatePosition), desk.whole
        answers: tuple[Answer, ...] = ()
        if thrown is not None:
            ply.drawn = (Sample(game[ANSWER], thrown.source, thrown.details),)
            answers = ply.answers((HIT,), made)
        elif game[CARE]:
            ply.drawn, answers = _CERTAIN[game[ANSWER]]
        parts = vars(made)
        parts["geometry"], parts["ply"], parts["snapshot"] = BOARD_OF_CHESS, game[PLY], desk.taken(self)
        parts["came"] = ply
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
        if not is_for_cores(registers, 4 * MOST) or math.prod(registers.branches()) > FEW:
            return None
        desk = _DESKS.own
        desk.put_packed(pack(self.book, position))
        desk.run(-1)
        snapshot = desk.taken(self)
        vars(position)["snapshot"] = snapshot
        return snapshot


def plies(book: Book) -> Plies | None:
    """Return what plays the plies of a book; None if the core does not support it or is not compiled."""
    return Plies(book) if unfit(book) is None and play_ply.compiled else None
