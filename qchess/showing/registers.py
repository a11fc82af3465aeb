"""What a register looks like for life, in text and in pictures: six colours, each with a shape.

The seventh register has the first colour and the second shape, and so on.
"""

from __future__ import annotations

from string import ascii_letters
from typing import NamedTuple

INK, WHITE = "#14181d", "#ffffff"
#: the colours, what is written on them, and the same colours of a terminal's 256
COLOURS = ("#E69F00", "#56B4E9", "#1FA67A", "#DB86B6", "#0072B2", "#E0692A")
INKS = (INK, INK, INK, INK, WHITE, INK)
CODES = tuple((38, 5, number) for number in (214, 74, 36, 175, 32, 166))
#: the shapes as characters; in text, letters in circles follow, and without Unicode plain letters
SHAPES = "●▲■◆✚○"
CIRCLED = "".join(chr(ord("Ⓐ") + k) for k in (*range(6, 26), *range(26, 52)))
#: the shapes as paths around a point; the last is a line
PATHS = (
    "M-4.6 0A4.6 4.6 0 1 1 4.6 0A4.6 4.6 0 1 1-4.6 0Z", "M0-5.4L5.5 4.35H-5.5Z", "M-4.4-4.4H4.4V4.4H-4.4Z",
    "M0-6L5.75 0L0 6L-5.75 0Z", "M-1.87-5H1.87V-1.87H5V1.87H1.87V5H-1.87V1.87H-5V-1.87H-1.87Z",
    "M-3.6 0A3.6 3.6 0 1 1 3.6 0A3.6 3.6 0 1 1-3.6 0Z",
)  # fmt: skip
RING, THICK = 5, 2.5
#: the type size that the paths belong to
TYPE = 15.15


class Look(NamedTuple):
    """The colour of a register, the colour on it, and the number of its shape; None for no register."""

    colour: str
    ink: str
    shape: int | None

    def drawn(self, x: float, y: float, font: float, paint: str = "") -> str:
        """Draw the shape around a point, as large as a letter, in its ink or another colour."""
        if self.shape is None:
            return ""
        colour = paint or self.ink
        look = f'fill="none" stroke="{colour}" stroke-width="{THICK}"' if self.shape == RING else f'fill="{colour}"'
        where = f"translate({x:.2f} {y:.2f})scale({font / TYPE:.2f})"
        return f'<path class="shape" d="{PATHS[self.shape]}" transform="{where}" {look}/>'


#: of what belongs to no register
PLAIN = Look("#fffefb", INK, None)


def look(number: int | None) -> Look:
    """Return what a register looks like.

    >>> look(0).colour == look(6).colour, look(0).shape, look(6).shape
    (True, 0, 1)
    """
    if number is None:
        return PLAIN
    at, turn = number % len(COLOURS), number // len(COLOURS)
    return Look(COLOURS[at], INKS[at], (at + turn) % len(PATHS))


def sign(number: int, unicode: bool = True) -> str:
    """Return what stands for a register in text.

    >>> sign(0), sign(5), sign(6), sign(1, unicode=False)
    ('●', '○', 'Ⓖ', 'B')
    """
    signs = SHAPES + CIRCLED if unicode else ascii_letters[26:] + ascii_letters[:26]
    return signs[number % len(signs)]
