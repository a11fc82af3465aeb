"""Games as texts that other programs read: PGN, PDN. What they have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

#: no line of such a text is longer, unless one word is
WIDTH = 80


def wrapped(words: Sequence[str]) -> Iterator[str]:
    """Words in lines; a word that holds spaces, such as a comment, stays whole.

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
