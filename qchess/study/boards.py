"""Pictures on the board: a figure for each square, and the graph of entanglement.

Both are standalone SVG that follow the reader's light or dark theme; no plotting library is needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any

from qchess.circuits.operations import Qubit
from qchess.playing.game import Game
from qchess.showing import svgpieces
from qchess.showing.picture import Picture, several
from qchess.showing.registers import PATHS, RING, THICK, look
from qchess.showing.svg import labels, squares
from qchess.showing.svgparts import BOX, SHEET, STYLES, Sizes, Spots, aside, palette, spots_of
from qchess.showing.svgpieces import FULL, Filling, over_plate
from qchess.showing.svgplates import SHEET as PLATES
from qchess.showing.svgplates import figure_plate, open_percent
from qchess.showing.view import View
from qchess.study.paper import DARK, LIGHT
from qchess.study.subject import require_game

#: smaller values are not drawn
LEAST = 1e-9
#: the width of an edge and the size of a node of full strength, in hundredths of a square
WIDEST, LARGEST = 15.5, 22.0
#: the size of the node that the shapes of registers are drawn for
NODE = 5.0
#: the height of a title, its type size, and the approximate width of a letter, in pixels
HEAD, TITLE, LETTER = 22.0, 15.0, 7.6
_STUDY = (
    ".qstudy .light{{fill:{0};fill-opacity:.05}}.qstudy .dark{{fill:{0};fill-opacity:.13}}.qstudy .paper{{fill:{1}}}"
    ".qstudy .heat{{fill:{3}}}.qstudy .node{{stroke:{1};stroke-linejoin:round}}.qstudy .faint{{opacity:.32}}"
    ".qstudy text.label,.qstudy text.title{{fill:{0}}}"
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
    sizes, filling = Sizes(size / view.width), Filling(view)
    told = _amount if values is not None else open_percent
    figures = [shape for name, value in shown.items() for shape in _figure(spots, name, value, told, sizes)]
    each = several([f"{name} {f'{value:.3g}' if values else told(value)}" for name, value in shown.items()])
    about = f"A board, {title or 'the probability that each open square is occupied'}: {each or 'nothing is open'}."
    under = {name: sizes.edge for name, value in shown.items() if _has_figure(value)}
    shapes = (*heat, *_men(view, spots, filling, under), *figures)
    return Picture(_drawn(view, spots, shapes, filling, title, size, style), about)


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
    filling = Filling(view)
    shapes = (*_men(view, spots, filling, {}, "faint"), *lines, *nodes)
    return Picture(_drawn(view, spots, shapes, filling, title, size, style), about)


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


def _drawn(
    view: View, spots: Spots, shapes: tuple[str, ...], filling: Filling, title: str, size: int, style: str
) -> str:
    if style not in STYLES:
        raise ValueError(f"a picture's style is one of {', '.join(STYLES)}, got {style!r}")
    sizes = Sizes(size / view.width)
    width = view.width * BOX
    head = HEAD * sizes.unit if title else 0.0
    height = view.height * BOX + head
    words = _heading(title, width, sizes) if title else ""
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qb qstudy" viewBox="0 {-head:g} {width:g} {height:g}" '
        f'width="{size:g}" height="{size * height / width:g}" role="img">',
        f"<style>{SHEET}{svgpieces.SHEET}{PLATES}{_sheet(style)}</style>{filling.parts}",
        f'<rect class="paper" y="{-head:g}" width="{width:g}" height="{height:g}" rx="6"/>{words}',
        *squares(view, spots), *labels(view, spots, sizes), *shapes, "</svg>",
    ))  # fmt: skip


def _heading(title: str, width: float, sizes: Sizes) -> str:
    """Return the title over a board, in smaller type if it would be cut off."""
    room = width - 12 * sizes.unit
    fits = "" if len(title) * LETTER * sizes.unit < room else f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"'
    place = f'x="{6 * sizes.unit:g}" y="{-6 * sizes.unit:g}" font-size="{TITLE * sizes.unit:g}"'
    return f'<text {place} class="title"{fits}>{escape(title)}</text>'


def _sheet(style: str) -> str:
    """Return the board's style sheet with our rules, which apply to these pictures only."""
    sheets = {"light": _STUDY.format(*LIGHT), "dark": _STUDY.format(*DARK)}
    if style != "auto":
        return palette(style) + sheets[style]
    return f"{palette('auto')}{sheets['light']}@media(prefers-color-scheme:dark){{{sheets['dark']}}}"


def _men(view: View, spots: Spots, filling: Filling, under: Mapping[str, float], kind: str = "") -> Iterator[str]:
    """Draw who may stand where, on plates with these upper edges; of several on a square the likeliest."""
    for name, men in view.men.items():
        man = max(men, key=lambda each: each.probability)
        if name in spots and man.probability > LEAST:
            (x, y), edge = spots[name], under.get(name)
            place = FULL if edge is None else over_plate(edge)
            at = place._replace(x=x + place.x, y=y + place.y)
            yield filling.man(man, at, whole=edge is None, kind=kind)


def _heat(spots: Spots, name: str, share: float) -> Iterator[str]:
    if name in spots and share > LEAST:
        x, y = spots[name]
        place = f'x="{x:g}" y="{y:g}" width="{BOX:g}" height="{BOX:g}"'
        yield f'<rect {place} class="heat" fill-opacity="{0.12 + 0.63 * min(1.0, share):.3f}"/>'


def _figure(spots: Spots, name: str, value: float, told: Callable[[float], str], sizes: Sizes) -> Iterator[str]:
    """Draw the number on a plate."""
    if name in spots and _has_figure(value):
        x, y = spots[name]
        yield f'<g class="figure" transform="translate({x:g} {y:g})">{figure_plate(told(value), sizes)}</g>'


def _has_figure(value: float) -> bool:
    """Tell whether a number is worth a plate; a full 1 goes without saying."""
    return value > LEAST and abs(value - 1) > LEAST


def _amount(value: float) -> str:
    return f"{value:.2f}".removeprefix("0") if value >= 0.005 else "<.01"


def _node(centre: tuple[float, float], entropy: float, number: int, name: str) -> str:
    """Draw the shape of the register, as large as the entropy."""
    scale = (LARGEST / 4 + 0.75 * LARGEST * math.sqrt(min(1.0, entropy))) / NODE
    paint = look(number)
    which = paint.shape or 0
    if which == RING:
        ink = f'style="fill:none;stroke:{paint.colour}" stroke-width="{THICK}"'
    else:
        ink = f'fill="{paint.colour}" stroke-width="{3.3 / scale:.2f}"'
    where = f"translate({centre[0]:g} {centre[1]:g})scale({scale:.2f})"
    return (
        f'<path d="{PATHS[which]}" transform="{where}" class="node" {ink}>'
        f"<title>{escape(name)}: entropy {entropy:.4g} bits</title></path>"
    )


def _edge(start: tuple[float, float], end: tuple[float, float], strength: float, number: int, names: str) -> str:
    """Draw a curve beside the straight line, as wide as the link is strong."""
    middle = aside(start, end, 0.1)
    curve = f"M{start[0]:g} {start[1]:g}Q{middle[0]:.1f} {middle[1]:.1f} {end[0]:g} {end[1]:g}"
    share = min(1.0, strength)
    return (
        f'<path d="{curve}" fill="none" stroke="{look(number).colour}" stroke-linecap="round" '
        f'stroke-width="{1.3 + WIDEST * share:.2f}" stroke-opacity="{0.25 + 0.5 * share:.2f}">'
        f"<title>{escape(names)}: {strength:.4g}</title></path>"
    )
