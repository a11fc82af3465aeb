"""Amplitudes and probabilities as a picture: a bar each, its height the probability, its colour the phase.

>>> from qchess.circuits import Registers, split
>>> from qchess import backends
>>> board = Registers(backends.engine('sparse'), full=['b1']).run(split('b1', 'a3', 'c3')).registers
>>> sorted(branches(board, 'a3', 'c3'))
['a3', 'c3']
>>> bars(branches(board, 'a3', 'c3')).svg.startswith('<svg')
True
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from html import escape

from qchess.circuits.registers import Registers
from qchess.showing.picture import Picture, several
from qchess.showing.svgparts import phase_colour
from qchess.wording import percent

#: the height of a bar of probability one, the room of one bar, and of the texts around them
HIGH, WIDE, LEFT, TOP, BELOW = 120.0, 46.0, 34.0, 18.0, 34.0
#: the approximate width of a letter of the title
LETTER = 5.4
#: the legend of the phases, the place of the first, and their distance
PHASES, FIRST, APART = ((0.0, "0"), (0.25, "¼"), (0.5, "½"), (0.75, "¾")), 92.0, 30.0
#: the most bars drawn; if there are more, the likeliest
MOST = 40
#: the colour of what has no phase
PLAIN = "#d0742a"
_STYLE = (
    "<style>.qbars{color:#26313b}.qbars .paper{fill:#fff}"
    ".qbars text{font:11px ui-sans-serif,Helvetica,Arial,sans-serif;fill:currentColor}"
    ".qbars .mid{text-anchor:middle}.qbars .end{text-anchor:end}.qbars .axis{stroke:currentColor;stroke-opacity:.5}"
    ".qbars .grid{stroke:currentColor;stroke-opacity:.15}.qbars .dot{fill:none;stroke:currentColor;stroke-width:1.6}"
    "@media(prefers-color-scheme:dark){.qbars{color:#eef2f5}.qbars .paper{fill:#1b232b}}</style>"
)


def branches(registers: Registers, *squares: str) -> dict[str, complex]:
    """Return the amplitudes of the register of these squares, keyed by the full squares."""
    held = registers.register(squares[0])
    if held is None:
        raise ValueError(f"{squares[0]!r} is certain: it has no amplitudes of its own")
    order = [*squares, *(qubit for qubit in held.qubits if qubit not in squares)]
    found = held.amplitudes(order)
    return {_name(key, order): amplitude for key, amplitude in sorted(found.items())}


def _name(key: int, order: list[str]) -> str:
    return " ".join(square for k, square in enumerate(order) if key >> k & 1) or "none"


def bars(values: Mapping[str, complex | float], dots: Mapping[str, float] | None = None, *, title: str = "") -> Picture:
    """Draw a bar for each value: probabilities as they are, amplitudes as their squares in the colour of their phase.

    `dots` are frequencies beside the probabilities, drawn as circles.
    """
    shown = dict(sorted(values.items(), key=lambda item: -_height(item[1]))[:MOST]) if len(values) > MOST else values
    has_phase = any(isinstance(value, complex) for value in shown.values())
    words = LEFT + FIRST + APART * len(PHASES) if has_phase else 0.0
    width = max(LEFT + WIDE * len(shown) + 12, LEFT + LETTER * len(title) + 8, words)
    high = TOP + HIGH + BELOW + (16 if has_phase else 0)
    shapes = [f'<path class="paper" d="M0 0H{width:g}V{high:g}H0z"/>', *_frame(width, title)]
    for number, (name, value) in enumerate(shown.items()):
        shapes += _bar(LEFT + WIDE * (number + 0.5), name, value, (dots or {}).get(name))
    if has_phase:
        shapes.append(legend(LEFT, high - 6))
    size = f'width="{width:g}" height="{high:g}" viewBox="0 0 {width:g} {high:g}"'
    return Picture("\n".join(
        (f'<svg xmlns="http://www.w3.org/2000/svg" class="qbars" {size}>', _STYLE, *shapes, "</svg>")
    ), _about(shown, dots or {}, title))  # fmt: skip


def _about(values: Mapping[str, complex | float], dots: Mapping[str, float], title: str) -> str:
    """Return the picture in a sentence."""
    beside = {name: f", seen {percent(dots[name], 1)}" for name in values if name in dots}
    each = [f"{name} {percent(_height(value), 1)}{beside.get(name, '')}" for name, value in values.items()]
    return f"Bars{f', {title}' if title else ''}: {several(each)}."


def _height(value: complex | float) -> float:
    return abs(value) ** 2 if isinstance(value, complex) else float(value)


def _frame(width: float, title: str) -> list[str]:
    """Draw the axis with its lines at 0, one half and 1, and the title."""
    shapes = [f'<text x="{LEFT:g}" y="11">{escape(title)}</text>'] if title else []
    for share, label in ((0.0, "0"), (0.5, "50%"), (1.0, "100%")):
        y = TOP + HIGH * (1 - share)
        kind = "axis" if share == 0 else "grid"
        shapes.append(f'<path class="{kind}" d="M{LEFT:g} {y:g}H{width - 8:g}"/>')
        shapes.append(f'<text class="end" x="{LEFT - 6:g}" y="{y + 4:g}">{label}</text>')
    return shapes


def _bar(x: float, name: str, value: complex | float, dot: float | None) -> list[str]:
    p = _height(value)
    colour = PLAIN
    told = f"{name}: {percent(p, 1)}"
    if isinstance(value, complex):
        turn = cmath.phase(value) / (2 * math.pi) % 1
        colour, told = phase_colour(round(turn, 6)), f"{told}, phase {round(turn, 6) % 1:.3g} of a turn"
    high = HIGH * min(1.0, p)
    shapes = [f'<rect x="{x - WIDE * 0.32:.1f}" y="{TOP + HIGH - high:.2f}" width="{WIDE * 0.64:.1f}" '
              f'height="{high:.2f}" fill="{colour}"><title>{escape(told)}</title></rect>']  # fmt: skip
    words = name.split(" ")
    lines = [name] if len(name) <= 6 else [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]
    shapes += [f'<text class="mid" x="{x:g}" y="{TOP + HIGH + 13 * (k + 1):g}">{escape(line)}</text>'
               for k, line in enumerate(lines)]  # fmt: skip
    if dot is not None:
        shapes.append(f'<circle class="dot" cx="{x:g}" cy="{TOP + HIGH * (1 - dot):.2f}" r="4"/>')
    return shapes


def legend(left: float, y: float) -> str:
    """Draw the colours of the phases in one line."""
    parts = [f'<text x="{left:g}" y="{y:g}">phase, in turns:</text>']
    for number, (phase, label) in enumerate(PHASES):
        x = left + FIRST + APART * number
        parts.append(f'<circle cx="{x:g}" cy="{y - 4:g}" r="4.5" fill="{phase_colour(phase)}"/>')
        parts.append(f'<text x="{x + 8:g}" y="{y:g}">{label}</text>')
    return "".join(parts)
