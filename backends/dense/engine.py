"""The shared part of dense engines: one register's state as a vector of all its 2^n amplitudes.

A vendor only evolves the vector; questions, answers, products and factors are plain numpy. So no vendor measures
in the middle of a circuit, which would make it run again for every shot.

Bit k of an index is ``qubits[k]``; vendors convert at their own edge.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qchess.backends.sparse.splitting import product_of
from qchess.circuits.engine import Factors
from qchess.circuits.errors import BackendError, StateTooLargeError, checked_limit, require_possible
from qchess.circuits.operations import Operation, Qubit
from qchess.circuits.precision import NOISE
from qchess.circuits.predicates import Predicate

Complex = NDArray[np.complex128]


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """A register's state: bit k of an index into `amplitudes` is ``qubits[k]``; never modified."""

    qubits: tuple[Qubit, ...]
    amplitudes: Complex

    def __post_init__(self) -> None:
        self.amplitudes.setflags(write=False)

    def place(self, qubit: Qubit) -> int:
        """Return the bit of the qubit."""
        if qubit not in self.qubits:
            raise BackendError(f"expected one of the register's qubits {list(self.qubits)}, got {qubit!r}")
        return self.qubits.index(qubit)

    def places(self, qubits: Sequence[Qubit]) -> tuple[int, ...]:
        """Return the bit of each of the qubits."""
        return tuple(self.place(q) for q in qubits)

    def weights(self) -> NDArray[np.float64]:
        """Return the probability of each basis state; rounding noise counts as 0."""
        sizes = np.abs(self.amplitudes)
        sizes[sizes <= NOISE] = 0
        return np.asarray(sizes**2, dtype=np.float64)


class DenseEngine(ABC):
    """An engine on vectors; a subclass defines how its vendor evolves one."""

    name = "dense"

    def __init__(self, branch_limit: int = 2**20) -> None:
        self.branch_limit = checked_limit(branch_limit)

    @abstractmethod
    def turn(self, operation: Operation, vector: Complex, places: Sequence[int]) -> Complex:
        """Return a new vector after the operation; ``places[k]`` is the bit of ``operation.qubits[k]``."""

    # -- states -----------------------------------------------------------------------------------

    def holds(self, qubits: int, branches: int) -> bool:
        """Tell whether a register of this many qubits and branches is certainly accepted."""
        return bool(2**qubits <= self.branch_limit)

    def prepare(self, qubits: Sequence[Qubit], amplitudes: Mapping[int, complex]) -> Vector:
        """The state with these amplitudes (bit k of a key is ``qubits[k]``)."""
        names = tuple(qubits)
        if len(set(names)) != len(names):
            raise BackendError(f"a register needs distinct qubits, got {list(names)}")
        self._check_size(len(names))
        vector = np.zeros(2 ** len(names), dtype=np.complex128)
        for key, amplitude in amplitudes.items():
            if not 0 <= key < len(vector):
                raise BackendError(f"a key on {len(names)} qubits lies in 0..{len(vector) - 1}, got {key!r}")
            vector[key] = amplitude
        return Vector(names, vector)

    def qubits(self, state: Vector) -> tuple[Qubit, ...]:
        """The qubits of a state."""
        return state.qubits

    def branches(self, state: Vector) -> int:
        """How many basis states have an amplitude."""
        return int(np.count_nonzero(state.weights()))

    def amplitudes(self, state: Vector, order: Sequence[Qubit] | None = None) -> dict[int, complex]:
        """The amplitude of every branch; bit k of a key is ``order[k]`` (default: `qubits`)."""
        order = state.qubits if order is None else tuple(order)
        if sorted(order) != sorted(state.qubits):
            raise BackendError(f"expected an order of the register's qubits {list(state.qubits)}, got {list(order)}")
        support = np.flatnonzero(state.weights())
        keys = gather(support, state.places(order))
        return dict(zip(keys.tolist(), state.amplitudes[support].tolist(), strict=True))

    def apply(self, state: Vector, operation: Operation) -> Vector:
        """The state after the operation, all of whose qubits the state holds."""
        places = state.places(operation.qubits)
        return Vector(state.qubits, self.turn(operation, state.amplitudes, places))

    # -- questions --------------------------------------------------------------------------------

    def probability(self, state: Vector, predicate: Predicate) -> float:
        """The exact probability that the predicate holds."""
        return float(state.weights()[_matches(state, predicate)].sum())

    def marginals(self, state: Vector) -> dict[Qubit, float]:
        """The exact probability of 1 for each qubit of the state."""
        weights, index = state.weights(), np.arange(len(state.amplitudes))
        return {qubit: float(weights[index >> k & 1 == 1].sum()) for k, qubit in enumerate(state.qubits)}

    def distribution(self, state: Vector, qubits: Sequence[Qubit]) -> dict[int, float]:
        """Return the exact probability of each possible read-out of some qubits."""
        weights = state.weights()
        support = np.flatnonzero(weights)
        answers = gather(support, state.places(qubits))
        values, which = np.unique(answers, return_inverse=True)
        sums = np.bincount(which, weights=weights[support])
        return dict(zip(values.tolist(), sums.tolist(), strict=True))

    def project(self, state: Vector, predicate: Predicate, answer: int) -> Vector:
        """The state after the predicate was found true (1) or false (0), norm 1 again."""
        kept = _matches(state, predicate) == bool(answer)
        probability = float(state.weights()[kept].sum())
        require_possible(probability, predicate, answer)
        return Vector(state.qubits, np.where(kept, state.amplitudes, 0) / np.sqrt(probability))

    # -- products ---------------------------------------------------------------------------------

    def join(self, first: Vector, second: Vector) -> Vector:
        """The product of two states on different qubits."""
        shared = set(first.qubits) & set(second.qubits)
        if shared:
            raise BackendError(f"expected two registers on different qubits, both hold {sorted(shared)}")
        self._check_size(len(first.qubits) + len(second.qubits))
        product = np.multiply.outer(second.amplitudes, first.amplitudes)
        return Vector(first.qubits + second.qubits, product.reshape(-1))

    def factor(self, state: Vector, *, constants_only: bool = False) -> Factors:
        """Return the finest product of the state; with `constants_only`, only certain qubits are split off."""
        support = np.flatnonzero(state.weights())
        ones, some = int(np.bitwise_and.reduce(support)), int(np.bitwise_or.reduce(support))
        varies = some & ~ones
        constants = {qubit: ones >> k & 1 for k, qubit in enumerate(state.qubits) if not varies >> k & 1}
        if not varies:
            return Factors(constants, complex(state.amplitudes[ones]), ())
        places = tuple(k for k in range(len(state.qubits)) if varies >> k & 1)
        whole = (1 + 0j, [(places, support & varies, state.amplitudes[support])])
        phase, parts = whole if constants_only else product_of(support & varies, state.amplitudes[support])
        return Factors(constants, phase, tuple(_block(state, *part) for part in parts))

    def _check_size(self, qubits: int) -> None:
        if 2**qubits > self.branch_limit:
            raise StateTooLargeError(
                f"{self.name} holds at most {self.branch_limit} amplitudes, "
                f"a register of {qubits} qubits needs 2^{qubits}; nothing was changed"
            )


def gather(keys: NDArray[np.int64], places: Sequence[int]) -> NDArray[np.int64]:
    """Return each key's bits at `places`, packed: bit k of the result is the key's bit ``places[k]``."""
    packed = np.zeros_like(keys)
    for k, place in enumerate(places):
        packed |= (keys >> place & 1) << k
    return packed


def _block(state: Vector, places: Sequence[int], keys: NDArray[np.int64], values: Complex) -> Vector:
    """Return the branches of a factor as a vector on the qubits at these places."""
    vector = np.zeros(2 ** len(places), dtype=np.complex128)
    vector[gather(keys, places)] = values
    return Vector(tuple(state.qubits[k] for k in places), vector)


def _matches(state: Vector, predicate: Predicate) -> NDArray[np.bool_]:
    """Return for each basis state whether the predicate holds in it."""
    index = np.arange(len(state.amplitudes))
    found = np.zeros(len(index), dtype=np.bool_)
    for cube in predicate.cubes:
        care = sum(1 << state.place(q) for q, _ in cube)
        want = sum(1 << state.place(q) for q, value in cube if value)
        found |= (index & care) == want
    return found
