"""Lists the legal moves, in the order of the rules: captures, or else steps, splits and merges."""

# ruff: noqa: SIM110 - kernels know loops, not generators
from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_checkers.core.layout import (
    CELLS,
    CHAIN,
    COMPONENTS,
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
    captures, count = list_singles(book, board, moves)
    if captures:
        return count
    steps = count
    if book[LEVEL] >= 1:
        count = list_splits(board, moves, steps)
    if book[LEVEL] >= 3 and board[COMPONENTS] > 0:
        count = list_merges(book, board, moves, steps, count)
    return count


@helper
def list_singles(book: Ints, board: Ints, moves: Ints) -> tuple[bool, int]:
    """The captures, or else the plain moves; in a chain, the captures of the part that must go on."""
    size, player, chain, captures, count, square = book[SIZE], board[PLAYER], board[CHAIN], False, 0, -1
    words = CELLS + size * size
    for y in range(size):
        for x in range(size):
            square += 1
            cell = board[CELLS + square]
            if cell == 0 or board[words + (cell >> 1) - 1] & 1 != player:
                continue
            for way in range(4):
                up, right = 1 if way >= 2 else -1, 1 if way & 1 else -1
                if (cell & 1 == 0 and (up == 1) != (player == 0)) or not (0 <= x + right < size and 0 <= y + up < size):
                    continue
                near = square + up * size + right
                other = board[CELLS + near]
                if other == 0:
                    if not captures:
                        count = add(board, moves, count, square, -1, near, -1)
                elif (
                    board[words + (other >> 1) - 1] & 1 != player
                    and (chain < 0 or chain == square)
                    and 0 <= x + 2 * right < size
                    and 0 <= y + 2 * up < size
                    and board[CELLS + 2 * near - square] == 0
                ):
                    if not captures:
                        captures, count = True, 0
                    count = add(board, moves, count, square, -1, 2 * near - square, -1)
    return captures, count


@helper
def list_splits(board: Ints, moves: Ints, steps: int) -> int:
    """The splits, behind the steps: each takes two steps of one part."""
    count = steps
    for k in range(steps):
        other = k + 1
        while other < steps and moves[other, 0] == moves[k, 0]:
            count = add(board, moves, count, moves[k, 0], -1, moves[k, 2], moves[other, 2])
            other += 1
    return count


@helper
def list_merges(book: Ints, board: Ints, moves: Ints, steps: int, count: int) -> int:
    """The merges, behind the moves that are listed: two parts of a piece, with the same flag, step on one square."""
    words, first = CELLS + book[SIZE] * book[SIZE], 0
    while first < steps:
        a, behind = moves[first, 0], first + 1
        while behind < steps and moves[behind, 0] == a:
            behind += 1
        cell = board[CELLS + a]
        if board[words + (cell >> 1) - 1] >= 2:
            other = behind
            while other < steps:
                b, end = moves[other, 0], other + 1
                while end < steps and moves[end, 0] == b:
                    end += 1
                if board[CELLS + b] == cell:
                    for k in range(first, behind):
                        for j in range(other, end):
                            if moves[j, 2] == moves[k, 2]:
                                count = add(board, moves, count, a, b, moves[k, 2], -1)
                other = end
        first = behind
    return count
