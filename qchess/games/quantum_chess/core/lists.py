"""The legal moves, counted and found by number, in the order of the rules.

Standard moves by square, splits by square, merges by symbol; pairs of squares ascending.
"""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import (
    BOARD,
    BOOK,
    CASTLE_SQUARE_SPLITS,
    FULL,
    GOES,
    KNIGHT,
    LAST_RANKS,
    MEN,
    MERGE_SHAPE,
    MERGES,
    OMITTED_STAYS,
    OPEN,
    PAWN,
    PLY,
    PROMOTION,
    QUANTUM,
    SIDE,
    SPLIT_SHAPE,
    SPLITS,
    STANDARDS,
    Whole,
)
from qchess.games.quantum_chess.core.masks import count, lowest, nth, turned
from qchess.games.quantum_chess.core.targets import (
    castling_home,
    castling_targets,
    pawn_targets,
    prey_of_pawns,
    reached,
)


@helper
def men_of(game: Whole, side: int) -> int:
    """The squares with a symbol of one side."""
    first = MEN + SIDE * side
    return int(
        game[first + 1] | game[first + 2] | game[first + 3] | game[first + 4] | game[first + 5] | game[first + 6]
    )


@helper
def survey(game: Whole) -> int:
    """How many legal moves there are; notes where each piece may go, and how many are of each shape."""
    side = game[PLY] & 1
    own, enemy, full = men_of(game, side), men_of(game, 1 - side), game[FULL]
    prey, home, turned_full = prey_of_pawns(game, enemy), castling_home(game), turned(full)
    free, vacant = ~(own & full), ~(own | enemy)
    standards = splits = 0
    left = own
    while left != 0:
        square = lowest(left)
        left &= left - 1
        code = game[BOARD + square]
        if code - SIDE * side == PAWN:
            goes = pawn_targets(side, square, full, prey)
            game[GOES + square], game[OPEN + square] = goes, 0
            standards += count(goes) * choices(game, goes)
            continue
        ways = reached(code - SIDE * side, square, full, turned_full)
        castlings = castling_targets(game) if square == home else 0
        game[GOES + square] = ways & free | castlings
        game[OPEN + square] = ways & (vacant | game[MEN + code])
        if game[BOOK] & CASTLE_SQUARE_SPLITS:  # whatever may stand there
            game[OPEN + square] |= castlings
        pairs = count(game[OPEN + square])
        standards += count(game[GOES + square])
        splits += pairs * (pairs - 1) >> 1
    quantum = game[BOOK] & QUANTUM
    game[STANDARDS] = standards
    game[SPLITS] = splits if quantum else 0
    game[MERGES] = _merges(game, side) if quantum else 0
    return int(game[STANDARDS] + game[SPLITS] + game[MERGES])


@helper
def choices(game: Whole, goes: int) -> int:
    """In how many ways a pawn that has these targets may go to each of them."""
    if goes & LAST_RANKS == 0 or game[BOOK] & PROMOTION == 0:
        return 1
    return 5 if game[BOOK] & OMITTED_STAYS else 4


@helper
def _merges(game: Whole, side: int) -> int:
    found = 0
    for code in range(SIDE * side + KNIGHT, SIDE * side + SIDE + 1):
        firsts = game[MEN + code]
        while firsts != 0:
            near = game[OPEN + lowest(firsts)]
            firsts &= firsts - 1
            seconds = firsts if near != 0 else 0
            while seconds != 0:
                found += count(near & game[OPEN + lowest(seconds)])
                seconds &= seconds - 1
    return found


@helper
def move_at(game: Whole, number: int) -> int:
    """The legal move of this number, once they were counted."""
    if number < game[STANDARDS]:
        return _standard_at(game, number)
    number -= game[STANDARDS]
    if number < game[SPLITS]:
        return _split_at(game, number)
    return _merge_at(game, number - game[SPLITS])


@helper
def _standard_at(game: Whole, number: int) -> int:
    left = men_of(game, game[PLY] & 1)
    while True:
        square = lowest(left)
        left &= left - 1
        goes = game[GOES + square]
        ways = choices(game, goes) if game[BOARD + square] - SIDE * (game[PLY] & 1) == PAWN else 1
        here = count(goes) * ways
        if number < here:
            break
        number -= here
    # the letters first, then none at all, which is choice 0
    choice = 0 if ways == 1 else (number % ways + 1) % 5
    return int(square | nth(goes, number // ways) << 6 | choice << 18)


@helper
def _split_at(game: Whole, number: int) -> int:
    left = men_of(game, game[PLY] & 1)
    while True:
        square = lowest(left)
        left &= left - 1
        open_to = game[OPEN + square]
        others = count(open_to)
        pairs = others * (others - 1) >> 1
        if number < pairs:
            break
        number -= pairs
    others -= 1
    while number >= others:
        number -= others
        others -= 1
        open_to &= open_to - 1
    second = nth(open_to & (open_to - 1), number)
    return int(square | lowest(open_to) << 6 | second << 12 | SPLIT_SHAPE << 21)


@helper
def _merge_at(game: Whole, number: int) -> int:
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
                here = count(both)
                if number < here:
                    return int(one | other << 6 | nth(both, number) << 12 | MERGE_SHAPE << 21)
                number -= here
    return -1
