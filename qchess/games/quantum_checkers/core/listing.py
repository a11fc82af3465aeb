"""Lists the legal moves, in the order of the rules: captures, or else steps, splits and merges."""

# ruff: noqa: SIM110 - kernels know loops, not generators
from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_checkers.core.layout import (
    CELLS,
    CHAIN,
    FAULT,
    LEVEL,
    PLAYER,
    SIZE,
    Ints,
)  # fmt: skip


@helper
def owner(board: Ints, square: int) -> int:
    """The piece with a part on a square, -1 for none."""
    return int(board[CELLS + square] >> 1) - 1


@helper
def colour_at(book: Ints, board: Ints, square: int) -> int:
    """The colour of the part on a square, -1 for none."""
    piece = (board[CELLS + square] >> 1) - 1
    return -1 if piece < 0 else int(board[CELLS + book[SIZE] * book[SIZE] + piece] & 1)


@helper
def beside(book: Ints, board: Ints, square: int, way: int, far: int) -> int:
    """The square so many steps away in one of four ways, ascending; -1 off the board or where a man does not go."""
    size, cell = book[SIZE], board[CELLS + square]
    up = 1 if way >= 2 else -1
    if cell & 1 == 0 and (up == 1) != (colour_at(book, board, square) == 0):
        return -1
    x, y = square % size + (far if way & 1 else -far), square // size + far * up
    return int(y * size + x) if 0 <= x < size and 0 <= y < size else -1


@helper
def step_to(book: Ints, board: Ints, square: int, way: int) -> int:
    """The empty square one step away, -1 for none."""
    to = beside(book, board, square, way, 1)
    return to if to >= 0 and board[CELLS + to] == 0 else -1


@helper
def jump_to(book: Ints, board: Ints, square: int, way: int) -> int:
    """The empty square behind an enemy, -1 for none."""
    to = beside(book, board, square, way, 2)
    if to < 0 or board[CELLS + to] != 0:
        return -1
    enemy = colour_at(book, board, (square + to) // 2)
    return to if enemy >= 0 and enemy != colour_at(book, board, square) else -1


@helper
def can_capture(book: Ints, board: Ints, square: int) -> bool:
    """Whether the part on a square can capture."""
    for way in range(4):
        if jump_to(book, board, square, way) >= 0:
            return True
    return False


@helper
def any_capture(book: Ints, board: Ints) -> bool:
    """Whether the player has a capture."""
    for square in range(book[SIZE] * book[SIZE]):
        if colour_at(book, board, square) == board[PLAYER] and can_capture(book, board, square):
            return True
    return False


@helper
def any_move(book: Ints, board: Ints) -> bool:
    """Whether the player has a move."""
    for square in range(book[SIZE] * book[SIZE]):
        if colour_at(book, board, square) == board[PLAYER]:
            for way in range(4):
                if step_to(book, board, square, way) >= 0 or jump_to(book, board, square, way) >= 0:
                    return True
    return False


@helper
def add(board: Ints, moves: Ints, count: int, a: int, b: int, c: int, d: int) -> int:
    """Writes a move: sources a and b, targets c and d, -1 where there is none; says how many there are."""
    if count >= moves.shape[0]:
        board[FAULT] = 1
        return count
    moves[count, 0], moves[count, 1], moves[count, 2], moves[count, 3] = a, b, c, d
    return count + 1


@helper
def list_moves(book: Ints, board: Ints, moves: Ints) -> int:
    """Writes every legal move and says how many there are."""
    count = list_captures(book, board, moves)
    if count > 0:
        return count
    count = list_steps(book, board, moves)
    if book[LEVEL] >= 1:
        count = list_splits(book, board, moves, count)
    if book[LEVEL] >= 3:
        count = list_merges(book, board, moves, count)
    return count


@helper
def list_captures(book: Ints, board: Ints, moves: Ints) -> int:
    """The captures; in a chain, those of the part that must go on."""
    count, chain = 0, board[CHAIN]
    for square in range(book[SIZE] * book[SIZE]):
        if colour_at(book, board, square) == board[PLAYER] and (chain < 0 or chain == square):
            for way in range(4):
                to = jump_to(book, board, square, way)
                if to >= 0:
                    count = add(board, moves, count, square, -1, to, -1)
    return count


@helper
def list_steps(book: Ints, board: Ints, moves: Ints) -> int:
    """The plain moves."""
    count = 0
    for square in range(book[SIZE] * book[SIZE]):
        if colour_at(book, board, square) == board[PLAYER]:
            for way in range(4):
                to = step_to(book, board, square, way)
                if to >= 0:
                    count = add(board, moves, count, square, -1, to, -1)
    return count


@helper
def list_splits(book: Ints, board: Ints, moves: Ints, count: int) -> int:
    """The splits, behind the moves that are listed."""
    for square in range(book[SIZE] * book[SIZE]):
        if colour_at(book, board, square) == board[PLAYER]:
            for way in range(3):
                first = step_to(book, board, square, way)
                if first >= 0:
                    for other in range(way + 1, 4):
                        second = step_to(book, board, square, other)
                        if second >= 0:
                            count = add(board, moves, count, square, -1, first, second)
    return count


@helper
def list_merges(book: Ints, board: Ints, moves: Ints, count: int) -> int:
    """The merges, behind the moves that are listed."""
    squares = book[SIZE] * book[SIZE]
    for a in range(squares):
        cell = board[CELLS + a]
        if cell == 0 or board[CELLS + squares + (cell >> 1) - 1] < 2 or colour_at(book, board, a) != board[PLAYER]:
            continue
        for b in range(a + 1, squares):
            if board[CELLS + b] == cell:  # the same piece with the same flag
                for way in range(4):
                    to = step_to(book, board, a, way)
                    if to >= 0 and steps_on(book, board, b, to):
                        count = add(board, moves, count, a, b, to, -1)
    return count


@helper
def steps_on(book: Ints, board: Ints, square: int, to: int) -> bool:
    """Whether the part on a square steps on another."""
    for way in range(4):
        if step_to(book, board, square, way) == to:
            return True
    return False
