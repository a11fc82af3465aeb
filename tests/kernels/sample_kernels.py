"""Kernels of every kind of argument, for the tests of the loader."""

import numpy as np
from numpy.typing import NDArray

from qchess.circuits.kernels import helper, kernel

NOISE = 1e-24
WEIGHTS = np.arange(5, dtype=np.int64)


@helper
def square(value: complex) -> float:
    return value.real * value.real + value.imag * value.imag


@kernel("int64(complex128[::1], float64[::1], int64)")
def weights(amplitudes: NDArray[np.complex128], found: NDArray[np.float64], count: int) -> int:
    """Writes the weight of each amplitude and counts those that are no noise."""
    loud = 0
    for k in range(count):
        found[k] = square(amplitudes[k])
        loud += found[k] > NOISE
    return loud


@kernel("float64(int64[:, ::1], complex128, bool, uint64, float64, int8[::1], int32)")
def mixed(
    rows: NDArray[np.int64], c: complex, flag: bool, mask: np.uint64, f: float, board: NDArray[np.int8], more: int
) -> float:
    """Uses an argument of every kind."""
    total = c.imag + f + more
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            total += rows[i, j] * WEIGHTS[j]
    for k in range(board.size):
        board[k] = 0
    if flag:
        total += np.float64(np.uint64(mask) >> np.uint64(60))
    return total


@kernel("void(uint64[::1], int64)")
def spin(state: NDArray[np.uint64], rounds: int) -> None:
    """Draws random numbers for a while: xorshift."""
    s = state[0]
    for _ in range(rounds):
        s ^= s << np.uint64(13)
        s ^= s >> np.uint64(7)
        s ^= s << np.uint64(17)
    state[0] = s
