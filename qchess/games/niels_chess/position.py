"""Positions: what lies open on the board, and the qubits that its marks speak of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qchess.circuits import Registers
from qchess.games.niels_chess.units import State


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A position. Equal positions agree in the classical part and in the state, up to a global phase."""

    registers: Registers
    state: State
    #: the players' names, in order
    players: tuple[str, ...] = ("white", "black")
    #: what the last turn's rolls decided, in words
    rolled: tuple[str, ...] = ()

    @property
    def player(self) -> str:
        """Whose turn it is."""
        return self.players[self.state.turn]

    @property
    def ply(self) -> int:
        """How many turns were played."""
        return self.state.ply

    def key(self) -> tuple[Any, ...]:
        """The classical part, as a hashable value."""
        return tuple(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.state == other.state and self.registers.same_as(other.registers)

    def __hash__(self) -> int:
        return hash(self.state)
