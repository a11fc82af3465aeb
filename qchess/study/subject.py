"""The input of a study: the registers of any object, and their branches as arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from qchess.circuits.operations import Qubit
from qchess.circuits.register import Register
from qchess.circuits.registers import Registers
from qchess.errors import QchessError
from qchess.playing.game import Game

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: wider keys are Python integers
MACHINE = 62
#: one square, or several; a lone string is one name, never a list of letters
Group = Qubit | Iterable[Qubit]


class StudyError(QchessError):
    """The request cannot be computed; the message says why."""


def registers_of(where: Any) -> Registers:
    """Return the registers of a game, a position, a run or a pause; or the registers themselves."""
    if isinstance(where, Registers):
        return where
    inner = getattr(where, "position", where)
    found = getattr(inner, "registers", None)
    if isinstance(found, Registers):
        return found
    raise StudyError(f"expected a game, a position or registers, got {where!r}")


def require_game(where: Any) -> None:
    """Raise an error unless this is a game, which alone has a board and a history."""
    if not isinstance(where, Game):
        raise StudyError(f"expected a game, which knows its board and its history; got {where!r}")


def group(where: Any, *squares: Group, example: str = "") -> tuple[Qubit, ...]:
    """Return the qubits of the squares of a group, each once; every name is checked here.

    A game knows its squares, and refuses other names with the error of `game.probability`. Registers have no board:
    there an unused name is an empty square, unless it is a used one with other capitals or blanks. With an `example` of
    the call, an empty group is an error.
    """
    named = tuple(name for each in squares for name in _names(each))
    if example and not named:
        raise StudyError(f"expected at least one square, such as {example}; got none")
    found = tuple(_qubit(where, name) for name in named)
    if len(set(found)) < len(found):
        raise StudyError(f"expected squares that differ, got {', '.join(named)}")
    return found


def _names(squares: Group) -> tuple[Qubit, ...]:
    named = squares if isinstance(squares, list | tuple | set | frozenset) else (squares,)
    for name in named:
        if not isinstance(name, str) or not name:
            raise StudyError(f"a square is named by a text, such as 'a3'; got {name!r}")
    return tuple(named)


def _qubit(where: Any, name: Qubit) -> Qubit:
    if isinstance(where, Game):
        return where.qubit(name)
    home = registers_of(where).home
    if name not in home and (meant := [q for q in home if q.casefold() == name.strip().casefold()]):
        raise StudyError(f"expected a qubit by its own name; got {name!r}, did you mean {meant[0]!r}?")
    return name


def apart(where: Any, one: Group, other: Group) -> tuple[tuple[Qubit, ...], tuple[Qubit, ...]]:
    """Return two groups that share no square and are not empty."""
    example = "'a3' and ('b5', 'd5')"
    first, second = group(where, one, example=example), group(where, other, example=example)
    if shared := sorted(set(first) & set(second)):
        raise StudyError(f"expected two groups that share no square, both have {', '.join(shared)}")
    return first, second


class Branches(NamedTuple):
    """The branches of a register: bit k of a key is ``qubits[k]``."""

    qubits: tuple[Qubit, ...]
    keys: NDArray[Any]
    amplitudes: NDArray[Any]

    def pattern(self, wanted: tuple[Qubit, ...]) -> NDArray[Any]:
        """Return the values of some qubits in each branch; bit k is ``wanted[k]``."""
        place = {qubit: k for k, qubit in enumerate(self.qubits)}
        result = self.keys & 0
        for k, qubit in enumerate(wanted):
            result = result | (self.keys >> place[qubit] & 1) << k
        return result


def branches_of(register: Register) -> Branches:
    """Return the register's branches as arrays, made once."""
    return register.worked_out("branches as arrays", _branches)


def _branches(register: Register) -> Branches:
    import numpy as np

    qubits, table = register.qubits, register.amplitudes()
    kind = np.int64 if len(qubits) <= MACHINE else object
    return Branches(qubits, np.array(list(table), dtype=kind), np.array(list(table.values()), dtype=np.complex128))
