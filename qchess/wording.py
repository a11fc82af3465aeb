"""Words and lines that all texts share: how likely something is, how a game ended, and text wrapped to the screen."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from math import floor

from qchess.circuits.precision import SAME

#: why a game ended, by what its record says; what is missing says it already
REASONS = {
    "agreement": "both players agreed",
    "annihilation": "both kings were captured",
    "both lost": "both sides lost in the same turn",
    "dead position": "only the kings are left",
    "fifty moves": "fifty moves without a capture or a pawn move",
    "fifty_moves": "fifty moves without a capture",
    "illegal_move": "the opponent gave no legal move",
    "king in check": "a {loser} king was left in check",
    "king_captured": "the {loser} king was captured",
    "last king lost": "{loser} has no king left",
    "max_ply": "the limit of moves was reached",
    "no legal move": "no legal move is left",
    "no move in time": "the opponent made no move in time",
    "no row": "nobody has three in a row",
    "older row, 1 to 1/2": "both have three in a row, and the older row counts",
    "repetition": "the same position came again",
    "resignation": "the opponent resigned",
    "row": "three in a row",
    "suicide": "the king was left in check",
    "threefold repetition": "the same position came three times",
    "time": "the opponent ran out of time",
}
LOSERS = {"white": "black", "black": "white"}
#: the columns of a screen of unknown width
COLUMNS = 80


def percent(probability: float, decimals: int = 0, *, words: bool = False) -> str:
    """Return a probability between 0 and 1 in percent, rounded to so many decimals; half goes up.

    What is open never reads as 0% or 100%.

    >>> [percent(p) for p in (0.0, 1 / 3, 0.125, 1.0, 1e-6, 0.999)]
    ['0%', '33%', '13%', '100%', '<1%', '>99%']
    >>> percent(0.125, 1), percent(0.5, 1), percent(0.0004, 1)
    ('12.5%', '50%', '<0.1%')
    >>> percent(0.002, words=True), percent(0.995, words=True)
    ('less than 1%', 'more than 99%')
    """
    if probability < SAME:
        return "0%"
    if probability > 1 - SAME:
        return "100%"
    steps: int = 10**decimals
    least = 0.01 / steps
    if probability < least - SAME:
        return f"{'less than ' if words else '<'}{100 * least:g}%"
    if probability > 1 - least + SAME:
        return f"{'more than ' if words else '>'}{100 - 100 * least:g}%"
    return f"{floor(100 * steps * probability + 0.5 + SAME) / steps:g}%"


def ended(winner: str | None, reason: str) -> str:
    """Return how a game ended, in words; no winner is a draw.

    >>> ended("black", "king_captured"), ended("x", "row"), ended(None, "stalemate")
    ('Black wins: the white king was captured', 'X wins: three in a row', 'Draw: stalemate')
    """
    if reason in REASONS:
        why = REASONS[reason].format(loser=LOSERS.get(winner or "", "losing"))
    else:
        why = reason.replace("_", " ").replace("plies", "half-moves")
        why += " were played" if why.endswith("half-moves") else ""
    return f"{winner[:1].upper()}{winner[1:]} wins: {why}" if winner else f"Draw: {why}"


# -- lines; words are never broken ------------------------------------------------------------------------------


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
