"""Where everything stands in the arrays of a packed position.

The classical part is one array of whole numbers, `game`, read by the names below. The quantum part is one joint
register in columns, a branch a row: the occupied squares (bit = square), the captured pieces that are remembered
(a bit each), and the amplitude, real and imaginary. Signed numbers hold the masks: bit 63 is the sign.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Real = NDArray[np.float64]

#: the symbols by their codes; black's are white's plus `SIDE`
SYMBOLS = ".PNBRQKpnbrqk"
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = 1, 2, 3, 4, 5, 6
SIDE = 6
#: the first rank and the last
LAST_RANKS = 0xFF - (1 << 56)

# -- the places in `game` -------------------------------------------------------------------------------

PLY, RIGHTS, EN_PASSANT, CLOCK = 0, 1, 2, 3
#: the book's switches, and its last ply
BOOK, MAX_PLY = 4, 5
#: how many branches there are; the squares occupied in some branch, and in every branch
COUNT, SOME, FULL = 6, 7, 8
#: the bits of captured pieces that differ between branches
REMEMBERED = 9
#: the mask of each symbol, by code (the first: of empty squares), and the code of each square's symbol
MEN, BOARD = 10, 23
#: so much makes a position
POSITION = 87

# scratch, worked out anew for each move
#: the state of the random numbers
DICE = 87
#: the move: its kind and variant, its squares, the symbol that moves, the choice of a promoted pawn
KIND, VARIANT, FIRST, SECOND, THIRD, MOVER, CHOICE = 88, 89, 90, 91, 92, 93, 94
#: the question it asks: the squares looked at (none: no question), and those of them that must be occupied
CARE, WANT = 95, 96
#: its answer
ANSWER = 97
#: how many standard moves, splits and merges there are
STANDARDS, SPLITS, MERGES = 99, 100, 101
#: where each piece of the side to move may go, and onto what it may be split or merged, by its square
GOES, OPEN = 102, 166
GAME = 230

# -- the places in `sums` -------------------------------------------------------------------------------

#: the expected number of pieces when the clock last was 0, and now; how likely the last question was a yes
MASS, PIECES, YES = 0, 1, 2
#: the weights of the branches that answer it with yes and with no
YES_WEIGHT, NO_WEIGHT = 3, 4
SUMS = 5

# -- the switches of the book, as bits -----------------------------------------------------------------------

QUANTUM, EN_PASSANT_RULE, PROMOTION, FIDE_CLOCK, SANDBOX = 1, 2, 4, 8, 16
PATH_RECORD, CASTLE_SQUARE_SPLITS, EN_PASSANT_ALWAYS, OMITTED_STAYS = 32, 64, 128, 256

# -- moves as whole numbers ---------------------------------------------------------------------------------

#: a move is FIRST | SECOND << 6 | THIRD << 12 | choice << 18 | shape << 21
STANDARD_SHAPE, SPLIT_SHAPE, MERGE_SHAPE = 0, 1, 2
#: what a pawn becomes, by choice; 0 is what the book says when nothing was chosen
CHOICES = ("", "q", "r", "b", "n")

#: a table of partners has at least so many slots
LEAST_SLOTS = 64
#: odd numbers that scatter squares and captured pieces over it
SQUARES_MIX, CAPTURED_MIX = 0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9


class State(NamedTuple):
    """The arrays of a position, given to every function that changes it."""

    game: Whole
    sums: Real
    squares: Whole
    captured: Whole
    re: Real
    im: Real
    #: scratch, where partners are looked up
    slots: Whole
