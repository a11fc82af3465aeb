"""Gates on the entries of a component: steps, splits, merges and entangling captures."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_checkers.core.components import keep_loud, make_room, set_word, word
from qchess.games.quantum_checkers.core.layout import (
    FAULT,
    HALF,
    LENGTH,
    LISTS,
    MOST,
    SECOND,
    START,
    TAKEN,
    Amplitudes,
    Ints,
)


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
    book: Ints,
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
    set_word(book, board, taker, (word(book, board, taker) & 1) + 2 * (c + 1))
