"""Draw a board as a standalone SVG picture, in the language of the web board.

A man is filled to its odds, like a glass; under 10% it is small. The plate under it has the odds in percent, in the
colour and with the shape of its register, which both stay through a game. The last move is yellow. Links and phases are
drawn on request. Drawing is a pure function of the view.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from html import escape

from qchess.showing import svgpieces, svgplates
from qchess.showing.registers import look
from qchess.showing.svgparts import BOX, NOTE, ROOMY, SHEET, STYLES, Sizes, Spots, aside, palette, spots_of, towards
from qchess.showing.svgpieces import Filling, is_open, placed
from qchess.showing.svgplates import open_percent, plate, shared_plate
from qchess.showing.view import Man, View
from qchess.wording import percent

#: how far a link bends, as a part of its length, to pass beside squares in between
BEND = 0.14
#: how far from the middle of its square a link ends
AWAY = 36.0
Link = tuple[str, str, float]
#: below a board with phases
DIALS = "The dial is the phase: up for no turn, right for a quarter turn."


def board(
    view: View,
    *,
    size: int = 400,
    orientation: str | None = None,
    style: str = "auto",
    links: bool = False,
    phases: bool = False,
) -> str:
    """Return the picture as SVG text, `size` pixels wide, seen from one player's side (default: the first).

    The style ``auto`` follows the reader's theme; ``light`` and ``dark`` are fixed. `links` adds curves between the
    squares of a register; `phases` puts dials on the plates. Squares under 34 pixels have neither plates nor labels.
    """
    orientation = view.players[0] if orientation is None else orientation
    if orientation not in view.players:
        raise ValueError(f"a board is seen from {' or '.join(view.players)}, got {orientation!r}")
    if style not in STYLES:
        raise ValueError(f"a picture's style is one of {', '.join(STYLES)}, got {style!r}")
    spots, sizes, filling = spots_of(view, orientation), Sizes(size / view.width), Filling(view)
    notes = [*view.notes, *([DIALS] if phases and _has_phases(view) else [])]
    width = view.width * BOX
    height = view.height * BOX + len(notes) * NOTE * sizes.unit
    layers = (
        squares(view, spots), _last(view, spots), labels(view, spots, sizes),
        spanning_links(view, spots) if links else (), _men(view, spots, sizes, filling, phases),
        _plates(view, spots, sizes, phases), _marks(view, spots, sizes), _notes(notes, view.height * BOX, sizes),
    )  # fmt: skip
    drawn = [shape for layer in layers for shape in layer]
    sheet = SHEET + svgpieces.SHEET + svgplates.SHEET + palette(style)
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qb" viewBox="0 0 {width:g} {height:g}" '
        f'width="{size:g}" height="{size * height / width:g}" role="img">',
        f"<style>{sheet}</style>", filling.parts, *drawn, "</svg>",
    ))  # fmt: skip


# -- the board --------------------------------------------------------------------------------------


def is_dark(view: View, name: str) -> bool:
    """Tell whether a square is a dark one; a board with pieces on crossings has none."""
    return not view.grid and (ord(name[0]) + int(name[1:])) % 2 == 0


def squares(view: View, spots: Spots) -> Iterator[str]:
    """Draw the squares, and the lines of a board with pieces on crossings."""
    yield f'<rect width="{view.width * BOX:g}" height="{view.height * BOX:g}" class="light"/>'
    dark = "".join(f"M{x:g} {y:g}h{BOX:g}v{BOX:g}h-{BOX:g}z" for name, (x, y) in spots.items() if is_dark(view, name))
    if dark:
        yield f'<path d="{dark}" class="dark"/>'
    ends = ((spots[start].centre, spots[end].centre) for start, end in view.grid)
    lines = "".join(f"M{x1:g} {y1:g}L{x2:g} {y2:g}" for (x1, y1), (x2, y2) in ends)
    if lines:
        yield f'<path d="{lines}" class="gridline"/>'


def labels(view: View, spots: Spots, sizes: Sizes) -> Iterator[str]:
    """Draw rank numbers at the left, file letters below, in the squares; on small ones not beside a plate."""
    if not sizes.plated:
        return
    font = sizes.unit * max(10.0, min(14.0, 0.13 * sizes.side))
    low = (view.height - 1) * BOX
    for name, (x, y) in spots.items():
        if sizes.side < ROOMY and any(map(is_open, view.men.get(name, ()))):
            continue
        shade = " ondark" if is_dark(view, name) else ""
        if x == 0:
            place = f'x="{3.2 * sizes.unit:.1f}" y="{y + font + 0.5 * sizes.unit:.1f}"'
            yield f'<text {place} font-size="{font:.1f}" class="label{shade}">{name[1:]}</text>'
        if y == low:
            place = f'x="{x + BOX - 3.2 * sizes.unit:.1f}" y="{y + BOX - 3.9 * sizes.unit:.1f}"'
            yield f'<text {place} font-size="{font:.1f}" class="label end{shade}">{name[0]}</text>'


def _last(view: View, spots: Spots) -> Iterator[str]:
    """Draw the squares of the last move in yellow."""
    ends = (name for arrow in view.arrows for name in (arrow.start, arrow.end))
    for name in dict.fromkeys((*view.marked, *ends)):
        if name in spots:
            x, y = spots[name]
            yield f'<rect x="{x:g}" y="{y:g}" width="{BOX:g}" height="{BOX:g}" class="last"/>'


# -- men and what is said of them -------------------------------------------------------------------


def _men(view: View, spots: Spots, sizes: Sizes, filling: Filling, phases: bool) -> Iterator[str]:
    edge = sizes.edge if sizes.plated else None
    for name, men in view.men.items():
        corner = spots[name]
        for man, place in placed(men, edge):
            at = place._replace(x=corner.x + place.x, y=corner.y + place.y)
            whole = edge is None or len(men) > 1
            yield filling.man(man, at, whole=whole, title=_title(name, man, phases))


def _plates(view: View, spots: Spots, sizes: Sizes, phases: bool) -> Iterator[str]:
    if not sizes.plated:
        return
    shaped = len(view.groups) > 1
    for name, men in view.men.items():
        if any(map(is_open, men)):
            paint, (x, y) = look(view.register_of(name)), spots[name]
            one = plate(paint, men[0], sizes, shaped=shaped, phases=phases)
            drawn = one if len(men) == 1 else shared_plate(paint, men, sizes)
            yield drawn.replace("<g ", f'<g transform="translate({x:g} {y:g})" ', 1)


def _marks(view: View, spots: Spots, sizes: Sizes) -> Iterator[str]:
    """Draw the marks of pairs, upper left."""
    scale = max(1.3, sizes.unit)
    away = max(14.0, 7.6 * scale)
    for name, men in view.men.items():
        for man in men[:1]:
            if man.mark is not None:
                x, y = spots[name]
                yield man.mark.svg(x + away, y + away, 13 * scale)


def _title(name: str, man: Man, phases: bool) -> str:
    odds = f", {open_percent(man.probability) if is_open(man) else percent(man.probability)}"
    phase = f", phase {man.phase:.3g} of a turn" if phases and man.phase is not None else ""
    return f"{man.symbol} on {name}{odds}{phase}"


def _has_phases(view: View) -> bool:
    return any(man.phase is not None for men in view.men.values() for man in men)


def _notes(notes: list[str], top: float, sizes: Sizes) -> Iterator[str]:
    for number, note in enumerate(notes):
        y = top + NOTE * sizes.unit * (number + 0.7)
        place = f'x="{4 * sizes.unit:.1f}" y="{y:.1f}" font-size="{13 * sizes.unit:.1f}"'
        yield f'<text {place} class="note">{escape(note)}</text>'


# -- links, on request ------------------------------------------------------------------------------


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
    """Draw the links."""
    for link in spanning(view.links, spots):
        yield _link(view, link, spots)


def _length(link: Link, spots: Spots) -> float:
    a, b, _ = link
    return math.dist(spots[a], spots[b])


def _link(view: View, link: Link, spots: Spots) -> str:
    """Draw a curve in the register's colour, dashed for either-or, denser for stronger links."""
    a, b, strength = link
    start, end = spots[a].centre, spots[b].centre
    middle = aside(start, end, BEND)
    (x1, y1), (x2, y2) = towards(start, middle, AWAY), towards(end, middle, AWAY)
    opacity = 0.45 + 0.55 * min(1.0, max(0.0, strength))
    curve = f"M{x1:.1f} {y1:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {x2:.1f} {y2:.1f}"
    sign = view.signs.get((a, b), view.signs.get((b, a), 0))
    colour = look(view.register_of(a)).colour
    kind = "together" if sign > 0 else "either" if sign < 0 else "linked"
    return (
        f'<path d="{curve}" class="link under"/><path d="{curve}" class="link {kind}" '
        f'stroke="{colour}" stroke-opacity="{opacity:.2f}">'
        f"<title>{a} and {b}: {percent(strength)}</title></path>"
    )
