"""Pictures for notebooks: as SVG, as pixels, and in words.

An untrusted notebook shows no SVG, so pixels are added if the package resvg-py is installed.
"""

from __future__ import annotations

import base64
import re
import sys
import tempfile
import webbrowser
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from qchess.showing import pixels
from qchess.showing.view import View
from qchess.wording import percent

#: output pixels per pixel of the picture, and the number of colours
ZOOM, KEPT = 1.25, 64
#: how many things are listed before the rest is only counted
SAID = 12
Bundle = tuple[dict[str, Any], dict[str, Any]]


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """An SVG picture with a one-sentence description."""

    svg: str
    about: str = "A picture."

    def __post_init__(self) -> None:
        object.__setattr__(self, "svg", labelled(self.svg, self.about))

    def png(self, width: int | None = None) -> bytes:
        """Return the picture as PNG, on white paper; needs the extra ``png``."""
        return pixels.png(plain(self.svg), width or round(2 * size_of(self.svg)[0]))

    def save(self, path: str | Path) -> Path:
        """Write the picture to a file that ends with ``.svg`` or ``.png``."""
        path = Path(path)
        if path.suffix == ".svg":
            path.write_text(self.svg, encoding="utf-8")
        elif path.suffix == ".png":
            path.write_bytes(self.png())
        else:
            raise ValueError(f"a picture is saved as .svg or .png, got {path.name!r}")
        return path

    def show(self) -> None:
        """Show the picture: in a notebook below its cell, elsewhere in the browser."""
        show(self, self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_mimebundle_(self, **_: Any) -> Bundle:
        return bundle(self.svg, self.about)

    def __repr__(self) -> str:
        return self.about


def bundle(svg: str, about: str, png: bytes | None = None) -> Bundle:
    """Return what a notebook needs of a picture, by mime type, and how to show it; `png` if already made."""
    svg = on_paper(labelled(svg, about))
    told: dict[str, Any] = {"image/svg+xml": svg, "text/plain": about}
    wide, high = map(round, size_of(svg))
    if png is None and pixels.available():
        png = pixels.png(plain(svg), round(ZOOM * wide))
    if png is not None:
        told["image/png"] = base64.b64encode(pixels.small(png, KEPT)).decode()
    return told, {"image/png": {"width": wide, "height": high, "alt": about}, "image/svg+xml": {"alt": about}}


def show(picture: Any, svg: str) -> None:
    """Show a picture in the notebook, or as a file in the browser."""
    if "ipykernel" in sys.modules:
        from IPython.display import display

        display(picture)  # type: ignore[no-untyped-call]
        return
    with tempfile.NamedTemporaryFile("w", suffix=".svg", delete=False, encoding="utf-8") as file:
        file.write(svg)
    webbrowser.open(Path(file.name).as_uri())


def labelled(svg: str, about: str) -> str:
    """Return the picture with its description in its first tag, for those who cannot see it."""
    start = svg.index("<svg")
    head = svg[start : svg.index(">", start)]
    if "aria-label=" in head:
        return svg
    role = "" if "role=" in head else ' role="img"'
    label = f'{role} aria-label="{escape(about)}"'
    return svg[: start + len(head)] + label + svg[start + len(head) :]


#: pictures without background: a web page has one, a notebook's may not suit their ink
BARE = re.compile(r'<svg\b[^>]*class="(?:qb|qchess-circuit)"[^>]*>')
_PAPER = "<style>.qpaper{fill:#fff}@media(prefers-color-scheme:dark){.qpaper{fill:#1b232b}}</style>"


def on_paper(svg: str) -> str:
    """Return the picture on light or dark paper, by the reader's theme; unchanged if it has its own."""
    head = BARE.match(svg)
    if head is None:
        return svg
    x, y, wide, high = re.findall(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', head[0])[0]
    sheet = f'{_PAPER}<rect class="qpaper" x="{x}" y="{y}" width="{wide}" height="{high}" rx="6"/>'
    return svg[: head.end()] + sheet + svg[head.end() :]


#: a number with its unit; the size of a point in pixels
_SIZE = re.compile(r'\b(width|height)="([\d.]+)(pt|px)?"')
POINT = 4 / 3


def _pixels(unit: str) -> float:
    """Return a unit of length in pixels."""
    return POINT if unit == "pt" else 1.0


def size_of(svg: str) -> tuple[float, float]:
    """Return width and height in pixels, from the picture's first tag."""
    start = svg.index("<svg")
    found = {
        name: float(number) * _pixels(unit) for name, number, unit in _SIZE.findall(svg[start : svg.index(">", start)])
    }
    return found["width"], found["height"]


def plain(svg: str) -> str:
    """Return the picture for a light page, its size in pixels, with the variables of its style sheet replaced."""
    start = svg.index("<svg")
    end = svg.index(">", start)
    head = _SIZE.sub(lambda found: f'{found[1]}="{float(found[2]) * _pixels(found[3]):g}"', svg[start:end])
    svg = svg[:start] + head + svg[end:]
    values: dict[str, str] = {}
    for name, value in re.findall(r"(--[\w-]+):([^;}]+)", svg):
        values.setdefault(name, value)
    return re.sub(r"var\((--[\w-]+)\)", lambda found: values.get(found[1], found[0]), svg)


def several(things: list[str]) -> str:
    """Return a list in words: the first items, and how many more there are."""
    more = len(things) - SAID
    return ", ".join(things[:SAID]) + (f" and {more} more" if more > 0 else "")


def occupied(view: View) -> str:
    """Return the probability that each uncertain square is occupied, in words; or what stands on the others."""
    odds = {name: sum(man.probability for man in men) for name, men in view.men.items()}
    each = [f"{name} {percent(p)}" for name, p in sorted(odds.items()) if p < 1 - 1e-9]
    if each:
        return f"open squares: {several(each)}"
    kinds = [name for name, men in sorted(view.men.items()) if len(men) > 1]
    return f"squares with a piece of open type: {several(kinds)}" if kinds else "every square is certain"
