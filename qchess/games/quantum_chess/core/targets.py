"""Where each piece may go: the targets of `qchess.games.quantum_chess.legal`, on signed masks."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import (
    BISHOP,
    BOARD,
    BOOK,
    EN_PASSANT,
    EN_PASSANT_ALWAYS,
    FULL,
    KING,
    KNIGHT,
    PAWN,
    PLY,
    RIGHTS,
    ROOK,
    SIDE,
    Whole,
)
from qchess.games.quantum_chess.core.masks import ATTACKS, KING_STEPS, KNIGHT_STEPS, ONE_STEP, RAYS, TWO_STEPS, turned


@helper
def reached(kind: int, square: int, full: int, turned_full: int) -> int:
    """The squares that a piece other than a pawn reaches; rays end on the first full one."""
    if kind == KNIGHT:
        return int(KNIGHT_STEPS[square])
    if kind == KING:
        return int(KING_STEPS[square])
    first = 2 if kind == ROOK else 0
    last = 2 if kind == BISHOP else 4
    return seen(square, full, first, last) | turned(seen(63 - square, turned_full, first, last))


@helper
def seen(square: int, full: int, first: int, last: int) -> int:
    """What is seen from a square along its rays to higher squares, up to the first full one of each.

    With the lowest stop, and all below it, `stops ^ (stops - 1)` holds what no stop hides. For the rays to
    lower squares the board is turned round.
    """
    result = 0
    for line in range(first, last):
        ray = RAYS[64 * line + square]
        stops = ray & full
        result |= ray & (stops ^ (stops - 1))
    return int(result)


@helper
def pawn_targets(side: int, square: int, full: int, prey: int) -> int:
    """One step ahead unless certainly blocked, two from the start rank, and what can be taken."""
    way = 64 * side + square
    ahead = ONE_STEP[way] & ~full
    if ahead != 0:
        ahead |= TWO_STEPS[way] & ~full
    return int(ahead | ATTACKS[way] & prey)


@helper
def prey_of_pawns(game: Whole, enemy: int) -> int:
    """What pawns may take: the enemy, and the en passant square with a pawn behind it."""
    target = game[EN_PASSANT]
    if target < 0:
        return enemy
    side = game[PLY] & 1
    behind = game[BOARD + victim_square(side, target)]
    if game[BOOK] & EN_PASSANT_ALWAYS or behind == PAWN + SIDE - SIDE * side:
        return int(enemy | 1 << target)
    return enemy


@helper
def victim_square(side: int, target: int) -> int:
    """The square of the pawn that is taken in passing onto `target`."""
    return target + 8 if side else target - 8


@helper
def castling_home(game: Whole) -> int:
    """Where the king of the side to move stands, if it still has a right to castle; else -1."""
    side = game[PLY] & 1
    home = 60 if side else 4
    return home if game[RIGHTS] != 0 and game[BOARD + home] == KING + SIDE * side else -1


@helper
def castling_targets(game: Whole) -> int:
    """The squares to which that king may castle: no square on the way is certainly occupied."""
    side = game[PLY] & 1
    rights, full = game[RIGHTS] >> 2 * side, game[FULL] >> 56 * side
    targets = 0
    if rights & 1 and full & 0b01100000 == 0:
        targets |= 1 << 6
    if rights & 2 and full & 0b00001110 == 0:
        targets |= 1 << 2
    return int(targets << 56 * side)
