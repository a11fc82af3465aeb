"""The sparse engine: one register's state as its nonzero branches.

Exact, for registers of any number of qubits, at a cost linear in the branches. Small states are a
dict served by `sparse_clear`; large ones are sorted columns served by the compiled `sparse_kernels`,
which load when the first large state appears, so that nobody waits for a compiler to play.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from qchess.backends.limits import checked_limit, require_possible
from qchess.backends.sparse import clear
from qchess.backends.sparse.clear import Table
from qchess.backends.sparse.columns import WIDTH, Columns, cube_rows, masked, product, signed_words, words
from qchess.backends.sparse.factoring import finest_product
from qchess.backends.sparse.state import (
    CLEAR_BRANCHES,
    SparseState,
    columns_of,
    compact,
    fitted,
    fitted_columns,
    masked_cubes,
    masks_of,
    require_held,
    table_of,
)
from qchess.circuits.engine import Factors
from qchess.circuits.errors import BackendError, StateTooLargeError
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.predicates import Predicate


class SparseEngine:
    """Our own engine; `branch_limit` bounds the branches of one register."""

    name = "sparse"

    def __init__(self, branch_limit: int = 2**20, clear_branches: int = CLEAR_BRANCHES) -> None:
        self.branch_limit = checked_limit(branch_limit)
        self.clear_branches = clear_branches

    # -- states -------------------------------------------------------------------------------------

    def holds(self, qubits: int, branches: int) -> bool:
        """Whether a register of so many qubits and at most so many branches is surely not refused."""
        return branches <= self.branch_limit

    def prepare(self, qubits: Sequence[Qubit], amplitudes: Mapping[int, complex]) -> SparseState:
        """The state with these amplitudes (bit k of a key is ``qubits[k]``)."""
        bit = {qubit: k for k, qubit in enumerate(qubits)}
        if len(bit) != len(qubits):
            raise BackendError(f"a register needs distinct qubits, got {list(qubits)}")
        table = {key: complex(a) for key, a in amplitudes.items() if abs(a) > clear.NOISE}
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
        """How many basis states have an amplitude."""
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
        if not operation.controls and _exchanges(operation):
            return self._exchange_names(state, operation)
        care, low, high = masks_of(state.bit, operation)
        matrix = operation.gate.block().matrix
        table = state.table
        if table is None:
            return self._apply_columns(state, care, low, high, matrix)
        if 2 * len(table) > self.branch_limit and _mixes(operation):
            self._check_size(len(table) + clear.growth(table, care, low, high), str(operation.gate))
        return self._fit(state.bit, clear.rotate(table, care, low, high, matrix))

    def _exchange_names(self, state: SparseState, operation: Operation) -> SparseState:
        """A full move without controls: the two bits change names, and what moves is turned by its phase."""
        a, b = operation.targets
        bit = {**state.bit, a: state.bit[b], b: state.bit[a]}
        moved = SparseState(bit, state.table, state.columns)
        _, (turn, _) = operation.gate.block().matrix
        if turn == 1:
            return moved
        care, low, high = masks_of(bit, operation)
        matrix = ((turn, 0), (0, turn))
        if state.table is None:
            return self._apply_columns(moved, care, low, high, matrix)
        return SparseState(bit, clear.rotate(state.table, care, low, high, matrix))

    def _apply_columns(self, state: SparseState, care: int, low: int, high: int, matrix: Any) -> SparseState:
        from qchess.backends.sparse import kernels

        columns = state.columns
        assert columns is not None, "a state is a table or columns"
        (a, b), (c, d) = matrix
        turn = complex(a), complex(b), complex(c), complex(d)
        masks = (*signed_words(care), *signed_words(low), *signed_words(high))
        *made, branches = kernels.apply(*columns, *masks, *turn, self.branch_limit)
        self._check_size(branches, "the operation")
        return self._fit_columns(state.bit, Columns(*made))

    def join(self, first: SparseState, second: SparseState) -> SparseState:
        """The product of two states on different qubits."""
        shared = set(first.bit) & set(second.bit)
        if shared:
            raise BackendError(f"only states on different qubits can be joined, both hold {sorted(shared)}")
        self._check_size(len(first) * len(second), "joining two registers")
        if len(second) == 1:
            return self._extend(first, second)
        if len(first) == 1:
            return self._extend(second, first)
        if first.width + second.width > WIDTH:
            first, second = compact(first), compact(second)
        width = first.width
        bit = {**first.bit, **{qubit: width + k for qubit, k in second.bit.items()}}
        if first.table is not None and second.table is not None:
            return self._fit(bit, clear.product(first.table, second.table, width))
        if width + second.width > WIDTH:
            return SparseState(bit, clear.product(table_of(first), table_of(second), width))
        return SparseState(bit, None, product(columns_of(first), columns_of(second), width))

    def _extend(self, state: SparseState, certain: SparseState) -> SparseState:
        """The state with a one-branch state's qubits added, in the lowest free positions."""
        ((key, amplitude),) = table_of(certain).items()
        used = 0
        for k in state.bit.values():
            used |= 1 << k
        bit, added = dict(state.bit), 0
        for qubit, k in certain.bit.items():
            place = ~used & (used + 1)  # the lowest bit that is free
            used |= place
            bit[qubit] = place.bit_length() - 1
            if key >> k & 1:
                added |= place
        if state.table is not None or used >> WIDTH:
            table = table_of(state)
            if added or amplitude != 1:
                table = {k | added: a * amplitude for k, a in table.items()}
            return SparseState(bit, table)
        columns = columns_of(state)
        if added or amplitude != 1:
            high, low = words(added)
            columns = Columns(columns.hi | high, columns.lo | low, columns.amplitude * amplitude)
        return SparseState(bit, None, columns)

    # -- measurement --------------------------------------------------------------------------------

    def probability(self, state: SparseState, predicate: Predicate) -> float:
        """The exact probability that the predicate holds."""
        cubes = masked_cubes(state.bit, predicate)
        if state.table is not None:
            return min(1.0, clear.weight(clear.select(state.table, cubes, 1).values()))
        from qchess.backends.sparse import kernels

        return min(1.0, float(kernels.probability(*columns_of(state), cube_rows(cubes))))

    def marginals(self, state: SparseState) -> Mapping[Qubit, float]:
        """The exact probability of 1 for each qubit, found once a state: a state never changes."""
        if state.chances is None:
            positions = tuple(state.bit.values())
            if state.table is not None:
                values = clear.marginals(state.table, positions)
            else:
                from qchess.backends.sparse import kernels

                values = kernels.marginals(*columns_of(state), positions).tolist()
            state.chances = dict(zip(state.bit, values, strict=True))
        return state.chances

    def distribution(self, state: SparseState, qubits: Sequence[Qubit]) -> dict[int, float]:
        """The exact probability of each read-out of some qubits that can occur."""
        require_held(state.bit, qubits)
        positions = [state.bit[qubit] for qubit in qubits]
        result: dict[int, float] = {}
        for key, amplitude in table_of(state).items():
            value = clear.gather(key, positions)
            result[value] = result.get(value, 0.0) + clear.weight((amplitude,))
        return dict(sorted(result.items()))

    def project(self, state: SparseState, predicate: Predicate, answer: int) -> SparseState:
        """The state after the predicate was found true (1) or false (0), norm 1 again."""
        cubes = masked_cubes(state.bit, predicate)
        if state.table is not None:
            kept = clear.select(state.table, cubes, answer)
            total = clear.weight(kept.values())
            require_possible(total, predicate, answer)
            return SparseState(state.bit, clear.scale(kept, 1 / math.sqrt(total)))
        from qchess.backends.sparse import kernels

        rows = cube_rows(cubes)
        columns = columns_of(state)
        yes = float(kernels.probability(*columns, rows))
        require_possible(yes if answer else 1 - yes, predicate, answer)
        return self._fit_columns(state.bit, Columns(*kernels.select(*columns, rows, bool(answer))))

    # -- factoring ----------------------------------------------------------------------------------

    def factor(self, state: SparseState, *, constants_only: bool = False) -> Factors:
        """The finest product the state is; with `constants_only`, just what is certain leaves."""
        constants, rest = self._take_constants(state)
        if not rest.bit:
            ((_, phase),) = table_of(rest).items()
            return Factors(constants, phase, ())
        if constants_only:
            return Factors(constants, 1 + 0j, (rest,))
        branches = columns_of(rest) if rest.table is None else rest.table
        phase, parts = finest_product(branches, tuple(rest.bit.values()))
        if len(parts) == 1:
            return Factors(constants, 1 + 0j, (rest,))
        names = {position: qubit for qubit, position in rest.bit.items()}
        blocks = (self._block({names[k]: k for k in positions}, part) for positions, part in parts)
        return Factors(constants, phase, tuple(map(compact, blocks)))

    def _block(self, bit: dict[Qubit, int], branches: Table | Columns) -> SparseState:
        return self._fit(bit, branches) if isinstance(branches, dict) else self._fit_columns(bit, branches)

    def _take_constants(self, state: SparseState) -> tuple[dict[Qubit, int], SparseState]:
        """The qubits with one value in every branch, and the state without them."""
        if state.table is not None:
            ones, some = clear.common_bits(state.table)
        else:
            from qchess.backends.sparse import kernels

            columns = columns_of(state)
            a, b, c, d = map(int, kernels.common_bits(columns.hi, columns.lo))
            ones, some = a << 64 | b, c << 64 | d
        varying = some & ~ones
        if varying.bit_count() == len(state.bit):
            return {}, state
        constants = {qubit: ones >> k & 1 for qubit, k in state.bit.items() if not varying >> k & 1}
        bit = {qubit: k for qubit, k in state.bit.items() if qubit not in constants}
        if state.table is not None:
            return constants, SparseState(bit, {key & varying: a for key, a in state.table.items()})
        return constants, SparseState(bit, None, masked(columns, varying))

    # -- limits -------------------------------------------------------------------------------------

    def _fit(self, bit: dict[Qubit, int], table: Table) -> SparseState:
        return fitted(bit, table, self.clear_branches)

    def _fit_columns(self, bit: dict[Qubit, int], columns: Columns) -> SparseState:
        return fitted_columns(bit, columns, self.clear_branches)

    def _check_size(self, branches: int, what: str) -> None:
        if branches > self.branch_limit:
            raise StateTooLargeError(
                f"{what} would give a register {branches} branches, the limit is {self.branch_limit}; "
                "nothing was changed"
            )


def _exchanges(operation: Operation) -> bool:
    """Whether the gate, where it acts at all, exchanges its two qubits completely."""
    (a, _), (_, d) = operation.gate.block().matrix
    return len(operation.targets) == 2 and a == 0 and d == 0


def _mixes(operation: Operation) -> bool:
    """Whether the gate can make two branches of one: it is more than phases or an exchange."""
    (a, _), (c, _) = operation.gate.block().matrix
    return a != 0 and c != 0
