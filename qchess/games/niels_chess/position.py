"""Positions: the visible board, and the qubits behind its marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qchess.circuits import Registers
from qchess.games.niels_chess.units import State


@dataclass(frozen=True, eq=False)
class Position:
    """A position. Equal positions agree in the classical part and in the state, up to a global phase."""

    registers: Registers
    state: State
    #: the players' names, in order
    players: tuple[str, ...] = ("white", "black")
    #: the decisions of the last turn's rolls, in words
    rolled: tuple[str, ...] = ()

    @property
    def player(self) -> str:
        """Return whose turn it is."""
        return self.players[self.state.turn]

    @property
    def ply(self) -> int:
        """Return how many turns were played."""
        return self.state.ply

    def key(self) -> tuple[Any, ...]:
        """Return the classical part, as a hashable value."""
        return tuple(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.state == other.state and self.registers.same_as(other.registers)

    def __hash__(self) -> int:
        return hash(self.state)
