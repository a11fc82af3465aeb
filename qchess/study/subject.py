"""What is studied: the registers of whatever is handed in, and their branches as arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from qchess.circuits.operations import Qubit
from qchess.circuits.register import Register
from qchess.circuits.registers import Registers
from qchess.errors import QchessError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: keys of more bits than this are Python's own integers
MACHINE = 62
#: one square, or several
Group = Qubit | Iterable[Qubit]


class StudyError(QchessError):
    """What was asked cannot be worked out; the message says why."""


def registers_of(where: Any) -> Registers:
    """The registers of a game, a position, a run or a pause; or the registers themselves."""
    if isinstance(where, Registers):
        return where
    inner = getattr(where, "position", where)
    found = getattr(inner, "registers", None)
    if isinstance(found, Registers):
        return found
    raise StudyError(f"expected a game, a position or registers, got {where!r}")


def group(squares: Group) -> tuple[Qubit, ...]:
    """The squares of a group, each once."""
    named = (squares,) if isinstance(squares, str) else tuple(squares)
    if len(set(named)) < len(named):
        raise StudyError(f"expected squares that differ, got {', '.join(named)}")
    return named


def apart(one: Group, other: Group) -> tuple[tuple[Qubit, ...], tuple[Qubit, ...]]:
    """Two groups that share no square."""
    first, second = group(one), group(other)
    if shared := sorted(set(first) & set(second)):
        raise StudyError(f"expected two groups that share no square, both have {', '.join(shared)}")
    return first, second


class Branches(NamedTuple):
    """The branches of a register: bit k of a key is ``qubits[k]``."""

    qubits: tuple[Qubit, ...]
    keys: NDArray[Any]
    amplitudes: NDArray[Any]

    def pattern(self, wanted: tuple[Qubit, ...]) -> NDArray[Any]:
        """The values of some qubits in each branch; bit k is ``wanted[k]``."""
        place = {qubit: k for k, qubit in enumerate(self.qubits)}
        result = self.keys & 0
        for k, qubit in enumerate(wanted):
            result = result | (self.keys >> place[qubit] & 1) << k
        return result


def branches_of(register: Register) -> Branches:
    """The register's branches as arrays, made once."""
    return register.worked_out("branches as arrays", _branches)


def _branches(register: Register) -> Branches:
    import numpy as np

    qubits, table = register.qubits, register.amplitudes()
    kind = np.int64 if len(qubits) <= MACHINE else object
    return Branches(qubits, np.array(list(table), dtype=kind), np.array(list(table.values()), dtype=np.complex128))
