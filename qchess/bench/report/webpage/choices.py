"""The simulators of a page, in the order of its pictures, and those that have a colour at first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from qchess.bench.report.rows import CLASSES, Row, simulators
from qchess.bench.report.scores import Place, places, sized
from qchess.bench.running.results import Results

#: the number of colours of the page; its style names them
COLOURS = 5
#: how many of them are used when the page is opened
CHOSEN = 4


@dataclass(frozen=True)
class Choices:
    """The simulators of a page: each has a number, used by style and script."""

    #: by class, the best of a class first
    names: tuple[str, ...] = ()
    #: name -> its class, and its name on the command line
    kinds: dict[str, str] | None = None
    calls: dict[str, str] | None = None
    #: those that have a colour, in the order of the colours
    chosen: tuple[str, ...] = ()

    def number(self, name: str) -> int | None:
        """Return the number of a simulator; None for any other text."""
        return self.names.index(name) if name in self.names else None

    def marked(self, name: str) -> str:
        """Return a name with a mark in its colour; any other text unchanged."""
        if (number := self.number(name)) is None:
            return escape(name)
        return f'<span class="s{self.on(name)}" data-s={number} style="--c:var(--s{number})">{escape(name)}</span>'

    def on(self, name: str) -> str:
        """Return the suffix of the class for elements of a chosen simulator."""
        return " on" if name in self.chosen else ""

    def style(self) -> str:
        """Return the colours of a newly opened page."""
        told = {name: f"var(--p{place})" for place, name in enumerate(self.chosen)}
        lines = (f"--s{number}:{told.get(name, 'var(--grey)')}" for number, name in enumerate(self.names))
        return f":root{{{';'.join(lines)}}}"

    def boxes(self) -> str:
        """Return a check box for each simulator."""
        kinds, calls = self.kinds or {}, self.calls or {}
        return "".join(
            f'<label><input type=checkbox value="{escape(name)}" data-kind={kinds[name]} '
            f'data-call="{escape(calls[name])}"{" checked" if name in self.chosen else ""}>{self.marked(name)}</label>'
            for name in self.names
        )


def choices(results: Results, found: Sequence[Row]) -> Choices:
    """Return the simulators that were run; those with most wins or ties on many wires have a colour."""
    many = sized(found, small=False) or found
    at = {place.simulator: place for kind in CLASSES for place in places(many, kind)}
    kinds = {row.simulator: row.kind for row in found}
    classes = list(CLASSES)

    def best_first(name: str) -> tuple[int, float]:
        return classes.index(kinds[name]), at[name].middle if name in at else float("inf")

    names = sorted(simulators(found), key=best_first)

    def most_first(name: str) -> tuple[bool, int]:
        place: Place | None = at.get(name)
        return kinds[name] != "exact", -(place.won + place.tied if place else 0)

    calls = {results.starts.get(name, {}).get("label", name): name for name in results.plan.simulators}
    return Choices(tuple(names), kinds, calls, tuple(sorted(names, key=most_first)[:CHOSEN]))
