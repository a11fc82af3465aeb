"""The moves of marks, and tunnelling."""

from __future__ import annotations

from typing import Any

from qchess.circuits.kernels import helper
from qchess.games.niels_chess.fast.layout import (
    BISHOP,
    CALM,
    CANNON,
    CHECKED,
    DECLINED,
    HADAMARD,
    HADAMARDS,
    INVERT,
    KNIGHT,
    LONGEST,
    MOST,
    OPEN,
    PAWN,
    QUEEN,
    ROOK,
    SIMPLIFIED,
    TUNNEL,
    TUNNELS,
    TURN,
    XIANGQI,
    Z_MOVE,
    Board,
    Units,
    X,
    Z,
    at,
    colour,
    diag,
    hop,
    is_pair,
    kind,
    moved,
    over,
    ray,
    second,
)
from qchess.games.niels_chess.fast.pairing import entering
from qchess.games.niels_chess.fast.reaching import reach
from qchess.games.niels_chess.fast.rows import add
from qchess.games.niels_chess.fast.trying import copy, land, lift, safe, safe_with


@helper
def list_marks(board: Board, count: int, pair: Any, own: Any) -> int:
    """List the inversion of a pair, its Z moves, and its Hadamard move."""
    book, safe_now = board.book, board.state[CHECKED] == 0
    hadamard, a, b = book[HADAMARDS], at(pair), second(pair)
    inverts = book[SIMPLIFIED] == 0 and (diag(pair) != 0 or (pair >> Z & 1 == 1 and hadamard == 0))
    away = (inverts or hadamard > 0) and one_away(board, pair)
    if inverts and away and (safe_with(board, pair, pair ^ 1 << X) if pair == own else safe_now):
        count = add(board, count, INVERT, a, b, -1, -1, 0, 0, 1)
    if hadamard == 0:
        return count
    if safe_now and (diag(pair) == 0 or hadamard == 2):
        count = add(board, count, Z_MOVE, a, b, -1, -1, 0, 0, 1)
        if diag(pair) == 0 and book[SIMPLIFIED] == 0:
            count = add(board, count, Z_MOVE, a, b, -1, -1, 0, 1, 1)
    if away and interferes_safely(board, pair):
        count = add(board, count, HADAMARD, a, b, -1, -1, 0, 0, 1)
    return count


@helper
def interferes_safely(board: Board, pair: Any) -> bool:
    """Tell whether a Hadamard move leaves the own king safe; of a group only if every pair is one move away."""
    men = board.men
    if diag(pair) != 0:
        if board.book[HADAMARDS] < 2 or board.state[DECLINED] != 0:
            return False
        for square in range(men.size):
            unit = men[square]
            if unit != 0 and diag(unit) == diag(pair) and at(unit) == square and not one_away(board, unit):
                return False
    land(men, board.tried[0], pair, 1 - ((pair >> X & 1) ^ (pair >> Z & 1)))
    return safe(board.book, board.tried[0], board.state[TURN])


@helper
def one_away(board: Board, pair: Any) -> bool:
    """Tell whether one half could go to the other's square if that were empty, ignoring safety."""
    emptied, a, b = board.tried[0], at(pair), second(pair)
    copy(board.men, emptied)
    lift(emptied, pair)
    if goes(board, emptied, pair, a, b):
        return True
    one_way = kind(pair) == PAWN or board.book[XIANGQI] == 1  # the other pieces of chess could go back
    return one_way and goes(board, emptied, pair, b, a)


@helper
def goes(board: Board, men: Units, unit: Any, start: Any, end: Any) -> bool:
    """Tell whether a unit reaches one empty square from another."""
    empty, _ = reach(board.book, men, unit, start, board.reached[1])
    return end in board.reached[1, 0, :empty]


@helper
def list_tunnels(board: Board, count: int, unit: Any, leaves: int) -> int:
    """List tunnelling through a unit to the empty square behind."""
    book, letter, start = board.book, kind(unit), at(unit)
    if letter == KNIGHT or (letter == BISHOP and book[XIANGQI]):
        for k in range(MOST if book[XIANGQI] else 0):
            to = hop(book, letter, start, k)
            if to < 0:
                break
            count = add_tunnel(board, count, unit, leaves, over(book, letter, start, k), to)
    elif letter in (QUEEN, ROOK, BISHOP, CANNON):
        for way in range(4 if letter == BISHOP else 0, 4 if letter in (ROOK, CANNON) else 8):
            for k in range(book[LONGEST] - 1):
                barrier = ray(book, start, way, k)
                if barrier < 0:
                    break
                if board.men[barrier] != 0:
                    count = add_tunnel(board, count, unit, leaves, barrier, ray(book, start, way, k + 1))
                    break
    return count


@helper
def add_tunnel(board: Board, count: int, unit: Any, leaves: int, barrier: Any, to: Any) -> int:
    """Write tunnelling through a barrier, if it is one, and the square behind it is empty."""
    if to < 0 or board.men[barrier] == 0 or board.men[to] != 0:
        return count
    other = board.men[barrier]
    if is_pair(other) or (colour(other) == colour(unit) and board.book[TUNNELS] != 2):
        return count
    known = entering(board, leaves, to, to)
    if known == CALM or (known == OPEN and safe_with(board, unit, moved(unit, at(unit), to))):
        count = add(board, count, TUNNEL, at(unit), to, -1, -1, 0, 0, 1)
    return count
