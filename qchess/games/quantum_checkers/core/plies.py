"""Plays a move: the gates, the measurements with their dice or given answers, kings, and whose turn it is."""

# ruff: noqa: SIM110 - kernels know loops, not generators
from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_checkers.core.components import (
    close_component,
    component,
    open_component,
    set_word,
    slot_of,
    weight,
    word,
)
from qchess.games.quantum_checkers.core.dice import fraction
from qchess.games.quantum_checkers.core.gates import divide, entangle, relabel, unite
from qchess.games.quantum_checkers.core.layout import (
    CELLS,
    CHAIN,
    DRAW,
    DRAW_FIRST,
    FAULT,
    GHOSTS,
    JOINT,
    LENGTH,
    LEVEL,
    PLAYER,
    PLY,
    QUIET,
    SECOND,
    SIZE,
    START,
    WHO,
    Amplitudes,
    Dice,
    Ints,
)  # fmt: skip
from qchess.games.quantum_checkers.core.listing import any_capture, any_move, can_capture, owner
from qchess.games.quantum_checkers.core.measuring import project, tidy


@helper
def crowns(book: Ints, colour: int, square: int) -> bool:
    """Whether a man is crowned on this square."""
    return bool(square // book[SIZE] == (book[SIZE] - 1 if colour == 0 else 0))


@helper
def put(book: Ints, board: Ints, cell: int, to: int) -> bool:
    """Puts a part on a square and crowns it there, if it is a man's far row; says whether it did."""
    crowned = cell & 1 == 0 and crowns(book, word(book, board, (cell >> 1) - 1) & 1, to)
    board[CELLS + to] = cell | 1 if crowned else cell
    return crowned


@helper
def play(
    book: Ints,
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    a: int,
    b: int,
    c: int,
    d: int,
    told: Ints,
    dice: Dice,
) -> bool:
    """Plays a legal move; says whether a piece was captured for sure.

    Measurements are answered by `told`: where the first piece asked for is, and its partner, then the same of the
    second; -1 leaves the answer to the dice.
    """  # fmt: skip
    board[PLY] += 1
    size = book[SIZE]
    rise = c // size - a // size
    if b < 0 and d < 0 and (rise == 2 or rise == -2):
        return jump(book, board, comps, places, amps, a, c, told, dice)
    cell = board[CELLS + a]
    piece = (cell >> 1) - 1
    if b >= 0:
        merge(book, board, comps, places, amps, piece, a, b, c)
    else:
        board[CELLS + a] = 0
        put(book, board, cell, c)
        if d >= 0:
            put(book, board, cell, d)
            if component(book, board, piece) < 0:
                open_component(book, board, comps, places, amps, piece, a)
        k = component(book, board, piece)
        if k >= 0 and d >= 0:
            divide(board, comps, places, amps, k, slot_of(comps, k, piece), a, c, d)
        elif k >= 0:
            relabel(comps, places, amps, k, slot_of(comps, k, piece), a, c)
    pass_on(board)
    board[QUIET] += 1
    return False


@helper
def merge(
    book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, piece: int, a: int, b: int, t: int
) -> None:
    """A merge; what is certain or empty after it is found out, unless ghosts are kept."""
    put(book, board, board[CELLS + a], t)
    k = component(book, board, piece)
    unite(board, comps, places, amps, k, slot_of(comps, k, piece), a, b, t)
    if book[GHOSTS] == 0 and board[FAULT] == 0:
        tidy(book, board, comps, places, amps, k)


@helper
def pass_on(board: Ints) -> None:
    """The other side is to move."""
    board[PLAYER] = 1 - board[PLAYER]
    board[CHAIN] = -1


# -- captures -------------------------------------------------------------------------------------------


@helper
def jump(
    book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, f: int, t: int, told: Ints, dice: Dice
) -> bool:
    """A capture, certain, entangling or with measurements; says whether a piece was captured for sure."""
    o = (f + t) // 2
    taker, victim = owner(board, f), owner(board, o)
    mine, its = component(book, board, taker), component(book, board, victim)
    gone = False
    if mine < 0 and its >= 0 and book[LEVEL] >= 2 and comps[its, SECOND] < 0:
        x = book[SIZE] * book[SIZE] + board[PLY]
        board[CELLS + o] = 0
        crowned = put(book, board, board[CELLS + f], t)
        entangle(book, board, comps, places, amps, taker, its, f, o, t, x)
        if book[GHOSTS] == 0 and board[FAULT] == 0:
            tidy(book, board, comps, places, amps, its)
        landed = True
    else:
        alive = count_alive(book, board)
        landed = measured(book, board, comps, places, amps, f, o, told, dice)
        crowned = False
        if landed:
            strike(book, board, comps, places, amps, victim)
            cell = board[CELLS + f]
            board[CELLS + f] = 0
            crowned = put(book, board, cell, t)
        gone = count_alive(book, board) < alive
    board[QUIET] = 0 if gone else board[QUIET] + 1
    go_on(book, board, t, landed, crowned)
    return gone


@helper
def count_alive(book: Ints, board: Ints) -> int:
    """How many pieces are, or may be, on the board."""
    alive, start = 0, CELLS + book[SIZE] * book[SIZE]
    for k in range(start, board.size):
        alive += board[k] >= 0
    return alive


@helper
def measured(
    book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, f: int, o: int, told: Ints, dice: Dice
) -> bool:
    """Asks for the capturer, then for the target, each only if it is open; says whether both are there."""
    taker, victim = owner(board, f), owner(board, o)
    mine, its = component(book, board, taker), component(book, board, victim)
    if mine >= 0:
        if look(book, board, comps, places, amps, mine, taker, told[0], told[1], dice) != f:
            return False
        if its == mine and is_settled(book, board, comps, places, victim, o):
            return holds(book, board, comps, places, victim, o)
        its = component(book, board, victim)
        if its >= 0:
            return look(book, board, comps, places, amps, its, victim, told[2], told[3], dice) == o
        return True
    if its >= 0:
        return look(book, board, comps, places, amps, its, victim, told[0], told[1], dice) == o
    return True


@helper
def is_settled(book: Ints, board: Ints, comps: Ints, places: Ints, piece: int, o: int) -> bool:
    """Whether it is certain that the capturer's partner is on o, or that it is not."""
    c = component(book, board, piece)
    if word(book, board, piece) < 0 or c < 0:
        return True
    first = comps[c, START]
    for k in range(first + 1, first + comps[c, LENGTH]):
        if (places[k, 0] == o) != (places[first, 0] == o):
            return False
    return True


@helper
def holds(book: Ints, board: Ints, comps: Ints, places: Ints, piece: int, o: int) -> bool:
    """Whether a piece of which that is certain is on o."""
    if word(book, board, piece) < 0:
        return False
    c = component(book, board, piece)
    return owner(board, o) == piece if c < 0 else bool(places[comps[c, START], 0] == o)


@helper
def look(
    book: Ints,
    board: Ints,
    comps: Ints,
    places: Ints,
    amps: Amplitudes,
    c: int,
    piece: int,
    place: int,
    other: int,
    dice: Dice,
) -> int:
    """Measures a piece (with `joint_collapse` its partner, too) and says where it is."""  # fmt: skip
    slot = slot_of(comps, c, piece)
    k = int(comps[c, START])
    last = k + comps[c, LENGTH] - 1
    if place < 0:
        left = fraction(dice)
        while k < last and left >= weight(amps[k]):
            left -= weight(amps[k])
            k += 1
        place, other = places[k, slot], -1
        if book[JOINT] == 1 and comps[c, SECOND] >= 0:
            other = places[k, 1 - slot]
    project(book, board, comps, places, amps, c, slot, place, other)
    return place


@helper
def strike(book: Ints, board: Ints, comps: Ints, places: Ints, amps: Amplitudes, victim: int) -> None:
    """Takes a piece off the board, with any ghosts it has."""
    c = component(book, board, victim)
    if c >= 0:
        close_component(book, board, comps, places, amps, c)
    set_word(book, board, victim, -1)
    for s in range(book[SIZE] * book[SIZE]):
        if owner(board, s) == victim:
            board[CELLS + s] = 0


@helper
def go_on(book: Ints, board: Ints, t: int, landed: bool, crowned: bool) -> None:
    """After a capture: whether the turn goes on."""
    if book[WHO] == 0:
        if landed and not crowned and can_capture(book, board, t):
            board[CHAIN] = t
            return
    elif not (landed and crowns(book, board[PLAYER], t)):
        board[CHAIN] = -1
        if book[WHO] == 1 and landed and can_capture(book, board, t):
            return
        if book[WHO] == 2 and any_capture(book, board):
            return
    pass_on(board)


# -- the end ----------------------------------------------------------------------------------------------


@helper
def status(book: Ints, board: Ints) -> int:
    """0 while the game goes on, 1 where White has won, 2 Black, 3 a draw."""
    return status_with(book, board, any_move(book, board))


@helper
def status_with(book: Ints, board: Ints, movable: bool) -> int:
    """The same, told whether the player has a move."""
    drawn = book[DRAW] > 0 and board[QUIET] >= book[DRAW]
    if not movable and not (drawn and book[DRAW_FIRST] == 1):
        return 2 if board[PLAYER] == 0 else 1
    return 3 if drawn else 0
