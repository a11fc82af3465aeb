"""How few CZ gates could make a state at all: a proven lower bound, beside what a preparation takes.

A state that is no product needs gates that join all of its n qubits, at least n - 1. If n - 1 are enough, they form a
tree, and the last of them, on u and v, is the only one between the two sides A and B that it joins. Before it A and B
are a product, so that after it, with the right bases of u and v and a sign that CZ gives,

    state = sum over i, j of (-1)^(i j) |i>_u |a_i> |j>_v |b_j>

Whoever measures u in that basis finds the rest of A and all of B in a product, for both outcomes; and so for v. A
state of which no two sides can be taken apart like that needs n gates. (For three qubits: a W state needs three.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Amplitudes = NDArray[np.complex128]
#: smaller than this is 0; amplitudes of game states are far larger
ROUNDING = 1e-7


def at_least(qubits: int, amplitudes: Mapping[int, complex]) -> int:
    """CZ gates that any circuit for this state needs; the state is no product."""
    return qubits - 1 if qubits < 3 or _may_be_a_tree(_tensor(qubits, amplitudes)) else qubits


def _tensor(qubits: int, amplitudes: Mapping[int, complex]) -> Amplitudes:
    """The state with an axis for each qubit."""
    vector = np.zeros(2**qubits, dtype=complex)
    for key, amplitude in amplitudes.items():
        vector[key] = amplitude
    return vector.reshape((2,) * qubits)


def _may_be_a_tree(state: Amplitudes) -> bool:
    """Whether some last gate of a tree is not excluded."""
    return any(_can_be_opened(state, side, other) and _can_be_opened(state, other, side)
               for side, other in _sides(state.ndim) if _rank(state, side, other) <= 2)  # fmt: skip


def _sides(count: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every way to part the qubits in two."""
    for size in range(1, count // 2 + 1):
        for side in combinations(range(count), size):
            yield side, tuple(q for q in range(count) if q not in side)


def _rank(state: Amplitudes, *groups: tuple[int, ...]) -> int:
    side, other = groups
    return int(np.linalg.matrix_rank(state.transpose(*side, *other).reshape(2 ** len(side), -1), ROUNDING))


def _can_be_opened(state: Amplitudes, side: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether one qubit of a side has a basis whose outcomes both leave its fellows and the other side a product."""
    return len(side) == 1 or any(
        _opens(state.transpose(u, *(q for q in side if q != u), *other).reshape(2, 2 ** (len(side) - 1), -1))
        for u in side
    )


def _opens(parts: Amplitudes) -> bool:
    """Whether x M0 + y M1 has rank 1 at two orthogonal (x, y).

    It has where all its minors of size 2 vanish. Each is a form a x^2 + b x y + c y^2, and forms that have two roots in
    common are multiples of one another: so they span at most one form, whose two roots must be orthogonal.
    """
    first, second = parts
    whole, crossed = [_minors(first, first), _minors(second, second)], _minors(first, second) + _minors(second, first)
    forms = np.array([whole[0], crossed, whole[1]]).T
    spanned = np.linalg.svd(forms)
    if spanned.S[0] < ROUNDING:
        return True
    if len(spanned.S) > 1 and spanned.S[1] > ROUNDING:
        return False
    a, b, c = spanned.Vh[0]
    # k (r1 x - r0 y)(r0* x + r1* y) vanishes at r and at what is orthogonal to it:
    # a = k z, c = -k z*, and b is k times a real number
    return bool(abs(abs(a) - abs(c)) < ROUNDING and abs(a * c * np.conj(b) ** 2 + abs(a * c * b * b)) < ROUNDING)


def _minors(first: Amplitudes, second: Amplitudes) -> Amplitudes:
    """For all pairs of rows i < j and of columns k < m: first[i, k] second[j, m] - first[i, m] second[j, k]."""
    (i, j), (k, m) = (np.triu_indices(size, 1) for size in first.shape)
    i, j = i[:, None], j[:, None]
    return (first[i, k] * second[j, m] - first[i, m] * second[j, k]).ravel()
