"""Work on a register: operations are collected and done in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from qchess.circuits.engine import Engine
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.register import Register

#: how thoroughly a touched register must be factored
NOT_AT_ALL, FOR_CONSTANTS, COMPLETELY = 0, 1, 2
#: registers that make no more branches than this are joined before their waiting work is done
SMALL = 256
#: and so is one that began certain and has no more operations than this
FEW = 4


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
