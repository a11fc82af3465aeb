"""The captured pieces: a bit for each that some branches have lost and others not, freed when it is constant."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import (
    CAPTURED_MIX,
    COUNT,
    FULL,
    LEAST_SLOTS,
    REMEMBERED,
    SOME,
    State,
)
from qchess.games.quantum_chess.core.masks import count


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
