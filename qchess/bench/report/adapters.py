"""For each simulator: what the clock includes, what was done before it, which options are used, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from qchess.bench.adapters import Adapter, catalogue
from qchess.bench.report.tables import Table


class Words(Table):
    """A table of sentences without numeric columns."""

    def markdown(self) -> str:
        """Return the table in Markdown."""
        return super().markdown().replace("---:", "---", len(self.head))


def told(adapter: Adapter) -> Mapping[str, str]:
    """Return what an adapter says of itself, by subject; empty if nothing."""
    return {
        "inside the clock": adapter.inside,
        "before it": adapter.outside,
        "options, and why": adapter.options_why,
        "reason given by its maker": adapter.maker,
    }


def table() -> Words:
    """Return the table: a row per adapter, with all its names in the catalogue."""
    named: dict[type[Adapter], list[str]] = defaultdict(list)
    for row in catalogue.CATALOGUE:
        named[type(catalogue.get(row.name))].append(row.name)
    rows = [(", ".join(names), *told(catalogue.get(names[0])).values()) for names in named.values()]
    return Words(("simulator", *told(Adapter())), tuple(rows))
