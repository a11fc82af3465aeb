"""Safety of the own king: test a change of the board only if it can matter."""

from __future__ import annotations

from functools import cached_property

from qchess.games.niels_chess.attempts import Attempt, endings
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.units import State, Unit, king, lift, place, tandem


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
        #: the squares that must not be left, and those that must not be entered, without a test
        self.left, self.entered = self.pieces.guards(state.men, own.squares, own.colour)
        self._decided: dict[int, set[int]] = {}

    def untouched(self, unit: Unit, left: int, *entered: int) -> bool:
        """Tell whether a change of occupation certainly leaves a safe king safe. `left` is -1 if nothing is left."""
        if self.checked or unit is self.king or left in self.left:
            return False
        return self.entered is None or self.entered.isdisjoint(entered)

    def safe(self, men: list[Unit | None]) -> bool:
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
        return self.safe(men)

    @cached_property
    def screens(self) -> set[int]:
        """Return the squares on which a collapse could open a line to the own king."""
        return self.pieces.screens(self.men, self.king.squares, self.colour)

    def _coin_squares(self, square: int) -> set[int]:
        """Return all squares that depend on the coin of a unit."""
        if square not in self._decided:
            unit = self.men[square]
            assert unit is not None, "an attempt has its units"
            self._decided[square] = {at for other in tandem(self.men, unit) for at in other.squares}
        return self._decided[square]

    def attempt_is_safe(self, attempt: Attempt) -> bool:
        """Tell whether no result of an attempt's rolls exposes the own king."""
        if not (self.checked or self.book.variant.deterministic):
            touched = self._coin_squares(attempt.start) | self._coin_squares(attempt.victim)
            if touched.isdisjoint(self.screens) and touched.isdisjoint(self.king.squares):
                return True
        return all(self.safe(end.men) for end in endings(self.book.variant, self.men, attempt))
