"""The catalogue of games: a new game is one package beside this file and one row here."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any

from qchess.backends import registry
from qchess.backends.registry import Registry
from qchess.errors import InvalidMoveError, UnknownGameError
from qchess.rules import Rules


@dataclass(frozen=True, slots=True)
class Row(registry.Row):
    """A game's row; its maker is the class of its rules."""

    #: its notations for whole games: a file extension, and the module whose `dumps` writes it
    notations: tuple[tuple[str, str], ...] = ()

    def written(self, record: Any, form: str) -> str | None:
        """Return a record in one of the game's notations; None if it has none of this name."""
        module = dict(self.notations).get(form)
        return None if module is None else str(import_module(module).dumps(record))

    def rules(self, /, **options: Any) -> Rules[Any, Any]:
        """Return the rules of this game with these options."""
        maker = self.loaded()
        try:
            made: Rules[Any, Any] = maker(**options)
        except TypeError as error:
            known = signature(maker).parameters
            if strangers := [option for option in options if option not in known]:
                takes = ", ".join(known) or "no options"
                raise InvalidMoveError(f"{self.name} takes {takes}; got {strangers[0]!r}") from error
            raise InvalidMoveError(f"{self.name} does not take these options: {options!r} ({error})") from error
        return made


CATALOGUE = (
    Row("quantum-chess", "Quantum Chess after Cantwell", "qchess.games.quantum_chess:QuantumChess",
        (("pgn", "qchess.games.quantum_chess.pgn"),)),
    Row("piece-qubit-chess", "Lamarre's Quantum Chess: the type of each piece is a qubit",
        "qchess.games.piece_qubit_chess:PieceQubitChess"),
    Row("quantum-checkers", "checkers whose pieces split, entangle and merge",
        "qchess.games.quantum_checkers:QuantumCheckers", (("pdn", "qchess.games.quantum_checkers.pdn"),)),
    Row("niels-chess", "Niel's Chess: superposition and entanglement for a wooden board and dice",
        "qchess.games.niels_chess:NielsChess"),
    Row("niels-xiangqi", "Niel's Xiangqi: the same rules over Xiangqi", "qchess.games.niels_chess:NielsXiangqi"),
    Row("quantum-tic-tac-toe", "Goff's quantum tic-tac-toe, the smallest game, in one file",
        "qchess.games.quantum_tic_tac_toe:QuantumTicTacToe"),
)  # fmt: skip


#: an entry point names the class of the rules
GAMES = Registry("game", "qchess.games", CATALOGUE, Row, InvalidMoveError, UnknownGameError)
register, rows, names = GAMES.register, GAMES.rows, GAMES.names


def plug(place: str) -> str:
    """Import a module, which may register what it likes; of ``module:Class`` register the rules. Return their name.

    The class is registered under its own name, which its records have.
    """
    module, _, attribute = place.partition(":")
    loaded = import_module(module)
    if not attribute:
        return ""
    name: str = getattr(loaded, attribute).name
    if name not in GAMES.registered or GAMES.registered[name].maker != place:
        register(Row(name, "named by its place", place))
    return name


def rules(name: str, /, **options: Any) -> Rules[Any, Any]:
    """Return the rules of the game of that name."""
    return GAMES.find(name).rules(**options)
