"""Shared parts of games as text for other programs: PGN, PDN."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

#: the longest line, unless one word is longer
WIDTH = 80


def wrapped(words: Sequence[str]) -> Iterator[str]:
    """Yield words in lines; a word with spaces, such as a comment, stays whole.

    >>> list(wrapped(['1.', 'e2-e4' * 10, '{a comment}', 'x' * 30, '*']))
    ['1. e2-e4e2-e4e2-e4e2-e4e2-e4e2-e4e2-e4e2-e4e2-e4e2-e4 {a comment}', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx *']
    """
    line, *rest = words
    for word in rest:
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line += f" {word}"
    yield line
