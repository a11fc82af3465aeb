"""How the pieces of chess-like games move on an empty board: tables by square, made once per board.

Blocking and capturing are left to each game, since a square may hold half a piece.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from qchess.boards.geometry import ALL_AROUND, DIAGONAL, KNIGHT, ORTHOGONAL, Geometry, Step

Squares = tuple[int, ...]
#: the lines from a square, each from the nearest square to the edge
Rays = tuple[Squares, ...]

#: the pieces that move along open lines
SLIDERS: dict[str, tuple[Step, ...]] = {"R": ORTHOGONAL, "B": DIAGONAL, "Q": ALL_AROUND}
#: the pieces that make one step, over anything between
LEAPERS: dict[str, tuple[Step, ...]] = {"N": KNIGHT, "K": ALL_AROUND}
#: where pawns go, in ranks: the first player's and the second's
FORWARD = (1, -1)


def rays(board: Geometry, steps: Iterable[Step]) -> tuple[Rays, ...]:
    """Return for each square the lines from it, without empty ones."""
    by_step = [board.rays(step) for step in steps]
    return tuple(tuple(lines[k] for lines in by_step if lines[k]) for k in range(board.size))


def leaps(board: Geometry, steps: Iterable[Step]) -> tuple[Squares, ...]:
    """Return for each square the squares one of these steps away, in order."""
    steps = tuple(steps)
    reached = ([board.step(k, step) for step in steps] for k in range(board.size))
    return tuple(tuple(sorted(to for to in row if to is not None)) for row in reached)


class Pawns(NamedTuple):
    """Where a pawn moves and captures, for each square."""

    #: the square ahead
    one: tuple[int | None, ...]
    #: the square two ahead, from the pawns' first rank
    two: tuple[int | None, ...]
    strikes: tuple[Squares, ...]


def pawns(board: Geometry, forward: int) -> Pawns:
    """Return the moves of the pawns that go up the board (1) or down (-1)."""
    every = range(board.size)
    home = 1 if forward > 0 else board.height - 2
    one = tuple(board.step(k, (0, forward)) for k in every)
    two = tuple(board.step(k, (0, 2 * forward)) if board.rank(k) == home else None for k in every)
    return Pawns(one, two, leaps(board, ((-1, forward), (1, forward))))
