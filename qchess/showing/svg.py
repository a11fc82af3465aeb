"""Draw a board as a standalone SVG picture: pieces, probability rings, phases, links and arrows.

A ring shows a piece's probability: closed if certain, half for one half. Its hue is the phase, if known. Squares of one
group have one colour and letter. A few links hold each group together; a square shows all of its own under the pointer.
Drawing is a pure function of the view.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from qchess.showing.marks import grid_shapes, mark_shapes
from qchess.showing.svgarrows import heads, shafts
from qchess.showing.svglinks import all_links, spanning_links
from qchess.showing.svgparts import (
    FAINTEST,
    MARGIN,
    NOTE,
    RADIUS,
    SHAPES,
    SIDES,
    STYLES,
    Spots,
    group_colour,
    group_letter,
    odds,
    palette,
    phase_colour,
    spots_of,
)
from qchess.showing.svgpieces import BOX, piece
from qchess.showing.view import Man, View

#: if several pieces share a square: the size and place of each, as parts of the square
SHARED = ((0.74, -0.02, 0.0), (0.5, 0.51, 0.45), (0.4, 0.6, 0.02), (0.4, 0.0, 0.6))
#: the phases in the legend
PHASES = ((0.0, "0"), (0.25, "¼"), (0.5, "½"), (0.75, "¾"))


def board(view: View, *, size: int = 400, orientation: str | None = None, style: str = "auto") -> str:
    """Return the picture as SVG text, `size` pixels wide, seen from one player's side (default: the first).

    The style ``auto`` follows the reader's theme; ``light`` and ``dark`` are fixed.
    """
    orientation = view.players[0] if orientation is None else orientation
    if orientation not in view.players:
        raise ValueError(f"a board is seen from {' or '.join(view.players)}, got {orientation!r}")
    if style not in STYLES:
        raise ValueError(f"a picture's style is one of {', '.join(STYLES)}, got {style!r}")
    spots = spots_of(view, orientation)
    legend = tuple(_legend(view))
    width = view.width * BOX + 2 * MARGIN
    height = view.height * BOX + 2 * MARGIN + NOTE * (len(view.notes) + len(legend))
    layers = (
        _squares(view, spots), _labels(view, spots), _groups(view, spots), spanning_links(view, spots),
        shafts(view, spots), _men(view, spots), mark_shapes(view, spots), _tags(view, spots), heads(view, spots),
        _all_odds(view, spots), _notes(view), legend, _pointers(view, spots),
    )  # fmt: skip
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qb" viewBox="0 0 {width:g} {height:g}" '
        f'width="{size:g}" height="{size * height / width:g}" role="img">',
        f"<style>{SHAPES}{palette(style)}</style>",
        *(shape for layer in layers for shape in layer),
        "</svg>",
    ))  # fmt: skip


def _squares(view: View, spots: Spots) -> Iterator[str]:
    for name, (x, y) in spots.items():
        shade = "light" if view.grid or (ord(name[0]) + int(name[1:])) % 2 else "dark"
        where = f'x="{x:g}" y="{y:g}" width="{BOX:g}" height="{BOX:g}"'
        yield f'<rect {where} class="{shade}"/>'
        if name in view.marked:
            yield f'<rect {where} class="mark"/>'
    yield from grid_shapes(view, spots)


def _labels(view: View, spots: Spots) -> Iterator[str]:
    """Draw file letters below, rank numbers at the left."""
    low, left = MARGIN * 1.5 + view.height * BOX, MARGIN / 2
    for name, spot in spots.items():
        x, y = spot.centre
        if spot.y == MARGIN + (view.height - 1) * BOX:
            yield f'<text x="{x:g}" y="{low:g}" dy=".35em" class="mid label">{name[0]}</text>'
        if spot.x == MARGIN:
            yield f'<text x="{left:g}" y="{y:g}" dy=".35em" class="mid label">{name[1:]}</text>'


def _groups(view: View, spots: Spots) -> Iterator[str]:
    """Draw a frame of the group's colour in each of its squares."""
    for number, group in enumerate(view.groups):
        colour = group_colour(number)
        for x, y in (spots[name] for name in group):
            place = f'x="{x + 1:g}" y="{y + 1:g}" width="{BOX - 2:g}" height="{BOX - 2:g}" rx="5"'
            yield f'<rect {place} class="group" fill="{colour}" stroke="{colour}"/>'


def _tags(view: View, spots: Spots) -> Iterator[str]:
    """Draw the letter of its group in the upper left corner of each square."""
    for number, group in enumerate(view.groups if view.lettered else ()):
        for x, y in (spots[name] for name in group):
            yield f'<text x="{x + 4:g}" y="{y + 10.5:g}" class="odds tag">{group_letter(number)}</text>'


# -- men --------------------------------------------------------------------------------------------


def _men(view: View, spots: Spots) -> Iterator[str]:
    for name, men in view.men.items():
        x, y = spots[name]
        if len(men) == 1:
            yield f'<g transform="translate({x:g} {y:g}) scale(1)">{_title(name, men[0])}'
            yield from _alone(view, men[0])
            yield "</g>"
        else:
            yield from _sharing(view, name, x, y)


def _alone(view: View, man: Man) -> Iterator[str]:
    """Draw a single piece in its box, with the ring of its odds."""
    if odds(man.probability) or man.phase is not None:
        yield _ring(man)
    yield _drawn(view, man)


def _sharing(view: View, name: str, x: float, y: float) -> Iterator[str]:
    """Draw pieces on one square: the likeliest large, the others small beside it, the first's share as a bar below."""
    men = sorted(view.men[name], key=lambda man: -man.probability)
    for man, (scale, right, down) in zip(men, SHARED, strict=False):
        yield f'<g transform="translate({x + right * BOX:g} {y + down * BOX:g}) scale({scale:g})">{_title(name, man)}'
        yield _drawn(view, man, ghost=False)
        yield "</g>"
    done = 0.0
    for man in men:
        share = man.probability * (BOX - 6)
        side = SIDES[view.side(man) % len(SIDES)]
        place = f'x="{x + 3 + done:.2f}" y="{y + BOX - 4:g}" width="{share:.2f}" height="2.6"'
        done += share
        fill = group_colour(view.group_of(name)) if man is men[0] else "none"
        yield f'<rect {place} class="bar {side}" style="fill:{fill};stroke:{group_colour(view.group_of(name))}"/>'


def _all_odds(view: View, spots: Spots) -> Iterator[str]:
    """Draw the odds as text on top: of a single piece below, of the likeliest of several at the top."""
    for name, men in view.men.items():
        (x, y), text = spots[name], odds(max(man.probability for man in men))
        if text:
            yield _odds_text(x + 43, y + 39, text) if len(men) == 1 else _odds_text(x + 43.5, y + 9.5, text)


def _drawn(view: View, man: Man, ghost: bool = True) -> str:
    drawing = piece(man.symbol, SIDES[view.side(man) % len(SIDES)], view.drawings)
    if not ghost or not odds(man.probability):
        return drawing
    return f'<g class="ghost" opacity="{FAINTEST + (1 - FAINTEST) * man.probability:.2f}">{drawing}</g>'


def _odds_text(x: float, y: float, text: str) -> str:
    """Draw odds that end at a point; longer text is smaller, to stay in its square."""
    size = 12 if len(text) == 1 else 9.5 if len(text) <= 4 else 8.5
    return f'<text x="{x:g}" y="{y:g}" dy=".35em" class="end odds" style="font-size:{size:g}px">{escape(text)}</text>'


def _ring(man: Man) -> str:
    """Draw an arc as long as the probability, from the top clockwise; its hue is the phase."""
    around = 2 * math.pi * RADIUS
    share = min(1.0, max(0.0, man.probability)) * around
    colour = group_colour(None) if man.phase is None else phase_colour(man.phase)
    return (
        f'<circle cx="22.5" cy="22.5" r="{RADIUS:g}" class="track"/>'
        f'<circle cx="22.5" cy="22.5" r="{RADIUS:g}" class="ring" stroke="{colour}" '
        f'stroke-dasharray="{share:.3f} {around:.3f}" transform="rotate(-90 22.5 22.5)"/>'
    )


def _title(name: str, man: Man) -> str:
    phase = "" if man.phase is None else f", phase {man.phase:.3g} of a turn"
    return f"<title>{escape(f'{man.symbol} on {name}: {man.probability:.4g}{phase}')}</title>"


def _pointers(view: View, spots: Spots) -> Iterator[str]:
    """Draw an area over each linked square that shows all its links under the pointer, and names its pieces."""
    for name, links in all_links(view, spots).items():
        x, y = spots[name]
        men = ", ".join(f"{man.symbol} {man.probability:.4g}" for man in view.men.get(name, ()))
        yield f'<g class="near"><rect x="{x:g}" y="{y:g}" width="{BOX:g}" height="{BOX:g}" fill-opacity="0">'
        yield f"<title>{escape(f'{name}: {men}')}</title></rect>"
        yield from links
        yield "</g>"


# -- below the board --------------------------------------------------------------------------------


def _notes(view: View) -> Iterator[str]:
    top = view.height * BOX + 2 * MARGIN
    for number, note in enumerate(view.notes):
        yield f'<text x="{MARGIN:g}" y="{top + NOTE * (number + 0.5):g}" class="note">{escape(note)}</text>'


def _legend(view: View) -> Iterator[str]:
    """Draw what the colours of rings mean, if there are any."""
    if all(man.phase is None for men in view.men.values() for man in men):
        return
    y = view.height * BOX + 2 * MARGIN + NOTE * (len(view.notes) + 0.5)
    x = MARGIN
    words = [f'<text x="{x:g}" y="{y:g}" class="note">phase, in turns:</text>']
    for number, (phase, text) in enumerate(PHASES):
        at = x + 92 + 34 * number
        words.append(f'<circle cx="{at:g}" cy="{y - 4:g}" r="4.5" fill="none" stroke-width="3" '
                     f'stroke="{phase_colour(phase)}"/>')  # fmt: skip
        words.append(f'<text x="{at + 8:g}" y="{y:g}" class="note">{text}</text>')
    yield f'<g class="legend">{"".join(words)}</g>'
