"""Pictures side by side, as one picture."""

from __future__ import annotations

import re
from typing import Any

from qchess.showing.picture import Picture, on_paper, size_of

#: pixels between two pictures, and the widest page: a notebook cuts off wider ones
GAP, WIDEST = 12.0, 780.0
_HEAD = re.compile(r"<svg\b[^>]*>")
_SIZE = re.compile(r'(width|height)="([\d.]+)(pt|px)?"')


def beside(*pictures: Any) -> Picture:
    """Put several pictures in a row, or in several rows if too wide; each needs an SVG form.

    >>> from qchess.showing.bars import bars
    >>> both = beside(bars({'yes': 0.5}), bars({'no': 0.5}))
    >>> both.svg.count('<svg')
    3
    """
    placed, x, y, deepest, widest = [], 0.0, 0.0, 0.0, 0.0
    for drawn in map(_svg, pictures):
        wide, high = size_of(drawn)
        if x and x + wide > WIDEST:
            x, y, deepest = 0.0, y + deepest + GAP, 0.0
        placed.append(_at(drawn, x, y, wide, high))
        x, deepest = x + wide + GAP, max(deepest, high)
        widest = max(widest, x - GAP)
    size = f'width="{widest:g}" height="{y + deepest:g}" viewBox="0 0 {widest:g} {y + deepest:g}"'
    return Picture("\n".join((f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *placed, "</svg>")), _about(pictures))


def _about(pictures: tuple[Any, ...]) -> str:
    told = [getattr(picture, "about", repr(picture)).rstrip(".") for picture in pictures]
    return f"{len(told)} {'picture' if len(told) == 1 else 'pictures'}. {'. '.join(told)}."


def _svg(picture: Any) -> str:
    text: str = picture._repr_svg_()
    return on_paper(text[text.index("<svg") :])


def _at(drawn: str, x: float, y: float, wide: float, high: float) -> str:
    """Return the picture at a place of a larger one."""
    head = _HEAD.match(drawn)
    assert head is not None, "a picture begins with its svg element"
    tag = _SIZE.sub("", head.group()).replace("<svg", f'<svg x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"', 1)
    return tag + drawn[head.end() :]
