"""The arrows of the last move on a picture: shafts below the pieces, heads above them.

The two arrows of a split or merge bend apart, so that both are visible on one line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from qchess.showing.svgparts import ARROWS, Spots, aside, towards
from qchess.showing.view import Arrow, View

BEND, LENGTH, HALF = 0.16, 11.0, 5.5
#: how far from the middle of its square a shaft begins and a head ends, so that the piece is visible
START, STOP = 9.0, 18.0


def shafts(view: View, spots: Spots) -> Iterator[str]:
    """Draw the shafts, below the pieces."""
    for arrow, bend in _bent(view):
        start, end = spots[arrow.start].centre, spots[arrow.end].centre
        middle = aside(start, end, bend)
        tip = towards(end, middle, STOP)
        (x1, y1), (x2, y2) = towards(start, middle, START), towards(tip, middle, LENGTH - 2)
        curve = f"M{x1:.1f} {y1:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {x2:.1f} {y2:.1f}"
        yield f'<path d="{curve}" class="arrow" stroke="{_colour(arrow)}"/>'


def heads(view: View, spots: Spots) -> Iterator[str]:
    """Draw the heads, above the pieces."""
    for arrow, bend in _bent(view):
        start, end = spots[arrow.start].centre, spots[arrow.end].centre
        middle = aside(start, end, bend)
        tip = towards(end, middle, STOP)
        far = math.dist(middle, tip) or 1.0
        ux, uy = (tip[0] - middle[0]) / far, (tip[1] - middle[1]) / far
        x, y = tip[0] - LENGTH * ux, tip[1] - LENGTH * uy
        corners = (tip, (x - HALF * uy, y + HALF * ux), (x + HALF * uy, y - HALF * ux))
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        kind = escape(arrow.kind)
        yield f'<polygon points="{points}" class="head" fill="{_colour(arrow)}"><title>{kind}</title></polygon>'


def _bent(view: View) -> Iterator[tuple[Arrow, float]]:
    """Yield every arrow between different squares, with its bend: none for a single one."""
    arrows = [arrow for arrow in view.arrows if arrow.start != arrow.end]
    for number, arrow in enumerate(arrows):
        kin = [other for other in arrows if other.kind == arrow.kind]
        bend = 0.0 if len(kin) == 1 else BEND * (-1) ** (number % 2)
        yield arrow, -bend if arrow.kind == "merge" else bend


def _colour(arrow: Arrow) -> str:
    return ARROWS.get(arrow.kind, ARROWS["move"])
