"""The look of each simulator in all pictures: its own mark, and a colour for ours and the best of the others.

All others are grey. So no two have the same colour and mark, and our colours are used only for ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from qchess.bench.report.rows import CLASSES, OURS, Row, simulators
from qchess.bench.report.scores import places

#: ours, in the order of their names
OWN = ("#d9480f", "#f08c00")
#: the best of the others: distinct on white and on black, and for colour-blind readers
BEST = ("#1c7ed6", "#2b8a3e", "#ae3ec9", "#0c8599", "#5c4ae4")
#: all others, and ties
GREY = "#8a8f98"
#: a mark for each simulator; further ones are smaller
MARKS = "osD^vP*X<>hpd8H"
#: marker -> its relative size
THIN = {"*": 1.4, "D": 0.85, "d": 1.1, "P": 1.1, "X": 1.1}

#: the plot options of a simulator
Look = Mapping[str, Mapping[str, Any]]


def looks(found: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Return colour, mark and line of each simulator of the file."""
    names = simulators(found)
    colours = {name: OWN[OURS.index(name)] for name in names if name in OURS}
    colours |= dict(zip(best(found), BEST, strict=False))
    made = {}
    for number, name in enumerate(sorted(names, key=lambda name: name not in OURS)):
        mark, again = MARKS[number % len(MARKS)], number // len(MARKS)
        made[name] = {
            "color": colours.get(name, GREY), "marker": mark, "markersize": 5 * THIN.get(mark, 1.0) * 0.7**again,
            "fillstyle": ("full", "none", "left", "right")[again % 4],
        }  # fmt: skip
    return {name: made[name] for name in names}


def best(found: Sequence[Row]) -> list[str]:
    """Return the others with the most wins of their class, at most as many as there are colours; exact ones first."""
    won: Counter[tuple[int, str]] = Counter()
    for rank, kind in enumerate(CLASSES):
        for place in places(found, kind):
            if place.simulator not in OURS:
                won[rank, place.simulator] += place.won + place.tied
    ranked = sorted(won, key=lambda key: (key[0] > 0, -won[key], key))
    exact = [name for rank, name in ranked if rank == 0][: len(BEST) - 1]
    return [*exact, *[name for rank, name in ranked if rank == 1][: len(BEST) - len(exact)]][: len(BEST)]
