"""How the pieces of chess move and attack, on a board of any size; halves block like pieces.

`quiet` and `targets` look from a piece, `attackers` looks from a square. `guards` gives the squares that keep a king
safe: a change elsewhere needs no new check test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from qchess.boards.geometry import Geometry
from qchess.boards.movers import FORWARD, LEAPERS, SLIDERS, Rays, Squares, leaps, pawns, rays
from qchess.games.niels_chess.units import Men, Unit
from qchess.games.niels_chess.variant import Variant


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

    def quiet(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the empty squares that the unit reaches from a square."""

    def targets(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the opposing squares that the unit could capture on, or attempt to, from a square."""

    def threatens(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the opposing squares that the unit attacks from a square; more than `targets` where kings face."""

    def attackers(self, men: Men, square: int, colour: int) -> list[int]:
        """Return the squares from which opponents of a colour attack a square."""

    def guards(self, men: Men, squares: Squares, colour: int) -> tuple[set[int], set[int] | None]:
        """Return squares that must not be left, and squares that must not be entered (None: all may) without a test."""

    def screens(self, men: Men, squares: Squares, colour: int) -> set[int]:
        """Return every square that helps to block an attack on a king: changes elsewhere open no line."""

    def barriers(self, men: Men, unit: Unit, square: int) -> list[tuple[int, int]]:
        """Return what the unit could tunnel through: (barrier, empty square behind it)."""


class ChessPieces:
    """The pieces of chess."""

    letters = "KQRBNP"
    names: Mapping[str, str] = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
    shown: Mapping[str, str] = {}
    tunnellers = "RBQ"
    palace: frozenset[int] = frozenset()

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

    def quiet(self, men: Men, unit: Unit, square: int) -> list[int]:
        """Return the empty squares that the unit reaches from a square."""
        kind = unit.kind
        if kind in self.leaps:
            return [to for to in self.leaps[kind][square] if men[to] is None]
        if kind == "P":
            return self._advances(men, unit, square)
        found = []
        for ray in self.rays[kind][square]:
            for to in ray:
                if men[to] is not None:
                    break
                found.append(to)
        return found

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
        kind, colour = unit.kind, unit.colour
        if kind in self.rays:
            found = []
            for ray in self.rays[kind][square]:
                for to in ray:
                    if (other := men[to]) is not None:
                        if other.colour != colour:
                            found.append(to)
                        break
            return found
        leaps = self.strikes[colour] if kind == "P" else self.leaps[kind]
        return [to for to in leaps[square] if (other := men[to]) is not None and other.colour != colour]

    threatens = targets

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

    def guards(self, men: Men, squares: Squares, colour: int) -> tuple[set[int], set[int] | None]:
        """Return the own squares that alone stand between a king and an opposing slider; entering is always safe."""
        found = set()
        for square in squares:
            for ray, sliders in self.lines[square]:
                shield = -1
                for at in ray:
                    if (other := men[at]) is not None:
                        if shield < 0 and other.colour == colour:
                            shield = at
                            continue
                        if shield >= 0 and other.colour != colour and other.kind in sliders:
                            found.add(shield)
                        break
        return found, None

    def screens(self, men: Men, squares: Squares, colour: int) -> set[int]:
        """Return the squares between a king and an opposing slider, of either player, alone or not."""
        found: set[int] = set()
        for square in squares:
            for ray, sliders in self.lines[square]:
                between: list[int] = []
                for at in ray:
                    if (other := men[at]) is not None:
                        if other.colour != colour and other.kind in sliders:
                            found.update(between)
                        between.append(at)
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
