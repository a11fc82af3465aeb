"""What a board shows, as plain data: rules make a `View`, the terminal and the pictures draw it.

`Numbered` numbers the registers from ply to ply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

from qchess.showing.marks import Mark

#: rounding errors of the engines are below this digit
DIGITS = 12
#: a freed number is not used again for this many plies
REST = 6

Group = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Man:
    """One piece that may stand on a square: its letter and its probability.

    `player` is its owner; without it, upper case is the first player's and lower case the second's.
    """

    symbol: str
    probability: float = 1.0
    #: phase in turns [0, 1) relative to its register, if it has one
    phase: float | None = None
    player: str | None = None
    #: a coloured mark with a direction, if the game has such
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move to be drawn from one square to another: ``move``, ``split`` or ``merge``."""

    start: str
    end: str
    kind: str = "move"


#: the kinds of moves as drawn; ``other`` is a move without an arrow
KINDS = ("move", "split", "merge", "other")


@dataclass(frozen=True, slots=True)
class Sketch:
    """How a move is shown before it is played: from where, to where, and its kind.

    The kind is ``move``, ``split`` or ``merge``, or ``other`` for a move without an arrow.
    """

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    kind: str = "move"

    @classmethod
    def of(cls, view: View) -> Sketch:
        """Return the sketch of a view's last move: from its arrows, or else its marked squares."""
        if not view.arrows:
            return cls(view.marked[:1], view.marked[1:], "other")
        sources = tuple(dict.fromkeys(arrow.start for arrow in view.arrows))
        targets = tuple(dict.fromkeys(arrow.end for arrow in view.arrows))
        return cls(sources, targets, view.arrows[0].kind)


@dataclass(frozen=True, slots=True)
class View:
    """A board with its odds. Squares are named by file letter and rank number, a1 at the lower left.

    A square shows one piece or several, such as the same piece in two types, each with its odds.
    """

    width: int
    height: int
    men: Mapping[str, tuple[Man, ...]] = field(default_factory=dict)
    #: entangled squares: (square, square, strength between 0 and 1)
    links: tuple[tuple[str, str, float], ...] = ()
    arrows: tuple[Arrow, ...] = ()
    #: squares to mark, such as those of the last move
    marked: tuple[str, ...] = ()
    #: groups of squares (registers, systems), to be lettered and coloured alike
    groups: tuple[tuple[str, ...], ...] = ()
    #: the number that each group keeps through a game; without them, its place
    registers: tuple[int, ...] = ()
    #: lines to print beside or under the board
    notes: tuple[str, ...] = ()
    #: the players in order; a piece's `player` is one of them
    players: tuple[str, ...] = ("white", "black")
    #: the drawings of the letters: ``chess``, ``draughts``, ``marks`` (X, O), or ``letters`` for discs with letters
    drawings: str = "chess"
    #: lines between squares, for a board with pieces on crossings; None for a chequered board
    grid: tuple[tuple[str, str], ...] = ()
    #: for links with a sign: +1 if the squares are full together, -1 if one is empty when the other is full
    signs: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def side(self, man: Man) -> int:
        """Return the piece's owner, as an index into `players`."""
        if man.player is not None:
            return self.players.index(man.player)
        return 0 if man.symbol.isupper() else 1

    def group_of(self, square: str) -> int | None:
        """Return the number of the group of a square."""
        return next((number for number, group in enumerate(self.groups) if square in group), None)

    def register_of(self, square: str) -> int | None:
        """Return the number that the group of a square keeps through a game."""
        number = self.group_of(square)
        return number if number is None or not self.registers else self.registers[number]

    @property
    def lettered(self) -> bool:
        """Tell whether the groups need letters: there are several, or something uncertain is in none of them."""
        grouped = {square for group in self.groups for square in group}
        lone = (name for name, men in self.men.items() if name not in grouped and is_uncertain(men))
        return len(self.groups) > 1 or (bool(self.groups) and next(lone, None) is not None)

    def names(self, below: str | None = None) -> list[list[str]]:
        """Return the squares row by row from the top, as seen by the player `below` (default: the first)."""
        rows = [[f"{chr(ord('a') + x)}{y + 1}" for x in range(self.width)] for y in reversed(range(self.height))]
        if below is None or below == self.players[0]:
            return rows
        return [row[::-1] for row in reversed(rows)]

    @property
    def squares(self) -> tuple[str, ...]:
        """Return the names of all squares, a1 first."""
        return tuple(f"{chr(ord('a') + x)}{y + 1}" for y in range(self.height) for x in range(self.width))


def is_uncertain(men: tuple[Man, ...]) -> bool:
    """Tell whether it is uncertain which piece is on a square, or whether one is."""
    return any(man.probability < 1 - 10**-DIGITS for man in men)


def tidy(probability: float) -> float:
    """Return a probability without rounding errors: .5 for .4999999999999999.

    An uncertain value never becomes certain.

    >>> tidy(0.4999999999999999), tidy(1 + 2e-16), tidy(1e-13)
    (0.5, 1.0, 1e-13)
    """
    rounded = round(probability, DIGITS)
    if rounded in (0.0, 1.0) and abs(rounded - probability) > 1e-15:
        return min(1.0, max(0.0, probability))
    return rounded


# -- the numbers of registers, ply by ply -------------------------------------------------------------------------


class Numbered(NamedTuple):
    """Numbers of registers that stay the same through joins and splits: they choose the colours.

    A new register gets the lowest number that is free and was free for the last few plies. When two join, the larger
    keeps its number; when one splits, its oldest square keeps it.
    """

    groups: Mapping[Group, int] = {}
    #: for each square, the ply at which it came into its register
    since: Mapping[str, int] = {}
    #: for each freed number, its ply
    given_up: Mapping[int, int] = {}
    ply: int = -1

    def then(self, groups: Iterable[Group]) -> Numbered:
        """Return the registers after one more ply.

        >>> first = Numbered().then([('a3', 'c3')]).then([('a3', 'c3'), ('f6', 'h6')])
        >>> joined = first.then([('a3', 'b5', 'c3', 'f6', 'h6')])
        >>> list(first.groups.values()), list(joined.groups.values())
        ([0, 1], [0])
        """
        new, ply = tuple(groups), self.ply + 1
        kept: dict[Group, int] = {}
        for group in sorted(self.groups, key=lambda group: (-len(group), self.groups[group])):
            heir = self._heir(group, new)
            if heir is not None:
                kept.setdefault(heir, self.groups[group])
        gone = dict.fromkeys(set(self.groups.values()) - set(kept.values()), ply)
        given_up = {number: at for number, at in {**self.given_up, **gone}.items() if ply - at <= REST}
        free = (number for number in count() if number not in kept.values() and number not in given_up)
        numbers = {group: kept[group] if group in kept else next(free) for group in new}
        old = {name: self.groups[group] for group in self.groups for name in group}
        since = {
            name: self.since[name] if old.get(name) == number else ply
            for group, number in numbers.items()
            for name in group
        }
        return Numbered(numbers, since, given_up, ply)

    def on(self, view: View) -> View:
        """Return the view of this position, with the numbers."""
        return replace(view, registers=tuple(self.groups[group] for group in view.groups))

    def _heir(self, group: Group, new: Iterable[Group]) -> Group | None:
        """Return the register that contains the oldest of the squares still in one."""
        where = {name: other for other in new for name in other}
        return next((where[name] for name in sorted(group, key=self.since.__getitem__) if name in where), None)
