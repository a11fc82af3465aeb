"""Moves: one value for every class of the rule book, and how they read as text.

    b1c3, e7d8=Q, f4g3.ep, d1d5.t     quiet move, capture or attempt; promotion; en passant; tunnelling
    b1^a3oc3p                          superposition: the first mark on a3 facing the opponent, the second on c3
    f4^f4oh6p&e5                       entanglement with the pair whose first mark is on e5
    X:a1a5  Z:b2b6.r  H:b2b6  M:b1b4   inversion, Z move, Hadamard move, remote collapse

Whether a move captures depends on the position. This is the full notation; see `notation` for short forms.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from qchess.foreign import understands

#: the classes of moves, and the prefixes of those that name a pair
MOVE, SPLIT, JOIN, TUNNEL = "move", "split", "join", "tunnel"
INVERT, Z, HADAMARD, REMOTE = "invert", "z", "hadamard", "remote"
#: the classes that make a pair
PAIRING = frozenset((SPLIT, JOIN))
LETTERS = {INVERT: "X:", Z: "Z:", HADAMARD: "H:", REMOTE: "M:"}
KINDS = {letter: kind for kind, letter in LETTERS.items()}
#: a player's answers to an offered Hadamard move of a group
AGREE, DECLINE = "agree", "decline"


@understands("Move")
class Move(NamedTuple):
    """A move. Equal moves are equal values, whatever the position.

    >>> str(Move(SPLIT, ('b1', 'a3', 'c3'), 'op'))
    'b1^a3oc3p'
    """

    kind: str
    #: from and to; or departure, first and second mark's square and, when joining, a square of the joined pair
    squares: tuple[str, ...]
    #: the facing of the two marks of a superposition
    facing: str = ""
    #: the letter of the piece that a pawn becomes
    promotion: str = ""
    #: ``ep``, the letter of the mark that a Z move flips if not the second, or a chosen diagonal
    option: str = ""

    @property
    def start(self) -> str:
        """Return the square it is made from."""
        return self.squares[0]

    def __str__(self) -> str:
        promotion = f"={self.promotion}" if self.promotion else ""
        if self.kind in PAIRING:
            start, first, second = self.squares[:3]
            text = f"{start}^{first}{self.facing[0]}{second}{self.facing[1]}"
            if self.kind == JOIN:
                text += f"&{self.squares[3]}" + (f"@{self.option}" if self.option else "")
            return text + promotion
        if self.kind in (AGREE, DECLINE):
            return self.kind
        text = LETTERS.get(self.kind, "") + "".join(self.squares) + promotion
        if self.kind == TUNNEL:
            return text + ".t"
        return text + (f".{self.option}" if self.option else "")

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"


# -- moves from the same squares in every marking; lists draw on the same values again and again, so some are kept --


@lru_cache(maxsize=8)
def steps(names: tuple[str, ...]) -> tuple[tuple[Move, ...], ...]:
    """Return every move without a promotion on a board of these squares, by the numbers of its two squares."""
    return tuple([tuple([Move(MOVE, (start, to)) for to in names]) for start in names])


@lru_cache(maxsize=8192)
def splits(
    start: str, first: str, second: str, fixed: bool, facings: tuple[str, ...], letters: tuple[str, ...]
) -> tuple[Move, ...]:
    """Return every marking of a superposition on two squares; with `fixed` the first mark is on the first of them."""
    orders = [(start, first, second)] if fixed else [(start, first, second), (start, second, first)]
    return tuple([Move(SPLIT, order, facing, letter) for order in orders for facing in facings for letter in letters])


@lru_cache(maxsize=4096)
def joins(
    start: str, first: str, second: str, fixed: bool, joined: str, z: int, turns: tuple[int, ...], letter: str
) -> tuple[Move, ...]:
    """Return every marking with which a piece may join a pair whose marks differ (`z`) or not."""
    orders = (
        [(start, first, second, joined)] if fixed else [(start, first, second, joined), (start, second, first, joined)]
    )
    return tuple([Move(JOIN, order, "op"[x] + "op"[x ^ z], letter) for order in orders for x in turns])
