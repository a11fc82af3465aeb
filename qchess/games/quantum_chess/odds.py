"""The odds of single squares, register by register, and the comparison of states.

A register that a move did not touch is the same value, and keeps its share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from qchess.boards.geometry import Geometry
from qchess.circuits.operations import Qubit
from qchess.circuits.precision import SAME
from qchess.circuits.register import Register
from qchess.circuits.registers import Registers
from qchess.circuits.world import parallel


class Share(NamedTuple):
    """One register's part of the board: the probability that each of its squares is occupied."""

    odds: Mapping[Qubit, float]
    #: the expected number of pieces
    mass: float
    #: its number of qubits, including those of the environment
    size: int


def shares(registers: Registers, board: Geometry) -> tuple[Share, ...]:
    """Return the share of every register; computed once per register."""
    share = _share_on(board)
    return tuple([register.worked_out(share, share) for register in registers.each])


@lru_cache(maxsize=64)
def _share_on(board: Geometry) -> Callable[[Register], Share]:
    """Return the function that computes a register's share of this board."""
    numbers = board.numbers

    def share(register: Register) -> Share:
        marginals = register.odds
        odds = {qubit: p for qubit, p in marginals.items() if qubit in numbers}
        return Share(odds, sum(odds.values()), len(marginals))

    return share


def held(registers: Registers, board: Geometry) -> int:
    """Return the squares held by registers, as a mask."""
    bits = board.bits
    return sum([bits.get(qubit, 0) for qubit, at in registers.home.items() if at.__class__ is Register])


def same_state(first: Registers, second: Registers, tolerance: float = SAME) -> bool:
    """Tell whether two states are equal up to a global phase for each value of the environment."""
    if not first.environment and not second.environment:
        return first.same_as(second, tolerance)
    mine = {frozenset(qubits) for qubits in first.registers}
    if first.full != second.full or mine != {frozenset(qubits) for qubits in second.registers}:
        return False
    return all(_same_register(first, second, qubits, tolerance) for qubits in first.registers)


def _same_register(first: Registers, second: Registers, qubits: tuple[Qubit, ...], tolerance: float) -> bool:
    hidden = sum(1 << k for k, qubit in enumerate(qubits) if qubit in first.environment)
    ours, theirs = (_by_environment(state, qubits, hidden) for state in (first, second))
    return ours.keys() == theirs.keys() and all(parallel(ours[e], theirs[e], tolerance) for e in ours)


def _by_environment(registers: Registers, qubits: tuple[Qubit, ...], hidden: int) -> dict[int, dict[int, complex]]:
    ((register, _),) = registers.held(qubits)
    result: dict[int, dict[int, complex]] = {}
    for key, amplitude in register.amplitudes(qubits).items():
        result.setdefault(key & hidden, {})[key] = amplitude
    return result
