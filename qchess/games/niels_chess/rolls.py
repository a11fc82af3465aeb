"""Rolls: who throws which die, what its faces mean, and what they decide.

A face decides a coin: an even one an equal pair's or a phase pair's 1, one up to 4 an unequal pair's, a 6 lets a
piece tunnel. So the odds alone say how a die is read, and a question of a program is as good as a die.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple

from qchess.circuits.precision import SAME
from qchess.errors import InvalidMoveError
from qchess.games.niels_chess.attempts import rollers
from qchess.games.niels_chess.book import Book
from qchess.games.niels_chess.effects import attempt_of, own_pair
from qchess.games.niels_chess.move import REMOTE, TUNNEL, Move
from qchess.games.niels_chess.units import HALF, SIXTH, TWO_THIRDS, State, tandem, unit_at

#: what the results of the rolls are called, in rolling order
ROLLS = ("roll1", "roll2")
FACES = (1, 2, 3, 4, 5, 6)
#: by the chance of a coin's 1: the faces that mean it
MEANS_ONE = {HALF: (2, 4, 6), TWO_THIRDS: (1, 2, 3, 4), SIXTH: (6,)}


class Roll(NamedTuple):
    """One roll of a move: who throws, the chance of a 1, and on which square the piece is found by 1 and by 0."""

    colour: int
    kind: str
    odds: Fraction
    one: str
    zero: str
    #: how many pairs one roll settles
    pairs: int = 1

    def faces(self, coin: int) -> tuple[int, ...]:
        """The faces that mean this result."""
        ones = MEANS_ONE[self.odds]
        return ones if coin else tuple(face for face in FACES if face not in ones)


def coin_of(odds: float | Fraction, face: int) -> int:
    """What a face decides, for a coin of these odds.

    >>> coin_of(0.5, 4), coin_of(2 / 3, 5), coin_of(1 / 6, 6)
    (1, 0, 1)
    """
    return int(face in means_one(odds))


def means_one(odds: float | Fraction) -> tuple[int, ...]:
    """The faces that mean a 1, for a coin of these odds."""
    for share, faces in MEANS_ONE.items():
        if abs(float(share) - float(odds)) < SAME:
            return faces
    raise InvalidMoveError(f"no die gives the probability {odds!r}; known are {', '.join(map(str, MEANS_ONE))}")


def rolls_of(book: Book, state: State, move: Move) -> list[Roll]:
    """The rolls that a move may ask for, in rolling order; in the no-box game the second may be spared."""
    if move.kind == TUNNEL:
        unit = unit_at(state.men, book.numbers[move.start])
        return [Roll(unit.colour, unit.kind, SIXTH, move.squares[1], move.start)]
    if move.kind == REMOTE:
        pairs = (own_pair(book, state, move),)
    else:
        attempt = attempt_of(book, state, move)
        if attempt is None or book.variant.deterministic:
            return []
        pairs = rollers(book.variant, state.men, attempt)  # type: ignore[assignment]
    odds = [HALF if book.variant.hadamard or not pair.z else TWO_THIRDS for pair in pairs]
    return [
        Roll(
            pair.colour, pair.kind, share, book.names[pair.major], book.names[pair.minor], len(tandem(state.men, pair))
        )
        for pair, share in zip(pairs, odds, strict=True)
    ]


def coins_of(known: Collection[tuple[int, ...]], asked: Sequence[Roll], faces: Sequence[int]) -> tuple[int, ...]:
    """What thrown faces decide, or an error that says how many the move asks for."""
    coins = tuple(coin_of(roll.odds, face) for roll, face in zip(asked, faces, strict=False))
    if len(coins) != len(faces) or coins not in known:
        lengths = sorted({len(results) for results in known})
        asks = " or ".join(map(str, lengths)) + (" roll" if lengths == [1] else " rolls")
        raise InvalidMoveError(f"the move needs {asks}, got the faces {list(faces)}")
    return coins
