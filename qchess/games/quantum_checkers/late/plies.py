"""Plies played by the core. The position after one is made in full by the rules, when somebody looks at it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from qchess.circuits.engine import Answer, Sample
from qchess.circuits.sources import Throw
from qchess.games.quantum_checkers import endings
from qchess.games.quantum_checkers.book import BLACK, WHITE, Book
from qchess.games.quantum_checkers.core import layout as at
from qchess.games.quantum_checkers.core.packing import SIDES, coded, pack
from qchess.games.quantum_checkers.late.desk import Desk, Desks, Snapshot, coded_moves, snapshot_of
from qchess.games.quantum_checkers.late.finding import (
    ANSWERED,
    ASKS,
    BIT,
    BIT2,
    ENDED,
    HIT,
    LOOK,
    LOOKS,
    NAME,
    PLACE,
    PLACE2,
    SURE,
)
from qchess.games.quantum_checkers.late.kernels import play_ply
from qchess.games.quantum_checkers.move import Move
from qchess.games.quantum_checkers.position import Position
from qchess.games.quantum_checkers.turn import CAPTURER, TARGET
from qchess.late import CERTAIN, Late, Part, Ply, Thrown, is_for_cores
from qchess.rules import Result

if TYPE_CHECKING:
    from qchess.games.quantum_checkers.rules import QuantumCheckers

#: a position of more branches is not taken in from the rules, nor kept in the core's form once a move was played in it
FEW = 2**8
_DESKS = Desks()
_NAMES = CAPTURER, TARGET


class LatePosition(Position, Late):
    """A position after a ply of the core; the first look makes it a plain position."""

    plain = Position
    passing = ("came", "found")
    #: how the answers that led here are written
    found: str
    registers, pieces, owner, kings = Part(), Part(), Part(), Part()


class Plies:
    """Plays the plies of a book."""

    def __init__(self, book: Book) -> None:
        self.rule_book, self.board = book, book.board
        self.book, self.moves = coded(book), coded_moves(book.board.size)
        #: how games end, by the kernel's codes
        self.results: tuple[Result | None, ...] = (
            None, endings.loss(BLACK, False), endings.loss(WHITE, False), endings.draw(book),
            endings.loss(BLACK, True), endings.loss(WHITE, True),
        )  # fmt: skip

    def play(
        self, rules: QuantumCheckers, position: Position, move: Move, throw: Callable[..., Throw] | None
    ) -> tuple[Position, tuple[Answer, ...]] | None:
        """Play a listed move; None if the rules must. `throw` gives the number that answers an open question."""
        snapshot, desk = self.snapshot(position), _DESKS.own
        if snapshot is None or (code := self.moves.code(move, snapshot)) is None:
            return None
        desk.put(snapshot, self.book)
        count = desk.run(code, 0)
        thrown: tuple[Throw, ...] = ()
        made: LatePosition = object.__new__(LatePosition)
        ply = Ply(rules, position, move, ())
        while count == ASKS and throw is not None:
            told = self._answers(desk, thrown, ply, made)
            thrown = (*thrown, throw(_NAMES[desk.whole[LOOKS + LOOK * len(told) + NAME]], told))
            if thrown[-1].given is not None:
                break
            desk.put(snapshot, self.book)
            desk.numbers[: len(thrown)] = [number.number for number in thrown]
            count = desk.run(code, len(thrown))
        if count < 0:
            if throw is None or not thrown:
                return None
            return rules.step_by_rules(position, move, Thrown(thrown, throw))
        answers: tuple[Answer, ...] = ()
        found = ""
        if desk.whole[ANSWERED]:
            answers, found = self._answers(desk, thrown, ply, made), self._found(desk)
        player, quiet, chain, plies = desk.head[: at.PLY + 1].tolist()
        vars(made).update(
            board=self.board, player=SIDES[player], ply=plies, quiet=quiet, chain=None if chain < 0 else chain,
            came=ply, found=found, snapshot=self._taken(desk, count),
        )  # fmt: skip
        if len(snapshot.places) > 8 * FEW:
            vars(position)["snapshot"] = None
        return made, answers

    def _answers(self, desk: Desk, thrown: tuple[Throw, ...], ply: Ply, made: LatePosition) -> tuple[Answer, ...]:
        """Return the answers that are known so far; the ply holds what was drawn."""
        told, left = desk.whole, list(thrown)
        names, drawn = [], []
        for look in range(LOOKS, LOOKS + LOOK * told[ANSWERED], LOOK):
            value = 1 << told[look + BIT] | (1 << told[look + BIT2] if told[look + BIT2] >= 0 else 0)
            by = None if told[look + SURE] else left.pop(0)
            drawn.append(Sample(value, CERTAIN, {}) if by is None else Sample(value, by.source, by.details))
            names.append(_NAMES[told[look + NAME]])
        ply.drawn = tuple(drawn)
        return ply.answers(names, made)

    def _found(self, desk: Desk) -> str:
        """Return what was measured, as `notation.write_found` does."""
        told, text = desk.whole, ""
        for look in range(LOOKS, LOOKS + LOOK * told[ANSWERED], LOOK):
            text += ".m1" if told[look + HIT] else f".m0{self._place(told[look + PLACE])}"
            if told[look + PLACE2] >= 0:
                text += f"/{self._place(told[look + PLACE2])}"
        return text

    def _place(self, place: int) -> str:
        """Return a square, or which of the captures that may have taken a piece."""
        names = self.board.names
        if place < len(names):
            return names[place]
        return f"x{place - len(names) + 1}" if place > len(names) else "x"

    # -- the core's form ----------------------------------------------------------------------------------

    def snapshot(self, position: Position) -> Snapshot | None:
        """Return a position in the core's form; None if it does not fit."""
        known = position.snapshot
        return known if known is not None and known.owner is self else self._taken_in(position)

    def _taken_in(self, position: Position) -> Snapshot | None:
        """Return a position of the rules in the core's form."""
        registers = position.registers
        if position.board is not self.board or not is_for_cores(registers, at.MOST_ENTRIES):
            return None
        most_taken = max([len(piece.taken) for piece in position.pieces.values()], default=0)
        if math.prod(registers.branches()) > FEW or most_taken > at.MOST:
            return None
        desk = _DESKS.own
        desk.put(snapshot_of(pack(self.rule_book, position)), self.book)
        count = desk.run(-1, 0)
        if count < 0:
            return None
        snapshot = vars(position)["snapshot"] = self._taken(desk, count)
        return snapshot

    def _taken(self, desk: Desk, count: int) -> Snapshot:
        """Return the position on the desk, with its moves."""
        return desk.take(count, self.results[desk.whole[ENDED]], self)


def plies(book: Book) -> Plies | None:
    """Return what plays the plies of a book; None if the core is not compiled."""
    return Plies(book) if play_ply.compiled else None
