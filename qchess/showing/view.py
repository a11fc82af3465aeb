"""What a board shows, as plain data: rules make a `View`, the terminal and the pictures draw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Man:
    """One thing that may stand on a square: its letter (upper case = first player), and how likely."""

    symbol: str
    probability: float = 1.0
    #: phase in turns [0, 1) relative to its register, where it has one
    phase: float | None = None


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move to be drawn from one square to another: ``move``, ``split`` or ``merge``."""

    start: str
    end: str
    kind: str = "move"


@dataclass(frozen=True, slots=True)
class View:
    """A board with its odds. Squares are named by file letter and rank number, a1 at the lower left.

    A square shows one man or several: the same piece in two types, say, with the odds of each.
    """

    width: int
    height: int
    men: Mapping[str, tuple[Man, ...]] = field(default_factory=dict)
    #: entangled squares: (square, square, strength between 0 and 1)
    links: tuple[tuple[str, str, float], ...] = ()
    arrows: tuple[Arrow, ...] = ()
    #: squares to mark, such as those of the last move
    marked: tuple[str, ...] = ()
    #: groups of squares that belong together (systems), to be coloured alike
    groups: tuple[tuple[str, ...], ...] = ()
    #: lines to print beside or under the board
    notes: tuple[str, ...] = ()

    @property
    def squares(self) -> tuple[str, ...]:
        """The names of all squares, a1 first."""
        return tuple(f"{chr(ord('a') + x)}{y + 1}" for y in range(self.height) for x in range(self.width))
