"""Boards of any width and height: squares by name and number, rays, steps, and the squares between two.

Square 0 is a1, square 1 is b1; a rank later comes a2. Sets of squares are also kept as *masks*, integers
whose bit k is square k: Python's integers are as long as the board is large.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache
from string import ascii_lowercase

from qchess.errors import InvalidMoveError

Step = tuple[int, int]

#: directions as (files, ranks)
ORTHOGONAL: tuple[Step, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL: tuple[Step, ...] = ((1, 1), (-1, 1), (1, -1), (-1, -1))
ALL_AROUND = ORTHOGONAL + DIAGONAL
KNIGHT: tuple[Step, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Geometry:
    """A board of `width` files (at most 26) and `height` ranks (at most 99); see `geometry`.

    >>> board = geometry(8, 8)
    >>> board.square('h8'), board.names[8]
    (63, 'a2')
    >>> [board.names[k] for k in board.between(0, 27)]
    ['b2', 'c3']
    """

    def __init__(self, width: int, height: int) -> None:
        if not (1 <= width <= len(ascii_lowercase) and 1 <= height <= 99):
            raise InvalidMoveError(f"a board has 1 to 26 files and 1 to 99 ranks, got {width} x {height}")
        self.width = width
        self.height = height
        self.size = width * height
        #: the squares' names, by number
        self.names: tuple[str, ...] = tuple(f"{ascii_lowercase[k % width]}{k // width + 1}" for k in range(self.size))
        #: the squares' numbers, by name
        self.numbers: dict[str, int] = {name: k for k, name in enumerate(self.names)}
        #: each square as a mask, by its name
        self.bits: dict[str, int] = {name: 1 << k for k, name in enumerate(self.names)}
        self.everything = (1 << self.size) - 1
        #: the mask of each rank
        self.rank_masks = tuple(((1 << width) - 1) << width * rank for rank in range(height))
        self._rays: dict[Step, tuple[tuple[int, ...], ...]] = {}
        self._ray_masks: dict[Step, tuple[int, ...]] = {}

    def square(self, name: str) -> int:
        """Return the number of the square of this name."""
        number = self.numbers.get(name)
        if number is None:
            raise InvalidMoveError(f"expected a square from a1 to {self.names[-1]}, got {name!r}")
        return number

    def at(self, file: int, rank: int) -> int | None:
        """Return the square on this file and rank, counted from 0; None off the board."""
        return rank * self.width + file if 0 <= file < self.width and 0 <= rank < self.height else None

    def file(self, square: int) -> int:
        """Return the file of a square, a = 0."""
        return square % self.width

    def rank(self, square: int) -> int:
        """Return the rank of a square, counted from 0."""
        return square // self.width

    def step(self, square: int, step: Step) -> int | None:
        """Return the square one step away; None off the board."""
        return self.at(square % self.width + step[0], square // self.width + step[1])

    # -- tables ---------------------------------------------------------------------------------------

    def rays(self, step: Step) -> tuple[tuple[int, ...], ...]:
        """Return for each square the squares that repeated steps reach, nearest first."""
        if step not in self._rays:
            self._rays[step] = tuple(tuple(self._walk(square, step)) for square in range(self.size))
        return self._rays[step]

    def ray_masks(self, step: Step) -> tuple[int, ...]:
        """Return for each square the mask of its ray."""
        if step not in self._ray_masks:
            self._ray_masks[step] = tuple(map(mask, self.rays(step)))
        return self._ray_masks[step]

    def step_masks(self, steps: Iterable[Step]) -> tuple[int, ...]:
        """Return for each square the mask of the squares one of these steps away."""
        steps = tuple(steps)
        reached = ([self.step(square, step) for step in steps] for square in range(self.size))
        return tuple(mask(square for square in found if square is not None) for found in reached)

    def between(self, a: int, b: int) -> tuple[int, ...]:
        """Return the squares strictly between two on a rank, file or diagonal, from a to b; none otherwise."""
        return self._between.get((a, b), ())

    def path(self, a: int, b: int) -> tuple[str, ...]:
        """Return the names of the squares strictly between two."""
        return self._paths.get((a, b), ())

    def aligned(self, a: int, b: int) -> bool:
        """Tell whether two squares share a rank, a file or a diagonal."""
        return (a, b) in self._between

    def mirrored(self, square: int) -> int:
        """Return the square seen from the other side: the same file, ranks counted from the top."""
        return (self.height - 1 - square // self.width) * self.width + square % self.width

    @cached_property
    def _between(self) -> dict[tuple[int, int], tuple[int, ...]]:
        return {
            (start, end): ray[:k]
            for step in ALL_AROUND
            for start, ray in enumerate(self.rays(step))
            for k, end in enumerate(ray)
        }

    @cached_property
    def _paths(self) -> dict[tuple[int, int], tuple[str, ...]]:
        return {ends: tuple(self.names[k] for k in path) for ends, path in self._between.items() if path}

    def _walk(self, square: int, step: Step) -> Iterator[int]:
        found = self.step(square, step)
        while found is not None:
            yield found
            found = self.step(found, step)

    def __repr__(self) -> str:
        return f"geometry({self.width}, {self.height})"

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        return geometry, (self.width, self.height)


@lru_cache(maxsize=64)
def geometry(width: int, height: int) -> Geometry:
    """Return the board of this width and height, with its tables; the same object each time."""
    return Geometry(width, height)


def mask(squares: Iterable[int]) -> int:
    """Return the set of squares as an integer: bit k is square k."""
    result = 0
    for square in squares:
        result |= 1 << square
    return result


def squares(of: int) -> tuple[int, ...]:
    """Return the squares of a mask, ascending."""
    octets = of.to_bytes((of.bit_length() + 7) // 8, "little")
    found: list[int] = []
    for table, octet in zip(_tables(len(octets)), octets, strict=True):
        if octet:
            found += table[octet]
    return tuple(found)


@cache
def _tables(count: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return for each group of eight squares the squares of every mask of them."""
    return tuple(_table(eight) for eight in range(count))


@cache
def _table(eight: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(8 * eight + k for k in range(8) if of >> k & 1) for of in range(256))
