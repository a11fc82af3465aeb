"""A register as rules and sources see it, a value with qubits, odds and amplitudes; and the work of a run on one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from qchess.circuits.engine import Engine
from qchess.circuits.operations import Operation, Qubit

T = TypeVar("T")
#: how thoroughly a touched register must be factored
NOT_AT_ALL, FOR_CONSTANTS, COMPLETELY = 0, 1, 2
#: registers that make no more branches than this are joined before their waiting work is done
SMALL = 256
#: and so is one that began certain and has no more operations than this
FEW = 4


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


class Work:
    """The work of a run on one register: operations are collected and done in one call."""

    __slots__ = ("drawn_in", "fresh", "into", "mixing", "operations", "register", "state", "waiting")

    def __init__(self, register: Register | None = None) -> None:
        #: the original register, kept because the work is identified by it
        self.register = register
        self.state: Any = register.state if register is not None else None
        #: certain qubits that join, with their values
        self.drawn_in: dict[Qubit, int] = {}
        self.operations: list[Operation] = []
        #: True: all began certain and only one-qubit gates mixed them, so an engine may delay those
        self.fresh = register is None
        #: how often the waiting operations can make two branches of one
        self.mixing = 0
        #: how thoroughly the result must be factored
        self.waiting = NOT_AT_ALL
        #: the work that absorbed this one
        self.into: Work | None = None

    def whole(self) -> Work:
        """Return the work that this one is part of."""
        found = self
        while found.into is not None:
            found = found.into
        return found

    def done(self, engine: Engine) -> Any:
        """Return the state after all waiting operations."""
        if self.operations or self.drawn_in:
            at_once = getattr(engine, "run", None) or partial(_one_by_one, engine)
            self.state = at_once(self.state, self.operations, self.drawn_in)
            self.operations, self.drawn_in, self.fresh, self.mixing = [], {}, False, 0
        return self.state

    def soon_done(self, engine: Engine) -> bool:
        """Tell whether the waiting operations are cheap now: few of them, on a small state."""
        if not self.operations and not self.drawn_in:
            return True
        return len(self.operations) <= FEW and self.most(engine) <= SMALL

    def most(self, engine: Engine) -> int:
        """Return an upper bound on the branches when all is done."""
        return (1 if self.state is None else engine.branches(self.state)) << self.mixing

    def join(self, other: Work, engine: Engine) -> None:
        """Absorb the other work. Small ones are joined before they are done, which saves calls."""
        self.waiting = max(self.waiting, other.waiting)
        late = other.fresh and getattr(engine, "puts_off", False)
        few = self.fresh or len(other.operations) <= FEW
        undone = (late and few) or self.most(engine) * other.most(engine) <= SMALL
        if not undone:
            self.done(engine)
            other.done(engine)
        self.fresh = self.fresh and other.fresh
        if self.state is not None and other.state is not None:
            self.state = engine.join(self.state, other.state)
        elif other.state is not None:
            self.state = other.state
        self.operations += other.operations
        self.drawn_in.update(other.drawn_in)
        self.mixing += other.mixing
        other.into = self


def _one_by_one(engine: Engine, state: Any, operations: Sequence[Operation], certain: Mapping[Qubit, int]) -> Any:
    """Return the result of an engine's `run`, computed one operation at a time."""
    if certain:
        drawn_in = engine.prepare(tuple(certain), {sum(v << k for k, v in enumerate(certain.values())): 1})
        state = drawn_in if state is None else engine.join(state, drawn_in)
    for operation in operations:
        state = engine.apply(state, operation)
    return state
