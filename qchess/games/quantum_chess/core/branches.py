"""What moves do to the branches: full exchanges, halves of them, splits and merges; and the captured pieces.

A full exchange only renames branches and turns phases, and a split onto empty squares only adds branches. Where
both ends may be occupied, partners must be found: one class of branches is put in a table, the other looks it up.
A captured piece that some branches have lost and others not takes a bit, freed when it is constant.
"""

from __future__ import annotations

import math

from qchess.circuits.kernels import helper
from qchess.circuits.precision import NOISE_SQUARED
from qchess.games.quantum_chess.core.layout import (
    CAPTURED_MIX,
    COUNT,
    FULL,
    LEAST_SLOTS,
    REMEMBERED,
    SOME,
    SQUARES_MIX,
    State,
)
from qchess.games.quantum_chess.core.masks import count

HALF = math.sqrt(0.5)
#: what a slot of the table holds when nothing is there
FREE = -1


@helper
def exchange(state: State, a: int, b: int, path: int, turn: float) -> None:
    """iSWAP(a, b) where the path is clear; `turn` is -1 for its inverse."""
    exchange_unless(state, a, b, path, 0, turn)


@helper
def exchange_unless(state: State, a: int, b: int, path: int, other: int, turn: float) -> None:
    """iSWAP(a, b) where the path is clear and the other path, if there is one, is not."""
    game, squares, re, im = state.game, state.squares, state.re, state.im
    flip = 1 << a | 1 << b
    for k in range(game[COUNT]):
        key = squares[k]
        if (key >> a ^ key >> b) & 1 and key & path == 0 and (other == 0 or key & other != 0):
            squares[k] = key ^ flip
            re[k], im[k] = -turn * im[k], turn * re[k]


@helper
def split(state: State, s: int, t1: int, t2: int, path1: int, path2: int) -> None:
    """The split of s to t1 and t2, each as far as its path is clear."""
    if state.game[SOME] & (1 << t1 | 1 << t2) == 0:
        _split_onto_empty(state, s, t1, t2, path1, path2)
        return
    if path2 != 0:
        exchange_unless(state, s, t1, path1, path2, 1.0)
    half_exchange(state, s, t1, path1 | path2, 1.0)
    exchange(state, s, t2, path2, 1.0)


@helper
def merge(state: State, a: int, b: int, t: int, path_a: int, path_b: int) -> None:
    """The merge of a and b to t, the inverse of the split of t to a and b."""
    exchange(state, b, t, path_b, -1.0)
    half_exchange(state, a, t, path_a | path_b, -1.0)
    if path_b != 0:
        exchange_unless(state, a, t, path_a, path_b, -1.0)


@helper
def _split_onto_empty(state: State, s: int, t1: int, t2: int, path1: int, path2: int) -> None:
    """Both targets are empty in every branch, so that no two branches meet."""
    game, squares, captured, re, im = state.game, state.squares, state.captured, state.re, state.im
    end = game[COUNT]
    to_first, to_second = 1 << s | 1 << t1, 1 << s | 1 << t2
    for k in range(game[COUNT]):
        key = squares[k]
        if key >> s & 1 == 0:
            continue
        if key & path1 == 0 and key & path2 == 0:
            x, y = HALF * re[k], HALF * im[k]
            squares[end], captured[end] = key ^ to_second, captured[k]
            re[end], im[end] = -y, x
            end += 1
            squares[k] = key ^ to_first
            re[k], im[k] = -y, x
        elif key & path1 == 0 or key & path2 == 0:
            squares[k] = key ^ (to_first if key & path1 == 0 else to_second)
            re[k], im[k] = -im[k], re[k]
    game[COUNT] = end


@helper
def half_exchange(state: State, a: int, b: int, path: int, turn: float) -> None:
    """iSWAP^1/2(a, b) where the path is clear; `turn` is -1 for its inverse."""
    game, squares, captured = state.game, state.squares, state.captured
    flip = 1 << a | 1 << b
    care, there = flip | path, 1 << b
    size = _fill(state, care, there)
    before, vanished = game[COUNT], 0
    for k in range(before):
        if squares[k] & care == 1 << a:
            at = _find(state, size, squares[k] ^ flip, captured[k])
            if at < 0:
                _share(state, k, flip, turn)
            else:
                vanished += _mix(state, k, state.slots[at], turn)
                state.slots[at] = -2 - state.slots[at]
    for at in range(size):
        if state.slots[at] >= 0:
            _share(state, state.slots[at], flip, turn)
    if vanished:
        _drop_empty(state)


@helper
def _slot(state: State, size: int, squares: int, captured: int) -> int:
    """Where the search for a branch begins in a table of so many slots."""
    mixed = squares * SQUARES_MIX + captured * CAPTURED_MIX
    return int((mixed ^ mixed >> 32) & (size - 1))


@helper
def _fill(state: State, care: int, want: int) -> int:
    """Puts the branches that show the wanted squares in the table; gives the number of its slots, 0 for no table."""
    squares, slots = state.squares, state.slots
    members = 0
    for k in range(state.game[COUNT]):
        members += squares[k] & care == want
    if members == 0:
        return 0
    size = LEAST_SLOTS
    while size < 2 * members:
        size *= 2
    for at in range(size):
        slots[at] = FREE
    for k in range(state.game[COUNT]):
        if squares[k] & care == want:
            at = _slot(state, size, squares[k], state.captured[k])
            while slots[at] != FREE:
                at = (at + 1) & (size - 1)
            slots[at] = k
    return size


@helper
def _find(state: State, size: int, squares: int, captured: int) -> int:
    """The slot of a branch that nobody found before, or -1."""
    if size == 0:
        return -1
    at = _slot(state, size, squares, captured)
    while state.slots[at] != FREE:
        k = state.slots[at]
        if k >= 0 and state.squares[k] == squares and state.captured[k] == captured:
            return at
        at = (at + 1) & (size - 1)
    return -1


@helper
def _share(state: State, k: int, flip: int, turn: float) -> None:
    """Half of a branch without partner goes over, as a new branch."""
    re, im, end = state.re, state.im, state.game[COUNT]
    x, y = HALF * re[k], HALF * im[k]
    re[k], im[k] = x, y
    state.squares[end], state.captured[end] = state.squares[k] ^ flip, state.captured[k]
    re[end], im[end] = -turn * y, turn * x
    state.game[COUNT] = end + 1


@helper
def _mix(state: State, j: int, k: int, turn: float) -> int:
    """Two partners share what they have; gives how many of them are left with nothing."""
    re, im = state.re, state.im
    x, y, u, v = HALF * re[j], HALF * im[j], HALF * re[k], HALF * im[k]
    re[j], im[j] = x - turn * v, y + turn * u
    re[k], im[k] = u - turn * y, v + turn * x
    noise = NOISE_SQUARED * (x * x + y * y + u * u + v * v)
    vanished = 0
    for branch in (j, k):
        if re[branch] * re[branch] + im[branch] * im[branch] <= noise:
            re[branch] = im[branch] = 0.0
            vanished += 1
    return vanished


@helper
def _drop_empty(state: State) -> None:
    """Closes the gaps that branches of no amplitude leave."""
    re, im = state.re, state.im
    end = 0
    for k in range(state.game[COUNT]):
        if re[k] != 0.0 or im[k] != 0.0:
            state.squares[end], state.captured[end] = state.squares[k], state.captured[k]
            re[end], im[end] = re[k], im[k]
            end += 1
    state.game[COUNT] = end


@helper
def support(state: State) -> None:
    """Notes which squares are occupied in some branch and in every one; forgets captured bits that are constant."""
    game, squares, captured = state.game, state.squares, state.captured
    some, every = squares[0], squares[0]
    lost, always = captured[0], captured[0]
    for k in range(1, game[COUNT]):
        some |= squares[k]
        every &= squares[k]
        lost |= captured[k]
        always &= captured[k]
    game[SOME], game[FULL], game[REMEMBERED] = some, every, lost & ~always
    if always != 0:
        for k in range(game[COUNT]):
            captured[k] &= ~always


@helper
def make_room(state: State) -> None:
    """Sees to it that the next move finds fresh bits; none needs more than two."""
    if count(~state.game[REMEMBERED]) < 2:
        _rename(state)


@helper
def fresh(state: State) -> int:
    """A bit for what is captured now, 0 in every branch."""
    game = state.game
    bit = ~game[REMEMBERED] & (game[REMEMBERED] + 1)
    game[REMEMBERED] |= bit
    return int(bit)


@helper
def _rename(state: State) -> None:
    """Numbers the sets of captured pieces that occur, so that as few bits as can be tell them apart.

    Nothing acts on these bits: all that counts is which branches agree in them.
    """
    game, captured, slots = state.game, state.captured, state.slots
    size = LEAST_SLOTS
    while size < 2 * game[COUNT]:
        size *= 2
    # a slot holds the first branch that shows a set; each branch has its new word behind the slots
    for at in range(size):
        slots[at] = -1
    names = 0
    for k in range(game[COUNT]):
        mixed = captured[k] * CAPTURED_MIX
        at = (mixed ^ mixed >> 32) & (size - 1)
        while slots[at] >= 0 and captured[slots[at]] != captured[k]:
            at = (at + 1) & (size - 1)
        if slots[at] < 0:
            slots[at] = k
            slots[size + k] = names
            names += 1
        else:
            slots[size + k] = slots[size + slots[at]]
    for k in range(game[COUNT]):
        captured[k] = slots[size + k]
    game[REMEMBERED] = (1 << bits_for(names)) - 1


@helper
def bits_for(names: int) -> int:
    """How many bits tell so many names apart."""
    bits = 0
    while names > 1 << bits:
        bits += 1
    return bits
