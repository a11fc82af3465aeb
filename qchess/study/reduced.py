"""Reduced density matrices and spectra, computed from branches without a vector of all 2^n amplitudes.

A register's branches form a matrix: rows are the patterns of the named squares, columns those of the others. Only rows
and columns that occur are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from qchess.circuits.operations import Qubit
from qchess.circuits.register import Register
from qchess.study.subject import Group, StudyError, branches_of, group, registers_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: the most squares of a full density matrix
MOST_SQUARES = 11
#: the most patterns on the smaller side of a cut
MOST_PATTERNS = 2**12
#: the most entries of a matrix written with its zeros
MOST_ENTRIES = 2**24


class Cut(NamedTuple):
    """A register cut in two: the patterns of the named squares, and the amplitudes, one column per other pattern."""

    patterns: NDArray[Any]
    matrix: Any


def cut(register: Register, mine: tuple[Qubit, ...]) -> Cut:
    """Return the register as a matrix of its amplitudes; it has as many entries as the register has branches."""
    import numpy as np
    from scipy.sparse import csr_array

    branches = branches_of(register)
    others = tuple(qubit for qubit in branches.qubits if qubit not in mine)
    rows, row = np.unique(branches.pattern(mine), return_inverse=True)
    columns, column = np.unique(branches.pattern(others), return_inverse=True)
    shape = (len(rows), len(columns))
    return Cut(rows, csr_array((branches.amplitudes, (row, column)), shape=shape))


def gram(matrix: Any) -> NDArray[Any]:
    """Return a matrix times its adjoint."""
    dense: NDArray[Any] = (matrix @ matrix.conj().T).toarray()
    return dense


def part_spectrum(register: Register, mine: tuple[Qubit, ...]) -> NDArray[Any]:
    """Return the eigenvalues for some of a register's squares, largest first; zeros may be missing."""
    return register.worked_out(("spectrum", frozenset(mine)), lambda held: _spectrum(held, mine))


def _spectrum(register: Register, mine: tuple[Qubit, ...]) -> NDArray[Any]:
    import numpy as np

    matrix = cut(register, mine).matrix
    rows, columns = matrix.shape
    smaller = min(rows, columns)
    if smaller > MOST_PATTERNS:
        where = ", ".join(mine)
        raise StudyError(f"the cut at {where} has {smaller} patterns on each side, the limit is {MOST_PATTERNS}")
    both = gram(matrix) if rows <= columns else gram(matrix.T)
    return np.clip(np.linalg.eigvalsh(both)[::-1], 0.0, 1.0)


def spectrum(where: Any, *squares: Group) -> NDArray[Any]:
    """Return the eigenvalues of the reduced state of some squares, largest first: the squared Schmidt coefficients.

    Their number is the bond that a matrix product state needs at this cut.
    """
    import numpy as np

    result, named = np.ones(1), group(where, *squares, example="spectrum(game, 'a3', 'b5')")
    for register, mine in registers_of(where).held(named):
        part = part_spectrum(register, mine)
        if len(result) * len(part) > MOST_PATTERNS:
            raise StudyError(f"the state of {', '.join(named)} has more than {MOST_PATTERNS} eigenvalues")
        result = np.multiply.outer(result, part).ravel()
    return np.sort(result)[::-1]


def reduced(where: Any, *squares: Group) -> NDArray[Any]:
    """Return the density matrix of some squares, all others traced out; bit k of an index is ``squares[k]``."""
    import numpy as np

    matrix, places = _put_together(where, squares, part_matrix, lambda value: np.diag([1 - value, value]))
    result: NDArray[Any] = matrix[np.ix_(places, places)]
    return result


def part_matrix(register: Register, mine: tuple[Qubit, ...]) -> NDArray[Any]:
    """Return the density matrix of some of a register's squares."""
    import numpy as np

    patterns, matrix = cut(register, mine)
    result = np.zeros((2 ** len(mine), 2 ** len(mine)), dtype=complex)
    places = patterns.astype(np.int64)
    result[np.ix_(places, places)] = gram(matrix)
    return result


def part_factor(register: Register, mine: tuple[Qubit, ...]) -> NDArray[Any]:
    """Return a matrix W with W W^+ the density matrix of some of a register's squares.

    It is made from the amplitudes: the square root of a density matrix loses half of the digits.
    """
    import numpy as np

    patterns, matrix = cut(register, mine)
    if 2 ** len(mine) * matrix.shape[1] > MOST_ENTRIES:
        raise StudyError(f"the state of {', '.join(mine)} and what it is entangled with is too large to be written out")
    rows = np.zeros((2 ** len(mine), matrix.shape[1]), dtype=complex)
    rows[patterns.astype(np.int64)] = matrix.toarray()
    left, sizes, _ = np.linalg.svd(rows, full_matrices=False)
    result: NDArray[Any] = left * sizes
    return result


def factor(where: Any, *squares: Group) -> NDArray[Any]:
    """Return such a W for any squares: `reduced` is its product with its adjoint."""
    import numpy as np

    matrix, places = _put_together(where, squares, part_factor, lambda value: np.array([[1 - value], [value]]))
    result: NDArray[Any] = matrix[places]
    return result


def _put_together(
    where: Any,
    squares: tuple[Group, ...],
    part: Callable[[Register, tuple[Qubit, ...]], NDArray[Any]],
    certain: Callable[[int], NDArray[Any]],
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the product over registers and certain squares, and the place of each pattern of the squares in it."""
    import numpy as np

    world, named = registers_of(where), group(where, *squares, example="reduced(game, 'a3', 'b5')")
    if len(named) > MOST_SQUARES:
        raise StudyError(f"a density matrix is written out for {MOST_SQUARES} squares at most, got {len(named)}")
    result: NDArray[Any] = np.ones((1, 1), dtype=complex)
    order: list[Qubit] = []
    for register, mine in world.held(named):
        result, order = np.kron(part(register, mine), result), [*order, *mine]
    for qubit in named:
        if (value := world.known(qubit)) is not None:
            result, order = np.kron(certain(value), result), [*order, qubit]
    return result, _places(order, named)


def _places(order: Sequence[Qubit], wanted: tuple[Qubit, ...]) -> NDArray[Any]:
    """Return the place of each pattern of the wanted qubits among those of the same qubits in another order."""
    import numpy as np

    place = {qubit: k for k, qubit in enumerate(order)}
    indices = np.arange(2 ** len(wanted))
    found: NDArray[Any] = sum(
        ((indices >> k & 1) << place[qubit] for k, qubit in enumerate(wanted)), np.zeros_like(indices)
    )
    return found
