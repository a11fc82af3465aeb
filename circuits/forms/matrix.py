"""The matrix of a program without questions."""

from __future__ import annotations

from collections.abc import Iterable

from qchess.circuits.errors import ProgramError, StateTooLargeError
from qchess.circuits.operations import Qubit, names
from qchess.circuits.program import Program
from qchess.circuits.unitary import Complex, unitary

#: a matrix of more qubits takes a gigabyte or more
MOST = 12


def matrix(program: Program, order: Iterable[Qubit] | None = None) -> Complex:
    """Return the matrix on the qubits of `order`; bit k of an index is the k-th of them."""
    wires = program.qubits if order is None else names("an order", order)
    if missing := [qubit for qubit in program.qubits if qubit not in wires]:
        raise ProgramError(f"an order names all qubits of the program, this one lacks {', '.join(missing)}")
    if len(wires) > MOST:
        raise StateTooLargeError(f"a matrix is written out for {MOST} qubits at most, got {len(wires)}")
    return unitary(program, wires)
