"""Wrap text to the screen; words are never broken."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence

#: the columns of a screen of unknown width
COLUMNS = 80


def width() -> int | None:
    """Return the columns of the standard output; None for a file or a pipe, whose lines stay whole.

    The environment variable COLUMNS overrides it.
    """
    if os.environ.get("COLUMNS") or sys.stdout.isatty():
        return max(20, shutil.get_terminal_size((COLUMNS, 24)).columns)
    return None


def folded(text: str, columns: int | None, indent: str = "") -> Iterator[str]:
    """Yield the lines of a text, each wrapped to the columns; continuation lines are indented like their line.

    Their indent is at least `indent`.

    A word longer than a line stays whole.

    >>> list(folded('one two three', 8, '  '))
    ['one two', '  three']
    """
    for line in text.splitlines() or [""]:
        if columns is None or len(line) <= columns:
            yield line
        else:
            yield from _cut(line.expandtabs().rstrip(), columns, indent)


def _cut(line: str, columns: int, indent: str) -> Iterator[str]:
    """Yield the lines that a long line is cut into, at its spaces."""
    own = len(line) - len(line.lstrip())
    after = max(line[:own], indent, key=len)
    while len(line) > columns:
        at = line.rfind(" ", own, columns + 1)
        if at < 0 and (at := line.find(" ", columns)) < 0:
            break
        yield line[:at].rstrip()
        line = after + line[at:].lstrip()
        own = len(after)
    yield line


def beside(head: str, text: str, wide: int, columns: int | None) -> Iterator[str]:
    """Yield a text beside its head, in a column of width `wide`; below it if little room is left.

    >>> list(beside('name', 'what it is', 6, 12))
    ['name', '  what it is']
    >>> list(beside('name', 'what it is, and what it is not', 6, 30))
    ['name  what it is, and what it', '      is not']
    """
    if columns is None or len(f"{head:{wide}}{text}") <= columns:
        yield f"{head:{wide}}{text}".rstrip()
    elif columns < wide + 24 or len(head) >= wide:
        yield head.rstrip()
        yield from folded(f"  {text}", columns)
    else:
        first, *others = folded(text, columns - wide)
        yield f"{head:{wide}}{first}"
        yield from (f"{'':{wide}}{line}" for line in others)


def filled(words: Sequence[str]) -> Iterator[str]:
    """Yield words in lines of at most 80 characters, as PGN and PDN want them; a word may have spaces, as a comment.

    >>> list(filled(['1.', 'e2-e4' * 10, '{a comment}', 'x' * 30, '*']))
    ['1. e2-e4e2-e4e2-e4e2-e4e2-e4e2-e4e2-e4e2-e4e2-e4e2-e4 {a comment}', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx *']
    """
    line, *rest = words
    for word in rest:
        if len(line) + 1 + len(word) > COLUMNS:
            yield line
            line = word
        else:
            line += f" {word}"
    yield line
