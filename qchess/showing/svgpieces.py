"""Our own drawings of the pieces, as SVG path data in a box of 100 by 100, and men filled to their odds, like glasses.

Below its level a man has its own colour, above it silver or graphite. An outline is drawn once in a picture and placed
where it is needed; all men filled as far share one level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from qchess.circuits.precision import SAME
from qchess.showing.view import Man, View

#: the side of the box that the path data is drawn in
HUNDRED = 100.0


class Shape(NamedTuple):
    """A piece: its whole outline, without its plinth, the lines over it, where its head begins, the plinth's ends."""

    whole: str
    body: str
    lines: str
    top: float
    plinth: tuple[int, int] | None = None


def _shape(outline: str, left: int, right: int, lines: str, top: float) -> Shape:
    """Return a piece from the outline of its body; at the bar the plinth is let in."""
    plinth = f"H{right}A5.5 5.5 0 0 1 {right} 91H{left}A5.5 5.5 0 0 1 {left} 80"
    return Shape(outline.replace("|", plinth), outline.replace("|", ""), lines, top, (left, right))


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


# -- men --------------------------------------------------------------------------------------------

#: the classes of the sides' men, with their fill, outline and empty part; Xiangqi's red side has an outline of its own
SIDES = ("first", "second", "third", "fourth")
PAINT = {
    "first": ("#fffefa", "#1a1f26", "#b4bdc7"), "second": ("#20252d", "#f6f3ec", "#77828e"),
    "third": ("#f2b8a0", "#1a1f26", "#b4bdc7"), "fourth": ("#9fc7e8", "#1a1f26", "#b4bdc7"),
    "first.red": ("#fffefa", "#b3261e", "#b4bdc7"),
}  # fmt: skip
#: the lowest level: of a body, which stands on its plate, and of a whole man
BODY, WHOLE = 81.0, 91.5
#: a man below these odds is this much smaller
FEW, SMALL = 0.1, 0.66
#: the sizes of men that share a square, two or more, and their places
PAIR, MANY = 0.589, 0.46
_PAIRED = ((-2.45, -1.94), (43.55, 21.06))
_CORNERS = ((3.0, -2.0), (51.0, -2.0), (3.0, 33.0), (51.0, 33.0))

SHEET = (
    ".qb .h{fill:none;stroke-width:6.4;stroke-linejoin:round}.qb .second .h{stroke-width:5}"
    ".qb .open .h{fill-opacity:.88;stroke-width:8.6}.qb .second.open .h{stroke-width:8}"
    ".qb .r{fill:none;stroke-width:3.6;stroke-linejoin:round}"
    ".qb .d{fill:none;stroke-width:3;stroke-linecap:round;stroke-linejoin:round}"
    ".qb .beside{text-anchor:middle;font-weight:700;font-size:26px;fill:#14181d}"
    ".qb .letters{text-anchor:middle;font-weight:700;font-size:44px}.qb .long{font-size:34px}"
) + "".join(
    f".qb .{side} .f{{fill:{own}}}.qb .{side} .h,.qb .{side} .d{{stroke:{far}}}.qb .{side}.open .h{{fill:{glass}}}"
    f".qb .{side} .r,.qb .{side} .o{{stroke:{own}}}.qb .{side} .letters{{fill:{far};stroke:none}}"
    f".qb .{side} .o.letters{{fill:{own}}}"
    for side, (own, far, glass) in PAINT.items()
)


class Place(NamedTuple):
    """Where in its square a man stands, in hundredths of it, and how large."""

    x: float
    y: float
    scale: float


#: a certain man
FULL = Place(2.5, 3.5, 0.95)


def is_open(man: Man) -> bool:
    """Tell whether it is uncertain that the man is there."""
    return man.probability < 1 - SAME


def over_plate(edge: float) -> Place:
    """Return the place of a man on a plate with this upper edge."""
    line = edge + 5
    scale = min(0.94, (line - 4.5) / 75.5)
    return Place(50 - 50 * scale, line - 80 * scale, scale)


def likeliest(men: Sequence[Man]) -> list[Man]:
    """Return the men of a square, the likeliest first."""
    return sorted(men, key=lambda man: -round(man.probability, 9))


def placed(men: Sequence[Man], edge: float | None) -> Iterator[tuple[Man, Place]]:
    """Yield the men of a square with their places, four at most; without plates there is no `edge`."""
    if len(men) == 1:
        yield men[0], over_plate(edge) if edge is not None and is_open(men[0]) else FULL
        return
    scale, corners = (PAIR, _PAIRED) if len(men) == 2 else (MANY, _CORNERS)
    for man, (x, y) in zip(likeliest(men), corners, strict=False):
        yield man, Place(x, y, scale)


class Filling:
    """Draws the men of one picture, and knows the parts that they are made of."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._parts: dict[str, str] = {}

    @property
    def parts(self) -> str:
        """Return the parts used so far; they go into the picture once."""
        return f"<defs>{''.join(self._parts.values())}</defs>"

    def man(self, man: Man, place: Place, *, whole: bool = True, title: str = "", kind: str = "") -> str:
        """Draw a man; `whole` keeps the plinth of one who may be elsewhere."""
        side = self._view.side(man)
        classes = ["man", SIDES[side % len(SIDES)], *(["red"] if self._view.players[side] == "red" else [])]
        name, top = self._outline(man.symbol, whole or not is_open(man))
        parts = [f"<title>{escape(title)}</title>" if title else "", f'<use href="#{name}" class="h"/>']
        full = f'<use href="#{name}" class="f"/>{self._inside(man.symbol, "d")}'
        if is_open(man):
            classes.append("open")
            bottom, base = (WHOLE, 91.0) if whole else (BODY, 80.0)
            share = max(0.02, round(man.probability, 2))
            level = self._level(bottom - share * (bottom - top))
            parts += [self._inside(man.symbol, "d o"), f'<g clip-path="url(#{level})">{full}</g>',
                      f'<use href="#{name}" class="r"/>']  # fmt: skip
            if man.probability < FEW - SAME:
                scale = place.scale * SMALL
                less = place.scale - scale
                place = Place(place.x + 50 * less, place.y + base * less, scale)
        else:
            parts.append(full)
        where = f"translate({place.x:.1f} {place.y:.1f})scale({place.scale:.3f})"
        return f'<g class="{" ".join([*classes, *kind.split()])}" transform="{where}">{"".join(parts)}</g>'

    def _outline(self, symbol: str, whole: bool) -> tuple[str, float]:
        """Return the name of an outline, and where the head begins."""
        form = shape(symbol, self._view.drawings)
        letter = "disc" if form is None else self._named(symbol)
        name = f"q{letter}{'' if whole else 'b'}"
        form = form or DISC
        self._parts.setdefault(name, f'<path id="{name}" d="{form.whole if whole else form.body}"/>')
        return name, form.top

    def _inside(self, symbol: str, kind: str) -> str:
        """Draw the lines over a man, or the letters on a disc."""
        form = shape(symbol, self._view.drawings)
        if form is None:
            long = " long" if len(symbol) > 1 else ""
            return f'<text x="50" y="48" dy=".36em" class="{kind} letters{long}">{escape(symbol.upper())}</text>'
        if self._view.drawings == "marks":
            return f'<text x="90" y="26" class="beside">{escape(symbol[1:])}</text>'
        name = f"q{self._named(symbol)}d"
        self._parts.setdefault(name, f'<path id="{name}" d="{form.lines}"/>')
        return f'<use href="#{name}" class="{kind}"/>'

    def _named(self, symbol: str) -> str:
        """Return the name of a shape, which is the same in every picture."""
        kind = self._view.drawings
        return kind[0] + (symbol[:1] if kind == "marks" else symbol).upper()

    def _level(self, height: float) -> str:
        name = f"q{10 * height:.0f}"
        self._parts.setdefault(name, f'<clipPath id="{name}"><path d="M-10 {height:.1f}H110V120H-10z"/></clipPath>')
        return name
