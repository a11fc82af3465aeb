"""Pictures of states: density matrices as cities and Hinton diagrams, Schmidt weights, links turn by turn.

All are standalone SVG in the style of the other pictures; no plotting library is needed.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from qchess.circuits.operations import Qubit
from qchess.playing.game import Game
from qchess.showing.bars import bars, legend
from qchess.showing.bars import branches as branches_of
from qchess.showing.picture import Picture, several
from qchess.showing.svgparts import STYLES, phase_colour
from qchess.study.beside import beside
from qchess.study.boards import LEAST, entangled_board
from qchess.study.paper import DARK, LIGHT
from qchess.study.reduced import reduced, spectrum
from qchess.study.subject import StudyError, group, registers_of
from qchess.study.timeline import then

#: the most squares of a city and of a Hinton diagram
CITY, HINTON = 4, 5
#: sides of a cell and height of a tower of 1, in pixels; the part of a cell that a full square or a tower fills
CELL, TALL, SHARE = 26.0, 130.0, 0.86
#: the side of a cell when there are most
NARROW = 18.0
#: slope of a city's rows and columns: half a cell down for this many across
ACROSS = 0.866
LEFT, TOP, LOW = 14.0, 26.0, 42.0
LETTER = 6.6
Point = tuple[float, float]


def city(where: Any, *squares: Qubit, title: str = "", style: str = "auto") -> Picture:
    """Draw the density matrix of some squares as a city: a tower per entry, coloured by its phase.

    Rows run down to the left, columns down to the right, both from 0...0; a bit is 1 if the square is full.
    """
    entries, names = _entries(where, squares, CITY, "city")
    size, room = len(names), LETTER * len(squares) + 10
    half = ACROSS * CELL * size
    tall = TALL * max(map(abs, entries.values()))
    wide, high = 2 * (half + room + LEFT), TOP + tall + CELL * size + LOW + 14
    ground = wide / 2, TOP + tall
    edge = (_at(ground, x, y) for x, y in ((0, 0), (size, 0), (size, size), (0, size)))
    shapes = [f'<path class="floor" d="{_way(*edge)}"/>']
    for k in range(1, size):
        for start, end in (((k, 0), (k, size)), ((0, k), (size, k))):
            shapes.append(f'<path class="grid" d="{_way(_at(ground, *start), _at(ground, *end))}"/>')
    for k, name in enumerate(names):
        (x1, y1), (x2, y2) = _at(ground, size + 0.2, k + 0.5), _at(ground, k + 0.5, size + 0.2)
        shapes += [_text(x1, y1 + 8, name), _text(x2, y2 + 8, name, "end")]
    for x, y in sorted(entries, key=lambda spot: (sum(spot), spot)):
        shapes += _tower(ground, x, y, entries[x, y], f"{names[y]}, {names[x]}")
    return _picture("City", entries, names, squares, (wide, high), shapes, title, style)


def hinton(where: Any, *squares: Qubit, title: str = "", style: str = "auto") -> Picture:
    """Draw the density matrix of some squares as a Hinton diagram: a patch per entry, coloured by its phase.

    Rows and columns are named by bits, 1 if the square is full; a full patch is an entry of 1.
    """
    entries, names = _entries(where, squares, HINTON, "Hinton diagram")
    size, room = len(names), LETTER * len(squares) + 10
    left, top, cell = LEFT + room, TOP + room, CELL if len(squares) < HINTON else NARROW
    shapes = [f'<path class="floor" d="M{left:g} {top:g}h{cell * size:g}v{cell * size:g}h{-cell * size:g}z"/>']
    for k, name in enumerate(names):
        middle = cell * (k + 0.5)
        shapes.append(_text(left - 6, top + middle + 4, name, "end"))
        shapes.append(
            f'<text transform="translate({left + middle + 4:g} {top - 6:g}) rotate(-90)">{escape(name)}</text>'
        )
    for (x, y), value in entries.items():
        side = cell * SHARE * math.sqrt(min(1.0, abs(value)))
        shapes.append(
            f'<rect x="{left + cell * (x + 0.5) - side / 2:.2f}" y="{top + cell * (y + 0.5) - side / 2:.2f}" '
            f'width="{side:.2f}" height="{side:.2f}" fill="{_colour(value)}">'
            f"{_told(f'{names[y]}, {names[x]}', value)}</rect>"
        )
    return _picture(
        "Hinton diagram", entries, names, squares, (left + cell * size + LEFT, top + cell * size + LOW), shapes, title,
        style,
    )  # fmt: skip


def schmidt(where: Any, *squares: Qubit, title: str = "") -> Picture:
    """Draw the Schmidt weights of the cut between some squares and all others, largest first.

    A single bar of 1 means no entanglement; the number of bars is the bond of a matrix product state at this cut.
    """
    weights = [float(weight) for weight in spectrum(where, *squares) if weight > LEAST]
    bits = round(-math.fsum(weight * math.log2(weight) for weight in weights), 4)
    cut = f"{several(list(squares))} and the rest, {abs(bits):g} {'bit' if bits == 1 else 'bits'}"
    return bars({str(k): weight for k, weight in enumerate(weights, 1)}, title=title or f"Schmidt spectrum of {cut}")


def links_over_time(
    game: Game[Any, Any], *, most: int = 6, measure: str = "mutual_information", size: int = 240, style: str = "auto"
) -> Picture:
    """Draw the graph of `entangled_board` turn by turn.

    At most `most` of the turns that changed registers are shown, including the last.
    """
    if most < 1:
        raise StudyError(f"expected one turn or more, got most={most!r}")
    changed = [ply for ply, played in enumerate(game.history, 1) if _ties(played.before) != _ties(played.position)]
    turns = changed or [len(game.history)]
    if len(turns) > most:
        step = (len(turns) - 1) / max(1, most - 1)
        turns = [turns[len(turns) - 1 - round(k * step)] for k in range(most)][::-1]
    return beside(*(
        entangled_board(then(game, ply), measure=measure, size=size, style=style,
                        title=f"{ply}: {game.history[ply - 1].text}" if ply else "the start")
        for ply in turns
    ))  # fmt: skip


def branches(where: Any, *squares: Qubit) -> dict[str, complex]:
    """Return the amplitudes of the register of these squares, named by the full squares, for `bars`."""
    return branches_of(registers_of(where), *group(where, *squares, example='study.branches(game, "a3")'))


# -- shapes ------------------------------------------------------------------------------------------------


def _entries(
    where: Any, squares: Sequence[Qubit], most: int, what: str
) -> tuple[dict[tuple[int, int], complex], list[str]]:
    """Return the nonzero entries of the density matrix, by column and row, and the names of its rows."""
    if not 1 <= len(squares) <= most:
        raise StudyError(f"a {what} is drawn of 1 to {most} squares, got {len(squares)}")
    matrix = reduced(where, *squares)
    size = len(matrix)
    names = ["".join(str(key >> k & 1) for k in range(len(squares))) for key in range(size)]
    found = {(x, y): complex(matrix[y, x]) for y in range(size) for x in range(size) if abs(matrix[y, x]) > LEAST}
    return found, names


def _ties(position: Any) -> Any:
    """Return what distinguishes a position's picture from the last: its registers and their branches."""
    return tuple((register.qubits, register.branches) for register in registers_of(position).each)


def _picture(
    what: str, entries: dict[tuple[int, int], complex], names: list[str], squares: Sequence[Qubit],
    size: Point, shapes: list[str], title: str, style: str,
) -> Picture:  # fmt: skip
    if style not in STYLES:
        raise ValueError(f"a picture's style is one of {', '.join(STYLES)}, got {style!r}")
    head = title or f"density matrix of {', '.join(squares)}"
    wide, high = max(size[0], LEFT + LETTER * len(head), 250.0), size[1]
    least = (wide - size[0]) / 2
    largest = sorted(entries.items(), key=lambda entry: (-abs(entry[1]), entry[0][::-1]))
    each = several([f"{names[y]},{names[x]} {abs(value):.3g}" for (x, y), value in largest])
    return Picture("\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qstate" width="{wide:g}" height="{high:g}" '
        f'viewBox="0 0 {wide:g} {high:g}">',
        f"<style>{_sheet(style)}</style>",
        f'<rect class="paper" width="{wide:g}" height="{high:g}" rx="6"/>',
        _text(LEFT, 17, head), f'<g transform="translate({least:g} 0)">', *shapes, "</g>",
        _text(LEFT, high - 23, f"bits: {' '.join(squares)}, 1 is full"), legend(LEFT, high - 7), "</svg>",
    )), f"{what}, {head}: {each}.")  # fmt: skip


def _sheet(style: str) -> str:
    """Return the colours of a picture; the rules apply to this kind of picture only."""
    sheets = {
        name: f".qstate{{color:{ink}}}.qstate .paper{{fill:{paper}}}"
        for name, (ink, paper) in (("light", LIGHT[:2]), ("dark", DARK[:2]))
    }
    shapes = (
        ".qstate text{font:11px ui-sans-serif,Helvetica,Arial,sans-serif;fill:currentColor}"
        ".qstate .end{text-anchor:end}"
        ".qstate .floor{fill:currentColor;fill-opacity:.05;stroke:currentColor;stroke-opacity:.35}"
        ".qstate .grid{fill:none;stroke:currentColor;stroke-opacity:.12}.qstate .shade{fill:#000}"
    )
    if style != "auto":
        return sheets[style] + shapes
    return f"{sheets['light']}{shapes}@media(prefers-color-scheme:dark){{{sheets['dark']}}}"


def _tower(ground: Point, x: int, y: int, value: complex, name: str) -> Iterator[str]:
    """Draw the three visible sides of a tower, two of them shaded."""
    gap, up = (1 - SHARE) / 2, TALL * min(1.0, abs(value))
    corners = ((x + gap, y + gap), (x + 1 - gap, y + gap), (x + 1 - gap, y + 1 - gap), (x + gap, y + 1 - gap))
    _, right, front, left = low = [_at(ground, *corner) for corner in corners]
    high = [(across, down - up) for across, down in low]
    outline = _way(high[0], high[1], right, front, left, high[3])
    yield f'<g>{_told(name, value)}<path fill="{_colour(value)}" d="{outline}"/>'
    yield f'<path class="shade" fill-opacity=".16" d="{_way(high[1], high[2], front, right)}"/>'
    yield f'<path class="shade" fill-opacity=".34" d="{_way(high[2], high[3], left, front)}"/></g>'


def _at(ground: Point, x: float, y: float) -> Point:
    """Return the point of the picture for a place of the floor: columns go down right, rows down left."""
    return ground[0] + ACROSS * CELL * (x - y), ground[1] + CELL / 2 * (x + y)


def _way(*points: Point) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "z"


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{f" class={kind!r}" if kind else ""}>{escape(words)}</text>'


def _turn(value: complex) -> float:
    return round(cmath.phase(value) / (2 * math.pi), 6) % 1


def _colour(value: complex) -> str:
    return phase_colour(_turn(value))


def _told(name: str, value: complex) -> str:
    return f"<title>{escape(name)}: {abs(value):.4g}, phase {_turn(value):.3g} of a turn</title>"
