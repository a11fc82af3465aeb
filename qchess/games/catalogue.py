"""The catalogue of games: a new game is one room beside this file and one row here."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from qchess.circuits.errors import unknown_name
from qchess.errors import InvalidMoveError, UnknownGameError
from qchess.rules import Rules


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the catalogue."""

    name: str
    summary: str
    maker: str

    def rules(self, **options: Any) -> Rules[Any, Any]:
        """The rules of this game with these options."""
        module, _, name = self.maker.partition(":")
        maker = getattr(import_module(module), name)
        try:
            made: Rules[Any, Any] = maker(**options)
        except TypeError as error:
            raise InvalidMoveError(f"{self.name} does not take these options: {options!r} ({error})") from error
        return made


CATALOGUE = (
    Row("quantum-chess", "Quantum Chess after Cantwell", "qchess.games.quantum_chess:QuantumChess"),
    Row("piece-qubit-chess", "Lamarre's Quantum Chess: the type of each piece is a qubit",
        "qchess.games.piece_qubit_chess:PieceQubitChess"),
    Row("quantum-checkers", "checkers whose pieces split, entangle and merge",
        "qchess.games.quantum_checkers:QuantumCheckers"),
)  # fmt: skip


def rows() -> tuple[Row, ...]:
    """Every row of the catalogue."""
    return CATALOGUE


def names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(row.name for row in CATALOGUE)


def rules(name: str, **options: Any) -> Rules[Any, Any]:
    """The rules of the game of that name."""
    for row in CATALOGUE:
        if row.name == name:
            return row.rules(**options)
    raise UnknownGameError(unknown_name("game", name, names()))
