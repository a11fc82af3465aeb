"""Pictures on the board: a figure for each square, and the graph of entanglement.

Both are standalone SVG that follow the reader's light or dark theme; no plotting library is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from qchess.circuits.operations import Qubit
from qchess.playing.game import Game
from qchess.showing.picture import Picture, several
from qchess.showing.svgparts import MARGIN, NOTE, SHAPES, SIDES, STYLES, Spots, aside, palette, spots_of
from qchess.showing.svgpieces import BOX, piece
from qchess.showing.view import View
from qchess.study.paper import DARK, LIGHT
from qchess.study.subject import require_game

#: smaller values are not drawn
LEAST = 1e-9
#: the width of an edge and the size of a node of full strength
WIDEST, LARGEST = 7.0, 10.0
#: the colours of registers, each with a shape of similar size in a box from -1 to 1
REGISTERS = ("#e69f00", "#56b4e9", "#1fa67a", "#db86b6", "#0072b2", "#e0692a")
NODES = (
    "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z", "M0 -1.15L1.12 .85H-1.12Z", "M-.9 -.9H.9V.9H-.9Z",
    "M0 -1.25L1.1 0L0 1.25L-1.1 0Z",
    "M-.38 -1.1H.38V-.38H1.1V.38H.38V1.1H-.38V.38H-1.1V-.38H-.38Z", "M-.8 0A.8 .8 0 1 1 .8 0A.8 .8 0 1 1 -.8 0Z",
)  # fmt: skip
RINGED = 5
#: the approximate width of a letter of a title
LETTER = 7.6
_STUDY = (
    ".qb .light{{fill:{0};fill-opacity:.05}}.qb .dark{{fill:{0};fill-opacity:.13}}.qb .paper{{fill:{1}}}"
    ".qb .heat{{fill:{3}}}.qb .figure{{font-size:11px;font-weight:700;fill:{0};stroke:{1};stroke-width:2.6;"
    "paint-order:stroke;stroke-linejoin:round}}.qb .node{{stroke:{1};stroke-linejoin:round}}.qb text.note{{fill:{0}}}"
    ".qb text.label{{fill:{0}}}.qb text.title{{fill:{0};font-size:15px}}"
)


def board(
    game: Game[Any, Any],
    values: Mapping[Qubit, float] | None = None,
    *,
    title: str = "",
    most: float | None = None,
    size: int = 400,
    style: str = "auto",
) -> Picture:
    """Return the board with a figure on each square; larger ones have a deeper colour.

    Without `values` the figure is the probability that the square is occupied, where that is uncertain. The keys are
    squares or a game's qubits, such as `study.entropies(game)`; `most` has the deepest colour.
    """
    require_game(game)
    view = game.rules.view(game.position)
    shown = _odds(view) if values is None else _on_squares(game, values)
    top = most if most is not None else max([1.0, *shown.values()])
    spots = spots_of(view, view.players[0])
    heat = (shape for name, value in shown.items() for shape in _heat(spots, name, value / top))
    figures = (shape for name, value in shown.items() for shape in _figure(spots, name, value))
    each = several([f"{name} {value:.3g}" for name, value in shown.items()])
    about = f"A board, {title or 'the probability that each open square is occupied'}: {each or 'nothing is open'}."
    return Picture(_drawn(view, spots, (*heat, *_men(view, spots, 0.9), *figures), title, size, style), about)


def entangled_board(
    game: Game[Any, Any],
    *,
    measure: str = "mutual_information",
    least: float = 0.01,
    title: str = "",
    size: int = 400,
    style: str = "auto",
    below: str | None = None,
) -> Picture:
    """Draw the graph of `study.entanglement` over the board.

    The size of a dot is its square's entropy. A line joins squares with mutual information; its width is the `measure`
    (``mutual_information`` or ``concurrence``); values below `least` are left out. Each register keeps its colour and
    shape through the game. `below` names the player at the lower side.
    """
    from qchess.study.pairs import entanglement

    if measure not in ("mutual_information", "concurrence"):
        raise ValueError(f"expected 'mutual_information' or 'concurrence', got {measure!r}")
    require_game(game)
    view, graph = game.view(), entanglement(game)
    if below not in (None, *view.players):
        raise ValueError(f"a board is seen from {' or '.join(view.players)}, got {below!r}")
    spots = spots_of(view, below or view.players[0])
    squares = game.rules.squares(game.position)
    place = {q: name for q in graph if (name := squares.get(q, q)) in spots}
    number = {q: view.register_of(name) or 0 for q, name in place.items()}
    edges = [
        (data[measure], a, b)
        for a, b, data in graph.edges(data=True)
        if a in place and b in place and data[measure] >= least
    ]
    lines = (_edge(spots[place[a]].centre, spots[place[b]].centre, strength, number[a], f"{place[a]} and {place[b]}")
             for strength, a, b in sorted(edges))  # fmt: skip
    nodes = (_node(spots[name].centre, graph.nodes[q]["entropy"], number[q], name) for q, name in place.items())
    told = several([f"{place[a]} and {place[b]} {strength:.3g}" for strength, a, b in sorted(edges, reverse=True)])
    about = f"A board, {title or measure.replace('_', ' ')}: {told or 'no two squares are correlated'}."
    return Picture(_drawn(view, spots, (*_men(view, spots, 0.32), *lines, *nodes), title, size, style), about)


def _odds(view: View) -> dict[str, float]:
    found = {name: sum(man.probability for man in men) for name, men in view.men.items()}
    return {name: p for name, p in found.items() if p < 1 - LEAST}


def _on_squares(game: Game[Any, Any], values: Mapping[Qubit, float]) -> dict[str, float]:
    """Return the values by square, summed over the qubits of a square."""
    spots, found = set(game.rules.view(game.position).squares), dict[str, float]()
    squares = game.rules.squares(game.position)
    for qubit, value in values.items():
        name = squares.get(qubit, qubit)
        if name not in spots:
            game.qubit(qubit)  # it is on no square, as what was captured; a name that nobody has is refused
        if name in spots:
            found[name] = found.get(name, 0.0) + value
    return found


# -- shapes -----------------------------------------------------------------------------------------------


def _drawn(view: View, spots: Spots, shapes: tuple[str, ...], title: str, size: int, style: str) -> str:
    if style not in STYLES:
        raise ValueError(f"a picture's style is one of {', '.join(STYLES)}, got {style!r}")
    head = NOTE + 6 if title else 0.0
    width, height = view.width * BOX + 2 * MARGIN, view.height * BOX + 2 * MARGIN + head
    words = _heading(title, width - 2 * MARGIN) if title else ""
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qb qstudy" viewBox="0 {-head:g} {width:g} {height:g}" '
        f'width="{size:g}" height="{size * height / width:g}" role="img">',
        f"<style>{SHAPES}{_sheet(style)}</style>",
        f'<rect class="paper" y="{-head:g}" width="{width:g}" height="{height:g}" rx="6"/>{words}',
        *_squares(view, spots), *shapes, "</svg>",
    ))  # fmt: skip


def _heading(title: str, room: float) -> str:
    """Return the title over a board, in smaller type if it would be cut off."""
    fits = "" if len(title) * LETTER < room else f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{MARGIN:g}" y="-3" class="title"{fits}>{escape(title)}</text>'


def _sheet(style: str) -> str:
    """Return the board's style sheet with our rules, which apply to these pictures only."""
    sheets = {"light": _STUDY.format(*LIGHT), "dark": _STUDY.format(*DARK)}
    mine = {name: sheet.replace(".qb ", ".qstudy ") for name, sheet in sheets.items()}
    if style != "auto":
        return palette(style) + mine[style]
    return f"{palette('auto')}{mine['light']}@media(prefers-color-scheme:dark){{{mine['dark']}}}"


def _squares(view: View, spots: Spots) -> Iterator[str]:
    """Draw the squares with their names at the edges."""
    low = MARGIN * 1.5 + view.height * BOX
    for name, spot in spots.items():
        shade = "light" if view.grid or (ord(name[0]) + int(name[1:])) % 2 else "dark"
        yield f'<rect x="{spot.x:g}" y="{spot.y:g}" width="{BOX:g}" height="{BOX:g}" class="{shade}"/>'
        x, y = spot.centre
        if spot.y == MARGIN + (view.height - 1) * BOX:
            yield f'<text x="{x:g}" y="{low:g}" dy=".35em" class="mid label">{name[0]}</text>'
        if spot.x == MARGIN:
            yield f'<text x="{MARGIN / 2:g}" y="{y:g}" dy=".35em" class="mid label">{name[1:]}</text>'


def _men(view: View, spots: Spots, opacity: float) -> Iterator[str]:
    """Draw faintly who may stand where; of several on a square the likeliest."""
    for name, men in view.men.items():
        man = max(men, key=lambda each: each.probability)
        if name in spots and man.probability > LEAST:
            side = SIDES[view.side(man) % len(SIDES)]
            faint = opacity * (0.35 + 0.65 * man.probability)
            where = f'transform="translate({spots[name].x:g} {spots[name].y:g})" opacity="{faint:.2f}"'
            yield f"<g {where}>{piece(man.symbol, side, view.drawings)}</g>"


def _heat(spots: Spots, name: str, share: float) -> Iterator[str]:
    if name in spots and share > LEAST:
        x, y = spots[name]
        place = f'x="{x:g}" y="{y:g}" width="{BOX:g}" height="{BOX:g}"'
        yield f'<rect {place} class="heat" fill-opacity="{0.12 + 0.63 * min(1.0, share):.3f}"/>'


def _figure(spots: Spots, name: str, value: float) -> Iterator[str]:
    """Draw the number in the lower right corner; a full 1 is left out."""
    if name in spots and value > LEAST and abs(value - 1) > LEAST:
        x, y = spots[name]
        told = f"{value:.2f}".removeprefix("0") if value >= 0.005 else "<.01"
        yield f'<text x="{x + BOX - 3:g}" y="{y + BOX - 5:g}" class="end figure">{escape(told)}</text>'


def register_colour(number: int) -> str:
    """Return the colour that a register keeps through a game."""
    return REGISTERS[number % len(REGISTERS)]


def _node(centre: tuple[float, float], entropy: float, number: int, name: str) -> str:
    radius = 2.5 + (LARGEST - 2.5) * math.sqrt(min(1.0, entropy))
    which = (number + number // len(REGISTERS)) % len(NODES)  # the seventh register has the first colour, another shape
    shape = NODES[which]
    if which == RINGED:
        paint = f'style="fill:none;stroke:{register_colour(number)};stroke-width:{4 / radius:.2f}"'
    else:
        paint = f'fill="{register_colour(number)}" stroke-width="{1.5 / radius:.2f}"'
    where = f"translate({centre[0]:g} {centre[1]:g}) scale({radius:.1f})"
    return (
        f'<path d="{shape}" transform="{where}" class="node" {paint}>'
        f"<title>{escape(name)}: entropy {entropy:.4g} bits</title></path>"
    )


def _edge(start: tuple[float, float], end: tuple[float, float], strength: float, number: int, names: str) -> str:
    """Draw a curve beside the straight line, as wide as the link is strong."""
    middle = aside(start, end, 0.1)
    curve = f"M{start[0]:g} {start[1]:g}Q{middle[0]:.1f} {middle[1]:.1f} {end[0]:g} {end[1]:g}"
    share = min(1.0, strength)
    return (
        f'<path d="{curve}" fill="none" stroke="{register_colour(number)}" stroke-linecap="round" '
        f'stroke-width="{0.6 + WIDEST * share:.2f}" stroke-opacity="{0.25 + 0.5 * share:.2f}">'
        f"<title>{escape(names)}: {strength:.4g}</title></path>"
    )
