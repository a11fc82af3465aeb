"""Placements: the first field of a FEN, with the piece on each square, for any board and any letters.

Ranks come from the top, with ``/`` between them; a number is a run of empty squares.

>>> board, men = read("3k/4/P(R)2N", re.compile(r"[KNPknp](?:\\(R\\))?"), "K, N or P")
>>> board, {board.names[square]: man for square, man in men.items()}
(geometry(4, 3), {'a1': 'P(R)', 'd1': 'N', 'd3': 'k'})
>>> write(board, men)
'3k/4/P(R)2N'
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from qchess.boards.geometry import Geometry, geometry
from qchess.errors import InvalidMoveError
from qchess.reading import shown

#: empty squares, on boards of at most nine files and on wider ones
_EMPTY, _EMPTY_WIDE = re.compile("[1-9]"), re.compile("[1-9][0-9]?")

#: the pieces by the numbers of their squares
Men = dict[int, str]


def read(text: str, man: re.Pattern[str], pieces: str, *, wide: bool = False) -> tuple[Geometry, Men]:
    """Return the board of a placement and its pieces, a1 first; `pieces` describes in an error what `man` matches.

    Each digit is a separate number, unless the board may be `wide`: then ``12`` means twelve empty squares.
    """
    empty = _EMPTY_WIDE if wide else _EMPTY
    ranks = [_rank(rank, empty, man, pieces, text) for rank in reversed(text.split("/"))]
    widths = [len(rank) for rank in ranks]
    if len(set(widths)) != 1 or not widths[0]:
        raise InvalidMoveError(f"expected ranks of one length, got lengths {widths[::-1]} in {shown(text)}")
    board = geometry(widths[0], len(ranks))
    everywhere = enumerate(found for rank in ranks for found in rank)
    return board, {square: found for square, found in everywhere if found is not None}


def _rank(rank: str, empty: re.Pattern[str], man: re.Pattern[str], pieces: str, text: str) -> list[str | None]:
    squares: list[str | None] = []
    at = 0
    while at < len(rank):
        found = empty.match(rank, at) or man.match(rank, at)
        if found is None:
            raise InvalidMoveError(f"expected a piece ({pieces}) or a number, got {rank[at]!r} in {shown(text)}")
        squares += [None] * int(found[0]) if found[0].isdigit() else [found[0]]
        at = found.end()
    return squares


def require(board: Geometry, wanted: Geometry, text: str) -> None:
    """Raise unless a placement has the board of the game."""
    if board is not wanted:
        raise InvalidMoveError(
            f"expected a board of {wanted.width} by {wanted.height} squares, "
            f"got {board.width} by {board.height} in {shown(text)}"
        )


def write(board: Geometry, men: Mapping[int, str]) -> str:
    """Return the placement of pieces on a board."""
    return "/".join(_write_rank(board, men, rank) for rank in reversed(range(board.height)))


def _write_rank(board: Geometry, men: Mapping[int, str], rank: int) -> str:
    written, empty = "", 0
    for square in range(rank * board.width, (rank + 1) * board.width):
        if square not in men:
            empty += 1
            continue
        written += f"{empty or ''}{men[square]}"
        empty = 0
    return f"{written}{empty or ''}"
