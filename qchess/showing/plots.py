"""The pictures of a report: odds, fidelity, and the chip's qubits in use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from qchess.errors import QchessError
from qchess.showing.measurements import SIGMA, Measurement, measurements

if TYPE_CHECKING:
    from qchess.playing.record import Record

#: the files of a report's pictures
PLOTS = ("odds.svg", "fidelity.svg", "chip.svg")


def plots(record: Record, folder: Path) -> list[Path]:
    """Draw the pictures of a report into a folder; returns their files."""
    found = [one for one in measurements(record) if one.observed]
    if not found:
        raise QchessError("nothing to draw: no answer in this record came from shots of a device")
    figure = _matplotlib()
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, draw in zip(PLOTS, (_draw_odds, _draw_fidelity, _draw_chip), strict=True):
        picture = figure(figsize=(7, 4.2), layout="constrained")
        draw(picture.subplots(), found)
        made.append(folder / name)
        picture.savefig(made[-1])
    return made


def _matplotlib() -> Any:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise QchessError("plots of a report need matplotlib; install it with: pip install 'qchess[viz]'") from error
    return Figure


def _whole(axis: Any) -> None:
    """Restrict the marks of a counting axis to whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def _draw_odds(axes: Any, found: Sequence[Measurement]) -> None:
    """Draw observed odds over exact ones, with their intervals; on the line they agree."""
    points = [
        (p, share[0], share[0] - ends[0], ends[1] - share[0])
        for one in found
        for value, p in one.odds.items()
        if (share := one.share(value)) and (ends := one.interval(value))
    ]
    exact, seen, below, above = zip(*points, strict=True)
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, zorder=1)
    errors = [[max(0.0, length) for length in lengths] for lengths in (below, above)]
    axes.errorbar(exact, seen, yerr=errors, fmt="o", markersize=4, capsize=2, color="#1f5fa8")
    axes.set(xlabel="exact probability", ylabel="share of kept shots", xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    axes.set_title(f"observed odds against exact ones, {SIGMA} standard deviations")


def _draw_fidelity(axes: Any, found: Sequence[Measurement]) -> None:
    """Draw the answers' agreement and the kept shares over two-qubit gates; hollow for circuits in part."""
    for part, fill in ((False, "full"), (True, "none")):
        group = [one for one in found if one.in_part is part]
        gates = [one.sent if one.sent is not None else one.two_qubit_gates for one in group]
        seen = {"agreement of the answer": [one.agreement for one in group],
                "kept share": [one.kept / max(1, one.returned) for one in group],
                "kept of coin flips": [_kept_coins(one) for one in group]}  # fmt: skip
        for (name, values), mark, colour in zip(seen.items(), "os_", ("#1f5fa8", "#c8641e", "#777777"), strict=True):
            label = f"{name}, in part" if part else name
            axes.plot(gates, values, mark, color=colour, fillstyle=fill, label=label if group else None)
    axes.set(xlabel="two-qubit gates", ylim=(0, 1.05))
    _whole(axes.xaxis)
    axes.legend(loc="lower left", frameon=False)
    axes.set_title("cost of the gates")


def _kept_coins(one: Measurement) -> float:
    """Return the share of its shots that coin flips would have kept; NaN if unknown."""
    shares = [told.kept_coins for told in one.figures if told.kept_coins is not None]
    return fmean(shares) if shares else math.nan


def _draw_chip(axes: Any, found: Sequence[Measurement]) -> None:
    """Draw how often each qubit of the chip was used."""
    uses: dict[str, int] = {}
    for one in found:
        for qubit in one.physical:
            uses[qubit] = uses.get(qubit, 0) + 1
    names = sorted(uses, key=lambda q: (len(q), q))
    axes.bar(range(len(names)), [uses[q] for q in names], color="#1f5fa8")
    _whole(axes.yaxis)
    axes.set_xticks(range(len(names)), names, rotation=60 if len(names) > 8 else 0, fontsize=8)
    axes.set(xlabel="qubit of the chip", ylabel="measurements")
    axes.set_title("qubits used on the chip" if names else "the device did not say which qubits it used")
