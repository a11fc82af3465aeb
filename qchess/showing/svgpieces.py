"""Our own drawings of the chess pieces, as SVG path data in a box of 45 by 45."""

from __future__ import annotations

from html import escape

BOX = 45.0
_BASE = "M12.5 33.8h20v4h-20z"

#: letter -> the filled outline, and the lines over it
OUTLINES = {
    "K": ("M21 4.5h3v3h3v3h-3V15h-3v-4.5h-3v-3h3z"
          "M22.5 17c4-5.5 13.5-3.5 13.5 4 0 4.5-3.5 6.5-4.5 11.3h-18c-1-4.8-4.5-6.8-4.5-11.3 0-7.5 9.5-9.5 13.5-4z"
          + _BASE, "M22.5 18v13"),
    "Q": ("M8.5 14.5l5.5 12.5 1.5-14.5 5 13 2-15.5 2 15.5 5-13 1.5 14.5 5.5-12.5-3.5 18h-21z" + _BASE, "M13.5 29.5h18"),
    "R": ("M12.5 9.5h4.5v3.5h3.5v-3.5h4v3.5h3.5v-3.5h4.5v8l-3.5 3v9.5l4 3.5v4h-21v-4l4-3.5v-9.5l-3.5-3z",
          "M16 20.5h13M16 30h13"),
    "B": ("M22.5 6a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 1 1 0-5.2z"
          "M22.5 11.5c5.5 4 8.5 8.5 8.5 13 0 3-1.5 5.3-3.5 7.3h-10c-2-2-3.5-4.3-3.5-7.3 0-4.5 3-9 8.5-13z" + _BASE,
          "M25.5 15.5l-5 7"),
    "N": ("M14 37.8c0-7 3.5-10.3 7-14.3-3 .3-5.5 1.5-7.5 4l-3.8-2.3c0-4 2.8-7 5-10.7.4-2 1.3-3.3 2.3-4.3l.3-3.9 3.9 3.2"
          "c8 .8 12.8 8 12.8 17.5 0 4-.4 7.5-1 10.8z", "M18.2 15.2l1.6-.6M28.5 20c1.8 4 2 8.5 1.5 13"),
    "P": ("M22.5 10.5a5.2 5.2 0 0 1 3.3 9.2c2.2.8 3.7 2 3.7 3.3h-2.8c.6 4.8 2.4 7.7 5.8 10.3v4.5h-20v-4.5"
          "c3.4-2.6 5.2-5.5 5.8-10.3h-2.8c0-1.3 1.5-2.5 3.7-3.3a5.2 5.2 0 0 1 3.3-9.2z", "M18.3 23h8.4"),
}  # fmt: skip


#: drawn on the disc of a draughtsman: a rim for a man, a crown for a king
DISCS = {"M": '<circle cx="22.5" cy="22.5" r="10" class="lines {side}"/>',
         "K": '<path d="M14 28.5v-11l4.5 5 4-7.5 4 7.5 4.5-5v11z" class="lines {side}"/>'}  # fmt: skip


def piece(symbol: str, side: str, drawings: str = "chess") -> str:
    """Return a side's piece as SVG elements in the box: chess (K Q R B N P), draughts (M K), or letters on a disc.

    With ``letters`` every piece is a disc.
    """
    if drawings == "draughts" and symbol.upper() in DISCS:
        disc = f'<circle cx="22.5" cy="22.5" r="15" class="man {side}"/>'
        return disc + DISCS[symbol.upper()].format(side=side)
    if drawings == "letters" or symbol.upper() not in OUTLINES:
        place = f'x="22.5" y="22.5" dy=".35em" font-size="{22 if len(symbol) == 1 else 15}"'
        return (
            f'<circle cx="22.5" cy="22.5" r="15" class="man {side}"/>'
            f'<text {place} class="mid letters {side}">{escape(symbol.upper())}</text>'
        )
    outline, lines = OUTLINES[symbol.upper()]
    return f'<path d="{outline}" class="man {side}"/><path d="{lines}" class="lines {side}"/>'
