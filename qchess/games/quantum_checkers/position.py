"""Positions: the pieces with their possible squares, and the qubits with the probabilities.

A *piece* has one colour and counts as one, however often it is split. A *part* is a square on which it may stand. Each
square is a qubit, and so is each unsettled capture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from qchess.circuits import Qubit, Registers
from qchess.games.quantum_checkers.book import Board

if TYPE_CHECKING:
    from qchess.games.quantum_checkers.late.desk import Snapshot


class Piece(NamedTuple):
    """A piece that is, or may be, on the board."""

    colour: str
    #: the squares of its parts, ascending
    squares: tuple[int, ...]
    #: the qubits of captures that may have taken it, oldest first
    taken: tuple[Qubit, ...] = ()
    #: True: it has more than one possible place
    split: bool = False
    #: the piece with which it is entangled
    partner: int | None = None


@dataclass(frozen=True, eq=False)
class Position:
    """A position. Equal positions agree in the classical part and in the state, up to a global phase."""

    registers: Registers
    board: Board
    #: number -> piece; a piece keeps its number while it may be on the board
    pieces: Mapping[int, Piece]
    #: square -> the number of the piece that has a part there
    owner: Mapping[int, int]
    #: the squares whose part is a king
    kings: frozenset[int]
    player: str
    ply: int = 0
    #: plies since a capture was last completed or confirmed
    quiet: int = 0
    #: the square from which the turn must continue
    chain: int | None = None
    #: the same in the core's form, if the core has played or met it
    snapshot: ClassVar[Snapshot | None] = None

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without what the core keeps for itself."""
        return {name: value for name, value in vars(self).items() if name != "snapshot"}

    def colour(self, square: int) -> str | None:
        """Return the colour of the part on this square; None for an empty one."""
        number = self.owner.get(square)
        return None if number is None else self.pieces[number].colour

    def probability(self, square: int) -> float:
        """Return the probability that the square is occupied."""
        return self.registers.probability(self.board.names[square])

    def places(self, number: int) -> tuple[Qubit, ...]:
        """Return the qubits of a piece: its squares, then the captures that may have taken it."""
        piece = self.pieces[number]
        return tuple(self.board.names[square] for square in piece.squares) + piece.taken

    def component(self, number: int) -> tuple[int, ...]:
        """Return the piece and the one entangled with it."""
        partner = self.pieces[number].partner
        return (number,) if partner is None else (number, partner)

    def squares(self, colour: str) -> list[int]:
        """Return the squares with a part of this colour, ascending."""
        found: list[int] = []
        for piece in self.pieces.values():
            if piece.colour == colour:
                found += piece.squares
        found.sort()
        return found

    def key(self) -> tuple[Any, ...]:
        """Return the classical part, as a hashable value."""
        pieces = tuple(sorted(self.pieces.items()))
        return self.board.size, self.player, self.ply, self.quiet, self.chain, pieces, tuple(sorted(self.kings))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key() == other.key() and self.registers.same_as(other.registers)

    def __hash__(self) -> int:
        return hash(self.key())
