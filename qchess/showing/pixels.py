"""Pictures in pixels, made of SVG by a small library that is installed for this alone."""

from __future__ import annotations

from importlib import import_module

from qchess.errors import MissingExtraError

#: what a picture in pixels is painted on, by its style
PAPER = {"auto": "#ffffff", "light": "#ffffff", "dark": "#111820"}


def png(drawing: str, size: int, style: str = "light") -> bytes:
    """An SVG picture as a PNG, so many pixels wide."""
    try:
        resvg = import_module("resvg_py")
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "a PNG needs the package resvg-py, which turns SVG into pixels: pip install 'qchess[png]'; "
            "an SVG needs nothing, and browsers and office programs show it"
        ) from error
    return bytes(resvg.svg_to_bytes(svg_string=drawing, width=size, background=PAPER[style]))
