"""A sparse register's state, its two forms, and the masks of named qubits.

With compiled kernels a state is sorted columns (`columns`), or a dict (`clear`) if it is too wide for them; without
kernels it is always a dict. The form depends on nothing else, so that replays are exact to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qchess.backends.sparse import clear
from qchess.backends.sparse import columns as sorted_columns
from qchess.backends.sparse.clear import MaskedCube, Table
from qchess.backends.sparse.columns import WIDTH, Columns
from qchess.circuits.errors import BackendError
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import Predicate


class SparseState:
    """A register's state: the position of each qubit's bit in a key, and the branches.

    Positions need not be contiguous; a bit that belongs to no qubit is 0 in every key.
    """

    __slots__ = ("_width", "bit", "chances", "columns", "table")

    def __init__(
        self, bit: dict[Qubit, int], table: Table | None, columns: Columns | None = None, width: int = -1
    ) -> None:
        self.bit = bit
        self.table = table
        self.columns = columns
        #: the probability of 1 of each qubit, once computed
        self.chances: Mapping[Qubit, float] | None = None
        self._width = width

    @property
    def qubits(self) -> tuple[Qubit, ...]:
        """Return the register's qubits."""
        return tuple(self.bit)

    @property
    def width(self) -> int:
        """Return the highest bit position in use plus one."""
        if self._width < 0:
            self._width = max(self.bit.values(), default=-1) + 1
        return self._width

    def __len__(self) -> int:
        return len(self.columns) if self.table is None and self.columns is not None else len(self.table or ())

    def __repr__(self) -> str:
        return f"SparseState({len(self.bit)} qubits, {len(self)} branches)"


# -- forms ----------------------------------------------------------------------------------------------


def fitted(bit: dict[Qubit, int], table: Table, *, compiled: bool) -> SparseState:
    """Return the state of a dict, as columns if kernels serve and columns can hold it."""
    state = SparseState(bit, table)
    if not compiled:
        return state
    if state.width > WIDTH:
        state = compact(state)
    if state.width > WIDTH:
        return state
    return SparseState(state.bit, None, sorted_columns.from_table(table_of(state), state.width))


def table_of(state: SparseState) -> Table:
    """Return the state's branches as a dict."""
    if state.table is not None:
        return state.table
    return sorted_columns.to_table(columns_of(state))


def columns_of(state: SparseState) -> Columns:
    """Return the state's branches as columns."""
    if state.columns is not None:
        return state.columns
    return sorted_columns.from_table(state.table or {}, state.width)


def compact(state: SparseState) -> SparseState:
    """Return the same state with its bits in positions 0, 1, 2 ..."""
    positions = sorted(state.bit.values())
    if len(positions) == state.width:
        return state
    place = {old: new for new, old in enumerate(positions)}
    bit = {qubit: place[k] for qubit, k in state.bit.items()}
    if state.table is not None:
        return SparseState(bit, clear.rearrange(state.table, positions))
    return SparseState(bit, None, sorted_columns.rearranged(columns_of(state), positions))


def free_places(used: Iterable[int], count: int) -> list[int]:
    """Return the lowest unused positions."""
    taken = 0
    for k in used:
        taken |= 1 << k
    places = []
    for _ in range(count):
        place = ~taken & (taken + 1)  # the lowest bit that is free
        taken |= place
        places.append(place.bit_length() - 1)
    return places


# -- masks ----------------------------------------------------------------------------------------------


def masks_of(bit: Mapping[Qubit, int], operation: Operation) -> tuple[int, int, int]:
    """Return the bits of the operation, and the two patterns of them that it mixes."""
    low_bits, high_bits, _ = operation.gate.block()
    care = low = high = 0
    try:
        for qubit, in_low, in_high in zip(operation.targets, low_bits, high_bits, strict=True):
            mask = 1 << bit[qubit]
            care |= mask
            if in_low:
                low |= mask
            if in_high:
                high |= mask
        for qubit, value in operation.controls:
            mask = 1 << bit[qubit]
            care |= mask
            if value:
                low |= mask
                high |= mask
    except KeyError:
        require_held(bit, operation.qubits)
        raise
    return care, low, high


def masked_cubes(bit: Mapping[Qubit, int], predicate: Predicate) -> list[MaskedCube]:
    """Return the cubes of a predicate, each as a mask and the wanted bits."""
    try:
        return [_masked(bit, cube) for cube in predicate.cubes]
    except KeyError:
        require_held(bit, predicate.qubits)
        raise


def _masked(bit: Mapping[Qubit, int], cube: Iterable[tuple[Qubit, int]]) -> MaskedCube:
    care = want = 0
    for qubit, value in cube:
        mask = 1 << bit[qubit]
        care |= mask
        want |= mask * value
    return care, want


def require_held(bit: Mapping[Qubit, int], qubits: Iterable[Qubit]) -> None:
    """Raise an error unless the state holds all these qubits."""
    for qubit in qubits:
        if qubit not in bit:
            raise BackendError(f"the register holds {', '.join(bit)}, but not {qubit!r}")
