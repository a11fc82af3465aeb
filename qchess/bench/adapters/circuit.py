"""A circuit in the form given to simulators: numbered wires, some of which start in 1, and gates on them.

A basis state is a number, its key: its binary digits are the wires in order, wire 0 first and most significant.
Simulators that count the other way convert a key with `Circuit.turned`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qchess.circuits.operations import Gate, Operation, Qubit

Complex = NDArray[np.complex128]


class Step(NamedTuple):
    """One gate: its name and parameter, the wires it acts on, and its control wires with their values.

    The names are those of `qchess.circuits.operations`: ISWAP, SWAP, X, Z, H, RY, RZ. The parameter of ISWAP, X and Z
    is an exponent, that of RY and RZ an angle in radians.
    """

    name: str
    parameter: float
    targets: tuple[int, ...]
    controls: tuple[tuple[int, int], ...] = ()

    def matrix(self) -> Complex:
        """Return the gate's matrix over its targets, without controls; the first target is the most significant bit."""
        low, high, entries = Gate(self.name, self.parameter).block()
        places = [int("".join(map(str, bits)), 2) for bits in (low, high)]
        whole = np.eye(2 ** len(self.targets), dtype=np.complex128)
        whole[np.ix_(places, places)] = entries
        return whole

    def whole_matrix(self) -> Complex:
        """Return the matrix over the controls and then the targets; the first control is the most significant bit."""
        inner = self.matrix()
        size = len(inner)
        whole = np.eye(size << len(self.controls), dtype=np.complex128)
        place = int("".join(str(value) for _, value in self.controls) or "0", 2) * size
        whole[place : place + size, place : place + size] = inner
        return whole

    @property
    def all_wires(self) -> tuple[int, ...]:
        """Return the controls, then the targets."""
        return (*(wire for wire, _ in self.controls), *self.targets)


@dataclass(frozen=True)
class Circuit:
    """The number of wires, those that start in 1, and the gates in order."""

    wires: int
    full: tuple[int, ...]
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, wires: Sequence[Qubit], full: frozenset[Qubit], operations: Sequence[Operation]) -> Circuit:
        """Return the circuit of named operations; a wire's number is its place in `wires`."""
        place = {qubit: k for k, qubit in enumerate(wires)}
        steps = (
            Step(
                step.gate.name,
                step.gate.parameter,
                tuple([place[q] for q in step.targets]),
                tuple([(place[q], value) for q, value in step.controls]),
            )
            for step in operations
        )
        return cls(len(wires), tuple(sorted(place[q] for q in full)), tuple(steps))

    def turned(self, key: int) -> int:
        """Return the key of the same basis state with wire 0 as the least significant bit; its own inverse."""
        return int(f"{key:0{self.wires}b}"[::-1], 2)

    def digits(self, key: int) -> str:
        """Return the digits of the key, one per wire."""
        return f"{key:0{self.wires}b}"

    def start(self) -> int:
        """Return the key of the basis state in which the circuit starts."""
        return sum(1 << (self.wires - 1 - wire) for wire in self.full)

    def prefix(self, count: int) -> Circuit:
        """Return the circuit of the first gates only."""
        return Circuit(self.wires, self.full, self.steps[:count])

    def starting_flips(self) -> Iterator[Step]:
        """Yield the gates that make the start from a state in which every wire is 0."""
        return (Step("X", 1.0, (wire,)) for wire in self.full)
