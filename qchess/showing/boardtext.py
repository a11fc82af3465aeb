"""Draws a board as plain text: a letter for who stands where, the shape of its register, and percent.

    3  N●50 .    N●50 .
    2  P    P    n▲50 n▲50
    1  R    .    B    Q
       a    b    c    d

A letter alone is certain. Where a square may hold several men, each has its percent, the likeliest first:
``P75|B25``. Squares with the same shape belong to one register; one register that is all there is needs
none. With colours, the shape has its register's and the second player's letters stand in reverse video.
A board whose men stand on crossings has its lines, with ``═`` in a palace and ``~`` for a river.
What is too wide for the screen is drawn in two lines a rank, the percent below the men.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise, zip_longest
from typing import NamedTuple

from qchess.circuits.precision import SAME
from qchess.showing.gridtext import Lines
from qchess.showing.registers import CODES, sign
from qchess.showing.view import Man, View, is_uncertain
from qchess.wording import COLUMNS, folded, percent

EMPTY = "."
SIDE_COLOURS = ((1,), (7,), (36,), (35,))
EMPTY_COLOUR, MARKED_COLOUR = 2, 4
#: of marks, by their names; others have none
MARK_COLOURS = {"red": (91,), "blue": (94,), "green": (92,)}
#: small digits, as men may have them in their names
SMALL_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


class Piece(NamedTuple):
    """Some text of one colour."""

    text: str
    codes: tuple[int, ...] = ()


Cell = tuple[Piece, ...]


class Form(NamedTuple):
    """How squares are written: with Unicode or without, in one line or two, with the odds of all men or of one."""

    unicode: bool
    gap: int = 2
    tall: bool = False
    few: bool = False


def draw(
    view: View,
    colour: bool = False,
    unicode: bool = True,
    *,
    below: str | None = None,
    columns: int | None = COLUMNS,
) -> str:
    """The board with its notes below; no line ends in blanks.

    `below` names the player who sits at the lower side; `columns` is the width of the screen, None for any width.
    """
    names = view.names(below)
    forms = [Form(unicode), Form(unicode, 1), Form(unicode, 1, True), Form(unicode, 1, True, True)]
    for form in forms:
        cells = {name: _square(view, name, form) for name in view.squares}
        width = max(_length(line) for lines in cells.values() for line in lines)
        if columns is None or _columns(view, form, width) <= columns:
            break
    gap = 1 if width == 1 else form.gap
    margin, apart = len(str(view.height)), " " if form.tall else "  "
    grid = Lines(view, unicode) if view.grid else None
    lines = []
    for row, below_it in zip_longest(names, names[1:]):
        for k in range(2 if form.tall else 1):
            fills = (grid.between(*pair) if grid and not form.tall else " " for pair in pairwise(row))
            shown = (
                _padded(cells[name][k], width + gap, colour, fill) for name, fill in zip(row[:-1], fills, strict=True)
            )
            head = f"{row[0][1:] if not k else '':>{margin}}{apart}"
            lines.append(head + "".join(shown) + _padded(cells[row[-1]][k], width, colour))
        if grid and below_it and grid.is_river(int(row[0][1:]), int(below_it[0][1:])):
            wide = (width + gap) * (view.width - 1) + 1
            water = Piece(grid.water * wide, (EMPTY_COLOUR,))
            lines.append(f"{'':{margin}}{apart}{_coloured(water) if colour else water.text}")
    files = (" " * gap).join(name[0].ljust(width) for name in names[-1])
    lines.append(f"{'':{margin}}{apart}{files}")
    lines.extend(note for text in view.notes for note in folded(text, columns, "  "))
    return "\n".join(line.rstrip() for line in lines if line.strip() or not form.tall)


def cell(men: tuple[Man, ...], unicode: bool = True) -> str:
    """What one square shows, but for the shape of its register."""
    return "".join(piece.text for piece in _men(men, "", Form(unicode))) or EMPTY


def _columns(view: View, form: Form, width: int) -> int:
    """How many columns the board takes."""
    margin = len(str(view.height)) + (1 if form.tall else 2)
    return margin + view.width * width + (view.width - 1) * (1 if width == 1 else form.gap)


def _square(view: View, name: str, form: Form) -> tuple[Cell, ...]:
    """A square in its lines: the men with the shape of their register and their odds, or these below."""
    men = view.men.get(name, ())
    under = (MARKED_COLOUR,) if name in view.marked else ()
    if not men:
        free = Lines(view, form.unicode).free(name) if view.grid else EMPTY
        return ((Piece(free, (*under, EMPTY_COLOUR)),), ())
    number = view.register_of(name)
    open_ = is_uncertain(men)
    tint = CODES[number % len(CODES)] if number is not None and open_ else ()
    mark = sign(number, form.unicode) if number is not None and view.lettered else ""
    sides = {man: (*under, *SIDE_COLOURS[view.side(man) % len(SIDE_COLOURS)]) for man in men}
    if not form.tall:
        return (tuple(_men(men, mark, form, sides, tint)),)
    men = _likeliest(men)
    symbols = tuple(Piece(_symbol(man, form.unicode), sides[man]) for man in men)
    shown = men[:1] if form.few else men
    numbers = Piece("|".join(_odds(man) for man in shown), tint)
    return ((*symbols, Piece(mark, tint)), (numbers, *(_mark(man, form.unicode) for man in shown)))


def _men(
    men: tuple[Man, ...],
    mark: str,
    form: Form,
    sides: dict[Man, tuple[int, ...]] | None = None,
    tint: tuple[int, ...] = (),
) -> Iterator[Piece]:
    """The men of a square in one line."""
    for number, man in enumerate(_likeliest(men)):
        symbol, odds = _symbol(man, form.unicode), _odds(man)
        if number:
            yield Piece("|")
        yield Piece(symbol, (sides or {}).get(man, ()))
        if odds and symbol[-1].isascii() and symbol[-1].isdigit():
            odds = f":{odds}"
        yield Piece((mark if form.unicode and not number else "") + odds, tint)
        yield Piece(mark if not form.unicode and not number else "", tint)
        yield _mark(man, form.unicode)


def _likeliest(men: tuple[Man, ...]) -> tuple[Man, ...]:
    return tuple(sorted(men, key=lambda man: -round(man.probability, 9)))


def _odds(man: Man) -> str:
    """How likely a man is there, without the sign; nothing for certain."""
    return "" if man.probability > 1 - SAME else percent(max(man.probability, 2 * SAME)).rstrip("%")


def _symbol(man: Man, unicode: bool) -> str:
    return man.symbol if unicode else man.symbol.translate(SMALL_DIGITS)


def _mark(man: Man, unicode: bool) -> Piece:
    """The mark of a man as text, where he has one."""
    return Piece(man.mark.text(unicode), MARK_COLOURS.get(man.mark.colour, ())) if man.mark else Piece("")


def _length(line: Iterable[Piece]) -> int:
    return sum(len(piece.text) for piece in line)


def _padded(line: Cell, width: int, colour: bool, fill: str = " ") -> str:
    """The pieces of a line, and lines of the board or blanks up to its width."""
    rest = Piece(fill * (width - _length(line)), () if fill == " " else (EMPTY_COLOUR,))
    return "".join(_coloured(piece) if colour else piece.text for piece in (*line, rest) if piece.text)


def _coloured(piece: Piece) -> str:
    return f"\x1b[{';'.join(map(str, piece.codes))}m{piece.text}\x1b[0m" if piece.codes else piece.text
