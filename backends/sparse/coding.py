"""Encode operations as rows of numbers for the kernel, and delay gates on single qubits while that helps.

A row is: gate, first target, second target or -1, number of controls, and for each control twice its position plus its
value. A complete exchange of two qubits without controls only changes names.

A gate on one qubit that mixes (H, X^t, RY) doubles the branches, so it is delayed: the delayed gates of a qubit form
one matrix P. P is applied before the qubit is a control, or moves in part. If the qubit is the target of a controlled
gate U and P^-1 U P is diagonal or antidiagonal, that gate is done instead, and P stays delayed. Delayed gates may
cancel, so a state that would grow to 2^20 branches and shrink to 2^15 never grows. Once no cancelling gate is to come,
a phase is done as a phase, which is cheaper than an exchange. At the end, all delayed gates are applied.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from qchess.circuits.operations import Gate, Matrix, Operation, Qubit

#: a smaller entry of a product of matrices is a rounding error; left in, it would double the state
ROUNDING = 1e-13
#: the codes of programs of up to this many operations are cached
SHORT = 16
ONE: Matrix = ((1, 0), (0, 1))


class Coded(NamedTuple):
    """What encoding needs to know of a gate: its matrix in bytes, and whether it exchanges two qubits completely."""

    matrix: bytes
    exchanges: bool
    #: the phase of what an exchange moves, and the gate of that phase alone
    turn: complex
    phase: bytes
    #: True: without controls, it is better delayed
    waits: bool
    #: True: it only turns phases
    turns: bool


@lru_cache(maxsize=4096)
def coded(gate: Gate) -> Coded:
    """Return the gate as numbers."""
    block = gate.block()
    (_, _), (c, _) = block.matrix
    waits = gate.size == 1 and gate.mixes
    turns = is_diagonal(block.matrix)
    return Coded(packed(block.matrix), gate.exchanges, complex(c), packed(((c, 0), (0, c))), waits, turns)


def packed(matrix: Matrix) -> bytes:
    """Return the matrix as the kernel reads it."""
    numbers = [complex(value) for line in matrix for value in line]
    return struct.pack("=8d", *(part for value in numbers for part in (value.real, value.imag)))


class Code:
    """An encoded program; `bit` says where its qubits are at the end, `late` if any gate was delayed."""

    def __init__(self, bit: dict[Qubit, int], operations: Sequence[Operation], *, puts_off: bool = True) -> None:
        self.bit = bit
        #: where the moved qubits are
        self.moved: dict[Qubit, int] = {}
        self.late = False
        #: True: only phases change
        self.turns = True
        self.numbers: list[int] = []
        self.matrices: list[bytes] = []
        self._known: dict[Gate, tuple[int, Coded]] = {}
        #: the delayed matrix at each position
        self._waiting: dict[int, Matrix] = {}
        #: how many gates are to come that could cancel a delayed one, by qubit; counted with the first delayed gate
        self._to_come: Counter[Qubit] | None = None
        for k, operation in enumerate(operations):
            known = self._known.get(operation.gate) or self._learn(operation.gate)
            if puts_off and (self._waiting or (known[1].waits and not operation.controls)):
                if self._to_come is None:
                    self._to_come = Counter(o.targets[0] for o in operations[k:] if _waits(o))
                self._add_late(operation, *known)
            else:
                self._add(operation, *known)
        if self._waiting:
            self._finish()
        #: the numbers and the matrices, as the kernel reads them
        self.codes = struct.pack(f"={len(self.numbers)}q", *self.numbers)
        self.joined = b"".join(self.matrices)

    def _learn(self, gate: Gate) -> tuple[int, Coded]:
        row = coded(gate)
        known = self._known[gate] = len(self.matrices), row
        self.matrices += (row.matrix, row.phase)
        return known

    def _add(self, operation: Operation, place: int, row: Coded) -> None:
        """Encode an operation on qubits without relevant delayed gates."""
        bit, targets, controls = self.bit, operation.targets, operation.controls
        if row.exchanges and not controls:
            a, b = targets
            bit[a], bit[b] = self.moved[a], self.moved[b] = bit[b], bit[a]
            if row.turn != 1:
                self.numbers += (place + 1, bit[a], bit[b], 0)
            return
        self.turns = self.turns and row.turns
        self.numbers += (place, bit[targets[0]], bit[targets[1]] if len(targets) > 1 else -1, len(controls))
        for qubit, value in controls:
            self.numbers.append(2 * bit[qubit] + value)

    # -- what waits ---------------------------------------------------------------------------------

    def _add_late(self, operation: Operation, place: int, row: Coded) -> None:
        """Encode an operation where a gate is delayed, or delay it too."""
        if len(operation.targets) == 1 and not operation.controls:
            return self._wait(operation, row)
        if len(operation.targets) == 2:
            commutes = row.exchanges and not operation.controls  # it carries along what waits; its phases are diagonal
            for qubit in operation.targets:
                if not commutes or row.turn != 1:
                    self._do(self.bit[qubit], even_diagonal=not commutes)
            for qubit, _ in operation.controls:
                self._do(self.bit[qubit], even_diagonal=False)
            return self._add(operation, place, row)
        return self._add_controlled(operation, place, row)

    def _wait(self, operation: Operation, row: Coded) -> None:
        self.late = True
        position, matrix = self.bit[operation.targets[0]], operation.gate.block().matrix
        if row.waits and self._to_come is not None:
            self._to_come[operation.targets[0]] -= 1
        together = cleaned(times(matrix, self._waiting.get(position, ONE)))
        self._waiting[position] = together
        if together == ONE:
            del self._waiting[position]

    def _add_controlled(self, operation: Operation, place: int, row: Coded) -> None:
        """Encode a controlled gate on one qubit, conjugated with its target's delayed gates."""
        operation = self._turned(operation)
        for qubit, _ in operation.controls:
            self._do(self.bit[qubit], even_diagonal=False)
        position = self.bit[operation.targets[0]]
        waiting = self._waiting.get(position)
        if waiting is None:
            return self._add(operation, place, row)
        seen = cleaned(times(adjoint(waiting), times(operation.gate.block().matrix, waiting)))
        if is_diagonal(seen) or (is_antidiagonal(seen) and self._pays(row)):
            self._emit(seen, position, operation.controls)
            return None
        self._do(position, even_diagonal=True)
        return self._add(operation, place, row)

    def _pays(self, row: Coded) -> bool:
        """Tell whether exchanging branches pays: always, but for a phase that can no longer cancel."""
        return not row.turns or (self._to_come is not None and any(self._to_come.values()))

    def _turned(self, operation: Operation) -> Operation:
        """Return a phase on several qubits with the qubit as target whose delay pays most."""
        if operation.gate.name != "Z" or self._to_come is None:
            return operation
        target = operation.targets[0]
        full = [target, *(qubit for qubit, value in operation.controls if value)]
        best = max(full, key=lambda qubit: (self.bit[qubit] in self._waiting, self._gain(qubit)))
        if best == target:
            return operation
        controls = tuple((target if qubit == best else qubit, value) for qubit, value in operation.controls)
        return Operation(operation.gate, (best,), controls)

    def _gain(self, qubit: Qubit) -> int:
        return self._to_come[qubit] if self._to_come is not None else 0

    def _do(self, position: int, *, even_diagonal: bool) -> None:
        """Apply the delayed gates at a position; a diagonal one commutes with a control, and may stay delayed."""
        waiting = self._waiting.get(position)
        if waiting is not None and (even_diagonal or not is_diagonal(waiting)):
            del self._waiting[position]
            self._emit(waiting, position, ())

    def _emit(self, matrix: Matrix, position: int, controls: tuple[tuple[Qubit, int], ...]) -> None:
        self.turns = self.turns and is_diagonal(matrix)
        self.numbers += (len(self.matrices), position, -1, len(controls))
        self.matrices.append(packed(matrix))
        for qubit, value in controls:
            self.numbers.append(2 * self.bit[qubit] + value)

    def _finish(self) -> None:
        """Apply all delayed gates; those that add no branches first."""
        for position in sorted(self._waiting, key=lambda p: _mixes(self._waiting[p])):
            self._do(position, even_diagonal=True)


def code_of(bit: Mapping[Qubit, int], operations: Sequence[Operation], *, puts_off: bool = True) -> Code:
    """Return the code of some operations; that of a short program is cached and must not be changed."""
    if len(operations) > SHORT:
        return Code(dict(bit), operations, puts_off=puts_off)
    return _kept(tuple(operations), tuple([bit[q] for operation in operations for q in operation.qubits]), puts_off)


@lru_cache(maxsize=1024)
def _kept(operations: tuple[Operation, ...], places: tuple[int, ...], puts_off: bool) -> Code:
    """Return the code of a short program on qubits at these places, each listed as often as it occurs."""
    qubits = [qubit for operation in operations for qubit in operation.qubits]
    return Code(dict(zip(qubits, places, strict=True)), operations, puts_off=puts_off)


def _waits(operation: Operation) -> bool:
    return len(operation.targets) == 1 and not operation.controls and operation.gate.mixes


def _mixes(matrix: Matrix) -> bool:
    return not is_diagonal(matrix) and not is_antidiagonal(matrix)


def is_diagonal(matrix: Matrix) -> bool:
    """Tell whether the matrix only turns phases."""
    return matrix[0][1] == 0 and matrix[1][0] == 0


def is_antidiagonal(matrix: Matrix) -> bool:
    """Tell whether the matrix exchanges, up to phases."""
    return matrix[0][0] == 0 and matrix[1][1] == 0


def times(left: Matrix, right: Matrix) -> Matrix:
    """Return the product: first the right one."""
    (a, b), (c, d) = left
    (e, f), (g, h) = right
    return ((a * e + b * g, a * f + b * h), (c * e + d * g, c * f + d * h))


def adjoint(matrix: Matrix) -> Matrix:
    """Return the inverse of a unitary matrix."""
    (a, b), (c, d) = matrix
    a, b, c, d = (complex(value).conjugate() for value in (a, b, c, d))
    return ((a, c), (b, d))


def cleaned(matrix: Matrix) -> Matrix:
    """Return the matrix with entries near 0 and 1 rounded."""
    (a, b), (c, d) = matrix
    return ((_clean(a), _clean(b)), (_clean(c), _clean(d)))


def _clean(value: complex) -> complex:
    if abs(value) < ROUNDING:
        return 0
    return 1 if abs(value - 1) < 1e-15 else value
