"""Every format of the files that are read: what marks it, and its one reader.

>>> of("tournament").marks
('qchess-arena-1',)
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from qchess.circuits.errors import unknown_name
from qchess.errors import InvalidMoveError


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files; a file of it is read by ``module:function``, given its path."""

    name: str
    reader: str
    #: what files of it are marked with, in all versions that can be read
    marks: tuple[str, ...] = ()

    def read(self, path: Path) -> Any:
        """Return what a file holds; any that cannot be read is refused with one of our errors."""
        module, _, name = self.reader.partition(":")
        return getattr(import_module(module), name)(path)


FORMATS = (
    Format("record", "qchess.playing.retelling:load", ("qchess-record-1", "qchess-record-2")),
    Format("tournament", "qchess.arena.resultfile:read", ("qchess-arena-1",)),
)


def of(name: str) -> Format:
    """Return the format of this name."""
    for found in FORMATS:
        if found.name == name:
            return found
    raise InvalidMoveError(unknown_name("format", name, tuple(each.name for each in FORMATS)))
