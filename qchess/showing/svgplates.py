"""The plate under a man: the shape of its register, or the dial of its phase, and its odds in percent.

Lengths are hundredths of a square's side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from qchess.circuits.precision import SAME
from qchess.showing.registers import INK, PLAIN, Look
from qchess.showing.svgparts import BOX, Sizes
from qchess.showing.svgpieces import likeliest
from qchess.showing.view import Man
from qchess.wording import percent

SHEET = (
    ".qb .plate rect{stroke:#14181d;stroke-opacity:.9}.qb .plate text{text-anchor:middle;font-weight:700;fill:#14181d}"
    ".qb .plate.white text{fill:#fff}"
)


def open_percent(probability: float) -> str:
    """Return the odds of what is uncertain: never 0% or 100%."""
    return percent(max(probability, 2 * SAME))


def plate(look: Look, man: Man, sizes: Sizes, *, shaped: bool, phases: bool) -> str:
    """Draw the plate of a single man; `phases` puts a dial in the place of the shape."""
    font, text = sizes.font, open_percent(man.probability)
    phase = man.phase if phases else None
    room = 1.13 if phase is not None else 0.8 if shaped and look.shape is not None else 0.0
    width = (_wide(text) + 0.82 + room) * font
    left, middle = (BOX - width) / 2, sizes.edge + 0.71 * font
    mark = ""
    if phase is not None:
        mark = dial(phase, left + 0.86 * font, middle, 0.52 * font)
    elif room:
        mark = look.drawn(left + 0.73 * font, middle, font)
    words = _figure(text, left + (room + 0.41 + _wide(text) / 2) * font, middle, font)
    return _plate(look, left, sizes.edge, width, font, sizes, mark + words)


def shared_plate(look: Look, men: Sequence[Man], sizes: Sizes) -> str:
    """Draw the plate of several men: the odds of two, or those of the likeliest and how many more there are."""
    first, second = (open_percent(man.probability) for man in likeliest(men)[:2])
    ends = 1.24 if len(men) > 2 else _wide(second)
    font = min(0.95 * sizes.font, 97 / (_wide(first) + ends + 1.4))
    left, right = _wide(first) * font, ends * font
    width = left + right + 1.4 * font
    x, top = (BOX - width) / 2, BOX - 2.2 * sizes.unit - 1.42 * font
    line, middle = x + left + 0.7 * font, top + 0.71 * font
    at = line + 0.29 * font + right / 2
    more = _words(f"+{len(men) - 1}", at, middle, font) if len(men) > 2 else _figure(second, at, middle, font)
    way = f"M{line:.2f} {top + 0.26 * font:.2f}v{0.9 * font:.2f}"
    between = f'<path d="{way}" stroke="{look.ink}" stroke-width="{0.1 * font:.2f}"/>'
    inside = between + _figure(first, x + 0.41 * font + left / 2, middle, font) + more
    return _plate(look, x, top, width, font, sizes, inside)


def figure_plate(text: str, sizes: Sizes) -> str:
    """Draw a plate with any short text, of no register."""
    font = sizes.font
    wide, middle = _wide(text) * font, sizes.edge + 0.71 * font
    words = _figure if text.endswith("%") else _words
    left = (BOX - wide) / 2 - 0.41 * font
    return _plate(PLAIN, left, sizes.edge, wide + 0.82 * font, font, sizes, words(text, BOX / 2, middle, font))


def dial(phase: float, x: float, y: float, radius: float) -> str:
    """Draw a dial whose hand is the phase in turns: up for none, right for a quarter turn."""
    turn, inner = phase % 1, 0.98 * radius
    end = f"{x + inner * math.sin(math.tau * turn):.2f} {y - inner * math.cos(math.tau * turn):.2f}"
    wedge = ""
    if 1e-3 < turn < 1 - 1e-3:
        arc = f"M{x:.2f} {y:.2f}V{y - inner:.2f}A{inner:.2f} {inner:.2f} 0 {int(turn > 0.5)} 1 {end}Z"
        wedge = f'<path d="{arc}" fill="{INK}" fill-opacity=".28"/>'
    return (
        f'<g class="dial"><circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="#fff" stroke="{INK}" '
        f'stroke-width="{0.2 * radius:.2f}"/>{wedge}<path d="M{x:.2f} {y:.2f}L{end}" stroke="{INK}" '
        f'stroke-width="{0.38 * radius:.2f}" stroke-linecap="round"/></g>'
    )


def _plate(look: Look, x: float, y: float, width: float, font: float, sizes: Sizes, inside: str) -> str:
    high, edge = 1.42 * font, 1.6 * sizes.unit
    kind = "plate" if look.ink == INK else "plate white"
    return (
        f'<g class="{kind}" fill="{look.colour}"><rect x="{x:.2f}" y="{y:.2f}" '
        f'width="{width:.2f}" height="{high:.2f}" rx="{high / 2:.2f}" stroke-width="{edge:.2f}"/>{inside}</g>'
    )


def _wide(text: str) -> float:
    """Return about how wide a percentage is, as a part of its size."""
    return 0.62 * (len(text) - 1) + 0.7


def _figure(text: str, x: float, middle: float, font: float) -> str:
    """Draw a percentage with a small sign."""
    sign = f'<tspan font-size="{0.74 * font:.2f}">%</tspan>'
    return _words(text[:-1], x, middle, font, sign)


def _words(text: str, x: float, middle: float, font: float, after: str = "") -> str:
    y = middle + 0.36 * font
    return f'<text x="{x:.2f}" y="{y:.2f}" font-size="{font:.2f}">{escape(text)}{after}</text>'
