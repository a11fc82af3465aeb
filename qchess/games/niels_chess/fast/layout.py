"""The layout of the arrays that the kernels read and write.

A unit is one integer: 1, its colour, kind and marks, and its squares. Tables hold what differs between chess and
Xiangqi, so that one kernel lists both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qchess.circuits.kernels import helper

Ints = NDArray[np.int32]
Units = NDArray[np.int64]
Flags = NDArray[np.int8]
Floats = NDArray[np.float64]

#: the numbers of the kinds, those of Xiangqi included
KINDS = "KQRBNPAC"
KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN, ADVISER, CANNON = range(8)

# -- units: where each part begins; bit 0 is set in every unit -----------------------------------------------

COLOUR, KIND, X, Z, DIAG, SLOW, PAIR, AT, SECOND = 1, 2, 5, 6, 7, 9, 10, 11, 23
#: the largest number of a square
MASK = 4095

# -- the book: numbers of a variant, then by square its bits, the lines from it, and where leapers go --------------

SIZE, WIDTH, XIANGQI, FACINGS, TURNS, SPLITS_TWICE, NO_BOX, SIMPLIFIED, DOUBLE, BOUNDED, MOUNT = range(11)
#: Hadamard moves (1: of single pairs, 2: of groups, too), and what may be tunnelled through (1: opponents, 2: all)
HADAMARDS, TUNNELS = 11, 12
#: where lines and leaps begin, and the length of a line
RAYS, HOPS, LONGEST, ZONES = 13, 14, 15, 16
#: bits of a square: it promotes pawns of the first colour, of the second; it is in a Palace
PALACE = 2
#: how many lines there are, and the most leaps
WAYS, MOST = 8, 8
#: two steps of a pawn from home: never, always, not after a split
DOUBLE_STEPS = ("off", "home", "never_after_split")
#: what a cannon's other half is to it: a unit like others, a wall, nothing
MOUNTS = ("off", "block", "transparent")

#: the rows of leaps behind those of the kinds, each for both colours: where pawns strike (in Xiangqi: go), where they
#: go, and whence they attack a king of that colour; and from where horses attack
STRIKES, AHEAD, PAWNS, HORSES, LEAPS = 8, 10, 12, 14, 15

# -- the state ------------------------------------------------------------------------------------------------

#: whose turn it is, what a pawn has passed over and where it stands, up to four rights (0 and 1, of the other colour 2
#: and 3, to the left odd), whether a Hadamard move was declined, and what is found: the own king is in check
TURN, PASSED, VICTIM, RIGHTS, DECLINED, CHECKED, STATE = 0, 1, 2, 3, 7, 8, 9
#: the rows of flags
NEAR, DELICATE, SAFE, STRUCK = range(4)

#: what leaving its square means for the own king: to stay safe, something to be tried, to stay in check
CALM, OPEN, STUCK = 1, 0, -1

# -- a row: a move ----------------------------------------------------------------------------------------------

#: its class, up to four squares, whether the first mark's square is fixed (plus 2 where the joined pair's marks
#: differ), the number of a letter from 1 (in a Z move 1 for the first mark), and the how-manieth marking of these
#: squares it is
START, CHOICE, COLUMNS = 1, 7, 8
STEP, IN_PASSING, SPLIT, JOIN, INVERT, Z_MOVE, HADAMARD, TUNNEL = range(8)
#: more moves than there can be
MANY = 1 << 60
#: how many letters a pawn may become
LETTERS = 4


class Board(NamedTuple):
    """All arrays: the book's, the state's, and those that a kernel writes."""

    book: Ints
    men: Units
    state: Ints
    #: two boards on which moves are tried
    tried: Units
    #: two pairs of lists: the empty squares that a unit reaches, and what it could capture
    reached: Ints
    #: by square: it matters to the own king, or may even when it is entered; the unit may go there; it is the first of
    #: a pair that is attacked
    flags: Flags
    rows: Ints


@helper
def zone(book: Ints, square: Any) -> Any:
    """Return the bits of a square."""
    return book[ZONES + square]


@helper
def ray(book: Ints, square: Any, way: int, k: int) -> Any:
    """Return the k-th square on the line from a square in one of eight ways, the straight ones first; or -1."""
    return book[book[RAYS] + (square * WAYS + way) * book[LONGEST] + k]


@helper
def hop(book: Ints, row: Any, square: Any, k: int) -> Any:
    """Return the k-th square to which a unit leaps, by a row of the table; or -1."""
    return book[book[HOPS] + ((row * book[SIZE] + square) * MOST + k) * 2]


@helper
def over(book: Ints, row: Any, square: Any, k: int) -> Any:
    """Return the square over which it leaps, or -1."""
    return book[book[HOPS] + ((row * book[SIZE] + square) * MOST + k) * 2 + 1]


@helper
def colour(unit: Any) -> Any:
    """Return the colour of a unit."""
    return unit >> COLOUR & 1


@helper
def kind(unit: Any) -> Any:
    """Return the kind of a unit."""
    return unit >> KIND & 7


@helper
def is_pair(unit: Any) -> bool:
    """Tell whether a unit is in superposition."""
    return bool(unit >> PAIR & 1)


@helper
def at(unit: Any) -> Any:
    """Return the square of a unit, or of its first mark."""
    return unit >> AT & MASK


@helper
def second(unit: Any) -> Any:
    """Return the square of a pair's second mark."""
    return unit >> SECOND & MASK


@helper
def diag(unit: Any) -> Any:
    """Return the diagonal of a pair: 1, 2, or 0 for none."""
    return unit >> DIAG & 3


@helper
def half(unit: Any, coin: int) -> Any:
    """Return where a pair is when its coin lands 1, its major half, or 0."""
    return second(unit) if (unit >> X & 1) == coin else at(unit)


@helper
def piece(unit: Any, letter: int, square: Any) -> Any:
    """Return a conventional piece of a unit's colour and of a kind, on a square."""
    return 1 | colour(unit) << COLOUR | letter << KIND | square << AT


@helper
def paired(unit: Any, letter: int, a: Any, b: Any) -> Any:
    """Return a pair of a unit's colour and of a kind, with its marks alike, on two squares."""
    return piece(unit, letter, a) | 1 << PAIR | b << SECOND


@helper
def moved(unit: Any, start: int, end: Any) -> Any:
    """Return the unit with its part on `start` moved to `end`, with its marks."""
    if at(unit) == start:
        return unit + ((end - start) << AT)
    return unit + ((end - start) << SECOND)
