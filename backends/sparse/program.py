"""Run operations on columns: the program is encoded as rows of numbers, and one kernel call does it all.

Delaying gates may keep a state small or keep it large, and this is not known in advance. So if any gate is delayed,
both ways are tried with room for few branches, then for more; the first that fits is taken. The failed attempts cost a
small part of the successful one.

The kernel works on a copy in the thread's workspace, so after an error the given state is unchanged. It returns when
its budget of work is spent, so that Python can handle interrupts and deadlines.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from qchess.backends.sparse import kernels
from qchess.backends.sparse.arena import copied, empty, empty_like
from qchess.backends.sparse.coding import Code, code_of
from qchess.backends.sparse.columns import APART, Amplitudes, Columns, Keys, PerThread, trimmed, words_for
from qchess.backends.sparse.reading_kernels import turned
from qchess.circuits.errors import StateTooLargeError
from qchess.circuits.kernels import Bound, check_deadline
from qchess.circuits.operations import Operation, Qubit

#: branches times operations after which the kernel returns: about 0.05 s
BUDGET = 2**22
#: the initial room for branches, per branch of the state and at least, and how it grows
ROOM, LEAST_ROOM, GROWTH = 16, 2**12, 16
#: each thread keeps workspace for up to this many branches; a larger one lives as long as its state
KEPT = 2**16
#: phases of more branches are turned in their final place; of fewer, in the workspace
SHARED = 2**10
_CONTROL = struct.Struct(f"={kernels.CONTROL}q")
_KERNELS = {1: kernels.evolve_1, 2: kernels.evolve_2, 4: kernels.evolve_4, 8: kernels.evolve_8, 20: kernels.evolve_20}


class Space:
    """Workspace for states of this many branches, with the kernel bound to it."""

    def __init__(self, words: int, capacity: int) -> None:
        self.capacity = capacity
        make = empty if capacity > KEPT else np.empty
        self.keys, self.amplitude = make((words, capacity + APART), np.uint64), make((capacity,), np.complex128)
        self.codes, self.matrices = np.empty(512, np.int64), np.empty((64, 4), np.complex128)
        self._code_bytes, self._matrix_bytes = self.codes.data.cast("B"), self.matrices.data.cast("B")
        self.control = np.zeros(kernels.CONTROL, np.int64)
        self._control_bytes = self.control.data.cast("B")
        indices = make((capacity,), np.int64), make((capacity,), np.int64)
        fresh = make((words, capacity + APART), np.uint64), make((capacity,), np.complex128)
        self.bound: Bound = _KERNELS[words].bind(
            self.keys, self.amplitude, self.codes, self.matrices, *indices, *fresh, self.control
        )

    def program(self, code: Code) -> None:
        """Load the program."""
        codes, joined = code.codes, code.joined
        if len(codes) > len(self._code_bytes):
            self.codes = np.empty(2 * len(code.numbers), np.int64)
            self._code_bytes = self.codes.data.cast("B")
            self.bound.set(2, self.codes)
        if len(joined) > len(self._matrix_bytes):
            self.matrices = np.empty((2 * len(code.matrices), 4), np.complex128)
            self._matrix_bytes = self.matrices.data.cast("B")
            self.bound.set(3, self.matrices)
        self._code_bytes[: len(codes)] = codes
        self._matrix_bytes[: len(joined)] = joined

    def begin(self, count: int, code: Code, limit: int, at: int = 0) -> None:
        """Load the program, to run on this many rows from a given operation on."""
        self.program(code)
        _CONTROL.pack_into(self._control_bytes, 0, count, at, len(code.numbers), limit, BUDGET, 0)

    def load(self, keys: Keys, amplitude: Amplitudes) -> None:
        """Load the rows."""
        words, count = keys.shape
        self.keys[:words, :count] = keys
        if words < len(self.keys):
            self.keys[words:, :count] = 0
        self.amplitude[:count] = amplitude

    def columns(self) -> Columns:
        """Return the workspace as columns, including spare rows."""
        return Columns(self.keys, self.amplitude)


_SPACES = PerThread()


def _space(words: int, capacity: int) -> Space:
    """Return a workspace of at least this size; small ones belong to the thread and are kept."""
    if capacity > KEPT:
        return Space(words, capacity)
    space = _SPACES.made.get(words)
    if not isinstance(space, Space):
        space = _SPACES.made[words] = Space(words, KEPT)
    return space


def evolved(
    columns: Columns, bit: dict[Qubit, int], width: int, operations: Sequence[Operation], limit: int
) -> tuple[dict[Qubit, int], Columns]:
    """Return where each qubit is after the operations, and the columns; raises beyond the limit, changing nothing."""
    late = code_of(bit, operations)
    if not late.late:
        return _renamed(bit, late), run(columns, late, width, limit)
    at_once: Code | None = None
    room = max(ROOM * len(columns), LEAST_ROOM)
    while True:
        try:
            return _renamed(bit, late), run(columns, late, width, min(room, limit))
        except StateTooLargeError:
            at_once = at_once or code_of(bit, operations, puts_off=False)
        try:
            return _renamed(bit, at_once), run(columns, at_once, width, min(room, limit))
        except StateTooLargeError:
            if room >= limit:
                raise
        room *= GROWTH


def _renamed(bit: dict[Qubit, int], code: Code) -> dict[Qubit, int]:
    """Return where each qubit is after the program; the same dict if none moves."""
    return {**bit, **code.moved} if code.moved else bit


def run(columns: Columns, code: Code, width: int, limit: int) -> Columns:
    """Return the columns after the program; raises if they would exceed the limit, changing nothing."""
    if not code.numbers:
        return columns
    words, count = words_for(width), len(columns)
    if code.turns and count > SHARED and words <= columns.words:
        return _turned(columns, code)
    space = _space(max(columns.words, words), 2 * count)
    space.load(columns.keys, columns.amplitude)
    space.begin(count, code, limit)
    space = _finished(space, code, limit)
    count = int(space.control[kernels.BRANCHES])
    if space.capacity > KEPT and len(space.keys) == 1:  # what was never written to costs no memory
        return Columns(space.keys[:, :count], space.amplitude[:count])
    if code.turns and words <= columns.words:
        return Columns(columns.keys, copied(space.amplitude[:count]))
    return trimmed(space.keys, space.amplitude, count)


def _turned(columns: Columns, code: Code) -> Columns:
    """Return the columns after a program that only turns phases: keys are shared, nothing else is copied."""
    space = _SPACES.made.get(("turning", columns.words))
    if not isinstance(space, Space):
        space = _SPACES.made["turning", columns.words] = Space(columns.words, 0)
    made, done = _first_turned(space, columns, code)
    if done == len(code.numbers):
        return made
    space.begin(len(columns), code, len(columns), done)
    for k, array in enumerate(made):
        space.bound.set(k, array)
    try:
        _finished(space, code, len(columns))
    finally:
        for k, array in enumerate(space.columns()):
            space.bound.set(k, array)
    return made


def _first_turned(space: Space, columns: Columns, code: Code) -> tuple[Columns, int]:
    """Return columns with their own amplitudes, and how much of the program is done: copying may do the first step."""
    if columns.words > 1:
        return Columns(columns.keys, copied(columns.amplitude)), 0
    check_deadline()
    space.program(code)
    made = Columns(columns.keys, empty_like(columns.amplitude))
    turned(columns.keys, columns.amplitude, space.codes, space.matrices, made.amplitude)
    return made, 4 + code.numbers[3]


def _finished(space: Space, code: Code, limit: int) -> Space:
    """Call the kernel until all is done; returns the space in which it was done."""
    check_deadline()
    while (outcome := space.bound()) != kernels.DONE:
        check_deadline()
        if outcome == kernels.LARGE:
            raise StateTooLargeError(
                f"the program would give a register {space.control[kernels.NEEDED]} branches, "
                f"the limit is {limit}; nothing was changed"
            )
        if outcome == kernels.SHORT:
            space = _grown(space, code)
        space.control[kernels.BUDGET] = BUDGET
    return space


def _grown(space: Space, code: Code) -> Space:
    """Return a larger space with the same work."""
    larger = Space(len(space.keys), max(2 * int(space.control[kernels.NEEDED]), 2 * space.capacity))
    count = int(space.control[kernels.BRANCHES])
    larger.load(space.keys[:, :count], space.amplitude[:count])
    larger.program(code)
    larger.control[:] = space.control
    return larger
