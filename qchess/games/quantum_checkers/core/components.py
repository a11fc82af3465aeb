"""Components: the words of their pieces, and room for their entries."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.circuits.precision import NOISE_SQUARED
from qchess.games.quantum_checkers.core.layout import (
    CELLS,
    COMPONENTS,
    ENTRIES,
    FAULT,
    FIRST,
    LENGTH,
    SECOND,
    SIZE,
    START,
    TAKEN,
    Amplitudes,
    Ints,
)


@helper
def word(book: Ints, board: Ints, piece: int) -> int:
    """The word of a piece."""
    return int(board[CELLS + book[SIZE] * book[SIZE] + piece])


@helper
def set_word(book: Ints, board: Ints, piece: int, value: int) -> None:
    """Writes the word of a piece."""
    board[CELLS + book[SIZE] * book[SIZE] + piece] = value


@helper
def component(book: Ints, board: Ints, piece: int) -> int:
    """The component of a piece, -1 for a certain one."""
    return (word(book, board, piece) >> 1) - 1


@helper
def slot_of(comps: Ints, c: int, piece: int) -> int:
    """Whether the piece is its component's first or second."""
    return 0 if comps[c, FIRST] == piece else 1


@helper
def weight(value: complex) -> float:
    """The probability that an amplitude stands for."""
    return value.real * value.real + value.imag * value.imag


@helper
def open_component(book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, piece: int, at: int) -> int:
    """A new component with one entry: the piece is on a square. -1 if there is no room."""
    c, start = board[COMPONENTS], board[ENTRIES]
    if c >= comps.shape[0] or start >= places.shape[0]:
        board[FAULT] = 1
        return -1
    comps[c, START], comps[c, LENGTH], comps[c, FIRST], comps[c, SECOND] = start, 1, piece, -1
    comps[c, TAKEN], comps[c, TAKEN + 1] = 0, 0
    places[start, 0], places[start, 1], amps[start] = at, -1, 1
    board[COMPONENTS], board[ENTRIES] = c + 1, start + 1
    set_word(book, board, piece, (word(book, board, piece) & 1) + 2 * (c + 1))
    return int(c)


@helper
def make_room(board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int, more: int) -> bool:
    """Room for so many more entries at the end of a component (fewer, if negative), moving those behind it."""
    end, last = comps[c, START] + comps[c, LENGTH], board[ENTRIES]
    if last + more > places.shape[0]:
        board[FAULT] = 1
        return False
    if more > 0:
        for k in range(last - 1, end - 1, -1):
            places[k + more, 0], places[k + more, 1], amps[k + more] = places[k, 0], places[k, 1], amps[k]
    elif more < 0:
        for k in range(end, last):
            places[k + more, 0], places[k + more, 1], amps[k + more] = places[k, 0], places[k, 1], amps[k]
    for other in range(c + 1, board[COMPONENTS]):
        comps[other, START] += more
    comps[c, LENGTH] += more
    board[ENTRIES] += more
    return True


@helper
def close_component(book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int) -> None:
    """Removes a component; its pieces must have left it."""
    make_room(board, comps, places, amps, c, -comps[c, LENGTH])
    for row in range(c, board[COMPONENTS] - 1):
        for k in range(comps.shape[1]):
            comps[row, k] = comps[row + 1, k]
        for slot in range(2):
            piece = comps[row, FIRST + slot]
            if piece >= 0:
                set_word(book, board, piece, word(book, board, piece) - 2)
    board[COMPONENTS] -= 1


@helper
def keep_loud(board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int) -> None:
    """Drops the entries that are no more than noise."""
    start, kept = comps[c, START], comps[c, START]
    for k in range(start, start + comps[c, LENGTH]):
        if weight(amps[k]) > NOISE_SQUARED:
            places[kept, 0], places[kept, 1], amps[kept] = places[k, 0], places[k, 1], amps[k]
            kept += 1
    make_room(board, comps, places, amps, c, kept - start - comps[c, LENGTH])
