"""The odds of single squares, register by register, and the comparison of states.

A register that a move did not touch is the very same state object, so its share is carried along.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from qchess.boards.geometry import Geometry, mask
from qchess.circuits.engine import Engine
from qchess.circuits.operations import Qubit
from qchess.circuits.registers import Registers


class Share(NamedTuple):
    """One register's part of the board: how likely each of its squares is occupied."""

    state: Any
    odds: Mapping[Qubit, float]
    #: the expected number of pieces
    mass: float
    #: its squares, as a mask
    squares: int
    #: how many qubits it has, those of the environment included
    size: int


def shares(registers: Registers, board: Geometry, known: Mapping[int, Share]) -> dict[int, Share]:
    """The share of every register, by identity; `known` are those of an earlier position."""
    states = {id(at): at for at in registers.place.values() if at.__class__ is not int}
    return {key: known.get(key) or _share(registers.engine, state, board) for key, state in states.items()}


def _share(engine: Engine, state: Any, board: Geometry) -> Share:
    numbers = board.numbers
    marginals = engine.marginals(state)
    odds = {qubit: p for qubit, p in marginals.items() if qubit in numbers}
    return Share(state, odds, sum(odds.values()), mask([numbers[qubit] for qubit in odds]), len(marginals))


def same_state(first: Registers, second: Registers, tolerance: float = 1e-9) -> bool:
    """Whether two states are equal up to a global phase for each value of the environment."""
    if not first.environment and not second.environment:
        return first.same_as(second, tolerance)
    mine = {frozenset(qubits) for qubits in first.registers}
    if first.full != second.full or mine != {frozenset(qubits) for qubits in second.registers}:
        return False
    return all(_same_register(first, second, qubits, tolerance) for qubits in first.registers)


def _same_register(first: Registers, second: Registers, qubits: tuple[Qubit, ...], tolerance: float) -> bool:
    hidden = sum(1 << k for k, qubit in enumerate(qubits) if qubit in first.environment)
    ours, theirs = (_by_environment(state, qubits, hidden) for state in (first, second))
    return ours.keys() == theirs.keys() and all(_parallel(ours[e], theirs[e], tolerance) for e in ours)


def _by_environment(registers: Registers, qubits: tuple[Qubit, ...], hidden: int) -> dict[int, dict[int, complex]]:
    result: dict[int, dict[int, complex]] = {}
    for key, amplitude in registers.engine.amplitudes(registers.place[qubits[0]], qubits).items():
        result.setdefault(key & hidden, {})[key] = amplitude
    return result


def _parallel(a: Mapping[int, complex], b: Mapping[int, complex], tolerance: float) -> bool:
    """Whether two lists of amplitudes differ by a phase at most."""
    top = max(a, key=lambda key: abs(a[key]))
    if abs(b.get(top, 0)) < tolerance:
        return False
    turn = a[top] / abs(a[top]) * abs(b[top]) / b[top]
    return all(abs(a.get(key, 0) - turn * b.get(key, 0)) <= tolerance for key in a.keys() | b.keys())
