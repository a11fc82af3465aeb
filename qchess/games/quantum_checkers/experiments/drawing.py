"""Shared by the plots: a figure without a screen, saved as PNG and SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qchess.errors import MissingExtraError

#: a colour for each level, distinct for colour-blind readers (Okabe and Ito)
COLOURS = ("#000000", "#0072B2", "#009E73", "#D55E00")
MARKERS = ("o", "s", "^", "D")


def figure(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, Any]:
    """Return a figure and its grid of panels."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("plots need matplotlib: pip install 'qchess[viz]'") from error
    made = Figure(figsize=size, layout="constrained")
    return made, made.subplots(rows, columns, squeeze=False)


def save(made: Any, path: Path) -> list[Path]:
    """Write the figure as PNG and as SVG, the same bytes for the same figure."""
    import matplotlib as mpl

    files = [path.with_suffix(".png"), path.with_suffix(".svg")]
    with mpl.rc_context({"svg.hashsalt": "qchess"}):
        made.savefig(files[0], dpi=150, metadata={"Software": None})
        made.savefig(files[1], metadata={"Date": None, "Creator": None})
    return files
