"""Draws a board as plain text: a letter for who stands where, and the odds behind it.

    3  N½α .    N½α .
    2  P    P    n½β n½β
    1  R    .    B    Q
       a    b    c    d

A letter alone is certain. Where a square may hold several men, each has its odds: ``B½,P½``. Squares
with the same Greek letter belong together; one group that is all there is needs none. On a narrow
screen the odds stand in a line of their own below the men.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from qchess.circuits.precision import SAME
from qchess.showing.view import Man, View, is_uncertain

#: the fractions that have a letter of their own
LETTERS = {
    Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾",
    Fraction(1, 8): "⅛", Fraction(3, 8): "⅜", Fraction(5, 8): "⅝", Fraction(7, 8): "⅞",
}  # fmt: skip
#: fractions are written out up to this denominator; halves of halves come no further in one game's opening
FINEST = 64
EMPTY = "."
#: what stands for a group, after those letters its number
GROUPS, PLAIN_GROUPS = "αβγδεζηθικλμνξπρστυφχψω", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: how groups of squares are told apart, and how sides are, where colours are asked for
LONE_COLOUR, GROUP_COLOURS = 33, (35, 32, 34, 31, 95, 92, 94, 91)
SIDE_COLOURS = ((1,), (36,), (33,), (35,))
EMPTY_COLOUR, MARKED_COLOUR = 2, 4


class Piece(NamedTuple):
    """Some text of one colour."""

    text: str
    codes: tuple[int, ...] = ()


Cell = tuple[Piece, ...]


def odds(probability: float, unicode: bool = True) -> str:
    """A probability as short text: nothing for certain, else ``½``, ``3/16`` or ``.333``.

    >>> [odds(p) for p in (1.0, 0.5, 3 / 16, 1 / 3, 1e-6)]
    ['', '½', '3/16', '.333', '<.001']
    """
    if probability > 1 - SAME:
        return ""
    near = Fraction(probability).limit_denominator(FINEST)
    is_dyadic = near.denominator & (near.denominator - 1) == 0
    if near and is_dyadic and abs(near - Fraction(probability)) < SAME:
        return LETTERS[near] if unicode and near in LETTERS else str(near)
    if probability < 0.0005:
        return "<.001"
    return ">.999" if probability > 0.9995 else f"{probability:.3f}".lstrip("0")


def short_odds(probability: float, unicode: bool = True) -> str:
    """A probability in three letters at most: ``½``, ``19%``, ``<1%``.

    >>> [short_odds(p) for p in (1.0, 0.5, 3 / 16, 0.999, 1e-6)]
    ['', '½', '19%', '99%', '<1%']
    """
    text = odds(probability, unicode)
    if len(text) <= 1:
        return text
    percent = min(99, round(100 * probability))
    return f"{percent}%" if percent else "<1%"


def draw(
    view: View, colour: bool = False, unicode: bool = True, *, below: str | None = None, columns: int | None = None
) -> str:
    """The board with its notes below; no line ends in blanks.

    `below` names the player who sits at the lower side; `columns` is the width of the screen, if that matters.
    """
    names = view.names(below)
    tall = columns is not None and _wide(view, names, unicode) > columns
    cells = {name: (_tall if tall else _flat)(view, name, unicode) for row in names for name in row}
    width = max((_length(line) for lines in cells.values() for line in lines), default=1)
    gap = " " if tall or width == 1 else "  "
    margin = len(str(view.height))
    lines = []
    for row in names:
        for k in range(2 if tall else 1):
            head = f"{row[0][1:] if not k else '':>{margin}}{' ' if tall else '  '}"
            lines.append(head + gap.join(_padded(cells[name][k], width, colour) for name in row))
    files = gap.join(name[0].ljust(width) for name in names[-1])
    lines.append(f"{'':{margin}}{' ' if tall else '  '}{files}")
    lines.extend(note for text in view.notes for note in _folded(text, columns))
    return "\n".join(line.rstrip() for line in lines if line.strip() or not tall)


def cell(men: tuple[Man, ...], unicode: bool = True) -> str:
    """What one square shows."""
    return ",".join(man.symbol + odds(man.probability, unicode) + mark(man, unicode) for man in men) or EMPTY


def mark(man: Man, unicode: bool = True) -> str:
    """The mark of a man as text, where he has one."""
    return man.mark.text(unicode) if man.mark else ""


def group_letter(number: int, unicode: bool = True) -> str:
    """What stands for a group."""
    letters = GROUPS if unicode else PLAIN_GROUPS
    return letters[number] if number < len(letters) else str(number + 1)


def _wide(view: View, names: list[list[str]], unicode: bool) -> int:
    """How many columns the board takes with one line a rank."""
    width = max((_length(_flat(view, name, unicode)[0]) for row in names for name in row), default=1)
    return len(str(view.height)) + 2 + view.width * (width + (1 if width == 1 else 2)) - 1


def _flat(view: View, name: str, unicode: bool) -> tuple[Cell, ...]:
    """A square in one line: the men with their odds, then the letter of the group."""
    men = view.men.get(name, ())
    under = (MARKED_COLOUR,) if name in view.marked else ()
    if not men:
        return ((Piece(EMPTY, (*under, EMPTY_COLOUR)),),)
    tint = _tint(view, name)
    pieces = [Piece(men[0].symbol, (*under, *_side(view, men[0])))]
    pieces.append(Piece(odds(men[0].probability, unicode) + mark(men[0], unicode), tint))
    for man in men[1:]:
        pieces += [
            Piece(","),
            Piece(man.symbol, (*under, *_side(view, man))),
            Piece(odds(man.probability, unicode) + mark(man, unicode), tint),
        ]
    return ((*pieces, Piece(_letter(view, name, unicode), tint)),)


def _tall(view: View, name: str, unicode: bool) -> tuple[Cell, ...]:
    """A square in two lines: the men with the letter of the group, and below them the odds of the first."""
    men = view.men.get(name, ())
    under = (MARKED_COLOUR,) if name in view.marked else ()
    if not men:
        return (Piece(EMPTY, (*under, EMPTY_COLOUR)),), ()
    tint = _tint(view, name)
    symbols = tuple(Piece(man.symbol, (*under, *_side(view, man))) for man in men)
    return (*symbols, Piece(_letter(view, name, unicode), tint)), (
        Piece(short_odds(men[0].probability, unicode) + mark(men[0], unicode), tint),
    )


def _letter(view: View, name: str, unicode: bool) -> str:
    number = view.group_of(name)
    return group_letter(number, unicode) if number is not None and view.lettered else ""


def _side(view: View, man: Man) -> tuple[int, ...]:
    return SIDE_COLOURS[view.side(man) % len(SIDE_COLOURS)]


def _tint(view: View, name: str) -> tuple[int, ...]:
    """The colour of what is open on a square: its group's."""
    if not is_uncertain(view.men[name]):
        return ()
    number = view.group_of(name)
    return (LONE_COLOUR if number is None else GROUP_COLOURS[number % len(GROUP_COLOURS)],)


def _length(line: Cell) -> int:
    return sum(len(piece.text) for piece in line)


def _padded(line: Cell, width: int, colour: bool) -> str:
    shown = (_coloured(piece) if colour else piece.text for piece in line if piece.text)
    return "".join(shown) + " " * (width - _length(line))


def _coloured(piece: Piece) -> str:
    return f"\x1b[{';'.join(map(str, piece.codes))}m{piece.text}\x1b[0m" if piece.codes else piece.text


def _folded(text: str, columns: int | None) -> Iterator[str]:
    """A note, in several lines where the screen is narrow."""
    if columns is None or len(text) <= columns:
        yield text
        return
    from textwrap import wrap

    yield from wrap(text, columns, subsequent_indent="  ")
