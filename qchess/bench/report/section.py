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
    #: long tables open on request
    folded: bool = False
    #: pictures that only a page for a browser has, as HTML
    drawing: str = ""

    @property
    def full(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.table.rows if self.table else self.text or self.picture or self.drawing)
