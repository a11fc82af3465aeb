"""Safety of the own king: test a change of the board only if it can matter."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from qchess.games.niels_chess.attempts import Attempt, boards
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.units import Men, State, Unit, king, lift, place, tandem, unit_at


class Safety:
    """What decides which changes leave the own king safe in a state, computed once."""

    def __init__(self, book: Book, state: State) -> None:
        self.book, self.state, self.men = book, state, state.men
        self.pieces = book.pieces
        self.colour = state.turn
        own = king(state.men, state.turn)
        assert own is not None, "each side has a king"
        self.king = own
        #: True: the own king is in check now
        self.checked = book.exposed(state.men, own)
        #: what keeps the king safe, and the squares that must not be entered without a test
        self.walls, self.entered = self.pieces.walls(state.men, own.squares, own.colour)
        #: the squares that must not be left without a test
        self.left = {at for wall, spare in self.walls if len(wall) <= spare + 1 for at in wall}
        #: the squares on which a collapse could expose the king
        self.near = {at for wall, _ in self.walls for at in wall}.union(own.squares)
        #: True: where no unit matters to the king, no attempt does
        self.untroubled = not (self.checked or book.variant.deterministic)
        self._calm: dict[int, bool] = {}
        self._coins: dict[str, set[int]] = {}

    def untouched(self, unit: Unit, left: int, *entered: int) -> bool:
        """Tell whether a change of occupation certainly leaves a safe king safe. `left` is -1 if nothing is left."""
        if self.checked or unit is self.king or left in self.left:
            return False
        return self.entered.isdisjoint(entered)

    def hopeless(self, unit: Unit, *touched: int) -> bool:
        """Tell whether a change on these squares certainly leaves the king in check."""
        return self.checked and unit is not self.king and self.cures.isdisjoint(touched)

    def safe(self, men: Men) -> bool:
        """Tell whether the own king is safe on another board."""
        own: Unit | None = self.king
        if men[self.king.at] is not own:
            own = king(men, self.colour)
        return own is None or not self.book.exposed(men, own)

    def safe_with(self, unit: Unit, new: Unit) -> bool:
        """Tell whether the own king is safe once a unit has become another."""
        men = list(self.men)
        lift(men, unit)
        place(men, new)
        return not self.book.exposed(men, new if unit is self.king else self.king)

    def may_go(self, unit: Unit, square: int, to: int) -> bool:
        """Tell whether the own king is safe once a unit has gone from a square to an empty one."""
        if self.untouched(unit, square, to):
            return True
        if unit is self.king and self.lifted:
            return not self.pieces.attackers(self.lifted, to, self.colour)
        return not self.hopeless(unit, square, to) and self.safe_with(unit, unit.moved(square, to))

    def may_split(self, unit: Unit, a: int, b: int) -> bool:
        """Tell whether the own king is safe once a piece has split to two squares, of which one may be its own."""
        left = -1 if unit.at in (a, b) else unit.at
        if self.untouched(unit, left, a, b):
            return True
        return not self.hopeless(unit, left, a, b) and self.safe_with(unit, Unit(unit.colour, unit.kind, a, b))

    @cached_property
    def lifted(self) -> Men:
        """Return the board without the own king, if attackers show where it would be safe; else nothing."""
        if self.book.variant.deterministic or self.king.second >= 0 or not self.pieces.free_kings:
            return ()
        men = list(self.men)
        lift(men, self.king)
        return men

    @cached_property
    def cures(self) -> set[int]:
        """Return the squares on which a change could end a check of the own king."""
        return self.pieces.cures(self.men, self.king.squares, self.colour)

    def _coin(self, square: int) -> Collection[int]:
        """Return all squares that depend on the coin of a unit."""
        unit = unit_at(self.men, square)
        if not unit.diag:
            return unit.squares
        if unit.diag not in self._coins:
            self._coins[unit.diag] = {at for other in tandem(self.men, unit) for at in other.squares}
        return self._coins[unit.diag]

    def calm(self, square: int) -> bool:
        """Tell whether the coin of a unit has nothing to do with the safety of the king."""
        if (known := self._calm.get(square)) is None:
            known = self._calm[square] = self.untroubled and self.near.isdisjoint(self._coin(square))
        return known

    def attempt_is_safe(self, start: int, end: int, victim: int, back: int = -1) -> bool:
        """Tell whether no result of an attempt's rolls exposes the own king."""
        variant, touched = self.book.variant, {*self._coin(start), *self._coin(victim)}
        if not variant.deterministic and touched.isdisjoint(self.king.squares):
            if self.checked and self.cures.isdisjoint((*touched, end, back)):
                return False
            if not self.checked and not any(len(wall - touched) <= spare for wall, spare in self.walls):
                return True
        return all(self.safe(men) for men in boards(variant, self.men, Attempt(start, end, victim, back)))
