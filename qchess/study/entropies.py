"""Entropies in bits: of a group of squares, mutual information of two groups, and of a read-out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from qchess.circuits.operations import Qubit
from qchess.circuits.register import Register
from qchess.study.reduced import part_spectrum
from qchess.study.subject import Group, apart, group, registers_of


def bits(probabilities: Iterable[float]) -> float:
    """Return Shannon's entropy of a distribution.

    >>> bits([0.5, 0.25, 0.25])
    1.5
    """
    return max(0.0, -math.fsum(p * math.log2(p) for p in probabilities if p > 0))


def entropy(where: Any, *squares: Group) -> float:
    """Return von Neumann's entropy of a group of squares: 0 if they are entangled with no others."""
    held = registers_of(where).held(group(where, *squares, example="entropy(game, 'a3'); entropies(game) has all"))
    return math.fsum(part_entropy(register, mine) for register, mine in held)


def part_entropy(register: Register, mine: tuple[Qubit, ...]) -> float:
    """Return the entropy of some of a register's squares; of all of them it is 0."""
    if len(mine) == len(register.qubits):
        return 0.0
    return bits(map(float, part_spectrum(register, mine)))


def entropies(where: Any) -> dict[Qubit, float]:
    """Return the entropy of each square in superposition."""
    return {
        qubit: part_entropy(register, (qubit,)) for register in registers_of(where).each for qubit in register.qubits
    }


def purity(where: Any, *squares: Group) -> float:
    """Return the trace of the squared density matrix of a group: 1 if pure, 1/2^k for k completely mixed squares."""
    held = registers_of(where).held(group(where, *squares, example="purity(game, 'a3')"))
    return math.prod(float((part_spectrum(register, mine) ** 2).sum()) for register, mine in held)


def mutual_information(where: Any, one: Group, other: Group) -> float:
    """Return the mutual information of two groups: the sum of their entropies minus that of both together."""
    first, second = apart(where, one, other)
    world = registers_of(where)
    return max(0.0, entropy(world, *first) + entropy(world, *second) - entropy(world, *first, *second))


def readout_entropy(where: Any, *squares: Group) -> float:
    """Return the entropy of a read-out of some squares (default: of all).

    It ignores phases, so it is not a measure of entanglement.
    """
    world = registers_of(where)
    return math.fsum(
        _read_out(register, mine) for register, mine in world.held(group(where, *squares) or world.uncertain)
    )


def _read_out(register: Register, mine: tuple[Qubit, ...]) -> float:
    return bits(register.distribution(mine).values())
