"""The pictures of a report, as SVG text: drawn in the colour of the text around them, so that they suit light and dark.

Simulators keep their colour and mark from picture to picture; ours are drawn thicker.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from io import StringIO
from typing import Any

from qchess.bench.report.findings import Crossover, errors, profile, wins
from qchess.bench.report.rows import CLASSES, OURS, Row, simulators
from qchess.errors import MissingExtraError

#: stands for the colour of the text until the picture is written
INK = "#0a0b0c"
#: colours of about equal lightness, told apart on white and on black, and also by those who see few colours
COLOURS = ("#e0662f", "#2f7fd6", "#2a9d6f", "#b0489e", "#8a7a1f", "#d6455d", "#4b8f9c", "#7d67d8", "#9a6a4a",
           "#777777", "#c98a1b", "#5f8f2f")  # fmt: skip
MARKS = "osD^vPX*<>hd"
#: from where to where others found a tie with qsim
KNOWN_TIE = (0.17, 0.19)

Draw = Callable[[Any], None]
#: colour and mark of each simulator
Look = Mapping[str, Mapping[str, Any]]


def pictures(found: Sequence[Row], crossings: Sequence[Crossover]) -> dict[str, str]:
    """Every picture by its name."""
    exact = [row for row in found if row.kind in ("exact", "single", "tableau")]
    look = {
        name: {"color": COLOURS[k % len(COLOURS)], "marker": MARKS[k % len(MARKS)]}
        for k, name in enumerate(simulators(found))
    }
    return {
        "branches": figure(lambda axes: against(axes, exact, "peak", "peak branches", look), 7.2, 4.6),
        "qubits": figure(lambda axes: against(axes, exact, "wires", "wires", look), 7.2, 4.6),
        "profile": figure(lambda axes: profiles(axes, found, "exact", look), 7.2, 4.2),
        "profile-approximate": figure(lambda axes: profiles(axes, found, "approximate", look), 7.2, 3.2),
        "wins": figure(lambda axes: where(axes, found, look), 7.2, 5.6),
        "memory": figure(lambda axes: memory(axes, exact, look), 7.2, 4.4),
        "errors": figure(lambda axes: worst_errors(axes, found, look), 7.2, 3.6),
        "crossover": figure(lambda axes: crossovers(axes, crossings), 7.2, 4.6),
    }


def figure(draw: Draw, wide: float, high: float) -> str:
    """One picture as SVG."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError("pictures need matplotlib; install it with: pip install 'qchess[viz]'")
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    coloured = ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color")
    style: Any = {**dict.fromkeys(coloured, INK), "svg.fonttype": "none", "svg.hashsalt": "qchess", "font.size": 9,
             "axes.spines.top": False, "axes.spines.right": False,
             "legend.frameon": False, "legend.fontsize": 8}  # fmt: skip
    with mpl.rc_context(style):
        drawn = Figure(figsize=(wide, high), layout="constrained")
        drawn.patch.set_alpha(0)
        axes = drawn.add_subplot()
        axes.patch.set_alpha(0)
        draw(axes)
        text = StringIO()
        canvas: Any = FigureCanvasSVG(drawn)
        canvas.print_svg(text, metadata={"Date": None, "Creator": None})
    whole = text.getvalue()
    return whole[whole.index("<svg") :].replace(INK, "currentColor").replace("sans-serif", "system-ui, sans-serif")


def against(axes: Any, found: Sequence[Row], field: str, label: str, look: Look) -> None:
    """The time of each run against a number of its case, with the median of each simulator as a line."""
    log = field == "peak"
    for name in simulators(found):
        points = [(getattr(row, field), row.seconds * 1e3) for row in found if row.simulator == name and row.seconds]
        if not points:
            continue
        axes.plot(*zip(*points, strict=True), linestyle="", markersize=3, alpha=0.45, **look[name])
        axes.plot(*_medians(points, log=log), label=name, color=look[name]["color"], **_line(name, look))
    axes.set_yscale("log")
    if log:
        axes.set_xscale("log")
    axes.set_xlabel(label)
    axes.set_ylabel("ms to the state")
    _legend(axes)


def _medians(points: Sequence[tuple[float, float]], *, log: bool) -> tuple[list[float], list[float]]:
    """The median time of the cases in each half decade, or of each two wires."""
    bins: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for x, y in points:
        bins[round(2 * math.log10(x)) if log else int(x) // 2].append((x, y))
    middle = [sorted(group, key=lambda point: point[1])[len(group) // 2][1] for _, group in sorted(bins.items())]
    places = [
        math.exp(sum(math.log(x) for x, _ in group) / len(group)) if log else sum(x for x, _ in group) / len(group)
        for _, group in sorted(bins.items())
    ]
    return places, middle


def profiles(axes: Any, found: Sequence[Row], kind: str, look: Look) -> None:
    """The share of cases within so many times the best."""
    scale = [10 ** (k / 20) for k in range(101)]
    for name, shares in profile(found, kind, scale).items():
        axes.step(scale, shares, where="post", label=name, color=look[name]["color"], **_line(name, look))  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("times the best of its class")
    axes.set_ylabel("share of cases")
    axes.set_title(CLASSES[kind], fontsize=9)
    _legend(axes)


def where(axes: Any, found: Sequence[Row], look: Look) -> None:
    """In which share of each family's cases each simulator is the fastest exact one."""
    counted = wins(found, ("exact",))
    families = sorted(counted, reverse=True)
    left = [0.0] * len(families)
    for name in simulators(found, "exact"):
        shares = [counted[family][name] / counted[family].total() for family in families]
        if any(shares):
            axes.barh(families, shares, left=left, label=name, color=look[name]["color"])
            left = [a + b for a, b in zip(left, shares, strict=True)]
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of cases in which it is the fastest; exact, double precision")
    _legend(axes)


def memory(axes: Any, found: Sequence[Row], look: Look) -> None:
    """What the first run took beyond the import, against the wires."""
    for name in simulators(found):
        points = [(row.wires, row.grown / 1e6) for row in found if row.simulator == name and row.grown]
        if points:
            axes.plot(*_medians(points, log=False), label=name, **_line(name, look), marker=".",
                      color=look[name]["color"])  # fmt: skip
    axes.set_yscale("log")
    axes.set_xlabel("wires")
    axes.set_ylabel("MB above the import, median")
    _legend(axes)


def worst_errors(axes: Any, found: Sequence[Row], look: Look) -> None:
    """The largest error of a right amplitude."""
    worst = sorted(errors(found).items(), key=lambda entry: entry[1])
    names = [name for name, _ in worst]
    axes.barh(names, [max(error, 1e-17) for _, error in worst], color=[look[name]["color"] for name in names])
    axes.set_xscale("log")
    axes.set_xlabel("largest error of an amplitude, after one phase")


def crossovers(axes: Any, crossings: Sequence[Crossover]) -> None:
    """The time of `sparse` over that of dense simulators against the density; above 1 it loses."""
    for k, crossing in enumerate(crossings):
        points = [(density, ratio) for density, ratio, _, _ in crossing.points]
        if points:
            tie = "" if crossing.tie is None else f", a tie at {crossing.tie:.2g}"
            axes.plot(*zip(*points, strict=True), linestyle="", marker=MARKS[k], markersize=5, color=COLOURS[k],
                      label=f"against {crossing.dense}{tie}")  # fmt: skip
    axes.axhline(1, color=INK, linewidth=0.8)
    axes.axvspan(*KNOWN_TIE, color=INK, alpha=0.15, linewidth=0)
    axes.text(KNOWN_TIE[0] * 0.92, 0.97, "found elsewhere\n.17 to .19", ha="right", va="top", fontsize=8,
              transform=axes.get_xaxis_transform())  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("density: peak branches of 2^wires")
    axes.set_ylabel("time of sparse over theirs")
    _legend(axes)


def _line(name: str, look: Look) -> dict[str, Any]:
    """Ours are drawn thicker, and both of ours are told apart; where colours come a second time, lines are dotted."""
    again = list(look).index(name) >= len(COLOURS)
    return {
        "linewidth": 2.4 if name in OURS else 1.1,
        "linestyle": "--" if name == "registers" else ":" if again else "-",
    }


def _legend(axes: Any) -> None:
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
