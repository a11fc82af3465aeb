"""Our own drawings of the pieces, as SVG path data in a box of 100 by 100; pictures place them in squares of `BOX`."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

#: the side of a square of a picture, and of the box that the path data is drawn in
BOX, HUNDRED = 45.0, 100.0


class Shape(NamedTuple):
    """A piece: its whole outline, the outline without its plinth, the lines over it, and where its head begins."""

    whole: str
    body: str
    lines: str
    top: float


def _shape(outline: str, left: int, right: int, lines: str, top: float) -> Shape:
    """Return a piece from the outline of its body; at the bar the plinth is let in."""
    plinth = f"H{right}A5.5 5.5 0 0 1 {right} 91H{left}A5.5 5.5 0 0 1 {left} 80"
    return Shape(outline.replace("|", plinth), outline.replace("|", ""), lines, top)


#: letter -> its shape
MEN = {
    "K": _shape(
        "M46.3 4.5H53.7V11H60.3V18.4H53.7V26C64 20.5 79 25 79.5 38.5C80 48.5 71.5 55 68.5 66"
        "C69 72 71.5 76.5 75.5 80|H24.5C28.5 76.5 31 72 31.5 66C28.5 55 20 48.5 20.5 38.5"
        "C21 25 36 20.5 46.3 26V18.4H39.7V11H46.3Z",
        22, 78, "M32 66H68M50 34.5V54M40.5 43.5H59.5", 4.5,
    ),
    "Q": _shape(
        "M50 9.5A5.6 5.6 0 0 1 52.3 20.2L58.2 44L63.2 24.8A5.6 5.6 0 1 1 69.3 24.6L70.2 46.5L80 32.8"
        "A5.6 5.6 0 1 1 85 34.4L69.5 66C70 72 72 76.5 76 80|H24C28 76.5 30 72 30.5 66L15 34.4"
        "A5.6 5.6 0 1 1 20 32.8L29.8 46.5L30.7 24.6A5.6 5.6 0 1 1 36.8 24.8L41.8 44L47.7 20.2"
        "A5.6 5.6 0 0 1 50 9.5Z",
        22, 78, "M31 66H69M35 56.5Q50 51.5 65 56.5", 9.5,
    ),
    "R": _shape(
        "M26 18A2 2 0 0 1 28 16H36A2 2 0 0 1 38 18V24.5H44.5V18A2 2 0 0 1 46.5 16H53.5A2 2 0 0 1 55.5 18"
        "V24.5H62V18A2 2 0 0 1 64 16H72A2 2 0 0 1 74 18V34L66.5 41.5V63C67.5 70.5 70.5 76 75.5 80|H24.5"
        "C29.5 76 32.5 70.5 33.5 63V41.5L26 34Z",
        25, 75, "M34 41.5H66M33.5 64H66.5", 16,
    ),
    "B": _shape(
        "M50 7.5A6 6 0 0 1 54.4 17.6C65 25 71.5 36 71.5 46.5C71.5 54 68 60 63.5 64H64.5"
        "A3.8 3.8 0 0 1 64.5 71.6H62.5C64.5 75.5 68.5 78.5 74 80|H26C31.5 78.5 35.5 75.5 37.5 71.6H35.5"
        "A3.8 3.8 0 0 1 35.5 64H36.5C32 60 28.5 54 28.5 46.5C28.5 36 35 25 45.6 17.6A6 6 0 0 1 50 7.5Z",
        25, 75, "M56.5 29L48.5 43M38 71.6H62", 7.5,
    ),
    "N": _shape(
        "M29 80C28.5 66 37 58.5 46 49.5C40.5 52.5 36 52.8 32.3 57.6C29.5 61.2 25.8 62.2 22.4 59.8"
        "L17.6 56.2C15.3 54.4 14.8 51.4 16.4 48.8C21.2 41 25.6 33.5 28.2 26.8"
        "C29.5 22.6 32.2 19.6 35.5 17.6L36.3 9.8C36.5 8 38.2 7.4 39.5 8.5L48.5 15.6C68.5 16.5 80 33 80 56"
        "C80 65 78.5 73.5 76.5 80|H29Z",
        24, 79, "M57 27C66 33 69.5 44 68.5 62M36.8 28.6l4.8-1.6", 8,
    ),
    "P": _shape(
        "M50 19.5A15.2 15.2 0 0 1 60.3 46.2H63.2A3.8 3.8 0 0 1 63.2 53.8H59C60.2 64.5 64.5 73 72 80|H28"
        "C35.5 73 39.8 64.5 41 53.8H36.8A3.8 3.8 0 0 1 36.8 46.2H39.7A15.2 15.2 0 0 1 50 19.5Z",
        27, 73, "M41.5 53.8H58.5", 19,
    ),
}  # fmt: skip
_ROUND = "M16 48A34 34 0 1 1 84 48A34 34 0 1 1 16 48Z"
#: the disc of draughtsmen and of letters
DISC = Shape(_ROUND, _ROUND, "", 14)
#: drawn on the disc of a draughtsman: a rim for a man, a crown for a king
DISCS = {"M": DISC._replace(lines="M26 48A24 24 0 1 1 74 48A24 24 0 1 1 26 48Z"),
         "K": DISC._replace(lines="M31 62V37L41 48L50 31L59 48L69 37V62Z")}  # fmt: skip

_CROSS = "M27 14L50 37L73 14L83 24L60 47L83 70L73 80L50 57L27 80L17 70L40 47L17 24Z"
_RING = "M16 47A34 34 0 1 1 84 47A34 34 0 1 1 16 47ZM31 47A19 19 0 1 0 69 47A19 19 0 1 0 31 47Z"
#: the marks of tic-tac-toe; what follows their letter stands beside them
MARKS = {"X": Shape(_CROSS, _CROSS, "", 14), "O": Shape(_RING, _RING, "", 13)}


def shape(symbol: str, drawings: str = "chess") -> Shape | None:
    """Return the shape of a piece of chess (K Q R B N P), of draughts (M K) or of a mark (X O).

    Without one its letter stands on a disc.
    """
    known = {"chess": MEN, "draughts": {**MEN, **DISCS}, "marks": MARKS}.get(drawings, {})
    return known.get(symbol[:1].upper() if drawings == "marks" else symbol.upper())


def piece(symbol: str, side: str, drawings: str = "chess") -> str:
    """Return a side's piece as SVG elements in a square of `BOX`; with ``letters`` all are letters on discs."""
    drawn = shape(symbol, drawings)
    if drawn is not None and drawings == "marks":
        inside = f'<text x="92" y="26" class="mid label" style="font-size:26px">{escape(symbol[1:])}</text>'
    elif drawn is not None:
        inside = f'<path d="{drawn.lines}" class="lines {side}"/>'
    else:
        place = f'x="50" y="48" dy=".35em" font-size="{49 if len(symbol) == 1 else 33}"'
        inside = f'<text {place} class="mid letters {side}">{escape(symbol.upper())}</text>'
    outline = (drawn or DISC).whole
    return f'<g transform="scale({BOX / HUNDRED:g})"><path d="{outline}" class="man {side}"/>{inside}</g>'
