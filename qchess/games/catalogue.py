"""The catalogue of games: a new game is one package beside this file and one row here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from qchess.backends.outside import found
from qchess.circuits.errors import unknown_name
from qchess.errors import InvalidMoveError, UnknownGameError
from qchess.rules import Rules

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the catalogue."""

    name: str
    summary: str
    maker: str
    #: its notations for whole games: a file extension, and the module whose `dumps` writes it
    notations: tuple[tuple[str, str], ...] = ()

    def written(self, record: Any, form: str) -> str | None:
        """Return a record in one of the game's notations; None if it has none of this name."""
        module = dict(self.notations).get(form)
        return None if module is None else str(import_module(module).dumps(record))

    def rules(self, /, **options: Any) -> Rules[Any, Any]:
        """Return the rules of this game with these options."""
        module, _, name = self.maker.partition(":")
        maker = getattr(import_module(module), name)
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


GROUP = "qchess.games"
_REGISTERED: list[Row] = []


def register(row: Row) -> None:
    """Add a game to the catalogue of this process."""
    if row.name in names():
        raise InvalidMoveError(f"there is already a game called {row.name!r}")
    _REGISTERED.append(row)


def plug(place: str) -> str:
    """Import a module, which may register what it likes; of ``module:Class`` register the rules. Return their name.

    The class is registered under its own name, which its records have.
    """
    module, _, attribute = place.partition(":")
    loaded = import_module(module)
    if not attribute:
        return ""
    name: str = getattr(loaded, attribute).name
    if not any((row.name, row.maker) == (name, place) for row in _REGISTERED):
        register(Row(name, "named by its place", place))
    return name


def rows() -> tuple[Row, ...]:
    """Return every row of the catalogue: ours, those registered, and those of other packages' entry points.

    An entry point of the group ``qchess.games`` names the class of the rules.
    """
    return tuple(_each())


def _each() -> Iterator[Row]:
    """Yield the rows; other packages' rows are loaded only after ours."""
    yield from CATALOGUE
    yield from _REGISTERED
    yield from (Row(name, f"from {_package(point)}", point.value) for name, point in found(GROUP).items())


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module


def names() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(row.name for row in rows())


def rules(name: str, /, **options: Any) -> Rules[Any, Any]:
    """Return the rules of the game of that name."""
    for row in _each():
        if row.name == name:
            return row.rules(**options)
    raise UnknownGameError(unknown_name("game", name, names()))
