"""Faults: how far the errors of a circuit shift the odds of the accepted shots.

A shot with a wrong number of pieces is dropped, so most faults do no harm. The rest is computed: the circuit runs
again with each Pauli after each gate (3 after a one-qubit gate, 15 after a two-qubit gate). Let p be the exact odds, d
the mean of the odds over the Paulis after a gate, e the gate's error, and K the outcomes with a possible number of
ones. Then

    read = A (w + sum (1 + 2^-n) e (d - p) + sum t (damped / T1 + turned (1 / T2 - 1 / 2T1) / 2))
    undetected = 1/2 * sum over x in K of |read(x) / read(K) - p(x)|

An error e, an average over the states of n qubits, is a Pauli of probability (1 + 2^-n) e. The second sum is over
the times t from a qubit's gate to its next gate or reading: the effect of damping (1 falls to 0) and of phase flips.
The part of e that this explains during the gate is subtracted. A is the reading: wire by wire it turns 0 into 1 with
one probability and 1 into 0 with another, usually larger; for twirled shots (`readout`) both are their mean. w are
the odds with the gates' systematic angle errors, if the calibration gives them, as Google's does; otherwise w = p.

The search for a place needs a cost that is a sum. So each fault has its own share, and so have readings with one or
two misread bits, with the mean r of both probabilities:

    share = 1/2 * sum over x in K of |d(x) - d(K) p(x)|
    cost = sum (1 + 2^-n) share(gate) e(gate) + sum share(i) r(i) + sum share(i, j) r(i) r(j)
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
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
#: begin and end, in seconds
Span = tuple[float, float]

#: circuits that change more amplitudes than this, summed over gates, are not computed
LARGEST = 2**24
#: gates that leave a state unchanged
STILL = ("barrier", "delay")
_PAULIS = [
    np.array(m, dtype=complex) for m in ([[1, 0], [0, 1]], [[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]])
]
#: the Pauli errors of a gate on one or two qubits
WRONG = {1: _PAULIS[1:], 2: [np.kron(a, b) for a in _PAULIS for b in _PAULIS][1:]}


@dataclass(frozen=True, eq=False)
class Faults:
    """The effect of each fault of a circuit; its wires are numbered in the circuit's order."""

    #: the wires of each gate that can fail, in order, with (1 + 2^-n) times its share
    gates: tuple[tuple[tuple[int, ...], float], ...]
    #: the share of one misread wire, or of two at once
    readings: Mapping[tuple[int, ...], float]
    #: the wires that are read; bit k of an outcome is the k-th
    read: tuple[int, ...]
    #: the odds of the outcomes without a fault
    exact: Odds
    #: for each gate (1 + 2^-n) times the change of the odds by its fault
    moved: tuple[Odds, ...]
    #: for each gate and each of its wires the change of the odds by damping and by a phase flip
    relaxed: tuple[tuple[tuple[Odds, Odds], ...], ...]
    #: the wires of each reading
    together: tuple[tuple[int, ...], ...]
    #: the change of the odds by systematic angle errors
    always: Odds | float = 0.0

    @property
    def wires(self) -> tuple[int, ...]:
        """Return the wires that are used."""
        return tuple(sorted({wire for on in (*(on for on, _ in self.gates), *self.readings) for wire in on}))

    def undetected(
        self, chip: Chip[Any], place: Mapping[int, Any], spans: Sequence[Span] = (), *, twirled: bool = False
    ) -> float:  # fmt: skip
        """Return the error not detected by the number of pieces, with each wire on the given qubit of a chip.

        `spans` are those of the gates that can fail, then of the readings. Without them there is no relaxation, and all
        gate errors are Paulis. With `twirled` readings 0 becomes 1 as often as 1 becomes 0.
        """
        odds = self.exact + self.always
        times = self._times(spans)
        for k, (on, _) in enumerate(self.gates):
            rates = [_rates(chip, place[wire]) for wire in on]
            lasts = spans[k][1] - spans[k][0] if spans else 0.0
            relaxing = lasts * sum(damping + 2 * turning for damping, turning in rates) / 4
            error = chip.error([place[wire] for wire in on]) - relaxing / (1 + 0.5 ** len(on))
            odds += max(0.0, error) * self.moved[k]
            for wire, (damping, turning), (damped, turned) in zip(on, rates, self.relaxed[k], strict=True):
                odds += times.get((k, wire), 0.0) * (damping * damped + (turning - damping / 2) / 2 * turned)
        for bit, wire in enumerate(self.read):
            wrong = chip.misread(place[wire])
            odds = _read(odds, bit, *((sum(wrong) / 2,) * 2 if twirled else wrong))
        kept = np.maximum(odds, 0) * _possible(self.exact)
        return float(abs(kept / kept.sum() - self.exact).sum() / 2) if kept.any() else 1.0

    def with_angles(self, steps: Sequence[Step]) -> Faults:
        """Return the same faults, given the steps with their systematic angle errors."""
        silent = [step if step.reads else step._replace(fails=False) for step in steps]
        [states], shown = _run([step for step in silent if not step.reads], _numbers(steps)), _shown(steps)
        odds = np.asarray(abs(states) ** 2, dtype=np.float64)
        return replace(self, always=shown(odds)[0] - self.exact)

    def _times(self, spans: Sequence[Span]) -> dict[tuple[int, int], float]:
        """Return how long each wire relaxes after each of its gates, until its next gate or its reading."""
        times: dict[tuple[int, int], float] = {}
        last: dict[int, int] = {}
        steps = [*(on for on, _ in self.gates), *self.together]
        for k, (on, (begin, end)) in enumerate(zip(steps, spans, strict=True) if spans else ()):
            for wire in on:
                if wire in last:
                    times[last[wire], wire] = begin - spans[last[wire]][0]
                last[wire], times[k, wire] = k, end - begin
        return times

    def cost(self, chip: Chip[Any], place: Mapping[int, Any]) -> float:
        """Return the sum of the shares, with the mean misreading probability; the search for a place minimises it."""
        gates = sum(share * chip.error([place[wire] for wire in on]) for on, share in self.gates)
        return gates + sum(
            share * math.prod(chip.read_out[place[wire]] for wire in on) for on, share in self.readings.items()
        )


class Step(NamedTuple):
    """A gate with its matrix, or a reading, on wires; other steps cannot be computed.

    A gate's first wire is the lowest bit of the matrix.
    """

    on: tuple[int, ...]
    matrix: Any = None
    reads: bool = False
    #: a change of frame cannot fail
    fails: bool = True


def faults_of(circuit: QuantumCircuit, virtual: Collection[str] = ()) -> Faults | None:
    """Return the faults of a Qiskit circuit; gates named in `virtual` cannot fail. None as with `faults_in`."""
    number = {qubit: wire for wire, qubit in enumerate(circuit.qubits)}
    return faults_in([
        _step(one.operation, tuple(number[q] for q in one.qubits), virtual)
        for one in circuit.data if one.operation.name not in STILL
    ])  # fmt: skip


def _step(operation: Any, on: tuple[int, ...], virtual: Collection[str]) -> Step:
    gate = len(on) in WRONG and hasattr(operation, "to_matrix")
    return Step(on, operation.to_matrix() if gate else None, operation.name == "measure", operation.name not in virtual)


def faults_in(steps: Sequence[Step]) -> Faults | None:
    """Return the faults of these steps.

    None if there is too much to compute, or if the steps are not gates on one or two wires followed by one reading.
    """
    gates, together = [step for step in steps if not step.reads], [step.on for step in steps if step.reads]
    read = [wire for on in together for wire in on]
    failing = [step.on for step in gates if step.fails]
    number = _numbers(steps)
    if not _read_last(steps) or (1 + len(gates) * sum(4 ** len(on) for on in failing)) << len(number) > LARGEST:
        return None
    states, shown = _run(gates, number), _shown(steps)
    exact, *wrong = (shown((abs(group) ** 2).mean(axis=0, keepdims=True))[0] for group in states)
    share, often = _Share(exact), [1 + 0.5 ** len(on) for on in failing]
    lies = (bits for size in (1, 2) for bits in combinations(range(len(read)), size))
    return Faults(
        gates=tuple((on, n * share(odds)) for on, n, odds in zip(failing, often, wrong, strict=True)),
        readings={tuple(sorted(read[k] for k in bits)): share(_misread(exact, bits)) for bits in lies},
        read=tuple(read),
        exact=exact,
        moved=tuple(n * (odds - exact) for n, odds in zip(often, wrong, strict=True)),
        relaxed=tuple(_relaxed(states[0][0], group, shown) for group in states[1:]),
        together=tuple(together),
    )


def _numbers(steps: Sequence[Step]) -> dict[int, int]:
    """Return the wires that the steps use, numbered."""
    return {wire: k for k, wire in enumerate(sorted({wire for step in steps for wire in step.on}))}


def _shown(steps: Sequence[Step]) -> _Shown:
    """Return what the readings among the steps show of a state."""
    number = _numbers(steps)
    return _Shown(len(number), [number[wire] for step in steps if step.reads for wire in step.on])


def _read_last(steps: Sequence[Step]) -> bool:
    """Tell whether all steps are gates on one or two qubits, and readings after which their wires are unused."""
    read: set[int] = set()
    for step in steps:
        if not read.isdisjoint(step.on) or not (step.reads or step.matrix is not None):
            return False
        read.update(step.on if step.reads else ())
    return bool(read)


def _run(gates: Sequence[Step], number: Mapping[int, int]) -> list[States]:
    """Return the final state without a fault; and for each gate that can fail, the states with each of its faults."""
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
    """Return the states after a gate; bit k of an index is wire k, and a gate's first wire is its lowest bit."""
    axes = [size - wire for wire in reversed(on)]
    parts = np.moveaxis(states.reshape(-1, *(2,) * size), axes, range(1, len(on) + 1))
    after: States = np.matmul(matrix, parts.reshape(len(states), 2 ** len(on), -1)).reshape(parts.shape)
    return np.moveaxis(after, range(1, len(on) + 1), axes).reshape(len(states), -1)


class _Shown:
    """Sums values over the states with the same reading; bit k is the k-th wire read."""

    def __init__(self, size: int, read: Sequence[int]) -> None:
        numbers = np.arange(1 << size)
        self.outcomes = 1 << len(read)
        self.shown = np.array([numbers >> wire & 1 for wire in read]).T @ (1 << np.arange(len(read)))

    def __call__(self, weights: Odds) -> Odds:
        return np.array([np.bincount(self.shown, row, self.outcomes) for row in weights])


def _relaxed(exact: Any, faulty: States, shown: _Shown) -> tuple[tuple[Odds, Odds], ...]:
    """Return for each wire of a gate the change of the odds by damping and by a phase flip, to first order.

    It follows from the Paulis on the wire: the jump from 1 to 0 is (X + iY) / 2; without a jump the state loses its
    (1 + Z) / 2 part.
    """
    found: list[tuple[Odds, Odds]] = []
    for step in (1, 4) if len(faulty) == len(WRONG[2]) else (1,):  # X, Y, Z on this wire alone are so far apart
        flip, both, phase = (faulty[k * step - 1] for k in (1, 2, 3))
        damped = abs(flip + 1j * both) ** 2 / 4 - abs(exact) ** 2 / 2 + (exact.conj() * phase).real / 2
        damping, turning = shown(np.array([damped, abs(phase) ** 2 - abs(exact) ** 2]))
        found.append((damping, turning))
    return tuple(found)


def _rates(chip: Chip[Any], qubit: Any) -> tuple[float, float]:
    """Return 1/T1 and 1/T2 of a qubit; 0 if unknown. T2 is at most twice T1."""
    damping = 1 / chip.relaxation[qubit] if chip.relaxation.get(qubit) else 0.0
    return damping, max(damping / 2, 1 / chip.dephasing[qubit] if chip.dephasing.get(qubit) else 0.0)


def _misread(odds: Odds, bits: tuple[int, ...]) -> Odds:
    """Return the odds with these bits misread."""
    misread: Odds = odds[np.arange(len(odds)) ^ sum(1 << k for k in bits)]
    return misread


def _read(odds: Odds, bit: int, zero: float, one: float) -> Odds:
    """Return the odds after reading a bit: 0 becomes 1 with probability `zero`, 1 becomes 0 with `one`."""
    chances = np.array([[1 - zero, one], [zero, 1 - one]])
    read: Odds = np.matmul(chances, odds.reshape(-1, 2, 1 << bit)).ravel()
    return read


def _possible(exact: Odds) -> NDArray[np.bool_]:
    """Return for each outcome whether its number of ones is possible."""
    ones = np.bitwise_count(np.arange(len(exact)))
    return np.isin(ones, ones[exact > CERTAIN])


class _Share:
    """Measures how far odds are shifted among the outcomes with a possible number of ones."""

    def __init__(self, exact: Odds) -> None:
        self.exact, self.kept = exact, _possible(exact)

    def __call__(self, odds: Odds) -> float:
        kept = odds * self.kept
        return float(abs(kept - kept.sum() * self.exact).sum() / 2)
