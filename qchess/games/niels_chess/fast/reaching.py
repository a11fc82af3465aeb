"""How units move and attack on an array of units, in chess and in Xiangqi."""

from __future__ import annotations

from typing import Any

from qchess.circuits.kernels import helper
from qchess.games.niels_chess.fast.layout import (
    AHEAD,
    BISHOP,
    CANNON,
    DOUBLE,
    HORSES,
    KING,
    KNIGHT,
    LONGEST,
    MOST,
    MOUNT,
    PAWN,
    PAWNS,
    QUEEN,
    ROOK,
    SLOW,
    STRIKES,
    XIANGQI,
    Ints,
    Units,
    at,
    colour,
    diag,
    half,
    hop,
    is_pair,
    kind,
    over,
    ray,
    second,
)


@helper
def reach(book: Ints, men: Units, unit: Any, square: Any, out: Ints) -> Any:
    """Write the empty squares that a unit reaches from a square, and what it could capture; say how many each."""
    letter = kind(unit)
    if letter in (ROOK, CANNON, QUEEN) or (letter == BISHOP and book[XIANGQI] == 0):
        return reach_along(book, men, unit, square, out)
    empty, taken, row = 0, 0, STRIKES + colour(unit) if letter == PAWN else letter
    for k in range(MOST):
        to, leg = hop(book, row, square, k), over(book, row, square, k)
        if to < 0:
            break
        if leg >= 0 and men[leg] != 0:
            continue
        if men[to] == 0:
            out[0, empty] = to
            empty += 1
        elif colour(men[to]) != colour(unit):
            out[1, taken] = to
            taken += 1
    if letter == PAWN and book[XIANGQI] == 0:
        empty = advances(book, men, unit, square, out)
    return empty, taken


@helper
def reach_along(book: Ints, men: Units, unit: Any, square: Any, out: Ints) -> Any:
    """Do the same for a unit that goes along open lines."""
    letter, empty, taken = kind(unit), 0, 0
    for way in range(4 if letter == BISHOP else 0, 4 if letter in (ROOK, CANNON) else 8):
        for k in range(book[LONGEST]):
            to = ray(book, square, way, k)
            if to < 0:
                break
            if men[to] == 0:
                out[0, empty] = to
                empty += 1
                continue
            hit = shot(book, men, unit, square, way) if letter == CANNON else to
            if hit >= 0 and colour(men[hit]) != colour(unit):
                out[1, taken] = hit
                taken += 1
            break
    return empty, taken


@helper
def advances(book: Ints, men: Units, unit: Any, square: Any, out: Ints) -> int:
    """Write where a pawn of chess goes ahead, and say how many squares these are."""
    row = AHEAD + colour(unit)
    one, two = hop(book, row, square, 0), hop(book, row, square, 1)
    if one < 0 or men[one] != 0:
        return 0
    out[0, 0], out[0, 1] = one, two
    slow = book[DOUBLE] == 2 and (is_pair(unit) or unit >> SLOW & 1)
    return 1 if two < 0 or men[two] != 0 or book[DOUBLE] == 0 or slow else 2


@helper
def shot(book: Ints, men: Units, unit: Any, square: Any, way: int) -> int:
    """Return what a cannon attacks along a line: the first unit behind exactly one other; or -1."""
    partner, mounted = -1, False
    if is_pair(unit) and book[MOUNT] != 0:
        partner = second(unit) if at(unit) == square else at(unit)
    for k in range(book[LONGEST]):
        to = ray(book, square, way, k)
        if to < 0:
            break
        if men[to] == 0:
            continue
        if to == partner:
            if book[MOUNT] == 1:
                return -1
            continue
        if mounted:
            return int(to)
        mounted = True
    return -1


@helper
def can_take(unit: Any, start: Any, target: Any, end: Any) -> bool:
    """Tell whether a capture may succeed: pairs of one group are on the matching halves or not together."""
    if diag(unit) == 0 or diag(unit) != diag(target):
        return True
    return bool((start == half(unit, 1)) == (end == half(target, 1)))


@helper
def exposed(book: Ints, men: Units, own: Any) -> bool:
    """Tell whether a king could be captured."""
    if attacked(book, men, own, at(own)):
        return True
    return is_pair(own) and attacked(book, men, own, second(own))


@helper
def attacked(book: Ints, men: Units, own: Any, square: Any) -> bool:
    """Tell whether a king, or its half, could be captured on a square."""
    side = colour(own)
    if book[XIANGQI]:
        if shot_at(book, men, own, square):
            return True
    elif seen_from(book, men, own, square) or leapt_on(book, men, own, square, KING, KING):
        return True
    for k in range(MOST):
        start, leg = hop(book, HORSES, square, k), over(book, HORSES, square, k)
        if start < 0:
            break
        other = men[start]
        leaps = other != 0 and kind(other) == KNIGHT and colour(other) != side and (leg < 0 or men[leg] == 0)
        if leaps and can_take(other, start, own, square):
            return True
    return leapt_on(book, men, own, square, PAWNS + side, PAWN)


@helper
def leapt_on(book: Ints, men: Units, own: Any, square: Any, row: Any, letter: int) -> bool:
    """Tell whether a king could be captured by an opponent of a kind on one of the squares in a table's row."""
    for k in range(MOST):
        start = hop(book, row, square, k)
        if start < 0:
            break
        other = men[start]
        leaps = other != 0 and kind(other) == letter and colour(other) != colour(own)
        if leaps and can_take(other, start, own, square):
            return True
    return False


@helper
def seen_from(book: Ints, men: Units, own: Any, square: Any) -> bool:
    """Tell whether a queen, rook or bishop of chess could capture a king on a square."""
    for way in range(8):
        for k in range(book[LONGEST]):
            start = ray(book, square, way, k)
            if start < 0:
                break
            other = men[start]
            if other == 0:
                continue
            sees = colour(other) != colour(own) and kind(other) in (QUEEN, ROOK if way < 4 else BISHOP)
            if sees and can_take(other, start, own, square):
                return True
            break
    return False


@helper
def shot_at(book: Ints, men: Units, own: Any, square: Any) -> bool:
    """Tell whether a chariot, a cannon or the other king of Xiangqi could capture a king on a square."""
    for way in range(4):
        seen = 0
        for k in range(book[LONGEST]):
            start = ray(book, square, way, k)
            if start < 0 or seen == 3:  # a transparent partner may stand beside the mount
                break
            other = men[start]
            if other == 0:
                continue
            seen += 1
            if colour(other) != colour(own):
                takes = seen == 1 and kind(other) in (ROOK, KING)
                if kind(other) == CANNON:
                    takes = shot(book, men, other, start, way ^ 1) == square
                if takes and can_take(other, start, own, square):
                    return True
    return False
