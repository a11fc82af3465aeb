"""Lists the ways in which a capture can end, with their exact probabilities."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.circuits.precision import CERTAIN
from qchess.games.quantum_checkers.core.components import component, slot_of, weight
from qchess.games.quantum_checkers.core.layout import (
    FAULT,
    JOINT,
    LENGTH,
    LEVEL,
    SECOND,
    START,
    Amplitudes,
    Floats,
    Ints,
)  # fmt: skip
from qchess.games.quantum_checkers.core.listing import owner


@helper
def asks(book: Ints, comps: Ints, mine: int, its: int) -> bool:
    """Whether a capture measures, by the components of its capturer and its target; -1: none."""
    return bool(mine >= 0 or (its >= 0 and (book[LEVEL] < 2 or comps[its, SECOND] >= 0)))


@helper
def is_partner_open(comps: Ints, places: Ints, c: int, slot: int, f: int, o: int) -> bool:
    """Whether a capturer that was found on `f` leaves open that its partner is on `o`."""
    there, elsewhere = False, False
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if places[k, slot] == f:
            there = there or places[k, 1 - slot] == o
            elsewhere = elsewhere or places[k, 1 - slot] != o
    return there and elsewhere


@helper
def share(book: Ints, comps: Ints, places: Ints, amps: Amplitudes, c: int, slot: int, k: int) -> float:
    """The probability of the answer that entry k belongs to, told at the first entry that gives it; else 0."""
    joint = book[JOINT] == 1 and comps[c, SECOND] >= 0
    total = 0.0
    for j in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if places[j, slot] == places[k, slot] and (not joint or places[j, 1 - slot] == places[k, 1 - slot]):
            if j < k:
                return 0.0
            total += weight(amps[j])
    return total


@helper
def add_way(
    board: Ints, found: Ints, odds: Floats, count: int, own: int, other: int, own2: int, other2: int, p: float
) -> int:
    """Writes a way to end: where the first piece and its partner are, the same for the second; says how many."""
    if p <= CERTAIN:
        return count
    if count >= found.shape[0]:
        board[FAULT] = 1
        return count
    found[count, 0], found[count, 1], found[count, 2], found[count, 3] = own, other, own2, other2
    odds[count] = p
    return count + 1


@helper
def list_ways(
    book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, f: int, t: int, found: Ints, odds: Floats
) -> int:
    """Writes every way in which a capture can be answered; none if it asks nothing."""
    o = (f + t) // 2
    taker, victim = owner(board, f), owner(board, o)
    mine, its = component(book, board, taker), component(book, board, victim)
    if not asks(book, comps, mine, its):
        return 0
    c = mine if mine >= 0 else its
    slot = slot_of(comps, c, taker if mine >= 0 else victim)
    joint = book[JOINT] == 1 and comps[c, SECOND] >= 0
    count = 0
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        p = share(book, comps, places, amps, c, slot, k)
        if p > 0:
            own, other = places[k, slot], -1
            if joint:
                other = places[k, 1 - slot]
            if mine < 0 or own != f or its < 0 or (its == mine and joint):
                count = add_way(board, found, odds, count, own, other, -1, -1, p)
            elif its == mine:
                count = list_partners(board, comps, places, amps, c, slot, f, o, found, odds, count, p)
            else:
                count = list_targets(book, board, comps, places, amps, its, victim, own, other, found, odds, count, p)
    return count


@helper
def list_targets(
    book: Ints,
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    c: int,
    victim: int,
    own: int,
    other: int,
    found: Ints,
    odds: Floats,
    count: int,
    p: float,
) -> int:
    """The ways in which a target of another component is found, once the capturer was."""  # fmt: skip
    slot = slot_of(comps, c, victim)
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        q = share(book, comps, places, amps, c, slot, k)
        if q > 0:
            along = -1
            if book[JOINT] == 1 and comps[c, SECOND] >= 0:
                along = places[k, 1 - slot]
            count = add_way(board, found, odds, count, own, other, places[k, slot], along, p * q)
    return count


@helper
def list_partners(
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    c: int,
    slot: int,
    f: int,
    o: int,
    found: Ints,
    odds: Floats,
    count: int,
    p: float,
) -> int:
    """The ways in which the capturer's partner is found; it is asked only where the capturer does not tell."""
    if not is_partner_open(comps, places, c, slot, f, o):
        return add_way(board, found, odds, count, f, -1, -1, -1, p)
    for k in range(comps[c, START], comps[c, START] + comps[c, LENGTH]):
        if places[k, slot] == f:
            count = add_way(board, found, odds, count, f, -1, places[k, 1 - slot], -1, weight(amps[k]))
    return count
