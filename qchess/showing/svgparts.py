"""The layout and the colours of a picture of a board, shared by its layers."""

from __future__ import annotations

import math
from typing import NamedTuple

from qchess.showing.view import View

#: the side of a square of a picture; all lengths are hundredths of it
BOX = 100.0
#: the room of a line below the board, in pixels
NOTE = 20.0
#: squares below this many pixels have no plates and no labels, and below this many no label beside a plate
PLATED, ROOMY = 34.0, 60.0
#: light squares, dark squares, the labels on them, the last move and how much it covers, ink
COLOURS = {
    "light": ("#eee9de", "#9db0c3", "#54677a", "#26384a", "#ffdf6b", ".62", "#1b2129"),
    "dark": ("#a9b4bf", "#66788c", "#2b3947", "#ffffff", "#ffd95a", ".5", "#edf0f3"),
}
STYLES = ("auto", *COLOURS)
TYPE = 'Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif'

SHEET = (
    f".qb text{{font-family:{TYPE}}}.qb .label{{font-weight:600}}.qb .end{{text-anchor:end}}"
    ".qb .gridline{fill:none;stroke-width:2.6;stroke-opacity:.6}"
    ".qb .link{fill:none;stroke-width:5;stroke-linecap:round}.qb .under{stroke-width:10;stroke-opacity:.75}"
    ".qb .either{stroke-dasharray:11 9}.qb .linked{stroke-dasharray:2 9}"
)


class Sizes(NamedTuple):
    """How large a square is shown, in pixels."""

    side: float

    @property
    def unit(self) -> float:
        """Return a pixel."""
        return BOX / self.side

    @property
    def font(self) -> float:
        """Return the type size of plates."""
        return self.unit * max(10.0, min(15.0, 0.15 * self.side))

    @property
    def edge(self) -> float:
        """Return the upper edge of a plate."""
        return BOX - 2.2 * self.unit - 1.42 * self.font

    @property
    def plated(self) -> bool:
        """Tell whether squares of this size have plates."""
        return self.side >= PLATED


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
        name: Spot(column * BOX, row * BOX)
        for row, names in enumerate(view.names(below))
        for column, name in enumerate(names)
    }


def palette(style: str) -> str:
    """Return the colours of the board, with plain rules for simple viewers."""
    if style == "auto":
        return f"{palette('light')}@media(prefers-color-scheme:dark){{{palette('dark')}}}"
    light, dark, on_light, on_dark, last, covers, ink = COLOURS[style]
    return (
        f".qb .light{{fill:{light}}}.qb .under{{stroke:{light}}}"
        f".qb .dark{{fill:{dark}}}.qb .label{{fill:{on_light}}}.qb .ondark{{fill:{on_dark}}}"
        f".qb .gridline{{stroke:#26384a}}.qb .last{{fill:{last};fill-opacity:{covers}}}.qb .note{{fill:{ink}}}"
    )


def phase_colour(phase: float) -> str:
    """Return the hue of a phase in turns, of charts."""
    return f"hsl({round(360 * (phase % 1))} 70% 48%)"


def towards(start: tuple[float, float], end: tuple[float, float], way: float) -> tuple[float, float]:
    """Return the point at this fraction of the way between two points."""
    far = math.hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    return start[0] + way * (end[0] - start[0]) / far, start[1] + way * (end[1] - start[1]) / far


def aside(start: tuple[float, float], end: tuple[float, float], bend: float) -> tuple[float, float]:
    """Return the point beside the middle of a way, off by a fraction of its length."""
    (x1, y1), (x2, y2) = start, end
    return (x1 + x2) / 2 - bend * (y2 - y1), (y1 + y2) / 2 + bend * (x2 - x1)
