"""Plain charts in the same dress as the other plots: counts as bars, measured values as curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qchess.study.paper import INK, SERIES, WIDE, Plot, figure, settings

#: a series of values: where, and how much
Curve = tuple[Sequence[float], Sequence[float]]
MARKS = ("o", "s", "^", "D", "v")
#: the lines of the first five curves, of the next five, and so on: each colour once
DASHES = ("-", "--", ":")


def counts(values: Mapping[str, float], *, title: str = "", label: str = "", log: bool = False) -> Plot:
    """A bar for each name, the number at its end."""
    with settings():
        picture = figure(0.75 + 0.27 * len(values), WIDE * 0.72)
        axes = picture.subplots()
        axes.barh(range(len(values)), list(values.values()), color=SERIES[0], height=0.62)
        axes.set_yticks(range(len(values)), list(values))
        axes.invert_yaxis()
        for row, value in enumerate(values.values()):
            axes.annotate(
                f"{value:,.6g}", (value, row), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8
            )
        axes.margins(x=0.14)
        axes.set(title=title, xlabel=label)
        if log:
            axes.set_xscale("log")
        axes.grid(axis="x")
    return Plot(picture)


def curves(
    lines: Mapping[str, Curve],
    points: Mapping[str, Curve] | None = None,
    *,
    title: str = "",
    across: str = "",
    up: str = "",
    log: str = "",
    high: float = 3.0,
) -> Plot:
    """Values as lines, and measured ones as points; `log` names the logarithmic axes: ``x``, ``y`` or ``xy``."""
    with settings():
        picture = figure(high, WIDE * 0.8)
        axes = picture.subplots()
        for number, (name, (where, values)) in enumerate(lines.items()):
            again, place = divmod(number, len(SERIES))
            axes.plot(where, values, DASHES[again % len(DASHES)], color=SERIES[place], label=name, linewidth=1.6)
        for number, (name, (where, values)) in enumerate((points or {}).items()):
            colour = SERIES[(number + len(lines)) % len(SERIES)] if len(points or {}) > 1 else INK
            axes.plot(where, values, MARKS[number % len(MARKS)], color=colour, label=name, markersize=5)
        axes.set(title=title, xlabel=across, ylabel=up)
        axes.set(**{f"{axis}scale": "log" for axis in log})
        axes.grid()
        if len(lines) + len(points or {}) > 1:
            axes.legend()
    return Plot(picture)
