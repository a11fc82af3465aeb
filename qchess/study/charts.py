"""Plain charts in the same style as the other plots: counts as bars, measured values as curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from qchess.circuits.errors import door
from qchess.study.paper import INK, SERIES, WIDE, Plot, figure, settings
from qchess.study.subject import StudyError

#: a series of values: x, and y
Curve = tuple[Sequence[float], Sequence[float]]
#: which axes may be logarithmic
AXES = ("", "x", "y", "xy")
MARKS = ("o", "s", "^", "D", "v")
#: line styles of the first five curves, of the next five, and so on: each with every colour
DASHES = ("-", "--", ":")


def _numbers(given: Any) -> bool:
    import numpy as np

    try:
        return np.asarray(given).dtype.kind in "iuf"
    except ValueError:  # lists of several lengths
        return False


def _curves(what: str, given: Any) -> Mapping[str, Curve]:
    """Return the curves by name, checked for equal lengths; an error says what came instead."""
    import numpy as np

    expected = f"expected {what} by name, each as two lists of as many numbers, such as {{'a3': ([0, 1], [0.5, 1])}}"
    if not isinstance(given, Mapping):
        raise StudyError(f"{expected}; got {given!r}")
    for name, curve in given.items():
        two = isinstance(curve, Sequence | np.ndarray) and len(curve) == 2 and all(map(_numbers, curve))
        if not two or np.shape(curve[0]) != np.shape(curve[1]) or np.ndim(curve[0]) != 1:
            raise StudyError(f"{expected}; got {name!r}: {curve!r}")
    return given


def counts(values: Mapping[str, float], *, title: str = "", label: str = "", log: bool = False) -> Plot:
    """Draw a bar for each name, with the number at its end."""
    if not isinstance(values, Mapping) or not _numbers(list(values.values()) or [0]):
        raise StudyError(f"expected a number for each name, such as {{'yes': 3, 'no': 5}}; got {values!r}")
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


@door
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
    """Draw values as lines and measured ones as points; `log` names the logarithmic axes: ``x``, ``y`` or ``xy``."""
    if not isinstance(high, Real) or not 0 < high < math.inf:
        raise StudyError(f"expected high as a number of inches; got {high!r}")
    lines, points = _curves("lines", lines), _curves("points", points or {})
    if log not in AXES:
        raise StudyError(f"expected logarithmic axes of x, y, xy; got {log!r}")
    with settings():
        picture = figure(high, WIDE * 0.8)
        axes = picture.subplots()
        for number, (name, (where, values)) in enumerate(lines.items()):
            again, place = divmod(number, len(SERIES))
            axes.plot(where, values, DASHES[again % len(DASHES)], color=SERIES[place], label=name, linewidth=1.6)
        for number, (name, (where, values)) in enumerate(points.items()):
            colour = SERIES[(number + len(lines)) % len(SERIES)] if len(points) > 1 else INK
            axes.plot(where, values, MARKS[number % len(MARKS)], color=colour, label=name, markersize=5)
        axes.set(title=title, xlabel=across, ylabel=up)
        axes.set(**{f"{axis}scale": "log" for axis in log})
        axes.grid()
        if len(lines) + len(points) > 1:
            axes.legend()
    return Plot(picture)
