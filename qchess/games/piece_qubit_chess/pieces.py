"""The pieces: what each may be, its state at the start, and the gate with which it acts.

| kind | qubit 0 / qubit 1      | start | action                                  |
|------|------------------------|-------|-----------------------------------------|
| P    | Pawn / its second type | 0     | Z                                       |
| N    | Knight / Pawn          | +     | X                                       |
| B    | Bishop / Pawn          | +     | sqrt-X                                  |
| Q    | Queen / Pawn           | +     | H, on her own colour only               |
| R    | Rook / Pawn            | +     | none: it measures whole systems         |
| K    | King, no qubit         | -     | none                                    |

The action depends on the kind, not on the type that a piece turns out to have.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from qchess.circuits import Operation, Qubit, cz, h, sqrt_x, x, z

WHITE, BLACK = "white", "black"
OTHER = {WHITE: BLACK, BLACK: WHITE}
NAMES = {"P": "Pawn", "N": "Knight", "B": "Bishop", "R": "Rook", "Q": "Queen", "K": "King"}
ACTIONS = {"P": z, "N": x, "B": sqrt_x, "Q": h}
#: the values of types; a King beside the first is a liability, not material
WORTH = {"P": 1.0, "N": 3.0, "B": 3.0, "R": 5.0, "Q": 9.0, "K": 0.0}
#: the values of a determined King that an enemy could take, for the side to move and the other
CHECKED = {True: 20.0, False: 8.0}
#: the kinds that act on others with a gate
ACTING = frozenset(ACTIONS)


class Piece(NamedTuple):
    """A piece: its name, which is also its qubit's, and its classical properties."""

    id: Qubit
    colour: str
    kind: str
    #: the type for qubit 1; a king has none
    second: str
    moved: bool = False

    @property
    def types(self) -> str:
        """Return the letters of its types: qubit 0 first."""
        return self.kind + self.second

    @property
    def letter(self) -> str:
        """Return its kind's letter, upper case for White."""
        return cased(self.kind, self.colour)

    def crowned(self) -> Piece:
        """Return the new Q-queen that a promoted pawn becomes; it keeps its name."""
        return Piece(self.id, self.colour, "Q", "P", True)


def cased(letter: str, colour: str) -> str:
    """Return the letter in upper case for White and in lower case for Black."""
    return letter if colour == WHITE else letter.lower()


def second_type(kind: str, behind: str) -> str:
    """Return the type for qubit 1: the piece behind it for a pawn, Pawn for an officer, none for a king."""
    return {"P": behind, "K": ""}.get(kind, "P")


@lru_cache(maxsize=1024)
def action(kind: str, qubit: Qubit) -> Operation:
    """Return the gate U of a kind, on one qubit."""
    return ACTIONS[kind](qubit)


@lru_cache(maxsize=4096)
def link(mover: Qubit, other: Qubit) -> Operation:
    """Return the CZ that entangles the mover with another mixed piece; it changes no odds by itself."""
    return cz(mover, other)
