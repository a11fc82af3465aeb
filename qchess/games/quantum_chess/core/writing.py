"""All legal moves as codes, one after the other, in the order of the rules."""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import (
    BOARD,
    GOES,
    KNIGHT,
    MEN,
    MERGE_SHAPE,
    MERGES,
    OPEN,
    PAWN,
    PLY,
    SIDE,
    SPLIT_SHAPE,
    SPLITS,
    Whole,
)
from qchess.games.quantum_chess.core.lists import choices, men_of, survey
from qchess.games.quantum_chess.core.masks import lowest


@helper
def write_moves(game: Whole, found: Whole) -> int:
    """Writes the legal moves if there is room for all; gives how many there are."""
    moves = survey(game)
    if moves > found.size:
        return moves
    at = _write_standards(game, found)
    if game[SPLITS] != 0:
        at = _write_splits(game, found, at)
    if game[MERGES] != 0:
        at = _write_merges(game, found, at)
    return at


@helper
def _write_standards(game: Whole, found: Whole) -> int:
    at, left = 0, men_of(game, game[PLY] & 1)
    while left != 0:
        square = lowest(left)
        left &= left - 1
        goes = game[GOES + square]
        ways = choices(game, goes) if game[BOARD + square] - SIDE * (game[PLY] & 1) == PAWN else 1
        while goes != 0:
            code = square | lowest(goes) << 6
            goes &= goes - 1
            for way in range(ways):  # the letters first, then none at all, which is choice 0
                found[at] = code if ways == 1 else code | (way + 1) % 5 << 18
                at += 1
    return at


@helper
def _write_splits(game: Whole, found: Whole, at: int) -> int:
    left = men_of(game, game[PLY] & 1)
    while left != 0:
        square = lowest(left)
        left &= left - 1
        firsts = game[OPEN + square]
        while firsts != 0:
            code = square | lowest(firsts) << 6 | SPLIT_SHAPE << 21
            firsts &= firsts - 1
            seconds = firsts
            while seconds != 0:
                found[at] = code | lowest(seconds) << 12
                at += 1
                seconds &= seconds - 1
    return at


@helper
def _write_merges(game: Whole, found: Whole, at: int) -> int:
    first = SIDE * (game[PLY] & 1)
    for code in range(first + KNIGHT, first + SIDE + 1):
        firsts = game[MEN + code]
        while firsts != 0:
            one = lowest(firsts)
            near = game[OPEN + one]
            firsts &= firsts - 1
            seconds = firsts if near != 0 else 0
            while seconds != 0:
                other = lowest(seconds)
                seconds &= seconds - 1
                both = near & game[OPEN + other]
                while both != 0:
                    found[at] = one | other << 6 | lowest(both) << 12 | MERGE_SHAPE << 21
                    at += 1
                    both &= both - 1
    return at
