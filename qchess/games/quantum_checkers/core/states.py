"""Components under change: gates on their entries, measurements, and what becomes certain."""

# ruff: noqa: SIM110 - kernels know loops, not generators
from __future__ import annotations

import math

from qchess.circuits.kernels import helper
from qchess.games.quantum_checkers.core.layout import (
    CELLS,
    COMPONENTS,
    ENTRIES,
    FAULT,
    FIRST,
    GHOSTS,
    HALF,
    JOINT,
    LENGTH,
    LISTS,
    MOST,
    NOISE,
    SECOND,
    SIZE,
    START,
    TAKEN,
    Amplitudes,
    Ints,
)  # fmt: skip


@helper
def word(law: Ints, board: Ints, piece: int) -> int:
    """The word of a piece."""
    return int(board[CELLS + law[SIZE] * law[SIZE] + piece])


@helper
def set_word(law: Ints, board: Ints, piece: int, value: int) -> None:
    """Writes the word of a piece."""
    board[CELLS + law[SIZE] * law[SIZE] + piece] = value


@helper
def component(law: Ints, board: Ints, piece: int) -> int:
    """The component of a piece, -1 for a certain one."""
    return (word(law, board, piece) >> 1) - 1


@helper
def slot_of(comps: Ints, c: int, piece: int) -> int:
    """Whether the piece is its component's first or second."""
    return 0 if comps[c, FIRST] == piece else 1


@helper
def weight(value: complex) -> float:
    """The probability that an amplitude stands for."""
    return value.real * value.real + value.imag * value.imag


# -- room ---------------------------------------------------------------------------------------------


@helper
def open_component(law: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, piece: int, at: int) -> int:
    """A new component with one entry: the piece is on a square. -1 if there is no room."""
    c, start = board[COMPONENTS], board[ENTRIES]
    if c >= comps.shape[0] or start >= places.shape[0]:
        board[FAULT] = 1
        return -1
    comps[c, START], comps[c, LENGTH], comps[c, FIRST], comps[c, SECOND] = start, 1, piece, -1
    comps[c, TAKEN], comps[c, TAKEN + 1] = 0, 0
    places[start, 0], places[start, 1], amps[start] = at, -1, 1
    board[COMPONENTS], board[ENTRIES] = c + 1, start + 1
    set_word(law, board, piece, (word(law, board, piece) & 1) + 2 * (c + 1))
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
def close_component(law: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int) -> None:
    """Removes a component; its pieces must have left it."""
    make_room(board, comps, places, amps, c, -comps[c, LENGTH])
    for row in range(c, board[COMPONENTS] - 1):
        for k in range(comps.shape[1]):
            comps[row, k] = comps[row + 1, k]
        for slot in range(2):
            piece = comps[row, FIRST + slot]
            if piece >= 0:
                set_word(law, board, piece, word(law, board, piece) - 2)
    board[COMPONENTS] -= 1


@helper
def keep_loud(board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int) -> None:
    """Drops the entries that are no more than noise."""
    start, kept = comps[c, START], comps[c, START]
    for k in range(start, start + comps[c, LENGTH]):
        if weight(amps[k]) > NOISE:
            places[kept, 0], places[kept, 1], amps[kept] = places[k, 0], places[k, 1], amps[k]
            kept += 1
    make_room(board, comps, places, amps, c, kept - start - comps[c, LENGTH])


# -- gates --------------------------------------------------------------------------------------------


@helper
def relabel(comps: Ints, places: Ints, amps: Amplitudes, c: int, slot: int, f: int, t: int) -> None:
    """A step: a_t = i a_f."""
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if places[k, slot] == f:
            places[k, slot] = t
            amps[k] = amps[k] * 1j


@helper
def divide(
    board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int, slot: int, f: int, t1: int, t2: int
) -> None:
    """A split: a_t1 = a_t2 = i a_f / sqrt 2."""
    start, length, more = comps[c, START], comps[c, LENGTH], 0
    for k in range(start, start + length):
        more += places[k, slot] == f
    if not make_room(board, comps, places, amps, c, more):
        return
    new = start + length
    for k in range(start, start + length):
        if places[k, slot] == f:
            amps[k] = amps[k] * (1j * HALF)
            places[new, 0], places[new, 1], amps[new] = places[k, 0], places[k, 1], amps[k]
            places[k, slot], places[new, slot] = t1, t2
            new += 1


@helper
def find(comps: Ints, places: Ints, c: int, slot: int, place: int, other: int) -> int:
    """The entry with these places, -1 if there is none."""
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if places[k, slot] == place and places[k, 1 - slot] == other:
            return int(k)
    return -1


@helper
def is_alone(comps: Ints, places: Ints, c: int, slot: int, f1: int, t: int, other: int) -> bool:
    """Whether an entry has no partner on the lower source, nor had one that is united already."""
    return find(comps, places, c, slot, f1, other) < 0 and find(comps, places, c, slot, t, other) < 0


@helper
def unite(
    board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int, slot: int, f1: int, f2: int, t: int
) -> None:
    """A merge: a_t = -i (a_f1 + a_f2) / sqrt 2, a_f2 = (a_f2 - a_f1) / sqrt 2, a_f1 = 0."""
    start, length, alone = comps[c, START], comps[c, LENGTH], 0
    for k in range(start, start + length):
        if places[k, slot] == f1:
            alone += find(comps, places, c, slot, f2, places[k, 1 - slot]) < 0
        elif places[k, slot] == f2:
            alone += find(comps, places, c, slot, f1, places[k, 1 - slot]) < 0
    if not make_room(board, comps, places, amps, c, alone):
        return
    new = start + length
    comps[c, LENGTH] = length  # the rows behind are written here and not looked for
    for k in range(start, start + length):
        if places[k, slot] == f1:
            j = find(comps, places, c, slot, f2, places[k, 1 - slot])
            a = amps[k]
            b = amps[j] if j >= 0 else 0j
            if j < 0:
                j = new
                new += 1
                places[j, 1 - slot] = places[k, 1 - slot]
            places[k, slot], places[j, slot] = t, f2
            amps[k], amps[j] = (a + b) * (-1j * HALF), (b - a) * HALF
        elif places[k, slot] == f2 and is_alone(comps, places, c, slot, f1, t, places[k, 1 - slot]):
            places[new, 0], places[new, 1], amps[new] = places[k, 0], places[k, 1], amps[k] * (-1j * HALF)
            places[new, slot] = t
            amps[k] = amps[k] * HALF
            new += 1
    comps[c, LENGTH] = new - start
    keep_loud(board, comps, places, amps, c)


@helper
def entangle(
    law: Ints,
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    taker: int,
    c: int,
    f: int,
    o: int,
    t: int,
    x: int,
) -> None:
    """An entangling capture: (f, o) becomes i (t, captured), every other (f, v) stays. The victim is alone in c."""
    many = comps[c, TAKEN]
    if many >= MOST:
        board[FAULT] = 1
        return
    comps[c, LISTS[0] + many] = x
    comps[c, TAKEN], comps[c, TAKEN + 1], comps[c, SECOND] = many + 1, 0, taker
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        places[k, 1] = f
        if places[k, 0] == o:
            places[k, 0], places[k, 1], amps[k] = x, t, amps[k] * 1j
    set_word(law, board, taker, (word(law, board, taker) & 1) + 2 * (c + 1))


# -- measurements -------------------------------------------------------------------------------------


@helper
def project(
    law: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int, slot: int, place: int, other: int
) -> None:
    """Keeps the entries with the piece on this place (and its partner on that, unless -1), at norm 1.

    What is certain then leaves the component; where ghosts are kept, only what was measured does.
    """
    start, kept, total = comps[c, START], comps[c, START], 0.0
    for k in range(start, start + comps[c, LENGTH]):
        if places[k, slot] == place and (other < 0 or places[k, 1 - slot] == other):
            places[kept, 0], places[kept, 1], amps[kept] = places[k, 0], places[k, 1], amps[k]
            total += weight(amps[k])
            kept += 1
    scale = 1 / math.sqrt(total)
    for k in range(start, kept):
        amps[k] = amps[k] * scale
    make_room(board, comps, places, amps, c, kept - start - comps[c, LENGTH])
    partner = comps[c, FIRST + 1 - slot] if comps[c, SECOND] >= 0 else -1
    leave(law, board, comps, places, amps, c, slot)
    if partner < 0:
        return
    if law[GHOSTS] == 0:
        tidy(law, board, comps, places, amps, c)
    elif law[JOINT] == 1 or is_captured(law, comps, places, c, 0):
        leave(law, board, comps, places, amps, c, 0)


@helper
def is_captured(law: Ints, comps: Ints, places: Ints, c: int, slot: int) -> bool:
    """Whether the piece is captured for sure."""
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if places[k, slot] < law[SIZE] * law[SIZE]:
            return False
    return True


@helper
def is_constant(comps: Ints, places: Ints, c: int, slot: int) -> bool:
    """Whether the piece has one place left."""
    start = comps[c, START]
    for k in range(start + 1, start + comps[c, LENGTH]):
        if places[k, slot] != places[start, slot]:
            return False
    return True


@helper
def leave(law: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int, slot: int) -> None:
    """A piece leaves its component for its one place; one that was captured is gone."""
    piece, squares = comps[c, FIRST + slot], law[SIZE] * law[SIZE]
    place = places[comps[c, START], slot]
    set_word(law, board, piece, word(law, board, piece) & 1 if place < squares else -1)
    for s in range(squares):
        if (board[CELLS + s] >> 1) - 1 == piece and s != place:
            board[CELLS + s] = 0
    if comps[c, SECOND] < 0:
        close_component(law, board, comps, places, amps, c)
        return
    if slot == 0:
        comps[c, FIRST], comps[c, TAKEN] = comps[c, SECOND], comps[c, TAKEN + 1]
        for k in range(MOST):
            comps[c, LISTS[0] + k] = comps[c, LISTS[1] + k]
    comps[c, SECOND], comps[c, TAKEN + 1] = -1, 0
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if slot == 0:
            places[k, 0] = places[k, 1]
        places[k, 1] = -1


@helper
def tidy(law: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int) -> None:
    """Lets what became certain leave, empties squares without a part, and forgets captures that did not happen."""
    for slot in (1, 0):
        if comps[c, FIRST + slot] >= 0 and is_constant(comps, places, c, slot):
            alone = comps[c, SECOND] < 0
            leave(law, board, comps, places, amps, c, slot)
            if alone:
                return
    for slot in (0, 1):
        piece = comps[c, FIRST + slot]
        if piece < 0:
            continue
        for s in range(law[SIZE] * law[SIZE]):
            if (board[CELLS + s] >> 1) - 1 == piece and not is_open(comps, places, c, slot, s):
                board[CELLS + s] = 0
        kept = 0
        for k in range(comps[c, TAKEN + slot]):
            taken = comps[c, LISTS[slot] + k]
            comps[c, LISTS[slot] + kept] = taken
            kept += is_open(comps, places, c, slot, taken)
        comps[c, TAKEN + slot] = kept


@helper
def is_open(comps: Ints, places: Ints, c: int, slot: int, place: int) -> bool:
    """Whether the piece may be on this place."""
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if places[k, slot] == place:
            return True
    return False
