"""Convert SVG to pixels, with a small library installed for this alone."""

from __future__ import annotations

import io
from importlib import import_module
from importlib.util import find_spec

from qchess.errors import MissingExtraError

#: the background of a PNG, by style
PAPER = {"auto": "#ffffff", "light": "#ffffff", "dark": "#111820"}


def png(drawing: str, size: int, style: str = "light") -> bytes:
    """Return an SVG picture as a PNG, `size` pixels wide."""
    try:
        resvg = import_module("resvg_py")
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "a PNG needs the package resvg-py, to turn SVG into pixels: pip install 'qchess[png]'; "
            "an SVG needs nothing, and browsers and office programs show it"
        ) from error
    return bytes(resvg.svg_to_bytes(svg_string=drawing, width=size, background=PAPER[style]))


def available() -> bool:
    """Tell whether the package for pixels is installed."""
    return find_spec("resvg_py") is not None


def small(data: bytes, colours: int) -> bytes:
    """Return a PNG reduced to this many colours, a third of its size; unchanged without Pillow."""
    try:
        from PIL import Image
    except ModuleNotFoundError:
        return data
    packed = io.BytesIO()
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    picture.quantize(colours, Image.Quantize.FASTOCTREE).save(packed, "png", optimize=True)
    return min(data, packed.getvalue(), key=len)
