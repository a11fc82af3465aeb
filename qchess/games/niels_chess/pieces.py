"""How the pieces of chess move and attack, on a board of any size; halves block like pieces.

`quiet` and `targets` look from a piece, `attackers` looks from a square. `walls` gives the squares that keep a king
safe, and `cures` those that may end a check: a change elsewhere needs no new check test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from qchess.boards.geometry import Geometry
from qchess.boards.movers import FORWARD, LEAPERS, SLIDERS, Rays, Squares, leaps, pawns, rays
from qchess.games.niels_chess.units import Men, Unit
from qchess.games.niels_chess.variant import Variant

#: squares between an opposing piece and a king, and how many of them may be full while the piece attacks
Wall = tuple[frozenset[int], int]


class Pieces(Protocol):
    """The interface of a set of pieces: chess here, Xiangqi in its own module."""

    board: Geometry
    #: the names of the pieces by their letters, and the letters shown to players instead
    names: Mapping[str, str]
    shown: Mapping[str, str]
    letters: str
    #: the pieces that may tunnel
    tunnellers: str
    #: the squares that pawns attack, by colour, where they differ from their moves
    strikes: tuple[tuple[Squares, ...], ...]
    #: the squares of the Palaces, if any
    palace: frozenset[int]
    #: True: what attacks a square is the same with and without a king on it, and a king is safe on two squares if it
    #: is safe on each alone
    free_kings: bool

    def reach(self, men: Men, unit: Unit, square: int) -> tuple[list[int], list[int]]:
        """Return what `quiet` and `targets` return, found together."""

    def quiet(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the empty squares that the unit reaches from a square."""

    def targets(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the opposing squares that the unit could capture on, or attempt to, from a square."""

    def threatens(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the opposing squares that the unit attacks from a square; more than `targets` where kings face."""

    def struck(self, men: Men, unit: Unit, to: int, here: list[int]) -> list[int]:
        """Return what a piece would attack with either half, if it also stood on `to`; now its targets are `here`."""

    def attackers(self, men: Men, square: int, colour: int) -> list[int]:
        """Return the squares from which opponents of a colour attack a square."""

    def walls(self, men: Men, squares: Squares, colour: int) -> tuple[list[Wall], set[int]]:
        """Return what keeps a king safe: its walls, and the squares that must not be entered without a test."""

    def cures(self, men: Men, squares: Squares, colour: int) -> set[int]:
        """Return every square that could end an attack on a king: changes elsewhere leave it attacked."""

    def barriers(self, men: Men, unit: Unit, square: int) -> list[tuple[int, int]]:
        """Return what the unit could tunnel through: (barrier, empty square behind it)."""


class ChessPieces:
    """The pieces of chess."""

    letters = "KQRBNP"
    names: Mapping[str, str] = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
    shown: Mapping[str, str] = {}
    tunnellers = "RBQ"
    palace: frozenset[int] = frozenset()
    free_kings = True

    def __init__(self, board: Geometry, variant: Variant) -> None:
        self.board = board
        self.double_step = variant.double_step
        self.rays = {kind: rays(board, steps) for kind, steps in SLIDERS.items()}
        self.leaps = {kind: leaps(board, steps) for kind, steps in LEAPERS.items()}
        #: for each square its rays with the sliders that move along them
        self.lines = tuple(
            tuple((ray, "RQ") for ray in straight) + tuple((ray, "BQ") for ray in slanting)
            for straight, slanting in zip(self.rays["R"], self.rays["B"], strict=True)
        )
        #: by colour: the step ahead, the second step from home, and the squares attacked
        self.ahead, self.twice, self.strikes = zip(*(pawns(board, up) for up in FORWARD), strict=True)

    def reach(self, men: Men, unit: Unit, square: int) -> tuple[list[int], list[int]]:
        """Return the empty squares that the unit reaches from a square, and what it could capture from there."""
        kind, colour = unit.kind, unit.colour
        empty: list[int] = []
        taken: list[int] = []
        if kind in self.rays:
            for ray in self.rays[kind][square]:
                for to in ray:
                    if (other := men[to]) is None:
                        empty.append(to)
                        continue
                    if other.colour != colour:
                        taken.append(to)
                    break
            return empty, taken
        for to in self.strikes[colour][square] if kind == "P" else self.leaps[kind][square]:
            if (other := men[to]) is None:
                empty.append(to)
            elif other.colour != colour:
                taken.append(to)
        return (self._advances(men, unit, square) if kind == "P" else empty), taken

    def quiet(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the empty squares that the unit reaches from a square."""
        return self.reach(men, unit, square)[0]

    def _advances(self, men: Men, unit: Unit, square: int) -> list[int]:
        one = self.ahead[unit.colour][square]
        if one is None or men[one] is not None:
            return []
        two = self.twice[unit.colour][square]
        return [one, two] if two is not None and men[two] is None and self.may_advance_two(unit) else [one]

    def may_advance_two(self, unit: Unit) -> bool:
        """Tell whether a pawn or half on its home rank has a two-square advance."""
        if self.double_step == "home":
            return True
        return self.double_step == "never_after_split" and not unit.slow and unit.second < 0

    def targets(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the opposing squares that the unit could capture on, or attempt to, from a square."""
        return self.reach(men, unit, square)[1]

    threatens = targets

    def struck(self, men: Men, unit: Unit, to: int, here: list[int]) -> list[int]:
        """Return what either half attacks; what one hides from the other, it attacks itself."""
        return here + self.reach(men, unit, to)[1]

    def attackers(self, men: Men, square: int, colour: int) -> list[int]:
        """Return the squares from which opponents of a colour attack a square."""
        found = []
        for ray, sliders in self.lines[square]:
            for at in ray:
                if (other := men[at]) is not None:
                    if other.colour != colour and other.kind in sliders:
                        found.append(at)
                    break
        for at in self.leaps["N"][square]:
            if (other := men[at]) is not None and other.kind == "N" and other.colour != colour:
                found.append(at)
        for at in self.leaps["K"][square]:
            if (other := men[at]) is not None and other.kind == "K" and other.colour != colour:
                found.append(at)
        for at in self.strikes[colour][square]:
            if (other := men[at]) is not None and other.kind == "P" and other.colour != colour:
                found.append(at)
        return found

    def walls(self, men: Men, squares: Squares, colour: int) -> tuple[list[Wall], set[int]]:
        """Return the units between a king and each opposing slider; entering is always safe."""
        found = []
        for square in squares:
            for ray, sliders in self.lines[square]:
                between: list[int] = []
                for at in ray:
                    if (other := men[at]) is not None:
                        if other.colour != colour and other.kind in sliders:
                            found.append((frozenset(between), 0))
                        between.append(at)
        return found, set()

    def cures(self, men: Men, squares: Squares, colour: int) -> set[int]:
        """Return the squares of a king's attackers, and those between."""
        found: set[int] = set()
        for square in squares:
            for at in self.attackers(men, square, colour):
                found.add(at)
                for ray, _ in self.lines[square]:
                    if at in ray:
                        found.update(ray[: ray.index(at)])
        return found

    def barriers(self, men: Men, unit: Unit, square: int) -> list[tuple[int, int]]:
        """Return the first unit on each line, if the square right behind it is empty."""
        return behind(men, self.rays[unit.kind][square])


def behind(men: Men, lines: Rays) -> list[tuple[int, int]]:
    """Return the first unit on each line, if the square right behind it is empty: (its square, that square)."""
    found = []
    for line in lines:
        at = next((k for k, to in enumerate(line) if men[to] is not None), len(line))
        if at + 1 < len(line) and men[line[at + 1]] is None:
            found.append((line[at], line[at + 1]))
    return found
