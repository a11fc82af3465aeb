"""Overlap and fidelity of two positions, register by register, from branches."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from qchess.circuits.errors import StateTooLargeError
from qchess.circuits.operations import Qubit
from qchess.circuits.register import Register
from qchess.circuits.registers import Registers
from qchess.study.reduced import factor
from qchess.study.subject import Group, group, registers_of


def overlap(one: Any, other: Any) -> complex:
    """Return the inner product of two states, phases included; a qubit that one does not name is 0 there.

    If the registers of both lie within each other, the cost is that of the state with fewer branches.
    """
    first, second = registers_of(one), registers_of(other)
    if _certainly_differ(first, second):
        return 0j
    result = complex(first.phase).conjugate() * second.phase
    for qubits in _common(first, second):
        result *= _part(first, second, qubits)
    return result


def fidelity(one: Any, other: Any, *squares: Group) -> float:
    """Return the fidelity of two states, from 0 to 1: the squared overlap, or for some squares Uhlmann's."""
    if not group(one, *squares):
        return min(1.0, abs(overlap(one, other)) ** 2)
    import numpy as np

    between = factor(one, *squares).conj().T @ factor(other, *squares)
    return min(1.0, float(np.linalg.svd(between, compute_uv=False).sum()) ** 2)


def _certainly_differ(first: Registers, second: Registers) -> bool:
    """Tell whether a square is certainly full in one and certainly empty in the other."""
    missing = ((second, first.full), (first, second.full))
    return any(world.known(qubit) == 0 for world, full in missing for qubit in full)


def _common(first: Registers, second: Registers) -> list[tuple[Qubit, ...]]:
    """Return the finest groups of squares that no register of either state crosses."""
    import networkx as nx

    graph: nx.Graph[Qubit] = nx.Graph()
    for qubits in (*first.registers, *second.registers):
        nx.add_path(graph, qubits)
        graph.add_nodes_from(qubits)
    return [tuple(sorted(group)) for group in nx.connected_components(graph)]


def _part(first: Registers, second: Registers, qubits: tuple[Qubit, ...]) -> complex:
    """Return the inner product on a group of squares: the branches of the smaller side, looked up in the other."""
    mine, theirs = _factors(first, qubits), _factors(second, qubits)
    if math.prod(map(len, mine)) <= math.prod(map(len, theirs)):
        return sum(a.conjugate() * _amplitude(theirs, key) for key, a in _expanded(mine, first).items())
    return sum(_amplitude(mine, key).conjugate() * b for key, b in _expanded(theirs, second).items())


class _Factor:
    """One register's amplitudes, keyed by the bits of the whole group."""

    def __init__(self, mask: int, table: Mapping[int, complex]) -> None:
        self.mask, self.table = mask, table

    def __len__(self) -> int:
        return len(self.table)


def _factors(world: Registers, qubits: tuple[Qubit, ...]) -> list[_Factor]:
    """Return the group as independent factors: its registers, and one for the certain squares."""
    bit = {qubit: 1 << k for k, qubit in enumerate(qubits)}
    certain = {q: value for q in qubits if (value := world.known(q)) is not None}
    factors = [_Factor(sum(bit[q] for q in certain), {sum(bit[q] * value for q, value in certain.items()): 1 + 0j})]
    for register, _ in world.held(qubits):
        factors.append(_Factor(sum(bit[q] for q in register.qubits), _lifted(register, bit)))
    return factors


def _lifted(register: Register, bit: Mapping[Qubit, int]) -> dict[int, complex]:
    mine = register.qubits
    return {
        sum(bit[q] for k, q in enumerate(mine) if key >> k & 1): complex(a) for key, a in register.amplitudes().items()
    }


def _expanded(factors: list[_Factor], world: Registers) -> dict[int, complex]:
    """Return the product of the factors, branch by branch."""
    size = math.prod(map(len, factors))
    if size > world.engine.branch_limit:
        raise StateTooLargeError(f"the overlap needs {size} branches, the limit is {world.engine.branch_limit}")
    result = {0: 1 + 0j}
    for part in factors:
        result = {key | more: a * b for key, a in result.items() for more, b in part.table.items()}
    return result


def _amplitude(factors: list[_Factor], key: int) -> complex:
    """Return the amplitude of one branch of a product."""
    result = 1 + 0j
    for part in factors:
        result *= part.table.get(key & part.mask, 0)
        if not result:
            break
    return result
