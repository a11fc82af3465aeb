"""Draws a board as a standalone SVG picture: pieces, probability rings, phases, links and arrows.

A ring shows how likely a man is: closed for certain, half for one half. Its hue is the phase, where
the view knows one. Dashed curves link entangled squares, arrows tell the last move, and frames of one
colour hold a group together. Drawing is a pure function; nothing is read but the view.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from qchess.showing.boardtext import odds
from qchess.showing.marks import grid_shapes, mark_shapes
from qchess.showing.svgpieces import BOX, piece
from qchess.showing.view import Arrow, Man, View

MARGIN, NOTE = 16.0, 15.0
#: of the ring around a man; and how far a link bends aside, as a part of its length
RADIUS, BEND = 20.0, 0.14
ORIENTATIONS = ("white", "black")
#: where several men share a square: the corner of each, as parts of the square
CORNERS = ((0.01, 0.01), (0.43, 0.42), (0.43, 0.01), (0.01, 0.42))
SHARED = 0.55

#: light squares, dark squares, ink, marks, and the two sides' men
COLOURS = {
    "light": ("#efe9dc", "#b9c4cb", "#26313b", "#f0c64a", "#fffdf7", "#39424b"),
    "dark": ("#77838e", "#55616c", "#e8ecf0", "#c59a2b", "#f6f2e8", "#1b2127"),
}
STYLES = ("auto", *COLOURS)
_SHAPES = (
    ".qb text{font-family:ui-sans-serif,Helvetica,Arial,sans-serif}"
    ".qb .mid{text-anchor:middle}"
    ".qb .mark{fill-opacity:.55}"
    ".qb .man{stroke-width:1.6;stroke-linejoin:round}.qb .lines{fill:none;stroke-width:1.6;stroke-linecap:round}"
    ".qb .man.first{stroke:#2a2f35}.qb .man.second{stroke:#cfd6dc}"
    ".qb .lines.first{stroke:#2a2f35}.qb .lines.second{stroke:#cfd6dc}"
    ".qb .letters{font-weight:600}"
    ".qb .track{fill:none;stroke-opacity:.18;stroke-width:2.6}"
    ".qb .ring{fill:none;stroke-width:2.6}"
    ".qb .odds{font-size:10px;font-weight:600;stroke-width:3;paint-order:stroke;stroke-linejoin:round}"
    ".qb .link{fill:none;stroke:#8e5bd0;stroke-width:2.4;stroke-dasharray:4 3}"
    ".qb .arrow{fill:none;stroke-width:4;stroke-linecap:round;stroke-opacity:.6}.qb .head{fill-opacity:.75}"
    ".qb .group{fill:none;stroke-width:2.4}.qb .label{font-size:10px;opacity:.8}.qb .note{font-size:11px}"
)
RING = "#d0742a"
ARROWS = {"move": "#c8871b", "split": "#7b54c9", "merge": "#1d8f83"}
GROUPS = ("#c2410c", "#0e7490", "#a21caf", "#4d7c0f", "#1d4ed8", "#b91c1c", "#0f766e", "#7c3aed")


class Spot(NamedTuple):
    """The upper left corner of a square on the picture."""

    x: float
    y: float

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the square."""
        return self.x + BOX / 2, self.y + BOX / 2


def board(view: View, *, size: int = 400, orientation: str = "white", style: str = "auto") -> str:
    """The picture as SVG text, `size` pixels wide, seen from ``white`` or ``black``.

    The style ``auto`` follows the reader's preference; ``light`` and ``dark`` are fixed.
    """
    if orientation not in ORIENTATIONS:
        raise ValueError(f"a board is seen from {' or '.join(ORIENTATIONS)}, got {orientation!r}")
    if style not in STYLES:
        raise ValueError(f"a picture's style is one of {', '.join(STYLES)}, got {style!r}")
    spots = _spots(view, flipped=orientation == "black")
    width = view.width * BOX + 2 * MARGIN
    height = view.height * BOX + 2 * MARGIN + NOTE * len(view.notes)
    layers = (_squares(view, spots), _labels(view, spots), _groups(view, spots), _links(view, spots),
              _men(view, spots), _arrows(view, spots), _notes(view))  # fmt: skip
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qb" viewBox="0 0 {width:g} {height:g}" '
        f'width="{size:g}" height="{size * height / width:g}" role="img">',
        f"<style>{_SHAPES}{_palette(style)}</style>",
        *(shape for layer in layers for shape in layer),
        "</svg>",
    ))  # fmt: skip


def _palette(style: str) -> str:
    """The style sheet's colours, as plain rules that simple viewers know too."""
    if style == "auto":
        return f"{_palette('light')}@media(prefers-color-scheme:dark){{{_palette('dark')}}}"
    light, dark, ink, mark, first, second = COLOURS[style]
    return (
        f".qb text{{fill:{ink}}}.qb .odds{{stroke:{light}}}.qb .track{{stroke:{ink}}}"
        f".qb .light{{fill:{light}}}.qb .dark{{fill:{dark}}}"
        f".qb .mark{{fill:{mark}}}.qb .man.first{{fill:{first}}}.qb .man.second{{fill:{second}}}"
        ".qb .letters.first{fill:#2a2f35}.qb .letters.second{fill:#eef1f4}"
    )


def _spots(view: View, flipped: bool) -> dict[str, Spot]:
    """Every square's name and place, row by row from the top."""
    spots = {}
    for row in range(view.height):
        for column in range(view.width):
            x, y = (view.width - 1 - column, row) if flipped else (column, view.height - 1 - row)
            spots[f"{chr(ord('a') + column)}{row + 1}"] = Spot(MARGIN + x * BOX, MARGIN + y * BOX)
    return spots


def _squares(view: View, spots: dict[str, Spot]) -> Iterator[str]:
    for name, (x, y) in spots.items():
        shade = "light" if view.grid or (ord(name[0]) + int(name[1:])) % 2 else "dark"
        where = f'x="{x:g}" y="{y:g}" width="{BOX:g}" height="{BOX:g}"'
        yield f'<rect {where} class="{shade}"/>'
        if name in view.marked:
            yield f'<rect {where} class="mark"/>'
    yield from grid_shapes(view, spots)


def _labels(view: View, spots: dict[str, Spot]) -> Iterator[str]:
    """File letters below, rank numbers at the left."""
    for name, spot in spots.items():
        x, y = spot.centre
        if name[1:] == "1":
            low = MARGIN * 1.5 + view.height * BOX
            yield f'<text x="{x:g}" y="{low:g}" dy=".35em" class="mid label">{name[0]}</text>'
        if name[0] == "a":
            yield f'<text x="{MARGIN / 2:g}" y="{y:g}" dy=".35em" class="mid label">{name[1:]}</text>'


def _groups(view: View, spots: dict[str, Spot]) -> Iterator[str]:
    for number, group in enumerate(view.groups):
        for x, y in (spots[name] for name in group):
            place = f'x="{x + 1.5:g}" y="{y + 1.5:g}" width="{BOX - 3:g}" height="{BOX - 3:g}" rx="5"'
            yield f'<rect {place} class="group" stroke="{GROUPS[number % len(GROUPS)]}"/>'


def _links(view: View, spots: dict[str, Spot]) -> Iterator[str]:
    """A curve for each entangled pair, the darker the stronger; it bends to pass beside what lies between."""
    for a, b, strength in view.links:
        (x1, y1), (x2, y2) = spots[a].centre, spots[b].centre
        x, y = (x1 + x2) / 2 - BEND * (y2 - y1), (y1 + y2) / 2 + BEND * (x2 - x1)
        (x1, y1), (x2, y2) = _towards(x1, y1, x, y, RADIUS), _towards(x2, y2, x, y, RADIUS)
        opacity = 0.25 + 0.65 * min(1.0, max(0.0, strength))
        curve = f"M{x1:.1f} {y1:.1f}Q{x:.1f} {y:.1f} {x2:.1f} {y2:.1f}"
        yield (
            f'<path d="{curve}" class="link" stroke-opacity="{opacity:.2f}">'
            f"<title>{a} and {b}: {strength:.3g}</title></path>"
        )


def _towards(x: float, y: float, to_x: float, to_y: float, way: float) -> tuple[float, float]:
    """The point so far on the way from one point to another."""
    far = math.hypot(to_x - x, to_y - y) or 1.0
    return x + way * (to_x - x) / far, y + way * (to_y - y) / far


# -- men --------------------------------------------------------------------------------------------


def _men(view: View, spots: dict[str, Spot]) -> Iterator[str]:
    for name, men in view.men.items():
        x, y = spots[name]
        for man, corner in zip(men, CORNERS, strict=False):
            alone = len(men) == 1
            scale = 1.0 if alone else SHARED
            left, top = (x, y) if alone else (x + corner[0] * BOX, y + corner[1] * BOX)
            yield f'<g transform="translate({left:g} {top:g}) scale({scale:g})">{_title(name, man)}'
            yield from _man(man, alone)
            yield "</g>"
    yield from mark_shapes(view, spots)


def _man(man: Man, alone: bool) -> Iterator[str]:
    """A man in his box: the ring of his odds, the drawing, and the odds as text."""
    text = odds(man.probability)
    if text or man.phase is not None:
        yield _ring(man)
    opacity = 0.5 + 0.5 * man.probability
    yield f'<g opacity="{opacity:.2f}">{piece(man.symbol)}</g>' if text else piece(man.symbol)
    if text:
        larger = "" if alone else ' style="font-size:17px"'
        yield f'<text x="38" y="38" dy=".35em" class="mid odds"{larger}>{escape(text)}</text>'


def _ring(man: Man) -> str:
    """An arc as long as the probability, from the top clockwise; its hue is the phase."""
    around = 2 * math.pi * RADIUS
    share = min(1.0, max(0.0, man.probability)) * around
    colour = RING if man.phase is None else f"hsl({round(360 * (man.phase % 1))} 70% 48%)"
    return (
        f'<circle cx="22.5" cy="22.5" r="{RADIUS:g}" class="track"/>'
        f'<circle cx="22.5" cy="22.5" r="{RADIUS:g}" class="ring" stroke="{colour}" '
        f'stroke-dasharray="{share:.3f} {around:.3f}" transform="rotate(-90 22.5 22.5)"/>'
    )


def _title(name: str, man: Man) -> str:
    phase = "" if man.phase is None else f", phase {man.phase:.3g} of a turn"
    return f"<title>{escape(f'{man.symbol} on {name}: {man.probability:.4g}{phase}')}</title>"


# -- arrows and notes -------------------------------------------------------------------------------


def _arrows(view: View, spots: dict[str, Spot]) -> Iterator[str]:
    for arrow in view.arrows:
        if arrow.start != arrow.end:
            yield from _arrow(arrow, spots)


def _arrow(arrow: Arrow, spots: dict[str, Spot]) -> Iterator[str]:
    (x1, y1), (x2, y2) = spots[arrow.start].centre, spots[arrow.end].centre
    far = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / far, (y2 - y1) / far
    x1, y1 = x1 + 8 * ux, y1 + 8 * uy  # off the middle of the square, so that the man is seen
    tip_x, tip_y = x2 - 6 * ux, y2 - 6 * uy
    neck_x, neck_y = tip_x - 11 * ux, tip_y - 11 * uy
    colour = ARROWS.get(arrow.kind, ARROWS["move"])
    yield f'<path d="M{x1:.1f} {y1:.1f}L{neck_x:.1f} {neck_y:.1f}" class="arrow" stroke="{colour}"/>'
    corners = ((tip_x, tip_y), (neck_x - 6 * uy, neck_y + 6 * ux), (neck_x + 6 * uy, neck_y - 6 * ux))
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    yield f'<polygon points="{points}" class="head" fill="{colour}"><title>{escape(arrow.kind)}</title></polygon>'


def _notes(view: View) -> Iterator[str]:
    top = view.height * BOX + 2 * MARGIN
    for number, note in enumerate(view.notes):
        yield f'<text x="{MARGIN:g}" y="{top + NOTE * (number + 0.5):g}" class="note">{escape(note)}</text>'
