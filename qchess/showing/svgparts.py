"""The layout and the colours of a picture of a board, shared by its layers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from qchess.circuits.precision import SAME
from qchess.showing.svgpieces import BOX
from qchess.showing.view import View

MARGIN, NOTE = 16.0, 15.0
#: of the ring around a piece
RADIUS = 20.0

#: light squares, dark squares, ink and the halo around it, marks, and the pieces of the sides
COLOURS = {
    "light": ("#f1ecdf", "#b4c0c8", "#26313b", "#f7f3ea", "#f0c64a", "#fffdf7", "#39424b", "#f2b8a0", "#9fc7e8"),
    "dark": ("#8b97a2", "#5d6974", "#eef2f5", "#20272e", "#c59a2b", "#fbf7ee", "#14191e", "#e59f83", "#7fb2dc"),
}
STYLES = ("auto", *COLOURS)
ARROWS = {"move": "#c8871b", "split": "#7b54c9", "merge": "#1d8f83"}
#: the colours of groups, dark enough on light squares and light enough on dark ones
GROUPS = ("#d1400c", "#0b7fa5", "#a21caf", "#4f8a10", "#1d4ed8", "#c01f4f", "#0f8a7c", "#7c3aed", "#a16207", "#475569")
RING = "#d0742a"
#: the letters of groups, followed by numbers
LETTERS = "αβγδεζηθικλμνξπρστυφχψω"
#: the fractions with a character of their own; others are written out up to the finest denominator
FRACTIONS = {
    Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾",
    Fraction(1, 8): "⅛", Fraction(3, 8): "⅜", Fraction(5, 8): "⅝", Fraction(7, 8): "⅞",
}  # fmt: skip
FINEST = 64
#: an uncertain piece is lighter, but its side must stay recognisable
FAINTEST = 0.7
#: the classes of the sides' pieces
SIDES = ("first", "second", "third", "fourth")

SHAPES = (
    ".qb text{font-family:ui-sans-serif,Helvetica,Arial,sans-serif}"
    ".qb .mid{text-anchor:middle}.qb .end{text-anchor:end}"
    ".qb .mark{fill-opacity:.55}"
    ".qb .man{stroke-width:3.4;stroke-linejoin:round}"
    ".qb .lines{fill:none;stroke-width:3;stroke-linecap:round;stroke-linejoin:round}"
    ".qb .ghost .man{stroke-dasharray:5.8 3.3}"
    ".qb .man.first,.qb .man.third,.qb .man.fourth{stroke:#20252b}.qb .man.second{stroke:#dfe5ea}"
    ".qb .lines.first,.qb .lines.third,.qb .lines.fourth{stroke:#20252b}.qb .lines.second{stroke:#dfe5ea}"
    ".qb .letters{font-weight:600;stroke:none}"
    ".qb .track{fill:none;stroke-opacity:.16;stroke-width:2.6}"
    ".qb .ring{fill:none;stroke-width:3}.qb .bar{stroke:none}"
    ".qb .odds{font-weight:700;stroke-width:3;paint-order:stroke;stroke-linejoin:round}"
    ".qb .link{fill:none;stroke-width:1.8;stroke-linecap:round;stroke-dasharray:1 4}"
    ".qb .near .all{display:none}.qb .near:hover .all{display:inline;stroke-dasharray:none;stroke-width:1.4}"
    ".qb .arrow{fill:none;stroke-width:3.6;stroke-linecap:round;stroke-opacity:.75}.qb .head{stroke-width:1}"
    ".qb .group{fill-opacity:.16;stroke-width:2}.qb .tag{font-size:9.5px;font-weight:700}"
    ".qb .label{font-size:10px;opacity:.8}.qb .note{font-size:11px}"
)


class Spot(NamedTuple):
    """The upper left corner of a square on the picture."""

    x: float
    y: float

    @property
    def centre(self) -> tuple[float, float]:
        """Return the middle of the square."""
        return self.x + BOX / 2, self.y + BOX / 2


Spots = dict[str, Spot]


def spots_of(view: View, below: str) -> Spots:
    """Return every square's name and place, row by row from the top."""
    return {
        name: Spot(MARGIN + column * BOX, MARGIN + row * BOX)
        for row, names in enumerate(view.names(below))
        for column, name in enumerate(names)
    }


def palette(style: str) -> str:
    """Return the style sheet's colours, with plain rules for simple viewers."""
    if style == "auto":
        return f"{palette('light')}@media(prefers-color-scheme:dark){{{palette('dark')}}}"
    light, dark, ink, halo, mark, *sides = COLOURS[style]
    men = "".join(f".qb .man.{side}{{fill:{fill}}}" for side, fill in zip(SIDES, sides, strict=True))
    return (
        f".qb text{{fill:{ink}}}.qb .odds{{stroke:{halo}}}.qb .track{{stroke:{ink}}}"
        f".qb .light{{fill:{light}}}.qb .dark{{fill:{dark}}}.qb .mark{{fill:{mark}}}.qb .head{{stroke:{halo}}}{men}"
        ".qb .letters.first,.qb .letters.third,.qb .letters.fourth{fill:#20252b}.qb .letters.second{fill:#eef1f4}"
    )


def group_colour(number: int | None) -> str:
    """Return the colour of a group; without one, that of the ring."""
    return RING if number is None else GROUPS[number % len(GROUPS)]


def group_letter(number: int) -> str:
    """Return the letter of a group."""
    return LETTERS[number] if number < len(LETTERS) else str(number + 1)


def odds(probability: float) -> str:
    """Return a probability as short text: nothing if certain, else ``½``, ``3/16`` or ``.333``.

    >>> [odds(p) for p in (1.0, 0.5, 3 / 16, 1 / 3, 1e-6)]
    ['', '½', '3/16', '.333', '<.001']
    """
    if probability > 1 - SAME:
        return ""
    near = Fraction(probability).limit_denominator(FINEST)
    is_dyadic = near.denominator & (near.denominator - 1) == 0
    if near and is_dyadic and abs(near - Fraction(probability)) < SAME:
        return FRACTIONS.get(near, str(near))
    if probability < 0.0005:
        return "<.001"
    return ">.999" if probability > 0.9995 else f"{probability:.3f}".lstrip("0")


def phase_colour(phase: float) -> str:
    """Return the hue of a phase in turns."""
    return f"hsl({round(360 * (phase % 1))} 70% 48%)"


def towards(start: tuple[float, float], end: tuple[float, float], way: float) -> tuple[float, float]:
    """Return the point at this fraction of the way between two points."""
    far = math.hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    return start[0] + way * (end[0] - start[0]) / far, start[1] + way * (end[1] - start[1]) / far


def aside(start: tuple[float, float], end: tuple[float, float], bend: float) -> tuple[float, float]:
    """Return the point beside the middle of a way, off by a fraction of its length."""
    (x1, y1), (x2, y2) = start, end
    return (x1 + x2) / 2 - bend * (y2 - y1), (y1 + y2) / 2 + bend * (x2 - x1)
