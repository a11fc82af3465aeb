"""Marks on pieces: a coloured arrow in some direction, as text and as a picture.

A game chooses the marks and their meaning. Text shows the first letter of the colour and the direction: ``N50r↑``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from qchess.showing.view import View

#: an arrow for each eighth of a turn, clockwise from up
ARROWS = "↑↗→↘↓↙←↖"
#: the same without Unicode
PLAIN = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
#: the colours in pictures, readable on light and dark squares
INK = {"red": "#d62828", "blue": "#1d4ed8", "green": "#15803d"}


class Mark(NamedTuple):
    """A mark: the name of its colour, and its direction in degrees clockwise from the top of the board."""

    colour: str
    degrees: int = 0

    def text(self, unicode: bool = True) -> str:
        """Return the mark as two characters, or three without Unicode.

        >>> Mark('red', 0).text(), Mark('blue', 225).text(), Mark('blue', 225).text(unicode=False)
        ('r↑', 'b↙', 'bsw')
        """
        eighth = round(self.degrees / 45) % 8
        return self.colour[:1] + (ARROWS if unicode else PLAIN)[eighth]

    def svg(self, x: float, y: float, size: float) -> str:
        """Return the mark as an arrowhead around a point, with a rim that stands out anywhere."""
        half, foot = size / 2, size * 0.38
        points = f"0,{-half:g} {foot:g},{half:g} 0,{half / 2:g} {-foot:g},{half:g}"
        return (
            f'<polygon class="pointer" points="{points}" fill="{INK.get(self.colour, self.colour)}" stroke="#fff" '
            f'stroke-width="{size / 12:g}" transform="translate({x:g} {y:g}) rotate({self.degrees})">'
            f"<title>{self.colour} mark</title></polygon>"
        )


class Spot(Protocol):
    """A place on a picture; see `qchess.showing.svg`."""

    @property
    def centre(self) -> tuple[float, float]:
        """Return the middle of a square."""


#: the size of a mark, and its distance from the middle of the square
SIZE, RIGHT, DOWN = 13.0, -14.5, 14.0


def mark_shapes(view: View, spots: Mapping[str, Spot]) -> Iterator[str]:
    """Draw the mark of each piece that has one, at the lower left of its square."""
    for name, men in view.men.items():
        for man in men:
            if man.mark is not None:
                x, y = spots[name].centre
                yield man.mark.svg(x + RIGHT, y + DOWN, SIZE)


def grid_shapes(view: View, spots: Mapping[str, Spot]) -> Iterator[str]:
    """Draw the lines of a board with pieces on crossings."""
    for start, end in view.grid:
        (x1, y1), (x2, y2) = spots[start].centre, spots[end].centre
        yield f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" class="track" style="stroke-opacity:.55;stroke-width:1.2"/>'
