"""Catalogues: ours, what is registered in this process, and what other packages add by their entry points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from qchess.circuits.errors import QchessError, unknown_name

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a catalogue; what makes its thing is named as ``module:name``, or given."""

    name: str
    summary: str
    maker: Any

    def holds(self, name: str) -> bool:
        """Tell whether this row makes the thing of that name."""
        return name == self.name

    def loaded(self) -> Any:
        """Return what makes its thing; its module is imported now."""
        if not isinstance(self.maker, str):
            return self.maker
        module, colon, name = self.maker.partition(":")
        return attrgetter(name)(import_module(module)) if colon else import_module(module)


R = TypeVar("R", bound=Row)


@dataclass
class Registry(Generic[R]):
    """A catalogue of things of one kind. Other packages' entry points are asked only after everything else."""

    kind: str
    #: of the entry points; each names a maker
    group: str
    ours: tuple[R, ...]
    row: type[R]
    #: what is raised for a name that is taken, and for one that is missing
    error: type[QchessError]
    unknown: type[QchessError]
    #: names that people try first -> what to say
    hints: Mapping[str, str] = field(default_factory=dict)
    #: whether a registered name may be registered again
    replaces: bool = False
    registered: dict[str, R] = field(default_factory=dict)

    def register(self, row: R) -> None:
        """Add a row to the catalogue of this process."""
        if row.name in ([ours.name for ours in self.ours] if self.replaces else self.names()):
            article = "an" if self.kind[0] in "aeiou" else "a"
            raise self.error(f"there is already {article} {self.kind} called {row.name!r}")
        self.registered[row.name] = row

    def each(self) -> Iterator[R]:
        """Yield the rows; other packages' are looked up only after all others."""
        yield from self.ours
        yield from self.registered.values()
        for name, point in entry_points(self.group).items():
            yield self.row(name, f"from {point.dist.name if point.dist else point.module}", point.value)

    def rows(self) -> tuple[R, ...]:
        """Return every row: ours, those registered, and those of other packages' entry points."""
        return tuple(self.each())

    def names(self) -> tuple[str, ...]:
        """Return the names of all rows."""
        return tuple(dict.fromkeys(row.name for row in self.each()))

    def find(self, name: str) -> R:
        """Return the first row that holds this name."""
        for row in self.each():
            if row.holds(name):
                return row
        if hint := self.hints.get(str(name).lower()):
            raise self.unknown(f"no {self.kind} is called {name!r}: {hint}")
        raise self.unknown(unknown_name(self.kind, name, self.names()))


@cache
def entry_points(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group, by name, without loading them."""
    from importlib import metadata  # a tenth of the time in which a process starts, if nobody asks

    return {point.name: point for point in metadata.entry_points(group=group)}
