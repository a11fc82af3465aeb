"""Marks on pieces: a coloured arrow in some direction, as text and as a picture.

A game chooses the marks and their meaning. Text shows the first letter of the colour and the direction: ``N50r↑``.
"""

from __future__ import annotations

from typing import NamedTuple

#: an arrow for each eighth of a turn, clockwise from up
ARROWS = "↑↗→↘↓↙←↖"
#: the same without Unicode
PLAIN = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
#: the colours in pictures, readable on light and dark squares
INK = {"red": "#d62828", "blue": "#1d4ed8", "green": "#15803d"}
#: the height of the drawn arrowhead
HEIGHT = 13.0


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
        return (
            f'<path class="pointer" d="M0-6.5L5 6.5L0 3.2L-5 6.5Z" fill="{INK.get(self.colour, self.colour)}" '
            f'stroke="#fff" stroke-width="1.2" transform="translate({x:g} {y:g})rotate({self.degrees})'
            f'scale({size / HEIGHT:.3g})"><title>{self.colour} mark</title></path>'
        )
