"""The pictures of a report as SVG text, in the colour of the surrounding text, so that they suit light and dark.

Simulators keep their colour and mark in all pictures; ours are thicker. Cases of few wires, which measure overhead,
have separate pictures.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from io import StringIO
from typing import Any

from qchess.bench.report.findings import Crossover, errors, profile
from qchess.bench.report.looks import GREY, Look, looks
from qchess.bench.report.rows import CLASSES, OURS, TIMES, Row, by_case, simulators
from qchess.bench.report.scores import SIZES, SMALL, TIE, sized, wins
from qchess.bench.report.webpage.choices import Choices
from qchess.errors import MissingExtraError

#: placeholder for the text colour until the picture is written
INK = "#0a0b0c"
#: the description of each picture, for those who do not see it
ALT = {
    "branches": f"Milliseconds of every run against the peak branches of its case, on more than {SMALL} wires",
    "qubits": "Milliseconds of every run against the wires of its case",
    "profile": "The share of cases that each exact simulator does within a factor of the fastest, by each of the "
    f"times, on more than {SMALL} wires and on fewer",
    "profile-approximate": "The share of cases that each approximate method does within a factor of the fastest",
    "wins": "Which share of each family's cases each exact simulator wins, and which is a tie",
    "memory": "Megabytes of the first run above the import against the wires of its case",
    "errors": "The largest error of an amplitude for each simulator",
    "crossover": "The ratio of sparse to dense times, against the share of occupied states",
}

#: parts that an inline picture does not need: unused names and missing fonts
UNUSED = re.compile(
    r'<metadata>.*?</metadata>| id="(?:axes|figure|legend|line2d|matplotlib\.axis|patch|text|[xy]tick)_\d+"',
    re.DOTALL,
)
FONTS = re.compile(r"'DejaVu Sans'[^;\"]*sans-serif")
#: the marks of one line, all in one style; digits beyond the second decimal
MARKS = re.compile(r'(?P<group><g[^<>]*)>(?P<marks>\s*(?:<use [^<>]*style="(?P<style>[^"]*)"/>\s*)+)</g>')
DIGITS = re.compile(r"(\d\.\d\d)\d+")

Draw = Callable[[Any], None]


def pictures(ranked: Mapping[str, Sequence[Row]], crossings: Sequence[Crossover]) -> dict[str, str]:
    """Return every picture by its name, with placeholders for colours; the first ranking is the page's.

    `in_print` and `in_colours` insert the colours.
    """
    found = next(iter(ranked.values()))
    exact = [row for row in found if row.kind in ("exact", "single", "tableau")]
    look = {name: {**own, "color": _stand_in(number), "gid": f"simulator-{number}"}
            for number, (name, own) in enumerate(looks(found).items())}  # fmt: skip
    both: list[Draw] = [partial(profiles, found=rows, kind="exact", look=look, by=by, small=small)
                        for small in SIZES for by, rows in ranked.items()]  # fmt: skip
    return {
        "branches": figure(
            [partial(against, found=sized(exact, small=False), field="peak", label="peak branches", look=look)]
        ),
        "qubits": figure([partial(against, found=exact, field="wires", label="wires", look=look)]),
        "profile": figure(both, (1.4 + 2.9 * len(ranked), 6.2), (len(ranked), 2)),
        "profile-approximate": figure([partial(profiles, found=found, kind="approximate", look=look)], (7.2, 3.2)),
        "wins": figure([partial(where, found=found, look=look, small=small) for small in SIZES], (7.2, 8.4), (1, 2)),
        "memory": figure([partial(memory, found=exact, look=look)]),
        "errors": figure([partial(worst_errors, found=found, look=look)], (7.2, 3.6)),
        "crossover": figure([partial(crossovers, crossings=crossings, look=look)]),
    }


def _stand_in(number: int) -> str:
    return f"#0a0b{number + 16:02x}"


def in_print(drawn: Mapping[str, str], look: Look) -> dict[str, str]:
    """Return the pictures in the colours of a separate file."""
    made = {name: re.sub(r' id="simulator-\d+"', "", svg) for name, svg in drawn.items()}
    for number, own in enumerate(look.values()):
        made = {name: svg.replace(_stand_in(number), own["color"]) for name, svg in made.items()}
    return made


def _light(svg: str) -> str:
    """Return the same picture in fewer bytes, with equal line widths.

    It drops unused names and invisible digits, and uses one style for many marks.
    """

    def shared(found: re.Match[str]) -> str:
        style = f' style="{found["style"]}"'
        return f"{found['group']}{style}>{found['marks'].replace(style, '')}</g>"

    bare = FONTS.sub("system-ui, sans-serif", UNUSED.sub("", svg)).replace("stroke-width: 2.4", "stroke-width: 1")
    return re.sub(r"\n\s*", "\n", DIGITS.sub(r"\1", MARKS.sub(shared, bare)))


def in_colours(drawn: Mapping[str, str], names: Sequence[str], choices: Choices) -> dict[str, str]:
    """Return the pictures of a page where the reader chooses colours; `names` are in the order of the looks."""
    made = {name: _light(svg) for name, svg in drawn.items()}
    for number, name in enumerate(names):
        own = choices.number(name)
        drawn_as = f'class="s{choices.on(name)}" data-s="{own}"'
        made = {
            picture: svg.replace(_stand_in(number), f"var(--s{own})").replace(f'id="simulator-{number}"', drawn_as)
            for picture, svg in made.items()
        }
    return made


def figure(draws: Sequence[Draw], size: tuple[float, float] = (7.2, 4.6), grid: tuple[int, int] = (1, 1)) -> str:
    """Return one picture as SVG: a grid of panels with one legend."""
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
        drawn = Figure(figsize=size, layout="constrained")
        drawn.patch.set_alpha(0)
        handles: dict[str, Any] = {}
        for number, draw in enumerate(draws):
            axes = drawn.add_subplot(grid[1], grid[0], number + 1)
            axes.patch.set_alpha(0)
            draw(axes)
            for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
                handles.setdefault(name, handle)
        if handles:
            names = sorted(handles, key=lambda name: (name not in OURS, name == TIE))
            drawn.legend([handles[name] for name in names], names, loc="outside right center")
        text = StringIO()
        canvas: Any = FigureCanvasSVG(drawn)
        canvas.print_svg(text, metadata={"Date": None, "Creator": None})
    whole = text.getvalue()
    return whole[whole.index("<svg") :].replace(INK, "currentColor").replace("sans-serif", "system-ui, sans-serif")


def against(axes: Any, found: Sequence[Row], field: str, label: str, look: Look) -> None:
    """Draw the time of each run against a number of its case, and lines through the medians."""
    for name in _drawn(found):
        points = [(getattr(row, field), row.seconds * 1e3) for row in found if row.simulator == name and row.seconds]
        if points:
            axes.plot(*zip(*points, strict=True), linestyle="", alpha=0.35, **{**look[name], "markersize": 2.5})
    _lines(axes, found, field, milliseconds, look)
    axes.set_yscale("log")
    if field == "peak":
        axes.set_xscale("log")
    else:
        axes.axvline(SMALL + 0.5, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_xlabel(label)
    axes.set_ylabel("ms to the state")


def milliseconds(row: Row) -> float | None:
    """Return the time of a run."""
    return row.seconds and row.seconds * 1e3


def megabytes(row: Row) -> float | None:
    """Return the memory of a run."""
    return row.grown and row.grown / 1e6


def _drawn(found: Sequence[Row]) -> list[str]:
    """Return the names in drawing order: ours come last, on top."""
    return sorted(simulators(found), key=lambda name: name in OURS)


def medians(
    found: Sequence[Row], field: str, value: Callable[[Row], float | None]
) -> dict[str, list[tuple[float, float]]]:
    """Return a line of medians for each simulator, over places where it did every case that any simulator did.

    A place is half a decade of branches, or two wires, such as 11 and 12. So all medians of a place are of the same
    cases; a NaN breaks the line where a simulator does not continue.
    """
    places: dict[int, list[list[Row]]] = defaultdict(list)
    for runs in by_case(row for row in found if not row.feed_forward).values():
        if any(value(row) for row in runs):
            x = getattr(runs[0], field)
            places[round(2 * math.log10(x)) if field == "peak" else (x - 1) // 2].append(runs)
    made: dict[str, list[tuple[float, float]]] = {}
    for name in _drawn(found):
        line = []
        for _, cases in sorted(places.items()):
            mine = [y for runs in cases for row in runs if row.simulator == name and (y := value(row))]
            at = [math.log(getattr(runs[0], field)) for runs in cases]
            whole = len(mine) == len(cases)
            line.append((math.exp(sum(at) / len(at)), sorted(mine)[len(mine) // 2] if whole else math.nan))
        if not all(math.isnan(y) for _, y in line):
            made[name] = line
    return made


def _lines(axes: Any, found: Sequence[Row], field: str, value: Callable[[Row], float | None], look: Look) -> None:
    """Draw the medians."""
    for name, line in medians(found, field, value).items():
        axes.plot(*zip(*line, strict=True), label=name, **look[name], **_line(name))


def profiles(axes: Any, found: Sequence[Row], kind: str, look: Look, by: str = "", *, small: bool = False) -> None:
    """Draw the share of cases within each factor of the best."""
    scale = [10 ** (k / 20) for k in range(81)]
    made = profile(sized(found, small=small), kind, scale)
    for number, name in enumerate(sorted(made, key=lambda name: name in OURS)):
        every = (3 + 5 * number % 13, 16)
        axes.step(scale, made[name], where="post", label=name, markevery=every, **look[name], **_line(name))
    axes.set_xscale("log")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("times the best of its class")
    axes.set_ylabel("share of cases")
    axes.set_title(f"{TIMES[by].replace(' in ', chr(10) + 'in ')}\n{SIZES[small]}" if by else
                   f"{CLASSES[kind]}, {SIZES[small]}", fontsize=8)  # fmt: skip


def where(axes: Any, found: Sequence[Row], look: Look, *, small: bool = False) -> None:
    """Draw the share of each family's cases that each exact simulator wins, and of ties."""
    counted = wins(sized(found, small=small), ("exact",))
    families = sorted(counted, reverse=True)
    left = [0.0] * len(families)
    for name in [*sorted(simulators(found, "exact"), key=lambda name: name not in OURS), TIE]:
        shares = [counted[family][name] / counted[family].total() for family in families]
        if any(shares):
            style = {"color": "none", "edgecolor": GREY} if name == TIE else {"color": look[name]["color"]}
            axes.barh(families, shares, left=left, label=name, hatch="////" if name == TIE else "", **style)
            left = [a + b for a, b in zip(left, shares, strict=True)]
    axes.set_xlim(0, 1)
    axes.set_xlabel(f"share of the cases of {SIZES[small]}; exact, double precision")


def memory(axes: Any, found: Sequence[Row], look: Look) -> None:
    """Draw the first run's memory beyond the import, against the wires."""
    _lines(axes, found, "wires", megabytes, look)
    axes.set_yscale("log")
    axes.set_xlabel("wires")
    axes.set_ylabel("MB above the import, median")


def worst_errors(axes: Any, found: Sequence[Row], look: Look) -> None:
    """Draw the largest error of a right amplitude."""
    worst = sorted(errors(found).items(), key=lambda entry: entry[1])
    names = [name for name, _ in worst]
    axes.barh(names, [max(error, 1e-17) for _, error in worst], color=[look[name]["color"] for name in names])
    axes.set_xscale("log")
    axes.set_xlabel("largest error of an amplitude, after one phase")


def crossovers(axes: Any, crossings: Sequence[Crossover], look: Look) -> None:
    """Draw the time of `sparse` over that of dense simulators against the density; above 1 it loses."""
    for crossing in crossings:
        points = [(density, ratio) for density, ratio, _ in crossing.points]
        if points:
            tie = "" if crossing.tie is None else f", a tie at {crossing.tie:.2g}"
            axes.plot(*zip(*points, strict=True), linestyle="", label=f"against {crossing.dense}{tie}",
                      **look[crossing.dense])  # fmt: skip
    axes.axhline(1, color=INK, linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("density: peak branches of 2^wires")
    axes.set_ylabel("time of sparse over theirs")


def _line(name: str) -> dict[str, Any]:
    """Return the line style: ours are thicker, and distinct."""
    return {"linewidth": 2.4 if name in OURS else 1.0, "linestyle": "--" if name == "registers" else "-"}
