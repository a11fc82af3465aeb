"""The kernels that list legal moves, in the order of `listing`: units by square, each class after the other.

What cannot matter to the own king is not tried.
"""

from __future__ import annotations

from typing import Any

from qchess.circuits.kernels import helper, kernel
from qchess.games.niels_chess.fast.layout import (
    CALM,
    CANNON,
    CHECKED,
    DELICATE,
    HORSES,
    IN_PASSING,
    KING,
    LONGEST,
    MANY,
    MOST,
    NEAR,
    OPEN,
    PASSED,
    PAWN,
    RIGHTS,
    ROOK,
    SAFE,
    SIZE,
    STEP,
    STRIKES,
    STUCK,
    TUNNELS,
    TURN,
    VICTIM,
    WAYS,
    WIDTH,
    XIANGQI,
    Board,
    Flags,
    Floats,
    Ints,
    Units,
    at,
    colour,
    diag,
    half,
    hop,
    is_pair,
    kind,
    moved,
    over,
    piece,
    ray,
    second,
)
from qchess.games.niels_chess.fast.marking import list_marks, list_tunnels
from qchess.games.niels_chess.fast.pairing import entering, list_joins, list_splits
from qchess.games.niels_chess.fast.reaching import attacked, can_take, exposed, reach
from qchess.games.niels_chess.fast.rows import add, add_step
from qchess.games.niels_chess.fast.trying import (
    copy,
    king_of,
    safe,
    safe_attempt,
    safe_in_passing,
    safe_with,
    safe_without,
)


@kernel("int64(int32[::1], int64[::1], int32[::1], int64[:, ::1], int32[:, :, ::1], int8[:, ::1], int32[:, ::1])")
def list_moves(book: Ints, men: Units, state: Ints, tried: Units, reached: Ints, flags: Flags, rows: Ints) -> int:
    """Write every legal move, as far as there are rows, and say how many there are."""
    return list_some(Board(book, men, state, tried, reached, flags, rows), MANY)


@kernel(
    "int64(int32[::1], int64[::1], int32[::1], int64[:, ::1], int32[:, :, ::1], int8[:, ::1], int32[:, ::1], "
    "float64[:, :, ::1], float64[::1])"
)
def look(
    book: Ints,
    men: Units,
    state: Ints,
    tried: Units,
    reached: Ints,
    flags: Flags,
    rows: Ints,
    values: Floats,
    sums: Floats,
) -> int:
    """Tell whether there is a legal move; write what the units of each colour are worth, by kind and better half."""
    sums[:] = 0.0
    for square in range(men.size):
        unit = men[square]
        if unit != 0 and at(unit) == square:
            sums[colour(unit)] += values[colour(unit), kind(unit), half(unit, 1) if is_pair(unit) else square]
    return 1 if list_some(Board(book, men, state, tried, reached, flags, rows), 1) else 0


@helper
def list_some(board: Board, enough: int) -> int:
    """Write legal moves until there are enough, and say how many there are."""
    book, men, state = board.book, board.men, board.state
    own, count, pairs = king_of(men, state[TURN]), 0, False
    state[CHECKED] = exposed(book, men, own)
    mark_near(board, own)
    for square in range(men.size):
        if men[square] != 0 and colour(men[square]) != state[TURN] and is_pair(men[square]):
            pairs = True
    for square in range(men.size):
        unit = men[square]
        if unit == 0 or colour(unit) != state[TURN]:
            continue
        if count >= enough:
            break
        empty, taken = reach(book, men, unit, square, board.reached[0])
        leaves = leaving(board, square, own)
        count = list_quiet(board, count, square, empty, leaves)
        count = list_captures(board, count, square, taken, leaves)
        if kind(unit) == PAWN and state[PASSED] >= 0:
            count = list_in_passing(board, count, square)
        if is_pair(unit):
            if at(unit) == square:
                count = list_marks(board, count, unit, own)
            continue
        if kind(unit) == KING:
            count = list_castlings(board, count, unit)
        count = list_splits(board, count, unit, own, empty, leaves)
        if pairs:
            count = list_joins(board, count, unit, own, empty, leaves)
        if book[TUNNELS] and state[CHECKED] == 0:
            count = list_tunnels(board, count, unit, leaves)
    return count


@helper
def mark_near(board: Board, own: Any) -> None:
    """Flag the squares on the king's lines, and those over which horses leap at it.

    Whatever happens elsewhere leaves a safe king safe. To enter a square shields it at most, unless a cannon might find
    its mount there.
    """
    book = board.book
    board.flags[NEAR, :] = 0
    board.flags[DELICATE, :] = 0
    for number in range(2 if is_pair(own) else 1):
        square = second(own) if number else at(own)
        board.flags[NEAR, square] = 1
        for way in range(4 if book[XIANGQI] else WAYS):
            cannons = False
            for k in range(book[LONGEST]):
                to = ray(book, square, way, k)
                if to >= 0:
                    man = board.men[to]
                    board.flags[NEAR, to] = 1
                    cannons = cannons or (man != 0 and kind(man) == CANNON and colour(man) != colour(own))
            for k in range(book[LONGEST] if cannons else 0):
                to = ray(book, square, way, k)
                if to >= 0:
                    board.flags[DELICATE, to] = 1
        for k in range(MOST if book[XIANGQI] else 0):
            leg = over(book, HORSES, square, k)
            if leg >= 0:
                board.flags[NEAR, leg] = 1


@helper
def leaving(board: Board, square: int, own: Any) -> int:
    """Tell what it means for the king that a unit leaves a square: `CALM`, `OPEN` or `STUCK`."""
    if board.men[square] == own:
        return OPEN
    if board.state[CHECKED]:
        return OPEN if board.flags[NEAR, square] else STUCK
    return CALM if board.flags[NEAR, square] == 0 or safe_without(board, square, own) else OPEN


@helper
def is_aloof(board: Board, unit: Any) -> bool:
    """Tell whether the coin of a unit has nothing to do with the safety of the king."""
    if board.flags[NEAR, at(unit)] or (is_pair(unit) and board.flags[NEAR, second(unit)]):
        return False
    if diag(unit) != 0:
        for square in range(board.men.size):
            if board.flags[NEAR, square] and board.men[square] != 0 and diag(board.men[square]) == diag(unit):
                return False
    return True


@helper
def list_quiet(board: Board, count: int, square: int, empty: int, leaves: int) -> int:
    """List moves to empty squares, and flag which of these are safe."""
    unit = board.men[square]
    for k in range(empty):
        to = board.reached[0, 0, k]
        known = entering(board, leaves, to, to)
        fits = known == CALM or (known == OPEN and safe_with(board, unit, moved(unit, square, to)))
        board.flags[SAFE, to] = fits
        if fits:
            count = add_step(board, count, unit, square, to)
    return count


@helper
def list_captures(board: Board, count: int, square: int, taken: int, leaves: int) -> int:
    """List captures and attempts; a king that could be taken never is."""
    unit = board.men[square]
    for k in range(taken):
        to = board.reached[0, 1, k]
        target = board.men[to]
        if kind(target) == KING and can_take(unit, square, target, to):
            continue
        if is_pair(unit) or is_pair(target):
            aloof = board.state[CHECKED] == 0 and is_aloof(board, unit) and is_aloof(board, target)
            fits = aloof or safe_attempt(board, square, to, to, -1)
        else:
            fits = leaves == CALM or safe_with(board, unit, moved(unit, square, to))
        if fits:
            count = add_step(board, count, unit, square, to)
    return count


@helper
def list_in_passing(board: Board, count: int, square: int) -> int:
    """List the capture in passing."""
    unit, passed, victim = board.men[square], board.state[PASSED], board.state[VICTIM]
    for k in range(MOST):
        if hop(board.book, STRIKES + colour(unit), square, k) == passed:
            if is_pair(unit) or is_pair(board.men[victim]):
                fits = safe_attempt(board, square, passed, victim, 2 * passed - victim)
            else:
                fits = safe_in_passing(board, square, passed, victim)
            if fits:
                class_ = STEP if board.men[passed] == 0 else IN_PASSING
                count = add(board, count, class_, square, passed, -1, -1, 0, 0, 1)
    return count


@helper
def list_castlings(board: Board, count: int, unit: Any) -> int:
    """List castlings, in the order of the rights."""
    book, state = board.book, board.state
    start, side = at(unit), colour(unit)
    for k in range(4):
        right = state[RIGHTS + k]
        if right < 0 or right >> 1 != side or state[CHECKED] != 0:
            continue
        step = -1 if right & 1 else 1
        rook = (book[SIZE] - book[WIDTH] if side else 0) + (0 if right & 1 else book[WIDTH] - 1)
        free = True
        for passed in range(start + step, rook, step):
            free = free and board.men[passed] == 0
        for far in range(3):
            passing = piece(unit, KING, start + far * step)
            free = free and not attacked(book, board.men, passing, at(passing))
        if free:
            after = board.tried[0]
            copy(board.men, after)
            after[rook] = after[start] = 0
            after[start + step] = piece(unit, ROOK, start + step)
            after[start + 2 * step] = piece(unit, KING, start + 2 * step)
            if safe(book, after, side):
                count = add(board, count, STEP, start, start + 2 * step, -1, -1, 0, 0, 1)
    return count
