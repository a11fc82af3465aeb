"""Single squares and pairs: Bloch vectors, concurrence, and the graph of entanglement."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from qchess.circuits.operations import Qubit
from qchess.circuits.register import Register
from qchess.study.entropies import mutual_information, part_entropy
from qchess.study.reduced import part_factor, reduced
from qchess.study.subject import StudyError, apart, registers_of

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

#: weaker values are rounding errors of an engine
FAINT = 1e-12


class Bloch(NamedTuple):
    """The state of one square as a vector: z is 1 for empty and -1 for full, the length 1 for a pure state."""

    x: float
    y: float
    z: float

    @property
    def length(self) -> float:
        """Return the length: 1 for a pure state, 0 for a completely mixed one."""
        return math.hypot(*self)


def bloch(where: Any, square: Qubit) -> Bloch:
    """Return the Bloch vector of a square: the expectations of X, Y and Z."""
    matrix = reduced(where, square)
    if len(matrix) != 2:
        raise StudyError(f"expected one square for a Bloch vector, got {square!r}")
    ((p0, coherence), (_, p1)) = matrix
    return Bloch(float(2 * coherence.real), float(-2 * coherence.imag), float((p0 - p1).real))


def concurrence(where: Any, one: Qubit, other: Qubit) -> float:
    """Return Wootters' concurrence of two squares: 0 without entanglement, 1 for a Bell pair."""
    first, second = apart(where, one, other)
    if len(first) + len(second) != 2:
        raise StudyError(f"expected two single squares for a concurrence, got {one!r} and {other!r}")
    (one,), (other,) = first, second
    register = registers_of(where).register(one)
    if register is None or other not in register.qubits:
        return 0.0
    return register.worked_out(("concurrence", frozenset((one, other))), lambda held: _concurrence(held, (one, other)))


def _concurrence(register: Register, pair: tuple[Qubit, Qubit]) -> float:
    """Compute it from amplitudes, since the square root of a density matrix loses half of the digits.

    With a factor W of the density matrix, the numbers needed are the singular values of W^T (Y x Y) W.
    """
    import numpy as np

    root = part_factor(register, pair)
    values = np.linalg.svd(root.T @ _spin_flip() @ root, compute_uv=False)
    return float(max(0.0, 2 * values[0] - values.sum()))


def _spin_flip() -> NDArray[Any]:
    """Return Y x Y, whose only entries are on the antidiagonal."""
    import numpy as np

    return np.fliplr(np.diag([-1.0, 1.0, 1.0, -1.0]))


def entanglement(where: Any) -> nx.Graph[Qubit]:
    """Return a networkx graph of the entanglement; each component lies within one register.

    Nodes are the squares in superposition with ``probability`` and ``entropy``. Edges join two squares with
    ``mutual_information``, and also have ``concurrence``. `Registers.entanglement` instead shows which moves joined
    squares: an interaction may leave no trace on pairs, but one on three squares.
    """
    import networkx as nx

    world = registers_of(where)
    graph: nx.Graph[Qubit] = nx.Graph()
    for register in world.each:
        for qubit, p in register.odds.items():
            graph.add_node(qubit, probability=p, entropy=part_entropy(register, (qubit,)))
        for a, b in combinations(register.qubits, 2):
            shared = mutual_information(world, a, b)
            if shared > FAINT:
                graph.add_edge(a, b, mutual_information=shared, concurrence=concurrence(world, a, b))
    return graph
