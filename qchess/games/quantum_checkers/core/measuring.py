"""Measurements: what a component is after an answer, and what becomes certain with it."""

# ruff: noqa: SIM110 - kernels know loops, not generators
from __future__ import annotations

import math

from qchess.circuits.kernels import helper
from qchess.games.quantum_checkers.core.components import close_component, make_room, set_word, weight, word
from qchess.games.quantum_checkers.core.layout import (
    CELLS,
    FIRST,
    GHOSTS,
    JOINT,
    LENGTH,
    LISTS,
    MOST,
    SECOND,
    SIZE,
    START,
    TAKEN,
    Amplitudes,
    Ints,
)


@helper
def project(
    book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int, slot: int, place: int, other: int
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
    leave(book, board, comps, places, amps, c, slot)
    if partner < 0:
        return
    if book[GHOSTS] == 0:
        tidy(book, board, comps, places, amps, c)
    elif book[JOINT] == 1 or is_captured(book, comps, places, c, 0):
        leave(book, board, comps, places, amps, c, 0)


@helper
def is_captured(book: Ints, comps: Ints, places: Ints, c: int, slot: int) -> bool:
    """Whether the piece is captured for sure."""
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if places[k, slot] < book[SIZE] * book[SIZE]:
            return False
    return True


@helper
def is_done(book: Ints, comps: Ints, places: Ints, c: int, slot: int, alone: bool) -> bool:
    """Whether the piece has one place left; or none but captures, and no taker that is entangled with them."""
    return is_constant(comps, places, c, slot) or (alone and is_captured(book, comps, places, c, slot))


@helper
def is_constant(comps: Ints, places: Ints, c: int, slot: int) -> bool:
    """Whether the piece has one place left."""
    start = comps[c, START]
    for k in range(start + 1, start + comps[c, LENGTH]):
        if places[k, slot] != places[start, slot]:
            return False
    return True


@helper
def leave(book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int, slot: int) -> None:
    """A piece leaves its component for its one place; one that was captured is gone."""
    piece, squares = comps[c, FIRST + slot], book[SIZE] * book[SIZE]
    place = places[comps[c, START], slot]
    set_word(book, board, piece, word(book, board, piece) & 1 if place < squares else -1)
    for s in range(squares):
        if (board[CELLS + s] >> 1) - 1 == piece and s != place:
            board[CELLS + s] = 0
    if comps[c, SECOND] < 0:
        close_component(book, board, comps, places, amps, c)
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
def tidy(book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int) -> None:
    """Lets what became certain leave, empties squares without a part, and forgets captures that did not happen."""
    for slot in (1, 0):
        alone = comps[c, SECOND] < 0
        if comps[c, FIRST + slot] >= 0 and is_done(book, comps, places, c, slot, alone):
            leave(book, board, comps, places, amps, c, slot)
            if alone:
                return
    for slot in (0, 1):
        piece = comps[c, FIRST + slot]
        if piece < 0:
            continue
        for s in range(book[SIZE] * book[SIZE]):
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
