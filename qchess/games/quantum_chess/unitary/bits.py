"""Squares, bits and bitboards: bit k of a bitboard is square k, a1 = 0, b1 = 1 ... h8 = 63."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from qchess.boards.geometry import geometry, mask

if TYPE_CHECKING:
    import cirq

BOARD = geometry(8, 8)
#: every square: what full and empty squares add up to on a classical board
CLASSICAL_BITBOARD = BOARD.everything
#: the start position of chess
DEFAULT_CHESS_INIT_STATE = 0xFFFF00000000FFFF


def square_to_bit(sq: str) -> int:
    """The bit of a square.

    >>> square_to_bit('b1'), square_to_bit('h8')
    (1, 63)
    """
    return BOARD.square(sq)


def bit_to_square(bit: int) -> str:
    """The square of a bit."""
    if not 0 <= bit < BOARD.size:
        raise ValueError(f"a bit of a board lies between 0 and {BOARD.size - 1}, got {bit!r}")
    return BOARD.names[bit]


def xy_to_bit(x: int, y: int) -> int:
    """The bit of the square on file x and rank y, both counted from 0."""
    return y * BOARD.width + x


def to_square(x: int, y: int) -> str:
    """The square on file x and rank y, both counted from 0."""
    return f"{chr(ord('a') + x)}{y + 1}"


def to_rank(x: int) -> str:
    """The letter of a file, counted from 0; Unitary gives it this name."""
    return chr(ord("a") + x)


def x_of(square: str) -> int:
    """The file of a square, a = 0."""
    return ord(square[0]) - ord("a")


def y_of(square: str) -> int:
    """The rank of a square, counted from 0."""
    return int(square[1:]) - 1


def squares_to_bitboard(squares: Iterable[str]) -> int:
    """The bitboard of these squares.

    >>> squares_to_bitboard(['a1', 'b1', 'a2'])
    259
    """
    return mask(map(square_to_bit, squares))


def bitboard_to_squares(bitboard: int) -> list[str]:
    """The squares of a bitboard, ascending."""
    return [bit_to_square(bit) for bit in bit_ones(bitboard)]


def nth_bit_of(n: int, bit_board: int) -> bool:
    """Whether bit n is set."""
    return bool(bit_board >> n & 1)


def set_nth_bit(n: int, bit_board: int, val: bool) -> int:
    """The bitboard with bit n set or cleared."""
    return bit_board | 1 << n if val else bit_board & ~(1 << n)


def num_ones(n: int) -> int:
    """How many bits are set."""
    return n.bit_count()


def bit_ones(n: int) -> list[int]:
    """Which bits are set, ascending."""
    return [bit for bit in range(n.bit_length()) if n >> bit & 1]


def bit_to_qubit(n: int) -> cirq.NamedQubit:
    """The named Cirq qubit of a bit; needs Cirq."""
    import cirq

    return cirq.NamedQubit(bit_to_square(n))


def qubit_to_bit(q: cirq.NamedQubit) -> int:
    """The bit of a square's named Cirq qubit."""
    return square_to_bit(q.name)
