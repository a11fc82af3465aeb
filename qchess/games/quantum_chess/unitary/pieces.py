"""Pieces as numbers: white is positive, black negative, and 0 is an empty square."""

from __future__ import annotations

EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(7)

#: number -> letter; "?" marks a square that is occupied where no piece was expected
PIECES: dict[int, str] = {EMPTY: "?"}
PIECES |= {sign * kind: letter for kind, pair in enumerate(("Pp", "Nn", "Bb", "Rr", "Qq", "Kk"), start=PAWN)
           for sign, letter in zip((1, -1), pair, strict=True)}  # fmt: skip
#: letter -> number; a blank and a dot are empty
REV_PIECES: dict[str, int] = {letter: piece for piece, letter in PIECES.items() if piece} | {" ": EMPTY, ".": EMPTY}
