"""The book of one game: its board, its options and its level.

The board has its playable squares, the steps and jumps of men and kings, and the promotion ranks. Squares are numbered
row by row from a1; the dark ones, including a1, are played on. White goes up.

The options are the decisions with more than one answer; profiles name sets of them. `default` follows the rule book;
the two others are the rules of a program with published figures, as of March and August 2025.

>>> Options.parse('cheqqers_2025_08+draw_plies=None').continue_with
'any_piece_offered'
>>> str(Options(draw_plies=60))
'default+draw_plies=60'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from qchess.boards.geometry import DIAGONAL, Geometry, geometry
from qchess.errors import InvalidMoveError
from qchess.games.switches import Switches

WHITE, BLACK = "white", "black"
OTHER = {WHITE: BLACK, BLACK: WHITE}
#: the smallest and the largest board
SMALLEST, LARGEST = 4, 26
#: the direction of each colour's men, in ranks
UP = {WHITE: 1, BLACK: -1}
SAME_PIECE, ANY_OFFERED, ANY_CONTINUES = "same_piece", "any_piece_offered", "any_piece_continues"
#: each level adds to those below: splits with measurement, entangling captures, merges
CLASSICAL, SPLITS, ENTANGLES, MERGES = range(4)
LEVELS = (CLASSICAL, SPLITS, ENTANGLES, MERGES)


class Jump(NamedTuple):
    """A way to capture: the square jumped over, and the landing square."""

    over: int
    to: int


class Board:
    """A board of n by n with its tables; see `board`."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.geometry: Geometry = geometry(size, size)
        self.names = self.geometry.names
        #: the dark squares, ascending
        self.dark = tuple(k for k in range(size * size) if (k % size + k // size) % 2 == 0)
        #: colour -> the rank on which its men become kings
        self.far = {WHITE: size - 1, BLACK: 0}
        #: (colour, is a king) -> square -> the squares one step away, ascending
        self.steps = {(colour, king): self._steps(colour, king) for colour in UP for king in (False, True)}
        #: (colour, is a king) -> square -> its jumps, by the square landed on
        self.jumps = {(colour, king): self._jumps(colour, king) for colour in UP for king in (False, True)}

    def rank(self, square: int) -> int:
        """Return the rank of a square, counted from 0."""
        return square // self.size

    def crowns(self, colour: str, square: int) -> bool:
        """Tell whether a man of this colour becomes a king on this square."""
        return square // self.size == self.far[colour]

    def over(self, start: int, end: int) -> int:
        """Return the square between the ends of a jump."""
        return (start + end) // 2

    def _directions(self, colour: str, king: bool) -> list[tuple[int, int]]:
        return [step for step in DIAGONAL if king or step[1] == UP[colour]]

    def _steps(self, colour: str, king: bool) -> tuple[tuple[int, ...], ...]:
        at = self.geometry.step
        reached = ([at(s, way) for way in self._directions(colour, king)] for s in range(self.geometry.size))
        return tuple(tuple(sorted(to for to in found if to is not None)) for found in reached)

    def _jumps(self, colour: str, king: bool) -> tuple[tuple[Jump, ...], ...]:
        return tuple(
            tuple(sorted(self._jumps_from(square, colour, king), key=lambda jump: jump.to))
            for square in range(self.geometry.size)
        )

    def _jumps_from(self, square: int, colour: str, king: bool) -> list[Jump]:
        found = []
        for way in self._directions(colour, king):
            over, to = self.geometry.step(square, way), self.geometry.step(square, (2 * way[0], 2 * way[1]))
            if over is not None and to is not None:
                found.append(Jump(over, to))
        return found

    def __repr__(self) -> str:
        return f"board({self.size})"

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return board, (self.size,)


@lru_cache(maxsize=32)
def board(size: int) -> Board:
    """Return the board of this size, with its tables; the same object each time.

    >>> small = board(5)
    >>> [small.names[to] for to in small.steps['white', False][small.geometry.square('c1')]]
    ['b2', 'd2']
    """
    if type(size) is not int or not SMALLEST <= size <= LARGEST:
        raise InvalidMoveError(f"a board has {SMALLEST} to {LARGEST} squares a side, got {size!r}")
    return Board(size)


@dataclass(frozen=True, slots=True)
class Options(Switches):
    """The switches of the rules."""

    #: who may continue after a jump (CQ-3): same_piece, any_piece_offered or any_piece_continues
    continue_with: str = SAME_PIECE
    #: a draw after this many plies without a capture; None: never (CQ-5)
    draw_plies: int | None = 40
    #: True: measuring one piece of an entangled pair settles both (CQ-20)
    joint_collapse: bool = False
    #: True: squares of probability 0 stay on the board, and "split" is a flag (CQ-25)
    keep_ghosts: bool = False
    #: True: the draw is tested before "no legal move" (CQ-5)
    draw_first: bool = False

    VALUES: ClassVar[dict[str, tuple[Any, ...]]] = {
        "continue_with": (SAME_PIECE, ANY_OFFERED, ANY_CONTINUES),
        "joint_collapse": (False, True),
        "keep_ghosts": (False, True),
        "draw_first": (False, True),
    }
    BESIDE = ("level", "size", "rows", "profile", "position")


DEFAULT = Options()
MARCH_2025 = Options(ANY_CONTINUES, joint_collapse=True, keep_ghosts=True, draw_first=True)
AUGUST_2025 = Options(ANY_OFFERED, joint_collapse=True, keep_ghosts=True, draw_first=True)
Options.PROFILES = PROFILES = {"default": DEFAULT, "cheqqers_2025_03": MARCH_2025, "cheqqers_2025_08": AUGUST_2025}


@dataclass(frozen=True, slots=True)
class Book:
    """The settings that decide which moves there are, and what they do."""

    level: int
    board: Board
    options: Options

    @property
    def splits(self) -> bool:
        """Tell whether pieces split."""
        return self.level >= SPLITS

    @property
    def entangles(self) -> bool:
        """Tell whether an unsplit piece captures a split one without a measurement."""
        return self.level >= ENTANGLES

    @property
    def merges(self) -> bool:
        """Tell whether parts merge."""
        return self.level >= MERGES
