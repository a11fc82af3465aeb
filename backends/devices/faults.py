"""Faults: how far everything that can go wrong in a circuit moves the odds of the shots that are believed.

A shot with a wrong number of pieces is dropped, so most faults do no harm. What is left is worked out, and not
guessed: the circuit runs again with each Pauli after each gate (3 after a gate on one qubit, 15 after one on two).
With p the exact odds, d those with a fault of a gate, whose Paulis are equally likely: d is their mean, e the gate's
error, and K the outcomes with a possible number of ones,

    read = A (w + sum (1 + 2^-n) e (d - p) + sum t (damped / T1 + turned (1 / T2 - 1 / 2T1) / 2))
    undetected = 1/2 * sum over x in K of |read(x) / read(K) - p(x)|

for an error e, an average over the states of n qubits, is a Pauli with the chance (1 + 2^-n) e. The second sum is over
the times t from a qubit's gate to its next or its reading: what damping (1 falls to 0) and a flip of the phase then
do to the odds. As much of e as that explains during the gate is taken off. A is the reading: wire by wire it turns
0 into 1 with one chance, and 1 into 0 with another, mostly larger one; of twirled shots (`twirling`) both with the
mean. And w are the odds with the angles by which gates are always wrong, where a calibration tells them, as Google's
does; they are p where it does not, and then such angles are left out.

The search for a place needs a cost that is a sum. So each fault alone has its share, and a reading that of bits
read wrongly with the mean r of both chances, one at a time and two:

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
#: when something begins and ends, in seconds
Span = tuple[float, float]

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
    #: for each of them and each of its wires what damping and a phase flip add, there and then
    relaxed: tuple[tuple[tuple[Odds, Odds], ...], ...]
    #: the wires of each reading
    together: tuple[tuple[int, ...], ...]
    #: what angles that are always wrong add to the odds
    always: Odds | float = 0.0

    @property
    def wires(self) -> tuple[int, ...]:
        """The wires that are used."""
        return tuple(sorted({wire for on in (*(on for on, _ in self.gates), *self.readings) for wire in on}))

    def undetected(
        self, chip: Chip[Any], place: Mapping[int, Any], spans: Sequence[Span] = (), *, twirled: bool = False
    ) -> float:  # fmt: skip
        """The error that no number of pieces shows, where each wire is on this qubit of a chip.

        `spans` are those of the gates that can fail, and then of the readings. Without them nothing relaxes, and all
        errors of gates are Paulis. With `twirled` readings 0 becomes 1 as often as 1 becomes 0.
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
        """The same faults where these are the steps with the angles by which gates are always wrong."""
        silent = [step if step.reads else step._replace(fails=False) for step in steps]
        [states], shown = _run([step for step in silent if not step.reads], _numbers(steps)), _shown(steps)
        odds = np.asarray(abs(states) ** 2, dtype=np.float64)
        return replace(self, always=shown(odds)[0] - self.exact)

    def _times(self, spans: Sequence[Span]) -> dict[tuple[int, int], float]:
        """For how long each wire relaxes from each of its gates on: until its next one begins, or its reading."""
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
    """The wires that the steps use, numbered."""
    return {wire: k for k, wire in enumerate(sorted({wire for step in steps for wire in step.on}))}


def _shown(steps: Sequence[Step]) -> _Shown:
    """What the readings among the steps show of a state."""
    number = _numbers(steps)
    return _Shown(len(number), [number[wire] for step in steps if step.reads for wire in step.on])


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


class _Shown:
    """Adds what belongs to each state of the wires up over the states that are read alike; bit k is the k-th read."""

    def __init__(self, size: int, read: Sequence[int]) -> None:
        numbers = np.arange(1 << size)
        self.outcomes = 1 << len(read)
        self.shown = np.array([numbers >> wire & 1 for wire in read]).T @ (1 << np.arange(len(read)))

    def __call__(self, weights: Odds) -> Odds:
        return np.array([np.bincount(self.shown, row, self.outcomes) for row in weights])


def _relaxed(exact: Any, faulty: States, shown: _Shown) -> tuple[tuple[Odds, Odds], ...]:
    """For each wire of a gate what damping and a phase flip after it add to the odds, to first order.

    They follow from the Paulis on the wire: the jump from 1 to 0 is (X + iY) / 2, and what does not jump is left
    with (1 + Z) / 2 of its state less.
    """
    found: list[tuple[Odds, Odds]] = []
    for step in (1, 4) if len(faulty) == len(WRONG[2]) else (1,):  # X, Y, Z on this wire alone are so far apart
        flip, both, phase = (faulty[k * step - 1] for k in (1, 2, 3))
        damped = abs(flip + 1j * both) ** 2 / 4 - abs(exact) ** 2 / 2 + (exact.conj() * phase).real / 2
        damping, turning = shown(np.array([damped, abs(phase) ** 2 - abs(exact) ** 2]))
        found.append((damping, turning))
    return tuple(found)


def _rates(chip: Chip[Any], qubit: Any) -> tuple[float, float]:
    """1/T1 and 1/T2 of a qubit; 0 where they are not told. T2 is no longer than twice T1."""
    damping = 1 / chip.relaxation[qubit] if chip.relaxation.get(qubit) else 0.0
    return damping, max(damping / 2, 1 / chip.dephasing[qubit] if chip.dephasing.get(qubit) else 0.0)


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
