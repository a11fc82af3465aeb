"""Weigh every answer of a turn that only measures, without making a position for each.

All answers lead to one board. They differ in the types of the measured pieces: an answer's bits say which Kings are
determined, who attacks them, who can move, and the material. What the same bits decide is computed once, in the order
of `PieceQubitChess.evaluate`, so that both agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, reduce
from operator import add
from typing import TYPE_CHECKING

from qchess.circuits import Qubit
from qchess.circuits.register import Register
from qchess.core import OutcomeValue
from qchess.games.piece_qubit_chess.movement import Board, attackers, targets
from qchess.games.piece_qubit_chess.notation import Move
from qchess.games.piece_qubit_chess.pieces import CHECKED, OTHER, WORTH, Piece
from qchess.games.piece_qubit_chess.position import Position
from qchess.games.piece_qubit_chess.verdict import in_check, judged
from qchess.rules import Result

if TYPE_CHECKING:
    from qchess.games.piece_qubit_chess.rules import PieceQubitChess


def worth_of(piece: Piece, at: int | Register) -> float:
    """Return the expected value of a piece, by its bit or its register."""
    if isinstance(at, int):
        return WORTH[piece.second if at else piece.kind]
    odds = at.odds[piece.id]
    return (1 - odds) * WORTH[piece.kind] + odds * WORTH[piece.second]


def material(position: Position) -> dict[str, dict[Qubit, float]]:
    """Return the expected value of each piece by colour, in the order of the board."""
    found: dict[str, dict[Qubit, float]] = {colour: {} for colour in OTHER}
    home = position.registers.home
    for piece in position.board.values():
        found[piece.colour][piece.id] = worth_of(piece, home.get(piece.id, 0))
    return found


def total(values: Mapping[Qubit, float]) -> float:
    """Return the sum, from the first on: the `sum` of later Pythons rounds otherwise."""
    return reduce(add, values.values(), 0.0)


def leads(position: Position, totals: Mapping[str, float]) -> dict[str, float]:
    """Return each side's material, less its determined Kings that could be taken, minus the other's."""
    worth = {
        colour: value - CHECKED[colour == position.player] * len(in_check(position, colour))
        for colour, value in totals.items()
    }
    return {colour: value - worth[OTHER[colour]] for colour, value in worth.items()}


class Material:
    """The values of the pieces in a position, and their sums after any turn that measures nothing."""

    def __init__(self, position: Position) -> None:
        self.values = material(position)
        self.totals = {colour: total(values) for colour, values in self.values.items()}
        self.pieces = {piece.id: piece for piece in position.board.values()}

    def after(self, move: Move, before: Position, after: Position, changed: Iterable[Qubit]) -> dict[str, float]:
        """Return the sums: `changed` has every qubit whose state may be another, `move.end` holds the mover."""
        mover, home = after.board[move.end], after.registers.home
        values = {mover.colour: self.values[mover.colour].copy()}
        del values[mover.colour][mover.id]
        others = {piece.id: piece for piece in map(self.pieces.get, changed) if piece and piece.id != mover.id}
        if target := before.board.get(move.end):
            others.pop(target.id, None)
            values[target.colour] = self.values[target.colour].copy()
            del values[target.colour][target.id]
        for name, piece in others.items():
            if piece.colour not in values:
                values[piece.colour] = self.values[piece.colour].copy()
            values[piece.colour][name] = worth_of(piece, home.get(name, 0))
        mine = values[mover.colour]
        mine[mover.id] = worth_of(mover, home.get(mover.id, 0))
        if target:  # whose place on the board the mover takes: the sum goes in that order
            values[mover.colour] = {p.id: mine[p.id] for p in after.board.values() if p.colour == mover.colour}
        return self.totals | {colour: total(mine) for colour, mine in values.items()}


class _When:
    """The answers for which at least one of some pieces has a fitting type."""

    __slots__ = ("always", "ones", "zeros")

    def __init__(self) -> None:
        self.always = False
        #: the bits of which one must be 1, or of which one must be 0
        self.ones = self.zeros = 0

    def add(self, weigher: Weigher, piece: Piece, fits: Callable[[str], bool]) -> None:
        """Add a piece, by which of its types fit."""
        bit = weigher.bits.get(piece.id)
        if bit is None:
            self.always |= any(fits(type_) for type_ in weigher.after.types(piece))
            return
        first, second = fits(piece.kind), fits(piece.second)
        self.always |= first and second
        if first:
            self.zeros |= bit
        if second:
            self.ones |= bit

    @property
    def mask(self) -> int:
        """Return the bits that matter."""
        return 0 if self.always else self.ones | self.zeros

    def holds(self, answer: int) -> bool:
        """Tell whether a piece fits, given the answer."""
        return self.always or bool(answer & self.ones or ~answer & self.zeros)


class Weigher:
    """Weighs the answers of one turn; `after` is the position after any of them."""

    def __init__(self, rules: PieceQubitChess, before: Position, after: Position, measured: tuple[Qubit, ...]) -> None:
        self.rules, self.before, self.after = rules, before, after
        self.bits = {piece: 1 << k for k, piece in enumerate(measured)}
        #: each possible determined King: its colour, the bit that makes it one (0: it is one), and when it is attacked
        self.kings = [*self._kings()]
        self.movable = self._movable()
        self.decisive = self.movable.mask
        for _, bit, attacked in self.kings:
            self.decisive |= bit | attacked.mask
        self.material = {colour: [*self._material(colour)] for colour in OTHER}
        self.masks = {colour: sum(bit for bit, _, _ in terms) for colour, terms in self.material.items()}
        self._decided: dict[int, tuple[Result | None, dict[str, float]]] = {}
        self._summed: dict[str, dict[int, float]] = {colour: {} for colour in OTHER}

    def end(self, probability: float, answer: int) -> OutcomeValue:
        """Return how the turn ends with this answer."""
        key = answer & self.decisive
        if (known := self._decided.get(key)) is None:
            known = self._decided[key] = self._decide(key)
        result, fines = known
        if result:
            return OutcomeValue(probability, result, {})
        worth = {}
        for colour, sums in self._summed.items():
            key = answer & self.masks[colour]
            if (sum_ := sums.get(key)) is None:
                sum_ = sums[key] = self._sum(colour, key)
            worth[colour] = sum_ - fines[colour]
        return OutcomeValue(probability, None, {colour: worth[colour] - worth[OTHER[colour]] for colour in OTHER})

    # -- what an answer decides -------------------------------------------------------------------------

    def _decide(self, answer: int) -> tuple[Result | None, dict[str, float]]:
        """Return how the game ended, or None; and what the attacked Kings cost each side."""
        standing = [(colour, when.holds(answer)) for colour, bit, when in self.kings if not bit or answer & bit]
        checks = {side: sum(attacked for colour, attacked in standing if colour == side) for side in OTHER}
        ended = judged(self.before, {colour for colour, _ in standing}, bool(checks[self.before.player]))
        result = ended or self.rules.stopped(self.after, self.movable.holds(answer))
        return result, {side: CHECKED[side == self.after.player] * count for side, count in checks.items()}

    def _kings(self) -> Iterator[tuple[str, int, _When]]:
        known = self.after.registers.known
        for square, piece in self.after.board.items():
            bit = self.bits.get(piece.id, 0)
            if piece.kind == "K" or (piece.second == "K" and (bit or known(piece.id) == 1)):
                yield piece.colour, bit, self._attacked(square, piece.colour)

    def _attacked(self, square: str, colour: str) -> _When:
        found = _When()
        for enemy, types in attackers(self.after.board, square, colour):
            found.add(self, enemy, types.__contains__)
        return found

    def _movable(self) -> _When:
        """Return when the next player has a move; the first piece that always has one says it all."""
        found, board = _When(), self.after.board
        for square, piece in board.items():
            if piece.colour == self.after.player:
                found.add(self, piece, partial(_moves, board, square, piece))
                if found.always:
                    break
        return found

    # -- material ---------------------------------------------------------------------------------------

    def _material(self, colour: str) -> Iterator[tuple[int, float, float]]:
        """Yield for each piece its bit, and its values if that is 0 or 1; a piece not measured has no bit."""
        home = self.after.registers.home
        for piece in self.after.board.values():
            if piece.colour == colour:
                if bit := self.bits.get(piece.id, 0):
                    yield bit, WORTH[piece.kind], WORTH[piece.second]
                else:
                    value = worth_of(piece, home.get(piece.id, 0))
                    yield 0, value, value

    def _sum(self, colour: str, answer: int) -> float:
        worth = 0.0
        for bit, first, second in self.material[colour]:
            worth += second if answer & bit else first
        return worth


def _moves(board: Board, square: str, piece: Piece, type_: str) -> bool:
    return bool(targets(board, square, piece, type_))
