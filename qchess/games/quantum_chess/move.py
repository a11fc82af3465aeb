"""A move: from where, to where, and what a pawn becomes; the four castlings; and the kinds of moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from qchess.boards.geometry import Geometry, geometry, mask, squares
from qchess.boards.moves import USUAL, spelled
from qchess.foreign import understands
from qchess.games.quantum_chess.position import BLACK_SYMBOLS, EMPTY, WHITE_SYMBOLS, Position

#: what a pawn may become
PROMOTIONS = ("q", "r", "b", "n")

Squares = tuple[int, ...]


@understands("Move")
class Move(NamedTuple):
    """Sources and targets by number: one of each is a standard move, two targets a split, two sources a merge.

    The order of two targets or two sources is part of the move. `promotion` is a lower-case letter.

    >>> Move((12,), (28,)), Move((1,), (16, 18))
    (Move('e2-e4'), Move('b1^a3c3'))
    """

    sources: Squares
    targets: Squares
    promotion: str = ""

    @property
    def is_split(self) -> bool:
        """Tell whether the piece goes to two squares."""
        return len(self.targets) == 2

    @property
    def is_merge(self) -> bool:
        """Tell whether the piece comes from two squares."""
        return len(self.sources) == 2

    @property
    def squares(self) -> Squares:
        """Return every square that the move names."""
        return self.sources + self.targets

    @property
    def files(self) -> int:
        """Return the files of the board for printing; `qchess.boards.moves.named` sets another."""
        return USUAL

    def __str__(self) -> str:
        return spelled(self.sources, self.targets, self.files) + self.promotion if self.squares else "kings"

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


#: the last question of a game with `fifty_end="measure"`: which kings are there?
KINGS = Move((), ())


# Lists of moves are kept by their masks, and every list is made of the same move objects: a list that nobody
# asked for before costs a look-up a move, and a long life of many games holds each move once.


class _Made(dict[Squares, Move]):
    """The moves that share their sources, by their targets; each is made on first use."""

    def __init__(self, sources: Squares) -> None:
        self.sources = sources

    def __missing__(self, targets: Squares) -> Move:
        return self.setdefault(targets, Move(self.sources, targets))


@cache
def _from(*sources: int) -> Callable[[Squares], Move]:
    """Return the function from targets to the move from these sources."""
    return _Made(sources).__getitem__


@lru_cache(maxsize=65536)
def standard_moves(source: int, targets: int) -> tuple[Move, ...]:
    """Return the moves from one square to each square of a mask."""
    return tuple(map(_from(source), zip(squares(targets), strict=True)))


@lru_cache(maxsize=4096)
def promotions(source: int, targets: int, choices: tuple[str, ...]) -> tuple[Move, ...]:
    """Return the pawn moves from one square to each square of a mask, each with every choice."""
    return tuple(Move((source,), (target,), choice) for target in squares(targets) for choice in choices)


@lru_cache(maxsize=16384)
def splits(source: int, targets: int) -> tuple[Move, ...]:
    """Return the splits from one square to each pair of squares of a mask, ascending."""
    return tuple(map(_from(source), combinations(squares(targets), 2)))


@lru_cache(maxsize=65536)
def merges(first: int, second: int, targets: int) -> tuple[Move, ...]:
    """Return the merges from two squares onto each square of a mask."""
    return tuple(map(_from(first, second), zip(squares(targets), strict=True)))


# -- the four castlings; only the 8 by 8 board has them -------------------------------------------------------------

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


def write_rights(rights: int) -> str:
    """Return the castling rights as in a FEN."""
    return "".join(letter for letter, bit in RIGHTS.items() if rights & bit) or "-"


# -- the kind of a move: its type and its variant, computed from the symbols alone -----------------------------------


class MoveType(IntEnum):
    """The types of moves, numbered as in the protocols."""

    NULL_TYPE = 0
    UNSPECIFIED_STANDARD = 1
    JUMP = 2
    SLIDE = 3
    SPLIT_JUMP = 4
    SPLIT_SLIDE = 5
    MERGE_JUMP = 6
    MERGE_SLIDE = 7
    PAWN_STEP = 8
    PAWN_TWO_STEP = 9
    PAWN_CAPTURE = 10
    PAWN_EP = 11
    KS_CASTLE = 12
    QS_CASTLE = 13


class MoveVariant(IntEnum):
    """The variants of moves, numbered as in the protocols."""

    UNSPECIFIED = 0
    BASIC = 1
    EXCLUDED = 2
    CAPTURE = 3


class Kind(NamedTuple):
    """A move's type and variant."""

    type: MoveType
    variant: MoveVariant

    @property
    def measures(self) -> bool:
        """Tell whether playing the move asks a question."""
        return self.variant is not BASIC

    @property
    def takes(self) -> bool:
        """Tell whether the move takes a piece, or may take one."""
        return self.variant is CAPTURE or self.type is MoveType.PAWN_EP


BASIC, EXCLUDED, CAPTURE = MoveVariant.BASIC, MoveVariant.EXCLUDED, MoveVariant.CAPTURE
CASTLES = (MoveType.KS_CASTLE, MoveType.QS_CASTLE)
#: the variant by the mover's and the target's symbol
_VARIANTS = {
    (mover, target): BASIC
    if target in (EMPTY, mover)
    else (EXCLUDED if (target in WHITE_SYMBOLS) == (mover in WHITE_SYMBOLS) else CAPTURE)
    for mover in WHITE_SYMBOLS + BLACK_SYMBOLS
    for target in EMPTY + WHITE_SYMBOLS + BLACK_SYMBOLS
}


def kind(position: Position, move: Move) -> Kind:
    """Return the kind of a legal move."""
    if move.is_split or move.is_merge:
        return Kind(_leg_type(position, move), BASIC)
    (s,), (t,) = move.sources, move.targets
    mover, there = position.board[s], position.board[t]
    if mover in "Pp":
        return _pawn_kind(position, s, t)
    if mover in "Kk" and (castling := castling_of(position, move)):
        return _castling_kind(position, castling)
    return Kind(MoveType.SLIDE if position.geometry.between(s, t) else MoveType.JUMP, _VARIANTS[mover, there])


def castling_of(position: Position, move: Move) -> Castling | None:
    """Return the castling of a king's move, or None."""
    ends = (move.sources[0], move.targets[0])
    castling = BY_KING.get(ends) if len(move.squares) == 2 else None
    if castling and position.rights & castling.right and position.board[ends[0]] in "Kk":
        return castling
    return None


def victim_square(position: Position, target: int) -> int:
    """Return the square of the pawn that an en passant capture onto `target` takes."""
    width = position.geometry.width
    return target - width if position.white_to_move else target + width


def is_en_passant(position: Position, s: int, t: int) -> bool:
    """Tell whether a pawn move is the diagonal one onto the en passant square."""
    return t == position.en_passant and (t - s) % position.geometry.width != 0


def _leg_type(position: Position, move: Move) -> MoveType:
    between, sources, targets = position.geometry.between, move.sources, move.targets
    slides = between(sources[0], targets[0]) or between(sources[-1], targets[-1])
    if move.is_split:
        return MoveType.SPLIT_SLIDE if slides else MoveType.SPLIT_JUMP
    return MoveType.MERGE_SLIDE if slides else MoveType.MERGE_JUMP


def _pawn_kind(position: Position, s: int, t: int) -> Kind:
    mover, there = position.board[s], position.board[t]
    width = position.geometry.width
    if is_en_passant(position, s, t):
        return Kind(MoveType.PAWN_EP, _VARIANTS[mover, there])
    if (t - s) % width:
        return Kind(MoveType.PAWN_CAPTURE, CAPTURE)
    steps = MoveType.PAWN_STEP if abs(t - s) == width else MoveType.PAWN_TWO_STEP
    return Kind(steps, BASIC if there in (EMPTY, mover) else EXCLUDED)


def _castling_kind(position: Position, castling: Castling) -> Kind:
    board = position.board
    rook = board[castling.rook[0]]
    blocked = board[castling.king[1]] != EMPTY or board[castling.rook[1]] not in (EMPTY, rook)
    side = MoveType.QS_CASTLE if castling.path else MoveType.KS_CASTLE
    return Kind(side, EXCLUDED if blocked else BASIC)
