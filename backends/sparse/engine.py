"""The sparse engine: one register's state as its nonzero branches.

Exact, for registers of any number of qubits, at a cost linear in the branches. With compiled kernels, states are sorted
columns and a whole program is one call. Without kernels, beyond 1,280 qubits, and with few branches, a state is a dict
handled by `clear`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from qchess.backends.sparse import clear
from qchess.backends.sparse.clear import Table
from qchess.backends.sparse.columns import (
    WIDTH,
    Columns,
    product,
    widened,
    with_ones,
    words_for,
)
from qchess.backends.sparse.factoring import finest_product
from qchess.backends.sparse.state import (
    SparseState,
    columns_of,
    compact,
    fitted,
    free_places,
    masked_cubes,
    masks_of,
    require_held,
    table_of,
)
from qchess.circuits.engine import Factors
from qchess.circuits.errors import BackendError, StateTooLargeError, checked_limit, require_possible
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.precision import NOISE
from qchess.circuits.predicates import Predicate

if TYPE_CHECKING:
    from qchess.backends.sparse.splitting import Product

#: up to this many branches a dict is faster than a kernel call
FEW = 8


class SparseEngine:
    """Our own engine; `branch_limit` bounds the branches of one register."""

    name = "sparse"

    def __init__(self, branch_limit: int = 2**20, *, compiled: bool | None = None) -> None:
        self.branch_limit = checked_limit(branch_limit)
        self._compiled = compiled
        #: states of up to this many branches are dicts; 0 if kernels are requested by name
        self.few = 0 if compiled else min(FEW, self.branch_limit)

    @property
    def compiled(self) -> bool:
        """Tell whether kernels serve; decided when the first state is made."""
        if self._compiled is None:
            from qchess.backends.sparse.kernels import evolve_1

            self._compiled = evolve_1.compiled
        return self._compiled

    @property
    def puts_off(self) -> bool:
        """Tell whether one-qubit gates are delayed, so that it pays to pass many operations at once."""
        return self.compiled

    # -- states -------------------------------------------------------------------------------------

    def holds(self, qubits: int, branches: int) -> bool:
        """Tell whether a register of this many qubits and branches is certainly accepted."""
        return branches <= self.branch_limit

    def prepare(self, qubits: Sequence[Qubit], amplitudes: Mapping[int, complex]) -> SparseState:
        """The state with these amplitudes (bit k of a key is ``qubits[k]``)."""
        bit = {qubit: k for k, qubit in enumerate(qubits)}
        if len(bit) != len(qubits):
            raise BackendError(f"a register needs distinct qubits, got {list(qubits)}")
        table = {key: complex(a) for key, a in amplitudes.items() if abs(a) > NOISE}
        self._check_size(len(table), "prepare")
        if not table:
            raise BackendError("a state needs at least one nonzero amplitude, got none")
        if min(table) < 0 or max(table) >> len(bit):
            wrong = min(table) if min(table) < 0 else max(table)
            raise BackendError(f"a key on {len(bit)} qubits lies in 0..2^{len(bit)} - 1, got {wrong}")
        return self._fit(bit, table)

    def qubits(self, state: SparseState) -> tuple[Qubit, ...]:
        """The qubits of a state."""
        return tuple(state.bit)

    def branches(self, state: SparseState) -> int:
        """Return the number of basis states with an amplitude."""
        return len(state)

    def amplitudes(self, state: SparseState, order: Sequence[Qubit] | None = None) -> dict[int, complex]:
        """The amplitude of every branch; bit k of a key is ``order[k]``."""
        order = tuple(state.bit) if order is None else order
        if sorted(order) != sorted(state.bit):
            raise BackendError(f"expected an order of the register's qubits {list(state.bit)}, got {list(order)}")
        positions = [state.bit[qubit] for qubit in order]
        table = table_of(state)
        if positions == list(range(len(positions))):
            return dict(table)
        return clear.rearrange(table, positions)

    # -- operations ---------------------------------------------------------------------------------

    def apply(self, state: SparseState, operation: Operation) -> SparseState:
        """The state after the operation, all of whose qubits the state holds."""
        return self.run(state, (operation,))

    def run(
        self, state: SparseState | None, operations: Sequence[Operation], certain: Mapping[Qubit, int] | None = None
    ) -> SparseState:
        """Return the state after all operations, in one call; `certain` are qubits added first."""
        if state is None:
            state = self._basis(certain or {})
        elif certain:
            state = self._extended(state, certain, 1 + 0j)
        if state.table is not None and self._may_outgrow(len(state.table), operations):
            state = fitted(state.bit, state.table, compiled=self.compiled)
        if state.table is not None:
            for operation in operations:
                state = self._apply_clear(state, operation)
            return state if len(state) <= self.few else self._fit(state.bit, table_of(state))
        evolved = _evolved()
        try:
            bit, columns = evolved(columns_of(state), state.bit, state.width, operations, self.branch_limit)
        except KeyError:
            for operation in operations:
                require_held(state.bit, operation.qubits)
            raise
        return self._sized(SparseState(bit, None, columns, state.width))

    def _may_outgrow(self, branches: int, operations: Sequence[Operation]) -> bool:
        """Tell whether a dict may come to twice as many branches as it shall have: each mixing gate can double them."""
        most = 2 * self.few
        if branches << min(len(operations), most.bit_length()) <= most:
            return False  # whatever they are
        mixing = sum([operation.gate.mixes for operation in operations])
        return branches > most >> min(mixing, most.bit_length())

    def _sized(self, state: SparseState) -> SparseState:
        """Return the state as a dict if it has few branches: then a dict is faster than a kernel call."""
        return state if len(state) > self.few else SparseState(state.bit, table_of(state))

    def _basis(self, certain: Mapping[Qubit, int]) -> SparseState:
        """Return the state of certain qubits."""
        key = sum([value << k for k, value in enumerate(certain.values())])
        bit = {qubit: k for k, qubit in enumerate(certain)}
        return self._fit(bit, {key: 1 + 0j})

    def _apply_clear(self, state: SparseState, operation: Operation) -> SparseState:
        if operation.gate.exchanges and not operation.controls:
            return self._exchange_names(state, operation)
        care, low, high = masks_of(state.bit, operation)
        table = table_of(state)
        if 2 * len(table) > self.branch_limit and operation.gate.mixes:
            self._check_size(len(table) + clear.growth(table, care, low, high), str(operation.gate))
        return SparseState(state.bit, clear.rotate(table, care, low, high, operation.gate.block().matrix))

    def _exchange_names(self, state: SparseState, operation: Operation) -> SparseState:
        """Exchange the names of two bits for a full move without controls, and turn the phase of what moves."""
        require_held(state.bit, operation.qubits)
        a, b = operation.targets
        bit = {**state.bit, a: state.bit[b], b: state.bit[a]}
        _, (turn, _) = operation.gate.block().matrix
        if turn == 1:
            return SparseState(bit, state.table)
        return SparseState(bit, clear.rotate(table_of(state), *masks_of(bit, operation), ((turn, 0), (0, turn))))

    def renamed(self, state: SparseState, old: Qubit, new: Qubit) -> SparseState:
        """Return the state with a qubit renamed."""
        require_held(state.bit, (old,))
        if new in state.bit:
            raise BackendError(f"a qubit takes a name that the register does not hold, it holds {new!r}")
        bit = {qubit: k for qubit, k in state.bit.items() if qubit != old}
        bit[new] = state.bit[old]
        return SparseState(bit, state.table, state.columns, state.width)

    def join(self, first: SparseState, second: SparseState) -> SparseState:
        """The product of two states on different qubits."""
        shared = first.bit.keys() & second.bit.keys()
        if shared:
            raise BackendError(f"only states on different qubits can be joined, both hold {sorted(shared)}")
        self._check_size(len(first) * len(second), "joining two registers")
        if len(second) == 1:
            return self._extend(first, second)
        if len(first) == 1:
            return self._extend(second, first)
        first, second = compact(first), compact(second)
        width, above = first.width, second.width
        bit = {**first.bit, **{qubit: width + k for qubit, k in second.bit.items()}}
        if len(first) * len(second) > self.few and self.compiled and width + above <= WIDTH:
            return SparseState(bit, None, product(columns_of(first), columns_of(second), width, above))
        return SparseState(bit, clear.product(table_of(first), table_of(second), width))

    def _extend(self, state: SparseState, certain: SparseState) -> SparseState:
        """Return the state with a one-branch state's qubits added."""
        ((key, amplitude),) = table_of(certain).items()
        return self._extended(state, {qubit: key >> k & 1 for qubit, k in certain.bit.items()}, amplitude)

    def _extended(self, state: SparseState, certain: Mapping[Qubit, int], amplitude: complex) -> SparseState:
        """Return the state with certain qubits in the lowest free positions."""
        bit, width, added = dict(state.bit), state.width, 0
        if not bit.keys().isdisjoint(certain):
            shared = sorted(bit.keys() & certain.keys())
            raise BackendError(f"a register takes in qubits that it does not hold, it holds {shared}")
        free = free_places(bit.values(), len(certain)) if len(bit) < width else range(width, width + len(certain))
        for (qubit, value), place in zip(certain.items(), free, strict=True):
            bit[qubit] = place
            added |= value << place
            width = max(width, place + 1)
        if state.table is not None or width > WIDTH:
            table = table_of(state)
            if added or amplitude != 1:
                table = {key | added: a * amplitude for key, a in table.items()}
            return SparseState(bit, table, None, width)
        keys, amplitudes = with_ones(widened(columns_of(state), words_for(width)), added)
        made = Columns(keys, amplitudes if amplitude == 1 else amplitudes * amplitude)
        return SparseState(bit, None, made, width)

    # -- measurement --------------------------------------------------------------------------------

    def probability(self, state: SparseState, predicate: Predicate) -> float:
        """The exact probability that the predicate holds."""
        if state.table is not None:
            held = clear.select(state.table, masked_cubes(state.bit, predicate), 1)
            return min(1.0, clear.weight(held.values()))
        weight, _ = _asking()
        return min(1.0, weight(columns_of(state), state.bit, predicate))

    def marginals(self, state: SparseState) -> Mapping[Qubit, float]:
        """Return the exact probability of 1 for each qubit, computed once per state."""
        if state.chances is None:
            positions = tuple(state.bit.values())
            if state.table is not None:
                values = clear.marginals(state.table, positions)
            else:
                from qchess.backends.sparse.reading_kernels import marginals

                found = np.empty(len(positions))
                columns = columns_of(state)
                marginals(columns.keys, columns.amplitude, np.array(positions, np.int64), found)
                values = found.tolist()
            state.chances = dict(zip(state.bit, values, strict=True))
        return state.chances

    def distribution(self, state: SparseState, qubits: Sequence[Qubit]) -> dict[int, float]:
        """Return the exact probability of each possible read-out of some qubits."""
        require_held(state.bit, qubits)
        positions = [state.bit[qubit] for qubit in qubits]
        result: dict[int, float] = {}
        for key, amplitude in table_of(state).items():
            value = clear.gather(key, positions)
            result[value] = result.get(value, 0.0) + clear.weight((amplitude,))
        return dict(sorted(result.items()))

    def project(self, state: SparseState, predicate: Predicate, answer: int) -> SparseState:
        """The state after the predicate was found true (1) or false (0), norm 1 again."""
        if state.table is not None:
            kept = clear.select(state.table, masked_cubes(state.bit, predicate), answer)
            total = clear.weight(kept.values())
            require_possible(total, predicate, answer)
            return SparseState(state.bit, clear.scale(kept, 1 / math.sqrt(total)))
        _, chosen = _asking()
        columns, total = chosen(columns_of(state), state.bit, predicate, answer)
        require_possible(total, predicate, answer)
        return self._sized(SparseState(state.bit, None, columns))

    # -- factoring ----------------------------------------------------------------------------------

    def factor(self, state: SparseState, *, constants_only: bool = False) -> Factors:
        """Return the finest product of the state; with `constants_only`, only certain qubits are split off."""
        if state.table is None:
            return self._split_columns(state, columns_of(state), constants_only)
        constants, rest = _take_constants(state, state.table)
        if not rest.bit:
            ((_, phase),) = table_of(rest).items()
            return Factors(constants, phase, ())
        if constants_only:
            return Factors(constants, 1 + 0j, (rest,))
        phase, parts = finest_product(table_of(rest), tuple(rest.bit.values()))
        if len(parts) == 1:
            return Factors(constants, 1 + 0j, (rest,))
        names = {position: qubit for qubit, position in rest.bit.items()}
        blocks = (self._fit({names[k]: k for k in positions}, part) for positions, part in parts)
        return Factors(constants, phase, tuple(map(compact, blocks)))

    def _split_columns(self, state: SparseState, columns: Columns, constants_only: bool) -> Factors:
        ones, varying, phase, parts = _split()(columns, constants_only=constants_only)
        if len(parts) == 1 and varying.bit_count() == len(state.bit):
            return Factors({}, 1 + 0j, (state,))
        constants = {qubit: ones >> k & 1 for qubit, k in state.bit.items() if not varying >> k & 1}
        if not parts:
            return Factors(constants, complex(columns.amplitude[0]), ())
        blocks = [
            SparseState({q: k for q, k in state.bit.items() if mask >> k & 1}, None, part, mask.bit_length())
            for mask, part in parts
        ]
        return Factors(constants, phase, tuple([self._sized(_narrowed(block)) for block in blocks]))

    # -- limits -------------------------------------------------------------------------------------

    def _fit(self, bit: dict[Qubit, int], table: Table) -> SparseState:
        return fitted(bit, table, compiled=len(table) > self.few and self.compiled)

    def _check_size(self, branches: int, what: str) -> None:
        if branches > self.branch_limit:
            raise StateTooLargeError(
                f"{what} would give a register {branches} branches, the limit is {self.branch_limit}; "
                "nothing was changed"
            )


# -- the compiled side: imported when the first state needs it, and looked for no more ------------------------


@cache
def _evolved() -> Callable[..., tuple[dict[Qubit, int], Columns]]:
    from qchess.backends.sparse.program import evolved

    return evolved


@cache
def _asking() -> tuple[Callable[..., float], Callable[..., tuple[Columns, float]]]:
    from qchess.backends.sparse.asking import chosen, weight

    return weight, chosen


@cache
def _split() -> Callable[..., Product]:
    from qchess.backends.sparse.splitting import split

    return split


def _take_constants(state: SparseState, table: Table) -> tuple[dict[Qubit, int], SparseState]:
    """Return the qubits with one value in every branch, and the state without them."""
    ones, some = clear.common_bits(table)
    varying = some & ~ones
    if varying.bit_count() == len(state.bit):
        return {}, state
    constants = {qubit: ones >> k & 1 for qubit, k in state.bit.items() if not varying >> k & 1}
    bit = {qubit: k for qubit, k in state.bit.items() if qubit not in constants}
    return constants, SparseState(bit, {key & varying: a for key, a in table.items()}, None, varying.bit_length())


def _narrowed(state: SparseState) -> SparseState:
    """Return the state with shorter keys, if fewer words hold its bits."""
    return compact(state) if words_for(len(state.bit)) < columns_of(state).words else state
