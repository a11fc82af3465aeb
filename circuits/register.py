"""A register as rules and sources see it: a value with qubits, odds and amplitudes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from qchess.circuits.engine import Engine
from qchess.circuits.operations import Qubit

T = TypeVar("T")


class Register:
    """Entangled qubits with their state on an engine.

    Compares by qubits and exact amplitudes, can be hashed, and is pickled with its engine.
    """

    __slots__ = ("_hash", "_worked_out", "engine", "state")

    def __init__(self, engine: Engine, state: Any) -> None:
        self.engine = engine
        #: the engine's own form, private to the engine
        self.state = state
        self._hash: int | None = None
        self._worked_out: dict[Hashable, Any] | None = None

    @property
    def qubits(self) -> tuple[Qubit, ...]:
        """The qubits, in the order of the register's own keys."""
        return self.engine.qubits(self.state)

    @property
    def branches(self) -> int:
        """Return the number of basis states with an amplitude."""
        return self.engine.branches(self.state)

    @property
    def odds(self) -> Mapping[Qubit, float]:
        """Return the exact probability of 1 for each qubit."""
        return self.engine.marginals(self.state)

    def amplitudes(self, order: Sequence[Qubit] | None = None) -> dict[int, complex]:
        """Return the amplitude of every branch; bit k of a key is ``order[k]`` (default: `qubits`)."""
        return self.engine.amplitudes(self.state, order)

    def distribution(self, qubits: Sequence[Qubit]) -> dict[int, float]:
        """Return the exact probability of each possible read-out of some of the qubits."""
        return self.engine.distribution(self.state, qubits)

    def worked_out(self, what: Hashable, work: Callable[[Register], T]) -> T:
        """Return the result of `work` on this register, computed once and kept.

        A register that a move does not touch stays the same value, and keeps its results.
        """
        notes = self._worked_out
        if notes is None:
            notes = self._worked_out = {}
        if what not in notes:
            notes[what] = work(self)
        found: T = notes[what]
        return found

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Register):
            return NotImplemented
        mine = self.qubits
        return set(mine) == set(other.qubits) and self.amplitudes(mine) == other.amplitudes(mine)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.qubits))
        return self._hash

    def __reduce__(self) -> tuple[object, tuple[Engine, Any]]:
        return Register, (self.engine, self.state)

    def __repr__(self) -> str:
        return f"<Register {'/'.join(self.qubits)}: {self.branches} branches>"
