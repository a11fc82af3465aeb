"""Entropies, in bits: how mixed a group of squares is, what two groups know of each other, what a read-out tells."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from qchess.circuits.operations import Qubit
from qchess.circuits.register import Register
from qchess.study.reduced import part_spectrum
from qchess.study.subject import Group, apart, group, registers_of


def bits(probabilities: Iterable[float]) -> float:
    """Shannon's entropy of a distribution.

    >>> bits([0.5, 0.25, 0.25])
    1.5
    """
    return max(0.0, -math.fsum(p * math.log2(p) for p in probabilities if p > 0))


def entropy(where: Any, *squares: Group) -> float:
    """Von Neumann's entropy of a group of squares: 0 if they are entangled with nothing else."""
    held = registers_of(where).held(group(where, *squares, example="entropy(game, 'a3'); entropies(game) has all"))
    return math.fsum(part_entropy(register, mine) for register, mine in held)


def part_entropy(register: Register, mine: tuple[Qubit, ...]) -> float:
    """The entropy of some of a register's squares; of all of them it is 0."""
    if len(mine) == len(register.qubits):
        return 0.0
    return bits(map(float, part_spectrum(register, mine)))


def entropies(where: Any) -> dict[Qubit, float]:
    """The entropy of each square in superposition."""
    return {
        qubit: part_entropy(register, (qubit,)) for register in registers_of(where).each for qubit in register.qubits
    }


def purity(where: Any, *squares: Group) -> float:
    """The trace of the squared density matrix of a group: 1 for a pure state, 1/2^k for k squares mixed completely."""
    held = registers_of(where).held(group(where, *squares, example="purity(game, 'a3')"))
    return math.prod(float((part_spectrum(register, mine) ** 2).sum()) for register, mine in held)


def mutual_information(where: Any, one: Group, other: Group) -> float:
    """What two groups know of each other: the entropies of both, less that of the two together."""
    first, second = apart(where, one, other)
    world = registers_of(where)
    return max(0.0, entropy(world, *first) + entropy(world, *second) - entropy(world, *first, *second))


def readout_entropy(where: Any, *squares: Group) -> float:
    """The bits that a read-out of some squares (default: of all) would tell.

    Where amplitudes have phases alone to tell them apart, a read-out does not see it: this is no entanglement.
    """
    world = registers_of(where)
    return math.fsum(
        _read_out(register, mine) for register, mine in world.held(group(where, *squares) or world.uncertain)
    )


def _read_out(register: Register, mine: tuple[Qubit, ...]) -> float:
    return bits(register.distribution(mine).values())
