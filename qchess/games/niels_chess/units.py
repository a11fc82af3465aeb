"""Units and states: the board with its marks, as plain values.

A *unit* is a conventional piece or a pair of halves. The marks of a pair encode two bits: `x`, whether the first
mark faces its own player, and `z`, whether the two marks differ. Its *coin* lands 1 with `odds_of_major`, and
then the piece is on its major square, else on its minor one. Pairs of one diagonal share one coin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from qchess.games.niels_chess.move import Move

WHITE, BLACK = 0, 1
#: the diagonals of the marks of groups
DIAGONALS = ("+", "-")

HALF, THIRD, TWO_THIRDS, SIXTH = Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(1, 6)
ONE = Fraction(1)


class Unit(NamedTuple):
    """A piece (`second` is -1), or a pair with its first mark on `at` and its second mark on `second`."""

    colour: int
    kind: str
    at: int
    second: int = -1
    x: int = 0
    z: int = 0
    diag: str = ""
    #: a pawn on its home rank that was split once and may no longer advance two squares
    slow: bool = False

    @property
    def is_pair(self) -> bool:
        """Tell whether it is in superposition."""
        return self.second >= 0

    @property
    def squares(self) -> tuple[int, ...]:
        """Return the squares it occupies, the first mark's first."""
        return (self.at, self.second) if self.second >= 0 else (self.at,)

    @property
    def major(self) -> int:
        """Return the square for its coin's 1: the half with the higher or equal probability."""
        return self.second if self.x else self.at

    @property
    def minor(self) -> int:
        """Return the square for its coin's 0."""
        return self.at if self.x else self.second

    @property
    def facing(self) -> str:
        """Return the facing of its two marks: ``o`` to the opponent, ``p`` to its own player."""
        return "op"[self.x] + "op"[self.x ^ self.z]

    def partner(self, square: int) -> int:
        """Return the other square of a pair."""
        return self.second if square == self.at else self.at

    def moved(self, start: int, end: int) -> Unit:
        """Return the unit with its part on `start` moved to `end`, with its marks."""
        colour, kind, at, second, x, z, diag, slow = self
        at, second = (end, second) if at == start else (at, end)
        return Unit(colour, kind, at, second, x, z, diag, slow)


Men = Sequence[Unit | None]


class State(NamedTuple):
    """A position without its qubits: everything visible on the board."""

    men: tuple[Unit | None, ...]
    turn: int = WHITE
    castling: str = ""
    #: the square passed over by the last move, and where the pawn or half stands that passed it
    ep: tuple[int, int] | None = None
    clock: int = 0
    number: int = 1
    #: the square of a piece that was collapsed remotely and must move now, or -1
    pending: int = -1
    #: effective keys since the last irreversible move, each with whether it gives check
    history: tuple[tuple[object, bool], ...] = ()
    #: a Hadamard move of a group that awaits the opponent's consent, and whether one was declined this turn
    offer: Move | None = None
    declined: bool = False
    #: who has lost by exposing the own king, where that is allowed; or -1
    suicide: int = -1
    #: how many turns were played
    ply: int = 0

    @property
    def units(self) -> Iterator[Unit]:
        """Yield every unit once, by its first mark's square."""
        return (unit for square, unit in enumerate(self.men) if unit is not None and unit.at == square)

    @property
    def pairs(self) -> list[Unit]:
        """Return every pair once, by its first mark's square."""
        return [unit for at, unit in enumerate(self.men) if unit is not None and unit.second >= 0 and unit.at == at]


def unit_at(men: Men, square: int) -> Unit:
    """Return the unit on a square that is known to be occupied."""
    unit = men[square]
    assert unit is not None, f"square {square} is occupied"
    return unit


def king(men: Men, colour: int) -> Unit | None:
    """Return the king of a colour, in superposition or not."""
    for unit in men:
        if unit is not None and unit.kind == "K" and unit.colour == colour:
            return unit
    return None


def members(men: Men, diag: str) -> list[Unit]:
    """Return the pairs of a diagonal, by their first marks' squares."""
    return [unit for square, unit in enumerate(men) if unit is not None and unit.diag == diag and unit.at == square]


def tandem(men: Men, unit: Unit) -> list[Unit]:
    """Return a pair and all pairs that share its coin."""
    return members(men, unit.diag) if unit.diag else [unit]


def facing(text: str) -> tuple[int, int]:
    """Return the bits (x, z) of two facing letters."""
    first, second = ("op".index(letter) for letter in text)
    return first, first ^ second


def place(men: list[Unit | None], unit: Unit) -> None:
    """Put a unit on its squares."""
    men[unit.at] = unit
    if unit.second >= 0:
        men[unit.second] = unit


def lift(men: list[Unit | None], unit: Unit) -> None:
    """Take a unit off its squares."""
    men[unit.at] = None
    if unit.second >= 0:
        men[unit.second] = None
