"""The links between entangled squares: a few that hold each group together, and all of one square's on demand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from qchess.showing.svgparts import RADIUS, Spots, aside, group_colour, towards
from qchess.showing.view import View

#: how far a link bends, as a part of its length, to pass beside squares in between
BEND = 0.12
Link = tuple[str, str, float]


def spanning(links: Iterable[Link], spots: Spots) -> list[Link]:
    """Return a spanning forest of the links: the strongest, of equal ones the shortest."""
    root: dict[str, str] = {}

    def top(name: str) -> str:
        while root.setdefault(name, name) != name:
            name = root[name]
        return name

    found = []
    for a, b, strength in sorted(links, key=lambda link: (-round(link[2], 6), _length(link, spots), link)):
        if top(a) != top(b):
            root[top(a)] = top(b)
            found.append((a, b, strength))
    return found


def spanning_links(view: View, spots: Spots) -> Iterator[str]:
    """Draw the few links that are always shown."""
    for link in spanning(view.links, spots):
        yield _drawn(view, link, spots, "link")


def all_links(view: View, spots: Spots) -> dict[str, list[str]]:
    """Return the links of each square, which show on demand."""
    found: dict[str, list[str]] = {}
    for link in view.links:
        for name in link[:2]:
            found.setdefault(name, []).append(_drawn(view, link, spots, "link all"))
    return found


def _length(link: Link, spots: Spots) -> float:
    a, b, _ = link
    return math.dist(spots[a], spots[b])


def _drawn(view: View, link: Link, spots: Spots, kind: str) -> str:
    """Draw a curve from ring to ring in the colour of the group, denser for stronger links."""
    a, b, strength = link
    start, end = spots[a].centre, spots[b].centre
    middle = aside(start, end, BEND)
    (x1, y1), (x2, y2) = towards(start, middle, RADIUS), towards(end, middle, RADIUS)
    opacity = 0.35 + 0.6 * min(1.0, max(0.0, strength))
    curve = f"M{x1:.1f} {y1:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {x2:.1f} {y2:.1f}"
    return (
        f'<path d="{curve}" class="{kind}" stroke="{group_colour(view.group_of(a))}" stroke-opacity="{opacity:.2f}">'
        f"<title>{a} and {b}: {strength:.3g}</title></path>"
    )
