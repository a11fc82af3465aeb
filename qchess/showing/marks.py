"""Marks on men: a coloured arrow that points some way, as text and as a picture.

A game gives a man its mark; whatever it means is the game's. Text shows the first letter of the colour and the way
the arrow points: ``N½r↑``.
"""

from __future__ import annotations

from typing import NamedTuple

#: an arrow for each eighth of a turn, clockwise from up
ARROWS = "↑↗→↘↓↙←↖"
#: the same without Unicode
PLAIN = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
#: the colours that pictures know, readable on light and dark squares
INK = {"red": "#d62828", "blue": "#1d4ed8", "green": "#15803d"}


class Mark(NamedTuple):
    """A mark: the name of its colour, and where it points, in degrees clockwise from the top of the board."""

    colour: str
    degrees: int = 0

    def text(self, unicode: bool = True) -> str:
        """The mark in two letters, or three without Unicode.

        >>> Mark('red', 0).text(), Mark('blue', 225).text(), Mark('blue', 225).text(unicode=False)
        ('r↑', 'b↙', 'bsw')
        """
        eighth = round(self.degrees / 45) % 8
        return self.colour[:1] + (ARROWS if unicode else PLAIN)[eighth]

    def svg(self, x: float, y: float, size: float) -> str:
        """The mark as an arrowhead around a point of a picture, rimmed so that it stands out anywhere."""
        half, foot = size / 2, size * 0.38
        points = f"0,{-half:g} {foot:g},{half:g} 0,{half / 2:g} {-foot:g},{half:g}"
        return (
            f'<polygon class="mark" points="{points}" fill="{INK.get(self.colour, self.colour)}" stroke="#fff" '
            f'stroke-width="{size / 12:g}" transform="translate({x:g} {y:g}) rotate({self.degrees})">'
            f"<title>{self.colour} mark</title></polygon>"
        )
