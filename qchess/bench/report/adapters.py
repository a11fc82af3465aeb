"""What the clock of a run sees of each simulator, what was done before it, and which options are used, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from qchess.bench.adapters import Adapter, catalogue
from qchess.bench.report.tables import Table


class Words(Table):
    """A table of sentences: no column of it is a number's."""

    def markdown(self) -> str:
        """The table in Markdown."""
        return super().markdown().replace("---:", "---", len(self.head))


def told(adapter: Adapter) -> Mapping[str, str]:
    """What an adapter says of itself, by what it says it of; empty where it is silent."""
    return {
        "inside the clock": adapter.inside,
        "before it": adapter.outside,
        "options, and why": adapter.options_why,
        "reason given by its maker": adapter.maker,
    }


def table() -> Words:
    """An adapter a row, with all the names of the catalogue that it has."""
    named: dict[type[Adapter], list[str]] = defaultdict(list)
    for row in catalogue.CATALOGUE:
        named[type(catalogue.get(row.name))].append(row.name)
    rows = [(", ".join(names), *told(catalogue.get(names[0])).values()) for names in named.values()]
    return Words(("simulator", *told(Adapter())), tuple(rows))
