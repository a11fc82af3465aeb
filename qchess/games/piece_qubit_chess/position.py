"""Positions: the pieces and their squares, their systems, and the qubits of their types.

A system is the pieces that the rules count as entangled, as classical bookkeeping. The engine's registers may be finer,
since they split whenever the state is a product; but "measure the whole system" and the limit of eight use systems. A
piece in no listed system is alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from qchess.circuits import Qubit, Registers
from qchess.games.piece_qubit_chess.movement import Board
from qchess.games.piece_qubit_chess.pieces import Piece
from qchess.rules import Result

System = tuple[Qubit, ...]
Systems = tuple[System, ...]

#: a system of this many pieces collapses
LIMIT = 8


@dataclass(frozen=True, eq=False)
class Position:
    """A position. Equal positions agree in the classical part and in the state, up to a global phase."""

    registers: Registers
    board: Board
    player: str
    ply: int = 0
    systems: Systems = ()
    #: set once a turn has decided the game
    ended: Result | None = None
    #: the answers of `verdict.in_check` so far: a verdict and an evaluation ask the same
    checked: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False)

    def types(self, piece: Piece) -> str:
        """Return the letters of the piece's possible types; two for a mixed piece."""
        at = self.registers.home.get(piece.id, 0)  # a King of the start has no qubit: it is certainly its first type
        if not isinstance(at, int):
            return piece.kind + piece.second
        return piece.second if at else piece.kind

    def is_mixed(self, piece: Piece) -> bool:
        """Tell whether the piece may be either of its types."""
        return not isinstance(self.registers.home.get(piece.id, 0), int)

    def odds(self, piece: Piece) -> dict[str, float]:
        """Return the probability of each possible type of the piece."""
        if not self.is_mixed(piece):
            return {self.types(piece): 1.0}
        second = self.registers.probability(piece.id)
        return {piece.kind: 1 - second, piece.second: second}

    def system(self, piece: Piece) -> System:
        """Return the names of the pieces of its system, itself included."""
        return system_of(self.systems, piece.id)

    def kings(self, colour: str) -> list[str]:
        """Return the squares of the determined Kings of a colour."""
        return [square for square, king in self.determined_kings if king.colour == colour]

    @cached_property
    def determined_kings(self) -> list[tuple[str, Piece]]:
        """Return the determined Kings, cached since a verdict needs them four times."""
        known = self.registers.known
        return [
            (square, piece)
            for square, piece in self.board.items()
            if piece.kind == "K" or (piece.second == "K" and known(piece.id) == 1)
        ]

    @cached_property
    def squares(self) -> dict[Qubit, str]:
        """Return where each piece stands, by name."""
        return {piece.id: square for square, piece in self.board.items()}

    def key(self) -> tuple[Any, ...]:
        """Return the classical part, as a hashable value."""
        systems = tuple(sorted(tuple(sorted(system)) for system in self.systems))
        return self.player, self.ply, tuple(sorted(self.board.items())), systems, self.ended

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key() == other.key() and self.registers.same_as(other.registers)

    def __hash__(self) -> int:
        return hash(self.key())


def system_of(systems: Systems, piece: Qubit) -> System:
    """Return the system of a piece, itself included."""
    for system in systems:
        if piece in system:
            return system
    return (piece,)


def merged(systems: Systems, pieces: Iterable[Qubit], apart: Collection[Qubit] = ()) -> System:
    """Return the systems of these pieces as one, in order of appearance, without those that stay apart."""
    members = dict.fromkeys(member for piece in pieces for member in system_of(systems, piece))
    return tuple(member for member in members if member not in apart)


def joined(systems: Systems, one: System) -> Systems:
    """Return the systems after `one` has become a system of its own."""
    return (*without(systems, one), one) if len(one) > 1 else without(systems, one)


def without(systems: Systems, leaving: Collection[Qubit]) -> Systems:
    """Return the systems without the leaving pieces; a piece left alone is in none."""
    if not leaving:
        return systems
    left = (tuple(member for member in system if member not in leaving) for system in systems)
    return tuple(system for system in left if len(system) > 1)
