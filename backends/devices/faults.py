"""Faults: how far each thing that can go wrong in a circuit moves the odds of the shots that are believed.

A shot with a wrong number of pieces is dropped, so most faults do no harm: a bit that is read wrongly changes the
number, and so does a piece that decays. What is left is worked out, and not guessed: the circuit runs again with each
Pauli after each gate (3 after a gate on one qubit, 15 after one on two), and is read with one bit or two wrong.
With p the exact odds, d those with the fault, and K the outcomes with a possible number of ones, its share is

    share = 1/2 * sum over x in K of |d(x) - d(K) p(x)|

where the Paulis of one gate are equally likely: d is their mean. Of independent faults, with the vendor's errors e
of gates and r of readings, in the lowest order,

    undetected = sum (1 + 2^-n) share(gate) e(gate) + sum share(i) r(i) + sum share(i, j) r(i) r(j)

for an error e, an average over the states of n qubits, is a Pauli with the chance (1 + 2^-n) e. Waiting is left out.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qchess.backends.devices.chips import Chip
from qchess.circuits.precision import CERTAIN

if TYPE_CHECKING:
    from qiskit import QuantumCircuit

States = NDArray[np.complex128]
Odds = NDArray[np.float64]

#: of a circuit where more amplitudes than this change, counted once a gate, nothing is worked out
LARGEST = 2**24
#: these do nothing to a state
STILL = ("barrier", "delay")
_PAULIS = [
    np.array(m, dtype=complex) for m in ([[1, 0], [0, 1]], [[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]])
]
#: the ways in which a gate on one qubit or two goes wrong
WRONG = {1: _PAULIS[1:], 2: [np.kron(a, b) for a in _PAULIS for b in _PAULIS][1:]}


@dataclass(frozen=True)
class Faults:
    """The shares of a circuit's faults; its wires are the numbers that the circuit gives its qubits."""

    #: the wires of each gate that can fail, in order, with (1 + 2^-n) times its share
    gates: tuple[tuple[tuple[int, ...], float], ...]
    #: the share of one wire, or of two at once, read wrongly
    readings: Mapping[tuple[int, ...], float]

    @property
    def wires(self) -> tuple[int, ...]:
        """The wires that are used."""
        return tuple(sorted({wire for on in (*(on for on, _ in self.gates), *self.readings) for wire in on}))

    def undetected(self, chip: Chip[Any], place: Mapping[int, Any]) -> float:
        """The error that no number of pieces shows, where each wire is on this qubit of a chip."""
        gates = sum(share * chip.error([place[wire] for wire in on]) for on, share in self.gates)
        return gates + sum(
            share * math.prod(chip.read_out[place[wire]] for wire in on) for on, share in self.readings.items()
        )


class _Step(NamedTuple):
    """An operation of the circuit on wires."""

    operation: Any
    on: tuple[int, ...]

    @property
    def reads(self) -> bool:
        return bool(self.operation.name == "measure")


def faults_of(circuit: QuantumCircuit, virtual: Collection[str] = ()) -> Faults | None:
    """The shares of a circuit's faults; gates of the `virtual` names cannot fail.

    None where the circuit is too large, or is not a number of gates and then one reading.
    """
    places = {qubit: wire for wire, qubit in enumerate(circuit.qubits)}
    steps = [_Step(one.operation, tuple(places[q] for q in one.qubits)) for one in circuit.data
             if one.operation.name not in STILL]  # fmt: skip
    gates, read = [step for step in steps if not step.reads], [step.on[0] for step in steps if step.reads]
    failing = [step.on for step in gates if step.operation.name not in virtual]
    wires = sorted({wire for step in steps for wire in step.on})
    if not _read_last(steps) or (1 + len(gates) * sum(4 ** len(on) for on in failing)) << len(wires) > LARGEST:
        return None
    number = {wire: k for k, wire in enumerate(wires)}
    exact, *wrong = _odds(_run(gates, number, virtual), [number[wire] for wire in read])
    share = _Share(exact)
    told = tuple((on, (1 + 0.5 ** len(on)) * share(odds)) for on, odds in zip(failing, wrong, strict=True))
    lies = (bits for size in (1, 2) for bits in combinations(range(len(read)), size))
    return Faults(told, {tuple(sorted(read[k] for k in bits)): share(_misread(exact, bits)) for bits in lies})


def _read_last(steps: list[_Step]) -> bool:
    """Whether all is gates on one qubit or two, and readings after which nothing happens to their wires."""
    read: set[int] = set()
    for step in steps:
        gate = len(step.on) in WRONG and hasattr(step.operation, "to_matrix")
        if not read.isdisjoint(step.on) or not (step.reads or gate):
            return False
        read.update(step.on if step.reads else ())
    return bool(read)


def _run(gates: list[_Step], number: Mapping[int, int], virtual: Collection[str]) -> list[States]:
    """The last state without a fault; and for each gate that can fail, in order, those with each of its faults."""
    size = len(number)
    states = np.zeros((1, 2**size), dtype=complex)
    states[0, 0] = 1
    ends = [1]
    for operation, on in gates:
        wires = [number[wire] for wire in on]
        states = _applied(states, operation.to_matrix(), wires, size)
        if operation.name not in virtual:
            states = np.concatenate([states, *(_applied(states[:1], fault, wires, size) for fault in WRONG[len(on)])])
            ends.append(len(states))
    return np.split(states, ends[:-1])


def _applied(states: States, matrix: Any, on: list[int], size: int) -> States:
    """The states after a gate; bit k of a state's number is wire k, and a gate's first wire is its lowest bit."""
    axes = [size - wire for wire in reversed(on)]
    parts = np.moveaxis(states.reshape(-1, *(2,) * size), axes, range(1, len(on) + 1))
    after: States = np.matmul(matrix, parts.reshape(len(states), 2 ** len(on), -1)).reshape(parts.shape)
    return np.moveaxis(after, range(1, len(on) + 1), axes).reshape(len(states), -1)


def _odds(states: list[States], read: list[int]) -> list[Odds]:
    """The mean odds of the readings of each group of states; bit k is the k-th wire that is read."""
    numbers = np.arange(states[0].shape[1])
    shown = np.array([numbers >> wire & 1 for wire in read]).T @ (1 << np.arange(len(read)))
    found = np.zeros((len(states), 1 << len(read)))
    for odds, group in zip(found, states, strict=True):
        np.add.at(odds, shown, (abs(group) ** 2).mean(axis=0))
    return list(found)


def _misread(odds: Odds, bits: tuple[int, ...]) -> Odds:
    """The odds with these bits read wrongly."""
    misread: Odds = odds[np.arange(len(odds)) ^ sum(1 << k for k in bits)]
    return misread


class _Share:
    """Measures how far odds are moved, among the outcomes whose number of ones is possible."""

    def __init__(self, exact: Odds) -> None:
        ones = np.bitwise_count(np.arange(len(exact)))
        self.exact, self.kept = exact, np.isin(ones, ones[exact > CERTAIN])

    def __call__(self, odds: Odds) -> float:
        kept = odds * self.kept
        return float(abs(kept - kept.sum() * self.exact).sum() / 2)
