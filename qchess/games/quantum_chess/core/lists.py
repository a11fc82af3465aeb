"""The legal moves, counted, found by number and written, in the order of the rules; and where each piece may go.

Standard moves by square, splits by square, merges by symbol; pairs of squares ascending. The targets are those of
`qchess.games.quantum_chess.legal`, on signed masks.
"""

from __future__ import annotations

from qchess.circuits.kernels import helper
from qchess.games.quantum_chess.core.layout import (
    BISHOP,
    BOARD,
    BOOK,
    CASTLE_SQUARE_SPLITS,
    EN_PASSANT,
    EN_PASSANT_ALWAYS,
    FULL,
    GOES,
    KING,
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
    RIGHTS,
    ROOK,
    SIDE,
    SPLIT_SHAPE,
    SPLITS,
    STANDARDS,
    Whole,
)
from qchess.games.quantum_chess.core.masks import (
    ATTACKS,
    KING_STEPS,
    KNIGHT_STEPS,
    ONE_STEP,
    RAYS,
    TWO_STEPS,
    count,
    lowest,
    nth,
    turned,
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


@helper
def reached(kind: int, square: int, full: int, turned_full: int) -> int:
    """The squares that a piece other than a pawn reaches; rays end on the first full one."""
    if kind == KNIGHT:
        return int(KNIGHT_STEPS[square])
    if kind == KING:
        return int(KING_STEPS[square])
    first = 2 if kind == ROOK else 0
    last = 2 if kind == BISHOP else 4
    return seen(square, full, first, last) | turned(seen(63 - square, turned_full, first, last))


@helper
def seen(square: int, full: int, first: int, last: int) -> int:
    """What is seen from a square along its rays to higher squares, up to the first full one of each.

    With the lowest stop, and all below it, `stops ^ (stops - 1)` holds what no stop hides. For the rays to
    lower squares the board is turned round.
    """
    result = 0
    for line in range(first, last):
        ray = RAYS[64 * line + square]
        stops = ray & full
        result |= ray & (stops ^ (stops - 1))
    return int(result)


@helper
def pawn_targets(side: int, square: int, full: int, prey: int) -> int:
    """One step ahead unless certainly blocked, two from the start rank, and what can be taken."""
    way = 64 * side + square
    ahead = ONE_STEP[way] & ~full
    if ahead != 0:
        ahead |= TWO_STEPS[way] & ~full
    return int(ahead | ATTACKS[way] & prey)


@helper
def prey_of_pawns(game: Whole, enemy: int) -> int:
    """What pawns may take: the enemy, and the en passant square with a pawn behind it."""
    target = game[EN_PASSANT]
    if target < 0:
        return enemy
    side = game[PLY] & 1
    behind = game[BOARD + victim_square(side, target)]
    if game[BOOK] & EN_PASSANT_ALWAYS or behind == PAWN + SIDE - SIDE * side:
        return int(enemy | 1 << target)
    return enemy


@helper
def victim_square(side: int, target: int) -> int:
    """The square of the pawn that is taken in passing onto `target`."""
    return target + 8 if side else target - 8


@helper
def castling_home(game: Whole) -> int:
    """Where the king of the side to move stands, if it still has a right to castle; else -1."""
    side = game[PLY] & 1
    home = 60 if side else 4
    return home if game[RIGHTS] != 0 and game[BOARD + home] == KING + SIDE * side else -1


@helper
def castling_targets(game: Whole) -> int:
    """The squares to which that king may castle: no square on the way is certainly occupied."""
    side = game[PLY] & 1
    rights, full = game[RIGHTS] >> 2 * side, game[FULL] >> 56 * side
    targets = 0
    if rights & 1 and full & 0b01100000 == 0:
        targets |= 1 << 6
    if rights & 2 and full & 0b00001110 == 0:
        targets |= 1 << 2
    return int(targets << 56 * side)
