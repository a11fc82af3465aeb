"""Work on a register: operations wait until they must be done, and are done in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from qchess.circuits.engine import Engine
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.register import Register

#: how thoroughly a touched register must be factored again
NOT_AT_ALL, FOR_CONSTANTS, COMPLETELY = 0, 1, 2
#: registers that come to no more branches than this are joined before what waits on them is done
SMALL = 256
#: as is one that began certain and has no more operations than this
FEW = 4


class Work:
    """What a run does to one register: operations wait here until they must be done, and are done in one call."""

    __slots__ = ("drawn_in", "fresh", "into", "mixing", "operations", "register", "state", "waiting")

    def __init__(self, register: Register | None = None) -> None:
        #: the register as it was, kept while the work is known by its identity
        self.register = register
        self.state: Any = register.state if register is not None else None
        #: certain qubits that come in, with their values
        self.drawn_in: dict[Qubit, int] = {}
        self.operations: list[Operation] = []
        #: whether all began certain, and only gates on one qubit have mixed: an engine may put those off
        self.fresh = register is None
        #: how often what waits can make two branches of one
        self.mixing = 0
        #: how thoroughly the result must be factored
        self.waiting = NOT_AT_ALL
        #: the work that this one has become part of
        self.into: Work | None = None

    def whole(self) -> Work:
        """The work that this one is part of."""
        found = self
        while found.into is not None:
            found = found.into
        return found

    def done(self, engine: Engine) -> Any:
        """The state after all that waited."""
        if self.operations or self.drawn_in:
            at_once = getattr(engine, "run", None) or partial(_one_by_one, engine)
            self.state = at_once(self.state, self.operations, self.drawn_in)
            self.operations, self.drawn_in, self.fresh, self.mixing = [], {}, False, 0
        return self.state

    def soon_done(self, engine: Engine) -> bool:
        """Whether it costs little to do now what waits: little waits, and in a small state."""
        if not self.operations and not self.drawn_in:
            return True
        return len(self.operations) <= FEW and self.most(engine) <= SMALL

    def most(self, engine: Engine) -> int:
        """There are no more branches than this when all is done."""
        return (1 if self.state is None else engine.branches(self.state)) << self.mixing

    def join(self, other: Work, engine: Engine) -> None:
        """Takes the other work in. What stays small is put together undone: that saves calls."""
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
    """What an engine's `run` does at once."""
    if certain:
        drawn_in = engine.prepare(tuple(certain), {sum(v << k for k, v in enumerate(certain.values())): 1})
        state = drawn_in if state is None else engine.join(state, drawn_in)
    for operation in operations:
        state = engine.apply(state, operation)
    return state
