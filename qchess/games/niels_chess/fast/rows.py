"""How the kernel writes moves: a row of numbers each."""

from __future__ import annotations

from typing import Any

from qchess.circuits.kernels import helper
from qchess.games.niels_chess.fast.layout import (
    CHOICE,
    FACINGS,
    JOIN,
    LETTERS,
    PAWN,
    SPLIT,
    STEP,
    TURNS,
    XIANGQI,
    Board,
    Z,
    at,
    colour,
    kind,
    zone,
)


@helper
def add(
    board: Board,
    count: int,
    class_: int,
    start: Any,
    a: Any,
    b: Any,
    joined: Any,
    marks: int,
    letter: int,
    choices: int,
) -> int:
    """Write a move in every marking, and say how many moves there are."""
    for choice in range(choices):
        if count < board.rows.shape[0]:
            row = board.rows[count]
            row[0], row[1], row[2], row[3], row[4], row[5], row[6] = class_, start, a, b, joined, marks, letter
            row[CHOICE] = choice
        count += 1
    return count


@helper
def add_step(board: Board, count: int, unit: Any, square: Any, to: Any) -> int:
    """Write a move or capture, with each letter of a promotion."""
    if not promotes(board, unit, to):
        return add(board, count, STEP, square, to, -1, -1, 0, 0, 1)
    for letter in range(1, LETTERS + 1):
        count = add(board, count, STEP, square, to, -1, -1, 0, letter, 1)
    return count


@helper
def add_splits(board: Board, count: int, unit: Any, a: Any, b: Any) -> int:
    """Write every marking of a superposition."""
    fixed = marks_fixed(board, unit)
    letters = LETTERS if promotes(board, unit, a) or promotes(board, unit, b) else 1
    choices = board.book[FACINGS] * letters * (2 - fixed)
    if fixed and not is_farther(unit, a, b):
        a, b = b, a
    return add(board, count, SPLIT, at(unit), a, b, -1, fixed, letters, choices)


@helper
def add_joins(board: Board, count: int, unit: Any, to: Any, joined: Any, letter: int) -> int:
    """Write every marking with which a piece may join a pair."""
    fixed, start = marks_fixed(board, unit), at(unit)
    a, b = (to, start) if fixed and is_farther(unit, to, start) else (start, to)
    marks = fixed + 2 * (joined >> Z & 1)
    return add(board, count, JOIN, start, a, b, at(joined), marks, letter, board.book[TURNS] * (2 - fixed))


@helper
def marks_fixed(board: Board, unit: Any) -> int:
    """Return 1 if the first mark must be on the farther half."""
    return 1 if kind(unit) == PAWN and board.book[XIANGQI] == 0 else 0


@helper
def is_farther(unit: Any, a: Any, b: Any) -> bool:
    """Tell whether the first of two squares is farther from a pawn's start."""
    return bool(a < b if colour(unit) else a > b)


@helper
def promotes(board: Board, unit: Any, to: Any) -> bool:
    """Tell whether a pawn that arrives on a square must be promoted."""
    return bool(kind(unit) == PAWN and zone(board.book, to) >> colour(unit) & 1)
