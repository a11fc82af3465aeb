"""Draws a board as plain text: a letter for who stands where, and the odds behind it.

    3  N½  .   N½  .
    2  P   P   P   P
    1  R   .   B   Q
       a   b   c   d

A letter alone is certain. Where a square may hold several men, each has its odds: ``B½,P½``.
"""

from __future__ import annotations

from fractions import Fraction

from qchess.showing.view import Man, View

#: the fractions that have a letter of their own
LETTERS = {
    Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾",
    Fraction(1, 8): "⅛", Fraction(3, 8): "⅜", Fraction(5, 8): "⅝", Fraction(7, 8): "⅞",
}  # fmt: skip
#: fractions are written out up to this denominator; halves of halves come no further in one game's opening
FINEST = 64
EMPTY = "."
#: how groups of squares are told apart, where colours are asked for
GROUP_COLOURS = (33, 36, 35, 32, 34, 31)


def odds(probability: float, unicode: bool = True) -> str:
    """A probability as short text: nothing for certain, else ``½``, ``3/16`` or ``.333``.

    >>> [odds(p) for p in (1.0, 0.5, 3 / 16, 1 / 3, 1e-6)]
    ['', '½', '3/16', '.333', '<.001']
    """
    if probability > 1 - 1e-9:
        return ""
    near = Fraction(probability).limit_denominator(FINEST)
    is_dyadic = near.denominator & (near.denominator - 1) == 0
    if near and is_dyadic and abs(near - Fraction(probability)) < 1e-9:
        return LETTERS[near] if unicode and near in LETTERS else str(near)
    if probability < 0.0005:
        return "<.001"
    return ">.999" if probability > 0.9995 else f"{probability:.3f}".lstrip("0")


def draw(view: View, colour: bool = False, unicode: bool = True) -> str:
    """The board from the first player's side, with its notes below; no line ends in blanks."""
    names = [[f"{chr(ord('a') + x)}{y}" for x in range(view.width)] for y in range(view.height, 0, -1)]
    cells = {name: cell(view.men.get(name, ()), unicode) for row in names for name in row}
    width = max(map(len, cells.values()), default=1)
    gap = " " if width == 1 else "  "
    margin = len(str(view.height))
    lines = []
    for row in names:
        shown = (_coloured(cells[name], _codes(view, name)) if colour else cells[name] for name in row)
        padded = (text + " " * (width - len(cells[name])) for text, name in zip(shown, row, strict=True))
        lines.append(f"{row[0][1:]:>{margin}}  {gap.join(padded)}")
    files = gap.join(name[0].ljust(width) for name in names[-1])
    lines.append(f"{'':{margin}}  {files}")
    lines.extend(view.notes)
    return "\n".join(line.rstrip() for line in lines)


def cell(men: tuple[Man, ...], unicode: bool = True) -> str:
    """What one square shows."""
    return ",".join(man.symbol + odds(man.probability, unicode) + mark(man, unicode) for man in men) or EMPTY


def mark(man: Man, unicode: bool = True) -> str:
    """The mark of a man as text, where he has one."""
    return man.mark.text(unicode) if man.mark else ""


def _codes(view: View, name: str) -> list[int]:
    """The ANSI codes of a square: dim if empty, bold for the first player, a colour for what is open."""
    men = view.men.get(name, ())
    codes = [4] if name in view.marked else []
    if not men:
        return [*codes, 2]
    if men[0].symbol.isupper():
        codes.append(1)
    for number, group in enumerate(view.groups):
        if name in group:
            return [*codes, GROUP_COLOURS[number % len(GROUP_COLOURS)]]
    if any(odds(man.probability) for man in men):
        codes.append(33)
    elif not men[0].symbol.isupper():
        codes.append(36)
    return codes


def _coloured(text: str, codes: list[int]) -> str:
    return f"\x1b[{';'.join(map(str, codes))}m{text}\x1b[0m" if codes else text
