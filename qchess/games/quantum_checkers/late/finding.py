"""What the measurements of a capture find, by the numbers thrown for them; nothing is changed yet."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_checkers.core.components import component, slot_of, weight
from qchess.games.quantum_checkers.core.layout import (
    FIRST,
    JOINT,
    LENGTH,
    LISTS,
    SECOND,
    SIZE,
    START,
    TAKEN,
    Amplitudes,
    Floats,
    Ints,
    Longs,
)
from qchess.games.quantum_checkers.core.listing import owner
from qchess.games.quantum_checkers.core.ways import asks, is_partner_open

#: the places of `ply`: the move to be played (-1: none), how many numbers are given for its questions and how many were
#: used, how the game then ended, and how many questions were answered; from `LOOKS` on, what is told of each
MOVE, GIVEN, USED, ENDED, ANSWERED, LOOKS = range(6)
#: of a question: whether it is for the capturer (0) or the target (1), whether its answer was certain, whether the
#: piece was found on the expected square, the bits of its place and of its partner's in the answer, and the two places
#: as they are written, a square or ``size * size`` plus the number of the capture; -1: none
NAME, SURE, HIT, BIT, BIT2, PLACE, PLACE2, LOOK = range(8)
#: from here on, the next moves
CODES = LOOKS + 2 * LOOK
#: why nothing was played: a question is open, the odds are too close to a border, or the workspace is too small
ASKS, TOO_CLOSE, TOO_LARGE = -1, -2, -3
#: the odds of the rules and of the core differ by less than this
CLOSE = 1e-6
#: more than any place
FAR = 1 << 20


@helper
def find_all(
    book: Ints,
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    f: int,
    t: int,
    told: Ints,
    ply: Longs,
    numbers: Floats,
) -> int:
    """Writes to `told` what the measurements of a capture find; 0, or why that is not known."""  # fmt: skip
    for k in range(4):
        told[k] = -1
    ply[USED], ply[ANSWERED] = 0, 0
    o = (f + t) // 2
    taker, victim = owner(board, f), owner(board, o)
    mine, its = component(book, board, taker), component(book, board, victim)
    if not asks(book, comps, mine, its):
        return 0
    if mine < 0:
        return find(book, board, comps, places, amps, its, slot_of(comps, its, victim), -1, o, 1, told, ply, numbers)
    slot = slot_of(comps, mine, taker)
    why = find(book, board, comps, places, amps, mine, slot, -1, f, 0, told, ply, numbers)
    if why < 0 or told[0] != f or its < 0:
        return why
    if its != mine:
        return find(book, board, comps, places, amps, its, slot_of(comps, its, victim), -1, o, 1, told, ply, numbers)
    if book[JOINT] == 1 or not is_partner_open(comps, places, mine, slot, f, o):
        return 0
    return find(book, board, comps, places, amps, mine, 1 - slot, f, o, 1, told, ply, numbers)


@helper
def find(
    book: Ints,
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    c: int,
    slot: int,
    given: int,
    wanted: int,
    name: int,
    told: Ints,
    ply: Longs,
    numbers: Floats,
) -> int:
    """Finds one piece, with `joint_collapse` its partner, too; `given` is where its partner was found, -1 if nowhere.

    The answers of the rules ascend as the partner's places do, and with one of them as the piece's own.
    """  # fmt: skip
    at, joint = LOOKS + LOOK * ply[ANSWERED], book[JOINT] == 1 and comps[c, SECOND] >= 0
    ply[at + NAME] = name
    chosen = choose(comps, places, amps, c, slot, given, joint, ply, numbers)
    if chosen < 0:
        return chosen
    place, other = chosen % FAR, chosen // FAR - 1
    told[2 * ply[ANSWERED]], told[2 * ply[ANSWERED] + 1] = place, other
    ply[at + HIT], ply[at + PLACE] = place == wanted, written(book, comps, c, slot, place)
    if given < 0:
        ply[at + BIT] = bit(book, board, comps, c, slot, place)
    ply[at + BIT2], ply[at + PLACE2] = -1, -1
    if other >= 0:
        ply[at + BIT2] = bit(book, board, comps, c, slot, FAR) + bit(book, board, comps, c, 1 - slot, other)
        for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
            if places[k, slot] == place and places[k, 1 - slot] != other:  # so the one does not follow from the other
                ply[at + PLACE2] = written(book, comps, c, 1 - slot, other)
    ply[ANSWERED] += 1
    return 0


@helper
def choose(
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    c: int,
    slot: int,
    given: int,
    joint: bool,
    ply: Longs,
    numbers: Floats,
) -> int:
    """The way that the next number selects, or the only one; or why that is not known.

    It writes whether it is the only one, and its number among them, which is its bit if only open places are read.
    """  # fmt: skip
    whole = 0.0
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if given < 0 or places[k, 1 - slot] == given:
            whole += weight(amps[k])
    left = numbers[ply[USED]] if ply[USED] < ply[GIVEN] else 2.0
    chosen, rank, ways, is_close = -1, 0, 0, False
    last, share = next_way(comps, places, amps, c, slot, given, joint, -1)
    way = last
    while way >= 0:
        if share < CLOSE:
            return TOO_CLOSE
        left -= share / whole
        is_close = is_close or abs(left) < CLOSE
        if left < 0 and chosen < 0:
            chosen, rank = way, ways
        last = way
        ways += 1
        way, share = next_way(comps, places, amps, c, slot, given, joint, last)
    if ways > 1 and ply[USED] >= ply[GIVEN]:
        return ASKS
    if ways > 1 and is_close:
        return TOO_CLOSE
    if chosen < 0:  # the last way, or the only one
        chosen, rank = last, ways - 1
    at = LOOKS + LOOK * ply[ANSWERED]
    ply[at + SURE], ply[at + BIT] = ways == 1, rank
    ply[USED] += ways > 1
    return chosen


@helper
def next_way(
    comps: Ints, places: Ints, amps: Amplitudes, c: int, slot: int, given: int, joint: bool, last: int
) -> tuple[int, float]:
    """The way after this one in the order of the answers, and its weight: a place, plus `FAR` times the partner's."""
    way, share = -1, 0.0
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if given < 0 or places[k, 1 - slot] == given:
            this = places[k, slot] + (FAR * (places[k, 1 - slot] + 1) if joint else 0)
            if this > last and (way < 0 or this <= way):
                share = weight(amps[k]) + (share if this == way else 0.0)
                way = this
    return way, share


@helper
def bit(book: Ints, board: Ints, comps: Ints, c: int, slot: int, place: int) -> int:
    """How many places of a piece come before this one: its squares, then the captures that may have taken it."""
    piece, before = comps[c, FIRST + slot], 0
    for s in range(min(place, book[SIZE] * book[SIZE])):
        before += owner(board, s) == piece
    for k in range(comps[c, TAKEN + slot]):
        before += comps[c, LISTS[slot] + k] < place
    return int(before)


@helper
def written(book: Ints, comps: Ints, c: int, slot: int, place: int) -> int:
    """How a place of a piece is written: a square, or behind them all the number of its capture."""
    squares = book[SIZE] * book[SIZE]
    if place < squares:
        return place
    number = 0
    while comps[c, LISTS[slot] + number] != place:
        number += 1
    return int(squares + number)
