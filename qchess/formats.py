"""Every format of the files that are read: what marks it, and its one reader.

>>> of("tournament").marks
('qchess-arena-1',)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from qchess.circuits.errors import unknown_name
from qchess.errors import InvalidMoveError


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files, and what reads one: ``module:function``."""

    name: str
    reader: str
    #: what files of it are marked with, in all versions that can be read
    marks: tuple[str, ...] = ()

    @property
    def read(self) -> Callable[..., Any]:
        """Return the reader; what it cannot read it refuses with one of our errors."""
        module, _, name = self.reader.partition(":")
        found: Callable[..., Any] = getattr(import_module(module), name)
        return found


FORMATS = (
    Format("record", "qchess.playing.replaying:load", ("qchess-record-1", "qchess-record-2")),
    Format("measurements", "qchess.playing.measuring:opened", ("qchess measure 1", "qchess measure 2")),
    Format("tournament", "qchess.arena.resultfile:read", ("qchess-arena-1",)),
    Format("bench results", "qchess.bench.running.results:read", ("qchess bench results 1", "qchess bench results 2")),
    Format("bench submission", "qchess.bench.running.schema:checked"),
    Format("bench case", "qchess.bench.corpus.folder:read_case", ("qchess bench case 1",)),
    Format("bench corpus", "qchess.bench.corpus.folder:index"),
    Format("study", "qchess.web.studies.sharing:study_values", ("qchess-study-1",)),
    Format("store of tables", "qchess.web.store.sqlite:SqliteStore"),
    Format("pool of bits", "qchess.backends.qrng.pool:Pool"),
    Format("budget", "qchess.backends.budget:read"),
    Format("order of a job", "qchess.backends.devices.jobqueue:order_in"),
    Format("shots of a job", "qchess.backends.devices.jobqueue:shots_in"),
    Format("finished lessons", "qchess.lessons.progress:done"),
)


def of(name: str) -> Format:
    """Return the format of this name."""
    for found in FORMATS:
        if found.name == name:
            return found
    raise InvalidMoveError(unknown_name("format", name, tuple(each.name for each in FORMATS)))
