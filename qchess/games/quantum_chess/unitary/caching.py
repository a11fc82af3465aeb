"""Stored frequencies: sampled in advance of a move, or after each move of the history.

Keys are compared by value, so that those of another module's classes work too.
"""

from __future__ import annotations

from collections import UserDict
from dataclasses import dataclass
from typing import Any, NamedTuple

from qchess.boards.geometry import mask
from qchess.errors import InvalidMoveError
from qchess.games.quantum_chess.move import MoveType
from qchess.games.quantum_chess.unitary.moves import member


class CacheKey(NamedTuple):
    """The key of frequencies sampled in advance: the type of a move, and the number of shots."""

    move_type: MoveType
    repetitions: int


def cache_key_from_move(m: Any, repetitions: int) -> CacheKey:
    """Return the key of the frequencies after a move."""
    return CacheKey(member(MoveType, m.move_type) or MoveType.NULL_TYPE, repetitions)


class Cache(UserDict[Any, dict[str, float]]):
    """Frequencies by role (``source``, ``target``, ``target2``) under keys of any class with the two fields."""

    def __getitem__(self, key: Any) -> dict[str, float]:
        return super().__getitem__(known(key))

    def __setitem__(self, key: Any, item: dict[str, float]) -> None:
        super().__setitem__(known(key), item)

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(known(key))

    def __contains__(self, key: object) -> bool:
        return super().__contains__(known(key))


def known(key: Any) -> CacheKey:
    """Return a key of any class as one of ours."""
    try:
        return CacheKey(member(MoveType, key.move_type) or MoveType.NULL_TYPE, int(key.repetitions))
    except (AttributeError, TypeError) as error:
        raise InvalidMoveError(f"expected a key with a move_type and a number of repetitions, got {key!r}") from error


@dataclass(frozen=True, slots=True)
class ProbabilityHistory:
    """How often each square was occupied after one move of the history, from so many shots."""

    repetitions: int
    probabilities: tuple[float, ...]
    #: the squares occupied in every shot, and in none
    full_squares: int = 0
    empty_squares: int = 0

    @classmethod
    def of(cls, repetitions: int, probabilities: tuple[float, ...]) -> ProbabilityHistory:
        """Return the entry for these frequencies, with its bitboards."""
        full = mask(bit for bit, p in enumerate(probabilities) if p == 1)
        empty = mask(bit for bit, p in enumerate(probabilities) if p == 0)
        return cls(repetitions, probabilities, full, empty)


#: nothing was sampled yet: any request needs new shots
NEVER = ProbabilityHistory(-1, ())
