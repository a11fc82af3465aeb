"""Matplotlib figures that read well on light and dark pages.

A plot is drawn once, in the ink of a light page. In SVG its colours become variables of an internal style sheet, which
follows the reader's theme and draws its own background, so it does not depend on the page around it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from qchess.errors import MissingExtraError
from qchess.showing.picture import ZOOM, Bundle, bundle, labelled, several, show
from qchess.showing.svgparts import STYLES

#: ink, paper and the colours of series, on light and dark pages
LIGHT = ("#26313b", "#ffffff", "#1f5fa8", "#c8641e", "#1d8f83", "#7b54c9", "#b0226b")
DARK = ("#e6ecf1", "#1b232b", "#74b4f2", "#f2a763", "#4fcdbc", "#b7a0f4", "#f08bbd")
INK, PAPER, *SERIES = LIGHT
#: about the width of a page of text
WIDE = 7.4
_SETTINGS: Any = {
    "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.titlecolor": INK, "legend.labelcolor": INK, "legend.frameon": False, "grid.color": INK, "grid.alpha": 0.14,
    "axes.titlesize": 10, "axes.labelsize": 9, "xtick.labelsize": 8, "ytick.labelsize": 8, "legend.fontsize": 8,
    "axes.titlelocation": "left", "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "font.family": "DejaVu Sans", "svg.fonttype": "none", "svg.hashsalt": "qchess", "figure.dpi": 72,
}  # fmt: skip


class Plot:
    """A plot that a notebook displays: `save` writes SVG, PNG or PDF, and ``figure`` is the matplotlib figure."""

    def __init__(self, figure: Any) -> None:
        self.figure = figure

    @property
    def axes(self) -> Sequence[Any]:
        """Return the axes of the figure, to add to it; do so within `settings`."""
        axes: Sequence[Any] = self.figure.axes
        return axes

    def svg(self, style: str = "auto") -> str:
        """Return the plot as SVG text; ``auto`` follows the reader's theme, ``light`` and ``dark`` are fixed."""
        if style not in STYLES:
            raise ValueError(f"a picture's style is one of {', '.join(STYLES)}, got {style!r}")
        sheet = io.StringIO()
        with settings():
            self.figure.savefig(sheet, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        return labelled(_themed(sheet.getvalue(), style), self.about)

    def save(self, path: str | Path, style: str = "light") -> Path:
        """Write the plot to a file; the extension gives the format."""
        path = Path(path)
        if path.suffix == ".svg":
            path.write_text(self.svg(style), encoding="utf-8")
        elif style == "light":
            with settings():
                self.figure.savefig(path, facecolor=PAPER, dpi=144)
        else:
            raise ValueError(f"in the style {style!r} a plot is written as .svg, got {path.name!r}")
        return path

    def png(self, dpi: int = 144) -> bytes:
        """Return the plot as PNG, on white paper."""
        sheet = io.BytesIO()
        with settings():
            self.figure.savefig(sheet, format="png", facecolor=PAPER, dpi=dpi)
        return sheet.getvalue()

    def show(self) -> None:
        """Show the plot: in a notebook below its cell, elsewhere in the browser."""
        show(self, self.svg())

    @property
    def about(self) -> str:
        """Return the plot in a sentence: its title, its axes, the names of its lines and the values of few bars."""
        said = [self.figure.get_suptitle(), *map(_said, self.axes)]
        return f"Plot: {'; '.join(filter(None, said)) or 'untitled'}."

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_mimebundle_(self, **_: Any) -> Bundle:
        return bundle(self.svg(), self.about, self.png(round(96 * ZOOM)))

    def __repr__(self) -> str:
        return self.about


def _said(axes: Any) -> str:
    """Return one part of a plot in words."""
    up, across = axes.get_ylabel(), axes.get_xlabel()
    labels = [label for label in axes.get_legend_handles_labels()[1] if not label.startswith("_")]
    said = [axes.get_title("left") or axes.get_title(), f"{up} over {across}" if up and across else up or across]
    said += [f"with {several(labels)}"] if labels else []
    for bars in axes.containers:
        sideways = bars.orientation == "horizontal"
        names = [tick.get_text() for tick in (axes.get_yticklabels() if sideways else axes.get_xticklabels())]
        if len(names) == len(bars):
            each = zip(names, (bar.get_width() if sideways else bar.get_height() for bar in bars), strict=True)
            said.append(several([f"{name} {value:.4g}" for name, value in each]))
    return ", ".join(filter(None, said))


def settings() -> Any:
    """Return a context with matplotlib's settings for our plots; nothing is changed outside of it."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise MissingExtraError("plots need matplotlib; install it with: pip install 'qchess[viz]'") from error
    return mpl.rc_context(_SETTINGS)


def figure(high: float, wide: float = WIDE) -> Any:
    """Return an empty figure of this size in inches; it belongs to no window."""
    from matplotlib.figure import Figure

    return Figure(figsize=(wide, high), layout="constrained")


def _themed(drawn: str, style: str) -> str:
    """Return matplotlib's SVG with colours from a style sheet, on paper of its own."""
    body = re.sub(r"<metadata>.*?</metadata>", "", drawn[drawn.index("<svg") :], flags=re.DOTALL)
    for number, (light, dark) in enumerate(zip(LIGHT, DARK, strict=True)):
        fixed = {"light": light, "dark": dark}.get(style)
        body = body.replace(light, fixed or f"var(--q{number})")
    head = re.match(r"<svg[^>]*>", body)
    assert head is not None, "matplotlib begins a picture with its svg element"
    tag = head.group().replace("<svg", '<svg class="qplot"', 1)
    paper = {"light": LIGHT[1], "dark": DARK[1]}.get(style, "var(--q1)")
    sheet = f"<style>{_sheet()}</style>" if style == "auto" else ""
    return f'{tag}{sheet}<rect width="100%" height="100%" rx="6" style="fill:{paper}"/>{body[head.end() :]}'


def _sheet() -> str:
    light, dark = (
        "".join(f"--q{number}:{colour};" for number, colour in enumerate(colours)) for colours in (LIGHT, DARK)
    )
    return f".qplot{{{light}}}@media(prefers-color-scheme:dark){{.qplot{{{dark}}}}}"
