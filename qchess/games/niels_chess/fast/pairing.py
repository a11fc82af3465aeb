"""The moves that make a pair: superpositions and entanglements."""

from __future__ import annotations

from typing import Any

from qchess.circuits.kernels import helper
from qchess.games.niels_chess.fast.layout import (
    ADVISER,
    BISHOP,
    BOUNDED,
    CALM,
    CHECKED,
    CHOICE,
    DELICATE,
    DIAG,
    KING,
    KNIGHT,
    LETTERS,
    LONGEST,
    NEAR,
    OPEN,
    PALACE,
    PAWN,
    QUEEN,
    ROOK,
    SAFE,
    SIZE,
    SPLITS_TWICE,
    STRUCK,
    STUCK,
    TURNS,
    XIANGQI,
    Board,
    Ints,
    Units,
    X,
    Z,
    at,
    colour,
    diag,
    is_pair,
    kind,
    paired,
    piece,
    ray,
    zone,
)
from qchess.games.niels_chess.fast.reaching import reach
from qchess.games.niels_chess.fast.rows import add_joins, add_splits, promotes
from qchess.games.niels_chess.fast.trying import copy, place, safe, safe_with


@helper
def list_splits(board: Board, count: int, unit: Any, own: Any, empty: int, leaves: int) -> int:
    """List superpositions: two squares, perhaps including the present one, in every marking."""
    book, squares, safe_on = board.book, board.reached[0, 0], board.flags[SAFE]
    alone = unit == own and book[XIANGQI] == 0  # on two squares a king of chess is safe if it is on each of them
    for i in range(-1, empty if book[SPLITS_TWICE] else 0):
        a = at(unit) if i < 0 else squares[i]
        for k in range(i + 1, empty):
            b = squares[k]
            if book[BOUNDED] and not may_pair(board, unit, a, b):
                continue
            if alone:
                fits = (board.state[CHECKED] == 0 if i < 0 else safe_on[a] == 1) and safe_on[b] == 1
            else:
                fits = may_split(board, unit, a, b, leaves)
            if fits:
                count = add_splits(board, count, unit, a, b)
    return count


@helper
def may_split(board: Board, unit: Any, a: Any, b: Any, leaves: int) -> bool:
    """Tell whether the own king is safe once a piece has split to two squares, of which one may be its own."""
    known = entering(board, leaves, b if a == at(unit) else a, b)
    return known == CALM or (known == OPEN and safe_with(board, unit, paired(unit, kind(unit), a, b)))


@helper
def entering(board: Board, leaves: int, a: Any, b: Any) -> int:
    """Tell what it means for the king that a unit which has left its square enters one or two empty ones."""
    flags = board.flags
    if leaves == CALM:
        return OPEN if flags[DELICATE, a] or flags[DELICATE, b] else CALM
    if leaves == STUCK:
        return OPEN if flags[NEAR, a] or flags[NEAR, b] else STUCK
    return OPEN


@helper
def may_pair(board: Board, unit: Any, a: Any, b: Any) -> bool:
    """Tell whether River and Palace allow a superposition on these squares."""
    letter, start, river = kind(unit), at(unit), board.book[SIZE] // 2
    if letter in (KING, ADVISER, BISHOP):
        return bool(zone(board.book, start) >> PALACE & 1)
    if letter == PAWN:
        return bool((start >= river) != (colour(unit) == 1))
    across = start < river
    return bool((a >= river) == across or (b >= river) == across)


@helper
def list_joins(board: Board, count: int, unit: Any, own: Any, empty: int, leaves: int) -> int:
    """List entanglements: an arrival, and an opposing pair that one of the two halves then attacks."""
    start = at(unit)
    for k in range(empty):
        to = board.reached[0, 0, k]
        if board.book[BOUNDED] and not may_pair(board, unit, start, to):
            continue
        first, last = (1, LETTERS) if promotes(board, unit, to) else (0, 0)
        for letter in range(first, last + 1):
            new = piece(unit, (0, QUEEN, ROOK, BISHOP, KNIGHT)[letter], start) if letter else unit
            if not mark_struck(board, new, to):
                continue
            if unit != own and not may_split(board, unit, start, to, leaves):
                break
            for square in range(board.men.size):
                joined = board.men[square]
                if board.flags[STRUCK, square] == 0 or (diag(joined) == 0 and free_diagonal(board) == 0):
                    continue
                if unit == own:
                    count = add_safe_joins(board, count, unit, to, joined)
                else:
                    count = add_joins(board, count, unit, to, joined, letter)
    return count


@helper
def mark_struck(board: Board, unit: Any, to: Any) -> bool:
    """Flag the first squares of the opposing pairs that a piece attacks if it also stands on `to`; are there any?"""
    board.flags[STRUCK, :] = 0
    men = board.tried[1]
    copy(board.men, men)
    if board.book[XIANGQI]:  # what one half hides from the other in chess, it attacks itself
        unit = paired(unit, kind(unit), at(unit), to)
        place(men, unit)
    found = False
    for number in range(2):
        square = to if number else at(unit)
        _, taken = reach(board.book, men, unit, square, board.reached[1])
        if kind(unit) == KING and board.book[XIANGQI]:
            taken = see_king(board.book, men, unit, square, board.reached[1], taken)
        for k in range(taken):
            target = men[board.reached[1, 1, k]]
            if is_pair(target):
                board.flags[STRUCK, at(target)] = 1
                found = True
    return found


@helper
def see_king(book: Ints, men: Units, unit: Any, square: Any, out: Ints, taken: int) -> int:
    """Write the opposing king that a king of Xiangqi faces, behind what it could capture; say how many there are."""
    for way in range(4):
        for k in range(book[LONGEST]):
            to = ray(book, square, way, k)
            if to < 0:
                break
            if men[to] != 0:
                if kind(men[to]) == KING and colour(men[to]) != colour(unit):
                    out[1, taken] = to
                    taken += 1
                break
    return taken


@helper
def free_diagonal(board: Board) -> int:
    """Return the diagonal for the next group: 1 or 2, or 0 if both are in use."""
    used = 0
    for unit in board.men:
        used |= diag(unit)
    return 0 if used == 3 else 2 if used == 1 else 1


@helper
def add_safe_joins(board: Board, count: int, own: Any, to: Any, joined: Any) -> int:
    """Write the markings with which a king may join a pair: each that leaves it safe."""
    group = diag(joined) or free_diagonal(board)
    turns, after = board.book[TURNS], board.tried[0]
    first = count
    for choice in range(add_joins(board, count, own, to, joined, 0) - count):
        a, b = (at(own), to) if choice < turns else (to, at(own))
        bits = (choice % turns) << X | (joined >> Z & 1) << Z | group << DIAG
        copy(board.men, after)
        place(after, (joined & ~(3 << DIAG)) | group << DIAG)
        place(after, paired(own, KING, a, b) | bits)
        if safe(board.book, after, colour(own)):
            if first < board.rows.shape[0]:
                board.rows[first, CHOICE] = choice
            first += 1
    return first
