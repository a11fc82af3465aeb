"""Positions: who stands where, which systems they form, and the qubits of their types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qchess.circuits import Qubit, Registers
from qchess.games.piece_qubit_chess.movement import Board
from qchess.games.piece_qubit_chess.pieces import Piece
from qchess.games.piece_qubit_chess.systems import System, Systems, system_of
from qchess.rules import Result


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A position. Equal positions agree in the classical part and in the state, up to a global phase."""

    registers: Registers
    board: Board
    player: str
    ply: int = 0
    systems: Systems = ()
    #: set once a turn has decided the game
    ended: Result | None = None

    def types(self, piece: Piece) -> str:
        """The letters of the types that the piece may be; two for a mixed piece."""
        if piece.kind == "K":
            return "K"
        known = self.registers.known(piece.id)
        return piece.kind + piece.second if known is None else (piece.second if known else piece.kind)

    def is_mixed(self, piece: Piece) -> bool:
        """Whether the piece may be either of its types."""
        return piece.kind != "K" and self.registers.known(piece.id) is None

    def odds(self, piece: Piece) -> dict[str, float]:
        """The probability of each type that the piece may be."""
        if not self.is_mixed(piece):
            return {self.types(piece): 1.0}
        second = self.registers.probability(piece.id)
        return {piece.kind: 1 - second, piece.second: second}

    def system(self, piece: Piece) -> System:
        """The names of the pieces of its system, itself included."""
        return system_of(self.systems, piece.id)

    def kings(self, colour: str) -> list[str]:
        """The squares of the determined Kings of a colour."""
        known = self.registers.known
        return [
            square
            for square, piece in self.board.items()
            if piece.colour == colour and (piece.kind == "K" or (piece.second == "K" and known(piece.id) == 1))
        ]

    @property
    def squares(self) -> dict[Qubit, str]:
        """Where each piece stands, by name."""
        return {piece.id: square for square, piece in self.board.items()}

    def key(self) -> tuple[Any, ...]:
        """The classical part, as a hashable value."""
        systems = tuple(sorted(tuple(sorted(system)) for system in self.systems))
        return self.player, self.ply, tuple(sorted(self.board.items())), systems, self.ended

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key() == other.key() and self.registers.same_as(other.registers)

    def __hash__(self) -> int:
        return hash(self.key())
