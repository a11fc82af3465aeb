"""A packed position as a value, and the codes of moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from qchess.games.quantum_chess.core.layout import (
    BOARD,
    CHOICES,
    COUNT,
    MERGE_SHAPE,
    PLY,
    SPLIT_SHAPE,
    STANDARD_SHAPE,
    SYMBOLS,
    Real,
    Whole,
)
from qchess.games.quantum_chess.move import Move
from qchess.games.quantum_chess.position import PLAYERS


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A position of the core: the arrays of `layout`, of the length needed; never modified."""

    game: Whole
    sums: Real
    squares: Whole
    captured: Whole
    re: Real
    im: Real

    @property
    def player(self) -> str:
        """Return whose turn it is."""
        return PLAYERS[int(self.game[PLY]) & 1]

    @property
    def branches(self) -> int:
        """Return how many branches the joint register has."""
        return int(self.game[COUNT])

    @property
    def board(self) -> str:
        """Return one symbol per square, "." for none."""
        return "".join(SYMBOLS[code] for code in self.game[BOARD : BOARD + 64].tolist())

    def __repr__(self) -> str:
        return f"<Packed position after {self.game[PLY]} plies: {self.board}, {self.branches} branches>"

    def __eq__(self, other: object) -> bool:
        """Tell whether both hold the same numbers, which may differ for equal states in other phases or names."""
        if not isinstance(other, Packed):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash(self.game.tobytes())


@lru_cache(maxsize=2**14)
def code_of(move: Move) -> int:
    """Return a move as the kernels' number."""
    first, second, third = (*move.squares, 0)[:3]
    shape = SPLIT_SHAPE if move.is_split else MERGE_SHAPE if move.is_merge else STANDARD_SHAPE
    return first | second << 6 | third << 12 | CHOICES.index(move.promotion) << 18 | shape << 21


class _Decoded(dict[int, Move]):
    """Decoded moves, each made once."""

    def __missing__(self, code: int) -> Move:
        first, second, third = code & 63, code >> 6 & 63, code >> 12 & 63
        shape = code >> 21
        if shape == SPLIT_SHAPE:
            move = Move((first,), (second, third))
        elif shape == MERGE_SHAPE:
            move = Move((first, second), (third,))
        else:
            move = Move((first,), (second,), CHOICES[code >> 18 & 7])
        return self.setdefault(code, move)


#: the moves by their codes
MOVES = _Decoded()
