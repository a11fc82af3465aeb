"""How the core keeps a position: whole numbers in a board, a table of components, and rows of entries.

A *component* is a piece that is split, or an entangled pair. Its entries say where its pieces may be together, and
with which amplitude. A *place* is a square, or ``size * size + p`` for "captured at ply p". Components lie in the
order in which they came about, their entries one after the other without gaps.

    board       head, then a cell a square: 0 empty, else 2 * (piece + 1), plus 1 for a king;
                then a word a piece: -1 gone, else its colour (0 White), plus 2 * (component + 1) if it is split
    components  one row each: first entry, number of entries, its pieces (-1: none), and for each piece how many
                captures may have taken it, and which
    places      one row an entry: the place of the first piece, and of the second (-1: none)
    amplitudes  one an entry
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Amplitudes = NDArray[np.complex128]
Dice = NDArray[np.uint64]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

#: the book: size, level, who goes on (0 same piece, 1 any offered, 2 any continues), plies to a draw (0: never),
#: joint collapse, ghosts, draw first
SIZE, LEVEL, WHO, DRAW, JOINT, GHOSTS, DRAW_FIRST, BOOK = range(8)
#: the board's head: player (0 White), plies without a capture, square of a chain (-1), ply, pieces, components,
#: entries, and whether the workspace was too small
PLAYER, QUIET, CHAIN, PLY, PIECES, COMPONENTS, ENTRIES, FAULT, CELLS = range(9)
#: a component's row; up to MOST captures may have taken a piece
START, LENGTH, FIRST, SECOND, TAKEN, MOST, WIDTH = 0, 1, 2, 3, 4, 8, 24
#: where the captures of the first and of the second piece are listed
LISTS = (6, 14)
#: what a move does
STEP, SPLIT, MERGE, CAPTURE = range(4)
HALF = 0.7071067811865476
#: room for components, entries, moves and ways in which a move can end
MOST_COMPONENTS, MOST_ENTRIES, MOST_MOVES, MOST_WAYS = 400, 4096, 8192, 4096
