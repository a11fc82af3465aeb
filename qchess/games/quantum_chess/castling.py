"""The four castlings and their squares. Only the 8 by 8 board has them."""

from __future__ import annotations

from dataclasses import dataclass

from qchess.boards.geometry import Geometry, geometry, mask

#: the rights, as bits
RIGHTS = {"K": 1, "Q": 2, "k": 4, "q": 8}
BOARD = geometry(8, 8)


@dataclass(frozen=True, slots=True)
class Castling:
    """One castling: the king's two squares, the rook's two, and those between."""

    right: int
    king: tuple[int, int]
    rook: tuple[int, int]
    #: squares that must not be certainly occupied, as a mask
    open: int
    #: the square that is only a control: b1 or b8 on the queen's side
    path: tuple[str, ...]

    @property
    def home(self) -> int:
        """Return the squares where king and rook must stand, as a mask."""
        return mask((self.king[0], self.rook[0]))


def _castling(letter: str, king: str, rook: str, path: str) -> Castling:
    rank = "1" if letter.isupper() else "8"
    squares = [BOARD.square(file + rank) for file in king + rook]
    between = BOARD.between(squares[0], squares[2])
    return Castling(
        RIGHTS[letter], (squares[0], squares[1]), (squares[2], squares[3]), mask(between), tuple(f + rank for f in path)
    )


CASTLINGS = (
    _castling("K", "eg", "hf", ""),
    _castling("Q", "ec", "ad", "b"),
    _castling("k", "eg", "hf", ""),
    _castling("q", "ec", "ad", "b"),
)
#: by the king's source and target
BY_KING = {castling.king: castling for castling in CASTLINGS}
#: the rights that a move loses by naming a square
LOST = {
    square: sum(c.right for c in CASTLINGS if square in (c.king[0], c.rook[0]))
    for square in {end for c in CASTLINGS for end in (c.king[0], c.rook[0])}
}
#: a king at home, by symbol
KING_HOME = {"K": BOARD.square("e1"), "k": BOARD.square("e8")}


def open_castlings(rights: int, full: int, white: bool, on: Geometry) -> list[Castling]:
    """Return the castlings a side may choose: the right is set and no square on the way is certainly occupied."""
    if not rights or on is not BOARD:
        return []
    mine = CASTLINGS[:2] if white else CASTLINGS[2:]
    return [castling for castling in mine if rights & castling.right and not full & castling.open]


def rights_left(rights: int, named: tuple[int, ...]) -> int:
    """Return the rights left after a move that names these squares."""
    for square in named:
        rights &= ~LOST.get(square, 0)
    return rights


def supported(rights: int, board: tuple[str, ...], on: Geometry) -> int:
    """Return the rights whose king and rook stand at home."""
    if on is not BOARD:
        return 0
    for castling, king, rook in zip(CASTLINGS, "KKkk", "RRrr", strict=True):
        if board[castling.king[0]] != king or board[castling.rook[0]] != rook:
            rights &= ~castling.right
    return rights
