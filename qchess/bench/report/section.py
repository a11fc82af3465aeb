"""A part of a report."""

from __future__ import annotations

from dataclasses import dataclass

from qchess.bench.report.tables import Table


@dataclass(frozen=True)
class Section:
    """A heading, sentences, and a table or a picture."""

    title: str
    text: str = ""
    picture: str = ""
    table: Table | None = None
    #: True: a long table, opened on request
    folded: bool = False
    #: HTML pictures for the browser page only
    drawing: str = ""

    @property
    def full(self) -> bool:
        """Tell whether there is anything to show."""
        return bool(self.table.rows if self.table else self.text or self.picture or self.drawing)
