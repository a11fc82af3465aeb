"""Moves that hold the numbers of their squares, and print by their names."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from string import ascii_lowercase
from typing import Any, TypeVar

M = TypeVar("M", bound=tuple[Any, ...])
#: the files of the usual board, whose moves need no class of their own
USUAL = 8


def spelled(sources: Iterable[int], targets: Iterable[int], files: int) -> str:
    """Return the squares of a move as text, on a board of this many files.

    >>> spelled((12,), (28,), 8), spelled((1,), (10, 12), 5), spelled((16, 18), (33,), 8)
    ('e2-e4', 'b1^a3c3', 'a3c3^b5')
    """
    before, behind = ([_name(square, files) for square in squares] for squares in (sources, targets))
    return "".join((*before, "^" if len(before) + len(behind) > 2 else "-", *behind))


def _name(square: Any, files: int) -> str:
    if isinstance(square, int) and square >= 0:
        return f"{ascii_lowercase[square % files]}{square // files + 1}"
    return f"?{square}"


@cache
def _on(kind: type[M], files: int) -> type[M]:
    namespace = {"__slots__": (), "__doc__": kind.__doc__, "__reduce__": _reduce, "files": files}
    made: type[M] = type(kind.__name__, (kind,), namespace)
    return made


def _reduce(self: Any) -> tuple[Any, ...]:
    return _named, (type(self).__base__, self.files, tuple(self))


def _named(kind: type[M], files: int, move: Iterable[Any]) -> M:
    made: M = _on(kind, files)(*move)
    return made


def named(move: M, files: int) -> M:
    """Return an equal move, which prints by the names of a board of this many files."""
    if files == USUAL or getattr(move, "files", USUAL) == files:
        return move
    return _named(type(move), files, move)
