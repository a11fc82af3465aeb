"""Questions on columns: the probability of an answer, and the state after it.

Each thread keeps workspace with kernels bound to it, and the rows of short predicates are cached: a question is usually
weighed and then answered in the same state.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from qchess.backends.sparse import reading_kernels as kernels
from qchess.backends.sparse.arena import empty_like
from qchess.backends.sparse.columns import APART, Columns, Keys, PerThread, split_words, trimmed
from qchess.backends.sparse.state import masked_cubes, require_held
from qchess.circuits.kernels import Bound
from qchess.circuits.operations import Qubit
from qchess.circuits.predicates import Predicate

#: states of up to this many branches use the thread's workspace; predicates of up to this many cubes are cached
KEPT, SHORT = 2**16, 16


class Space:
    """Workspace for the state after an answer of up to `KEPT` branches, with the kernels bound to it."""

    def __init__(self, words: int) -> None:
        none = np.empty((words, 0), np.uint64), np.empty(0, np.complex128), np.empty((0, 2 * words), np.uint64)
        self.keys, self.amplitude = np.empty((words, KEPT + APART), np.uint64), np.empty(KEPT, np.complex128)
        self.total = np.zeros(1)
        self._probability: Bound = kernels.probability.bind(*none)
        self._select: Bound = kernels.select.bind(*none, False, self.keys, self.amplitude, self.total)

    def weight(self, columns: Columns, rows: Keys) -> float:
        """Return the weight of the branches that match any row."""
        _put(self._probability, columns, rows)
        return float(self._probability())  # the kernel's source gives a number of NumPy's

    def choose(self, columns: Columns, rows: Keys, wanted: bool) -> int:
        """Put the branches that match any row (or none) into the workspace, with norm 1; returns how many."""
        _put(self._select, columns, rows)
        self._select.set(3, wanted)
        count: int = self._select()
        return count


def _put(bound: Bound, columns: Columns, rows: Keys) -> None:
    bound.set(0, columns.keys)
    bound.set(1, columns.amplitude)
    bound.set(2, rows)


_SPACES = PerThread()


def _space(words: int) -> Space:
    """Return the thread's workspace."""
    space = _SPACES.made.get(words)
    if not isinstance(space, Space):
        space = _SPACES.made[words] = Space(words)
    return space


def weight(columns: Columns, bit: Mapping[Qubit, int], predicate: Predicate) -> float:
    """Return the weight of the branches where the predicate holds."""
    rows = rows_of(bit, predicate, columns.words)
    if len(columns) > KEPT:
        return float(kernels.probability(columns.keys, columns.amplitude, rows))
    return _space(columns.words).weight(columns, rows)


def chosen(columns: Columns, bit: Mapping[Qubit, int], predicate: Predicate, answer: int) -> tuple[Columns, float]:
    """Return the branches where the predicate holds (or does not), with norm 1, and their weight before."""
    rows = rows_of(bit, predicate, columns.words)
    if len(columns) > KEPT:
        keys, amplitude, total = empty_like(columns.keys), empty_like(columns.amplitude), np.zeros(1)
        count = kernels.select(columns.keys, columns.amplitude, rows, bool(answer), keys, amplitude, total)
        return trimmed(keys, amplitude, count), float(total[0])
    space = _space(columns.words)
    count = space.choose(columns, rows, bool(answer))
    return trimmed(space.keys, space.amplitude, count), float(space.total[0])


def rows_of(bit: Mapping[Qubit, int], predicate: Predicate, words: int) -> Keys:
    """Return the predicate's cubes as rows: the masks, then the wanted words; must not be changed."""
    try:
        places = tuple([bit[qubit] for qubit in predicate.qubits])
    except KeyError:
        require_held(bit, predicate.qubits)
        raise
    return (_kept_rows if len(predicate.cubes) <= SHORT else _rows)(predicate, places, words)


def _rows(predicate: Predicate, places: tuple[int, ...], words: int) -> Keys:
    cubes = masked_cubes(dict(zip(predicate.qubits, places, strict=True)), predicate)
    rows = [split_words(care, words) + split_words(want, words) for care, want in cubes]
    return np.array(rows, dtype=np.uint64).reshape(-1, 2 * words)


_kept_rows = lru_cache(maxsize=1024)(_rows)
