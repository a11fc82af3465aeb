"""Faults: how far everything that can go wrong in a circuit moves the odds of the shots that are believed.

A shot with a wrong number of pieces is dropped, so most faults do no harm. What is left is worked out, and not
guessed: the circuit runs again with each Pauli after each gate (3 after a gate on one qubit, 15 after one on two).
With p the exact odds, d those with a fault of a gate, whose Paulis are equally likely: d is their mean, e the gate's
error, and K the outcomes with a possible number of ones,

    read = A (p + sum (1 + 2^-n) e (d - p))
    undetected = 1/2 * sum over x in K of |read(x) / read(K) - p(x)|

for an error e, an average over the states of n qubits, is a Pauli with the chance (1 + 2^-n) e. A is the reading:
wire by wire it turns 0 into 1 with one chance, and 1 into 0 with another, mostly larger one. Waiting is left out.

The search for a place needs a cost that is a sum. So each fault alone has its share, and a reading that of bits
read wrongly with the mean r of both chances, one at a time and two:

    share = 1/2 * sum over x in K of |d(x) - d(K) p(x)|
    cost = sum (1 + 2^-n) share(gate) e(gate) + sum share(i) r(i) + sum share(i, j) r(i) r(j)
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
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


@dataclass(frozen=True, eq=False)
class Faults:
    """What each fault of a circuit does; its wires are the numbers that the circuit gives its qubits."""

    #: the wires of each gate that can fail, in order, with (1 + 2^-n) times its share
    gates: tuple[tuple[tuple[int, ...], float], ...]
    #: the share of one wire, or of two at once, read wrongly
    readings: Mapping[tuple[int, ...], float]
    #: the wires that are read; bit k of an outcome is the k-th
    read: tuple[int, ...]
    #: the odds of the outcomes without a fault
    exact: Odds
    #: for each of the gates (1 + 2^-n) times what its fault adds to the odds
    moved: tuple[Odds, ...]

    @property
    def wires(self) -> tuple[int, ...]:
        """The wires that are used."""
        return tuple(sorted({wire for on in (*(on for on, _ in self.gates), *self.readings) for wire in on}))

    def undetected(self, chip: Chip[Any], place: Mapping[int, Any]) -> float:
        """The error that no number of pieces shows, where each wire is on this qubit of a chip."""
        odds = self.exact.copy()
        for (on, _), moved in zip(self.gates, self.moved, strict=True):
            odds += chip.error([place[wire] for wire in on]) * moved
        for bit, wire in enumerate(self.read):
            odds = _read(odds, bit, *chip.misread(place[wire]))
        kept = np.maximum(odds, 0) * _possible(self.exact)
        return float(abs(kept / kept.sum() - self.exact).sum() / 2) if kept.any() else 1.0

    def cost(self, chip: Chip[Any], place: Mapping[int, Any]) -> float:
        """The sum of the shares, with the mean of both chances of a wrong reading; the search for a place lowers it."""
        gates = sum(share * chip.error([place[wire] for wire in on]) for on, share in self.gates)
        return gates + sum(
            share * math.prod(chip.read_out[place[wire]] for wire in on) for on, share in self.readings.items()
        )


class Step(NamedTuple):
    """A gate with its matrix, or a reading, on wires; what is neither cannot be worked out.

    A gate's first wire is the lowest bit of the matrix.
    """

    on: tuple[int, ...]
    matrix: Any = None
    reads: bool = False
    #: a change of frame cannot fail
    fails: bool = True


def faults_of(circuit: QuantumCircuit, virtual: Collection[str] = ()) -> Faults | None:
    """The faults of a circuit of Qiskit; gates of the `virtual` names cannot fail. None as with `faults_in`."""
    number = {qubit: wire for wire, qubit in enumerate(circuit.qubits)}
    return faults_in([
        _step(one.operation, tuple(number[q] for q in one.qubits), virtual)
        for one in circuit.data if one.operation.name not in STILL
    ])  # fmt: skip


def _step(operation: Any, on: tuple[int, ...], virtual: Collection[str]) -> Step:
    gate = len(on) in WRONG and hasattr(operation, "to_matrix")
    return Step(on, operation.to_matrix() if gate else None, operation.name == "measure", operation.name not in virtual)


def faults_in(steps: Sequence[Step]) -> Faults | None:
    """The faults of these steps.

    None where there is too much to work out, or where the steps are not a number of gates on one wire or two, and
    then one reading.
    """
    gates, read = [step for step in steps if not step.reads], [step.on[0] for step in steps if step.reads]
    failing = [step.on for step in gates if step.fails]
    wires = sorted({wire for step in steps for wire in step.on})
    if not _read_last(steps) or (1 + len(gates) * sum(4 ** len(on) for on in failing)) << len(wires) > LARGEST:
        return None
    number = {wire: k for k, wire in enumerate(wires)}
    exact, *wrong = _odds(_run(gates, number), [number[wire] for wire in read])
    share, often = _Share(exact), [1 + 0.5 ** len(on) for on in failing]
    lies = (bits for size in (1, 2) for bits in combinations(range(len(read)), size))
    return Faults(
        gates=tuple((on, n * share(odds)) for on, n, odds in zip(failing, often, wrong, strict=True)),
        readings={tuple(sorted(read[k] for k in bits)): share(_misread(exact, bits)) for bits in lies},
        read=tuple(read),
        exact=exact,
        moved=tuple(n * (odds - exact) for n, odds in zip(often, wrong, strict=True)),
    )


def _read_last(steps: Sequence[Step]) -> bool:
    """Whether all is gates on one qubit or two, and readings after which nothing happens to their wires."""
    read: set[int] = set()
    for step in steps:
        if not read.isdisjoint(step.on) or not (step.reads or step.matrix is not None):
            return False
        read.update(step.on if step.reads else ())
    return bool(read)


def _run(gates: Sequence[Step], number: Mapping[int, int]) -> list[States]:
    """The last state without a fault; and for each gate that can fail, in order, those with each of its faults."""
    size = len(number)
    states = np.zeros((1, 2**size), dtype=complex)
    states[0, 0] = 1
    ends = [1]
    for gate in gates:
        wires = [number[wire] for wire in gate.on]
        states = _applied(states, gate.matrix, wires, size)
        if gate.fails:
            faulty = (_applied(states[:1], fault, wires, size) for fault in WRONG[len(wires)])
            states = np.concatenate([states, *faulty])
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


def _read(odds: Odds, bit: int, zero: float, one: float) -> Odds:
    """The odds after a bit is read, where 0 becomes 1 with the chance `zero`, and 1 becomes 0 with the chance `one`."""
    chances = np.array([[1 - zero, one], [zero, 1 - one]])
    read: Odds = np.matmul(chances, odds.reshape(-1, 2, 1 << bit)).ravel()
    return read


def _possible(exact: Odds) -> NDArray[np.bool_]:
    """Of each outcome, whether its number of ones is possible."""
    ones = np.bitwise_count(np.arange(len(exact)))
    return np.isin(ones, ones[exact > CERTAIN])


class _Share:
    """Measures how far odds are moved, among the outcomes whose number of ones is possible."""

    def __init__(self, exact: Odds) -> None:
        self.exact, self.kept = exact, _possible(exact)

    def __call__(self, odds: Odds) -> float:
        kept = odds * self.kept
        return float(abs(kept - kept.sum() * self.exact).sum() / 2)
